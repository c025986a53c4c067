"""Closed classes: small sets of answers that minis draw on, and the clue forms that ask for them.

Tables of common knowledge: letters of alphabets, notes, months, numbers, directions, everyday words of other
languages, fixed pairs. Large classes (elements, capitals, states, currencies) are in WordNet's relations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lexicon.text import ascii_text, fold


@dataclass(frozen=True, slots=True)
class ClosedClass:
    """A set of answers, and the clue form that asks for it."""

    name: str
    form: re.Pattern[str]
    members: frozenset[str]


def _class(name: str, form: str, members: str) -> ClosedClass:
    return ClosedClass(name, re.compile(form, re.IGNORECASE), frozenset(members.split()))


CLASSES = (
    _class("Greek letter", r"greek (letter|character)|letter (after|before|between|of the greek)|fraternity letter",
           "ALPHA BETA GAMMA DELTA EPSILON ZETA ETA THETA IOTA KAPPA LAMBDA MU NU XI OMICRON PI "
           "RHO SIGMA TAU UPSILON "
           "PHI CHI PSI OMEGA ETAS CHIS RHOS TAUS PSIS PHIS IOTAS BETAS"),
    _class("Hebrew letter", r"hebrew (letter|character)",
           "ALEPH BETH GIMEL DALETH HE VAV ZAYIN HETH TETH YOD KAPH LAMED MEM NUN SAMEKH AYIN PE "
           "SADHE QOPH RESH SHIN "
           "SIN TAV TAW VAU WAW CHETH KOPH"),
    _class("note of the scale", r"\b(note|scale|solfege|solmization)\b",
           "DO RE MI FA SO SOL LA TI UT SI DOH RAY FAH LAH TE"),
    _class("month", r"\bmonth\b", "JANUARY FEBRUARY MARCH APRIL MAY JUNE JULY AUGUST SEPTEMBER OCTOBER NOVEMBER "
           "DECEMBER NISAN IYAR SIVAN TAMMUZ AV AB ELUL TISHRI HESHVAN KISLEV TEBET SHEBAT ADAR RAMADAN RAJAB"),
    _class("month, short", r"\b(month|mo\.|(jan|feb|mar|apr|aug|sept?|oct|nov|dec)\.?)(\W|$)",
           "JAN FEB MAR APR JUN JUL AUG SEP SEPT OCT NOV DEC"),
    _class("weekday, short", r"\b(day|weekday|(mon|tue|tues|wed|thu|thurs|fri|sat|sun)\.)(\W|$)",
           "MON TUE TUES WED THU THUR THURS FRI SAT SUN"),
    _class("radio alphabet", r"nato|radio alphabet|(before|after|between|follower of) (alfa|alpha|bravo|charlie|delta|"
           r"echo|foxtrot|golf|hotel|india|juliett?|kilo|lima|mike|november|oscar|papa|quebec|romeo|sierra|tango)\b",
           "ALFA BRAVO CHARLIE DELTA ECHO FOXTROT GOLF HOTEL INDIA JULIETT KILO LIMA MIKE NOVEMBER "
           "OSCAR PAPA QUEBEC "
           "ROMEO SIERRA TANGO UNIFORM VICTOR WHISKEY XRAY YANKEE ZULU"),
    _class("direction", r"\b(dir|direction|compass|heading)\b|\bopp(osite)?\.? (of )?[nesw]{2,3}\b",
           "NE NW SE SW NNE ENE ESE SSE SSW WSW WNW NNW"),
    _class("ordinal", r"\b(in order|ordinal|place|finisher|ending|suffix)\b",
           "FIRST SECOND THIRD FOURTH FIFTH SIXTH SEVENTH EIGHTH NINTH TENTH ETH TH ST ND RD"),
    _class("pronoun", r"\bpronoun\b|\b(that|those|this) (guy|woman|man|girl|boy|lady|folks|people)\b|\bbelonging to\b",
           "HE SHE IT WE THEY ME HIM HER US THEM HIS HERS ITS OUR OURS THEIR YOU YOUR MY MINE I THOU THEE THY YE"),
    _class("French word", r"\b(french|france|paris|parisian|nice|cannes|lyon|quebec|montreal|fr\.)(\W|$)",
           "UN UNE DEUX TROIS CINQ SEPT HUIT NEUF DIX OUI NON LE LA LES DES DU ET EN DE AMI AMIE "
           "ROI REINE EAU MER ETE "
           "ETRE AVOIR AN MOIS JOUR NUIT BON BONNE TRES MERCI SOLEIL LUNE TETE MAIN NEZ PERE MERE "
           "FRERE SOEUR FILS FILLE "
           "VIN PAIN LAIT THE CAFE ROUGE NOIR BLANC VERT BLEU CIEL TERRE ILE RUE VILLE MAISON "
           "SALLE ECOLE ELLE ELLES IL "
           "ILS JE TU NOUS VOUS MOI TOI MES SES SA MON TON CE CECI CELA QUI QUE QUOI OU ICI SANS "
           "AVEC POUR SUR SOUS DANS"),
    _class("Spanish word", r"\b(spanish|spain|madrid|mexic\w+|barcelona|sevill\w+|lima|peru|havana|juan|sp\.)(\W|$)",
           "UNO DOS TRES CUATRO CINCO SEIS SIETE OCHO NUEVE DIEZ SI NO EL LA LOS LAS UN UNA Y "
           "AMIGO AMIGA REY REINA AGUA "
           "MAR SOL LUNA ORO RIO TIO TIA CASA DIA NOCHE MES ANO HOLA ADIOS SENOR SENORA NINO NINA "
           "NINOS MADRE PADRE HIJO "
           "HIJA HERMANO BUENO BUENA MAS MUY QUE QUIEN COMO DONDE ESTA ESTE ESTO ESO ESA ESE ESOS "
           "ESTOS ESTAR SER ES SON "
           "OTRO OTRA NADA TODO TODOS PERO CON SIN PARA POR EN DE OLE TORO GATO PERRO LECHE PAN "
           "VINO QUESO ROJO AZUL VERDE "
           "NEGRO BLANCO CALLE MESA SALA ISLA CIELO AMOR BESO MANO OJO OJOS PELO BOCA"),
    _class("Italian word", r"\b(italian|italy|rome|roman|milan|venice|florence|naples|it\.)(\W|$)",
           "UNO UNA DUE TRE QUATTRO CINQUE SEI SETTE OTTO NOVE DIECI SI NO IL LA LO GLI LE AMICO "
           "RE REGINA ACQUA MARE SOLE "
           "LUNA ORO CASA GIORNO NOTTE MESE ANNO CIAO SIGNOR SIGNORA BAMBINO MADRE PADRE BUONO "
           "BENE MOLTO CHE CHI COME DOVE "
           "QUESTO TUTTI CON SENZA PER AMORE AMORI BACIO MANO VINO PANE LATTE ROSSO VERDE BIANCO "
           "NERO STRADA CITTA ISOLA "
           "ADDIO PREGO GRAZIE CARO CARA DOLCE VITA PIANO"),
    _class("German word", r"\b(german|germany|berlin|munich|bonn|vienna|hamburg|austrian?|ger\.)(\W|$)",
           "EIN EINE EINS ZWEI DREI VIER FUNF ACHT NEUN ZEHN JA NEIN DER DIE DAS UND ICH DU ER SIE "
           "ES WIR IHR FREUND KONIG "
           "WASSER MEER SONNE MOND GOLD HAUS TAG NACHT MONAT JAHR HERR FRAU KIND MUTTER VATER "
           "BRUDER GUT SEHR WAS WER WIE WO "
           "IST SIND MIT OHNE FUR AUF IN AUS AB AN ALT NEU ROT BLAU WEIN BIER BROT MILCH STADT "
           "INSEL LIEBE HAND AUGE ACH ADE "
           "EIS HUND STEIN BERG WALD DANKE BITTE AUTO UHR"),
    _class("Latin word", r"\blatin\b|\blat\.|\bcaesar'?s?\b|\bcicero|\bancient rome",
           "ET ERGO EST ESSE SUM AMO AMAS AMAT EGO TU ID IPSO FACTO VENI VIDI VICI REX PAX LEX LUX "
           "VOX NOX AQUA TERRA ARS "
           "VITA AVE VALE ETTU IDEST ETAL ANNO DEI DEUS MATER PATER URSA ALTER ROMA"),
    _class("Scottish word", r"\b(scottish|scots?|scotland|glasgow|edinburgh|highlands?|burns)\b",
           "AIN ANE AE BAIRN BRAE BONNIE BONNY WEE LOCH LASS LAD LAIRD TAM KILT CLAN GLEN NAE NA "
           "AYE KEN SMA UNCO TAE BURN "
           "KIRK LANG LUM SYNE AULD DOUR GAE GIE HAE MON NOO"),
    _class("texter's short form", r"\btext(er|ing|s)?\b|\bchat\w*\b|\bonline\b|\bonline,|\bdm\b",
           "LOL BRB IMO IMHO TTYL OMG ROFL LMAO BFF IDK TMI FYI BTW THX NP TYVM ILY JK SMH TBH IRL "
           "AFK FOMO YOLO PLS"),
)  # fmt: skip
"""All classes, tried in order; a clue may ask for several."""

PAIRS = (
    "PROS CONS", "SALT PEPPER", "BREAD BUTTER", "NEEDLE THREAD", "ROCK ROLL", "HIT MISS", "TRIAL ERROR", "NUTS BOLTS",
    "BACK FORTH", "ODDS ENDS", "ADAM EVE", "BACON EGGS", "CAT MOUSE", "DOS DONTS", "FISH CHIPS", "HAM EGGS",
    "HIDE SEEK", "KISS TELL", "LOCK KEY", "LOST FOUND", "MAC CHEESE", "NEAR FAR", "NOW THEN", "OVER OUT", "PEACE QUIET",
    "PEN PAPER", "PROFIT LOSS", "RISE SHINE", "SAFE SOUND", "SHOW TELL", "SKULL BONES", "STOP GO", "SUPPLY DEMAND",
    "SWEET SOUR",
    "TOM JERRY", "TOUCH GO", "WAIT SEE", "WEAR TEAR", "WINE DINE", "YIN YANG", "ARTS CRAFTS", "BED BREAKFAST",
    "BELLS WHISTLES", "BLACK WHITE", "CAUSE EFFECT", "CRIME PUNISHMENT", "CUT PASTE", "GIN TONIC", "HOOK EYE",
    "HUGS KISSES", "LAW ORDER", "LIFE DEATH", "LIVE LEARN", "MIX MATCH", "MILK HONEY", "NULL VOID", "OIL VINEGAR",
    "PB J", "PEACHES CREAM", "POTS PANS", "RANK FILE", "SICK TIRED", "SOAP WATER", "SUGAR SPICE", "THICK THIN",
    "TOOTH NAIL", "TRICK TREAT", "UPS DOWNS", "VIM VIGOR", "WAR PEACE", "WASH WEAR", "AIDED ABETTED", "AID ABET",
    "ALPHA OMEGA", "BAIT SWITCH", "BALL CHAIN", "BEANS RICE", "CLOAK DAGGER", "COAT TIE", "CURDS WHEY", "DUST ASHES",
    "FLORA FAUNA", "HALE HEARTY", "HEM HAW", "HIGH DRY", "HUE CRY", "KITH KIN", "LO BEHOLD", "MEAT POTATOES",
    "NIP TUCK", "PRIM PROPER", "SPICK SPAN", "TAR FEATHER", "TOSS TURN", "TRUE FALSE", "BAR GRILL", "HEAVEN HELL",
)  # fmt: skip
"""Words that go together: either may be asked for."""

_PARTNER = re.compile(r"_+ (?:and|or|&|n') ([a-z]+)|([a-z]+) (?:and|or|&|n') _+|"
                      r"(?:partner|companion|mate|counterpart) of ([a-z]+)|"
                      r"([a-z]+)'s? (?:partner|companion|counterpart)", re.IGNORECASE)  # fmt: skip

ROMAN = ((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
         (9, "IX"), (5, "V"), (4, "IV"), (1, "I"))  # fmt: skip

_NUMERAL = re.compile(r"\b[MDCLXVI]+\b")

_SUM = re.compile(r"[MDCLXVI] ?([-+x*/]|plus|minus|times|divided by|and) ?[MDCLXVI]")


def roman(number: int) -> str:
    """Return a number from 1 to 3999 in Roman numerals.

    >>> roman(1944)
    'MCMXLIV'
    """
    written = ""
    for value, sign in ROMAN:
        count, number = divmod(number, value)
        written += sign * count
    return written


def arabic(numeral: str) -> int:
    """Read a Roman numeral.

    >>> arabic("MCMXLIV")
    1944
    """
    values = [next(value for value, sign in ROMAN if sign == letter) for letter in numeral]
    return sum(-one if one < two else one for one, two in zip(values, [*values[1:], 0], strict=True))


def _numerals(clue: str) -> Iterator[str]:
    """Yield the answers to a clue about Roman numerals: a number in numerals, or the result of a sum."""
    plain = ascii_text(clue)
    found = [arabic(numeral) for numeral in _NUMERAL.findall(plain) if roman(arabic(numeral)) == numeral]
    sign = _SUM.search(plain)
    if len(found) == 2 and sign:
        one, two = found
        result = {
            "+": one + two, "plus": one + two, "and": one + two, "-": one - two, "minus": one - two, "x": one * two,
            "*": one * two, "times": one * two,
        }.get(sign[1], one // max(two, 1))  # fmt: skip
        if 0 < result < 4000:
            yield roman(result)
    if re.search(r"\broman|\bnumeral|\bancient rome|\bsuper bowl", plain, re.IGNORECASE):
        for number in re.findall(r"\b\d{1,4}\b", plain):
            if 0 < int(number) < 4000:
                yield roman(int(number))


def called_up(clue: str) -> dict[str, str]:
    """Return the answers that closed classes have for a clue, each with the name of its class.

    >>> called_up("Greek letter")["SIGMA"], called_up("XII + III"), called_up("___ and cons")
    ('Greek letter', {'XV': 'Roman numeral'}, {'PROS': 'goes with CONS'})
    """
    plain = ascii_text(clue)
    found: dict[str, str] = {}
    for group in CLASSES:
        if group.form.search(plain):
            found |= dict.fromkeys(group.members, group.name)
    found |= dict.fromkeys(_numerals(clue), "Roman numeral")
    for matched in _PARTNER.finditer(plain):
        given = fold(next(word for word in matched.groups() if word))
        for pair in PAIRS:
            one, two = pair.split()
            if given in (one, two):
                found[two if given == one else one] = f"goes with {given}"
    return found
