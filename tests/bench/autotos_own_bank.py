# ruff: noqa: E501 - a changed line of source stays a line
"""The bank of :mod:`autotos_domains_bank` for the domains that no one has published: fill-ins, Gogens, nonograms."""

FILL = """
def slots(state):
    height, width = len(state), len(state[0])
    lines = [[(r, c) for c in range(width)] for r in range(height)]
    lines += [[(r, c) for r in range(height)] for c in range(width)]
    found = []
    for line in lines:
        run = []
        for r, c in line:
            if state[r][c] == '#':
                if len(run) >= 2:
                    found.append(run)
                run = []
            else:
                run.append((r, c))
        if len(run) >= 2:
            found.append(run)
    return found

def successor_state(state, words):
    left = list(words)
    for slot in slots(state):
        letters = [state[r][c] for r, c in slot]
        if None not in letters and ''.join(letters) in left:
            left.remove(''.join(letters))
    found = []
    for slot in slots(state):
        letters = [state[r][c] for r, c in slot]
        if None not in letters:
            continue
        for word in sorted(set(left)):
            if len(word) == len(slot) and all(a is None or a == b for a, b in zip(letters, word)):
                new = [list(row) for row in state]
                for (r, c), letter in zip(slot, word):
                    new[r][c] = letter
                found.append(new)
    return found
"""
FILL_GOAL = (
    FILL[: FILL.index("def successor_state")]
    + """
def is_goal_state(state, words):
    if any(cell is None for row in state for cell in row):
        return False
    spelled = [''.join(state[r][c] for r, c in slot) for slot in slots(state)]
    return sorted(spelled) == sorted(words)
"""
)

GOGEN = """
def successor_state(state, words, letters):
    places = {}
    for r, row in enumerate(state):
        for c, cell in enumerate(row):
            if cell is not None:
                places[cell] = (r, c)
    pairs = set()
    for word in words:
        for a, b in zip(word, word[1:]):
            if a != b:
                pairs.add((a, b))
                pairs.add((b, a))
    found = []
    for letter in letters:
        if letter in places:
            continue
        for r, row in enumerate(state):
            for c, cell in enumerate(row):
                if cell is not None:
                    continue
                if any((letter, other) in pairs and max(abs(r - y), abs(c - x)) > 1 for other, (y, x) in places.items()):
                    continue
                new = [list(line) for line in state]
                new[r][c] = letter
                found.append(new)
    return found
"""
GOGEN_GOAL = """
def is_goal_state(state, words, letters):
    places = {}
    for r, row in enumerate(state):
        for c, cell in enumerate(row):
            if cell is None or cell in places:
                return False
            places[cell] = (r, c)
    if sorted(places) != sorted(letters):
        return False
    for word in words:
        for a, b in zip(word, word[1:]):
            if a not in places or b not in places:
                return False
            (r, c), (y, x) = places[a], places[b]
            if a != b and max(abs(r - y), abs(c - x)) != 1:
                return False
    return True
"""

PICTURE = """
def runs(line):
    return [len(part) for part in ''.join(line).replace('.', ' ').split()]

def lines(clue, width):
    if not clue:
        return ['.' * width]
    found = []
    rest = sum(clue[1:]) + len(clue) - 1
    for gap in range(width - rest - clue[0] + 1):
        head = '.' * gap + '#' * clue[0]
        if len(clue) == 1:
            found.append(head + '.' * (width - len(head)))
        else:
            found += [head + '.' + tail for tail in lines(clue[1:], width - len(head) - 1)]
    return found

def fits(column, clue):
    found = runs(column)
    if column[-1] == '.':
        return found == clue[:len(found)]
    return found[:-1] == clue[:len(found) - 1] and len(found) <= len(clue) and found[-1] <= clue[len(found) - 1]

def successor_state(state, rows, columns):
    at = 0
    while at < len(state) and None not in state[at]:
        at += 1
    if at == len(state):
        return []
    found = []
    for line in lines(rows[at], len(columns)):
        new = [list(row) for row in state]
        new[at] = list(line)
        if all(fits([new[r][c] for r in range(at + 1)], clue) for c, clue in enumerate(columns)):
            found.append(new)
    return found
"""
PICTURE_GOAL = """
def runs(line):
    return [len(part) for part in ''.join(line).replace('.', ' ').split()]

def is_goal_state(state, rows, columns):
    for row, clue in zip(state, rows):
        if None in row or runs(row) != clue:
            return False
    return all(runs([row[c] for row in state]) == clue for c, clue in enumerate(columns))
"""

BASES = {
    ("fillin", "successor"): FILL,
    ("fillin", "goal"): FILL_GOAL,
    ("gogen", "successor"): GOGEN,
    ("gogen", "goal"): GOGEN_GOAL,
    ("nonogram", "successor"): PICTURE,
    ("nonogram", "goal"): PICTURE_GOAL,
}
FALSE, TRUE = {"false-positive"}, {"false-negative"}

CHANGES = {
    "fillin": [
        ("overwrites", "successor", {"overwrite"}, ("all(a is None or a == b for a, b in zip(letters, word))", "True")),
        ("the first letter is not checked", "successor", {"overwrite"}, ("zip(letters, word)):\n                new", "zip(letters[1:], word[1:])):\n                new")),
        ("empty slots only", "successor", {"missing"}, ("        if None not in letters:\n            continue", "        if any(letters):\n            continue")),
        ("words are used again", "successor", {"junk"}, ("            left.remove(''.join(letters))", "            pass")),
        ("each word once", "successor", {"missing"}, ("    left = list(words)", "    left = list(set(words))")),
        ("a word that stands is used up wholly", "successor", {"missing"}, ("            left.remove(''.join(letters))", "            left = [w for w in left if w != ''.join(letters)]")),
        ("short words", "successor", {"short-word"}, ("len(word) == len(slot)", "len(word) <= len(slot)")),
        ("long words", "successor", {"junk"}, ("len(word) == len(slot)", "len(word) >= len(slot)")),
        ("across only", "successor", {"junk", "missing"}, ("    lines += [[(r, c) for r in range(height)] for c in range(width)]\n", "")),
        ("the last run of a line", "successor", {"junk", "missing"}, ("        if len(run) >= 2:\n            found.append(run)\n    return", "    return")),
        ("slots of three letters at least", "successor", {"missing"}, ("len(run) >= 2", "len(run) >= 3")),
        ("blocks are no end", "successor", {"overwrite", "missing", "junk", "several-words", "short-word"}, ("            if state[r][c] == '#':", "            if False:")),
        ("letter by letter", "successor", {"short-word"}, ("                    new[r][c] = letter\n", "                    new[r][c] = letter\n                    break\n")),
        ("everything else is filled too", "successor", {"several-words"}, ("                found.append(new)", "                found.append([[cell or 'e' for cell in row] for row in new])")),
        ("backwards as well", "successor", {"junk", "overwrite"}, ("                found.append(new)", "                found.append(new)\n                back = [list(row) for row in new]\n                for (r, c), letter in zip(slot, word[::-1]):\n                    back[r][c] = letter\n                found.append(back)")),
        ("writes into the state", "successor", {"mutated-input", "overwrite", "several-words"}, ("new = [list(row) for row in state]", "new = state")),
        ("rows are shared", "successor", {"mutated-input", "overwrite", "several-words", "reused"}, ("new = [list(row) for row in state]", "new = list(state)")),
        ("rows as texts", "successor", {"wrong-type"}, ("found.append(new)\n    return", "found.append([''.join(cell or ' ' for cell in row) for row in new])\n    return")),
        ("blanks for empty cells", "successor", {"wrong-type", "junk", "several-words", "overwrite", "short-word"}, ("                found.append(new)", "                found.append([[cell or ' ' for cell in row] for row in new])")),
        ("blocks are dropped", "successor", {"overwrite"}, ("                found.append(new)", "                found.append([[None if cell == '#' else cell for cell in row] for row in new])")),
        ("sorts the list", "successor", {"mutated-input"}, ("    left = list(words)", "    words.sort()\n    left = list(words)")),
        ("takes words out of the list", "successor", {"mutated-input"}, ("    left = list(words)", "    left = words")),
        ("lower case", "successor", {"junk", "missing", "overwrite"}, ("    left = list(words)", "    left = [w.lower() for w in words]")),
        ("goal: no list", "goal", FALSE, ("return sorted(spelled) == sorted(words)", "return True")),
        ("goal: as sets", "goal", FALSE, ("sorted(spelled) == sorted(words)", "set(spelled) == set(words)")),
        ("goal: words may be left", "goal", FALSE, ("sorted(spelled) == sorted(words)", "all(spelled.count(w) <= words.count(w) for w in spelled)")),
        ("goal: slots may spell anything", "goal", FALSE, ("sorted(spelled) == sorted(words)", "all(w in spelled for w in words)")),
        ("goal: in order", "goal", TRUE, ("sorted(spelled) == sorted(words)", "spelled == words")),
        ("goal: empty cells", "goal", {"exception"}, ("    if any(cell is None for row in state for cell in row):\n        return False\n", "")),
        ("goal: across only", "goal", TRUE, ("    lines += [[(r, c) for r in range(height)] for c in range(width)]\n", "")),
        ("goal: a list", "goal", {"wrong-type"}, ("return sorted(spelled) == sorted(words)", "return spelled if sorted(spelled) == sorted(words) else []")),
    ],
    "gogen": [
        ("any cell", "successor", {"not-neighbours"}, ("max(abs(r - y), abs(c - x)) > 1", "False")),
        ("rook's moves", "successor", {"missing"}, ("max(abs(r - y), abs(c - x)) > 1", "abs(r - y) + abs(c - x) > 1")),
        ("two steps", "successor", {"not-neighbours"}, ("max(abs(r - y), abs(c - x)) > 1", "max(abs(r - y), abs(c - x)) > 2")),
        ("rows count, columns do not", "successor", {"not-neighbours"}, ("max(abs(r - y), abs(c - x)) > 1", "abs(r - y) > 1")),
        ("pairs one way", "successor", {"not-neighbours"}, ("                pairs.add((b, a))\n", "")),
        ("the first word only", "successor", {"not-neighbours"}, ("for word in words:", "for word in words[:1]:")),
        ("the last pair of a word", "successor", {"not-neighbours"}, ("zip(word, word[1:])", "zip(word[:-2], word[1:])")),
        ("every second pair", "successor", {"not-neighbours"}, ("zip(word, word[1:])", "zip(word[::2], word[1::2])")),
        ("letters twice", "successor", {"wrong-letter"}, ("        if letter in places:\n            continue\n", "")),
        ("any letter of the alphabet", "successor", {"wrong-letter"}, ("for letter in letters:", "for letter in 'ABCDEFGHIJKLMNOPQRSTUVWXYZ':")),
        ("letters of words only", "successor", {"missing"}, ("for letter in letters:", "for letter in sorted(set(''.join(words))):")),
        ("the first empty cell", "successor", {"missing"}, ("    return found", "    return found[:1]")),
        ("next to something", "successor", {"missing"}, ("                new = [list", "                if not any(abs(r - y) < 2 and abs(c - x) < 2 for y, x in places.values()):\n                    continue\n                new = [list")),
        ("overwrites", "successor", {"overwrite"}, ("                if cell is not None:\n                    continue\n", "")),
        ("two letters at once", "successor", {"several-letters"}, ("                found.append(new)", "                found.append([[other or 'A' for other in line] for line in new])")),
        ("lower case", "successor", {"wrong-letter"}, ("new[r][c] = letter", "new[r][c] = letter.lower()")),
        ("moves a letter", "successor", {"overwrite"}, ("new[r][c] = letter", "new[r][c] = letter\n                new[-1][-1] = None if state[-1][-1] else new[-1][-1]")),
        ("writes into the board", "successor", {"mutated-input", "several-letters"}, ("new = [list(line) for line in state]", "new = state")),
        ("rows are shared", "successor", {"mutated-input", "several-letters", "reused"}, ("new = [list(line) for line in state]", "new = list(state)")),
        ("rows as texts", "successor", {"wrong-type"}, ("found.append(new)", "found.append([''.join(x or '.' for x in line) for line in new])")),
        ("blanks for empty cells", "successor", {"wrong-type", "several-letters", "wrong-letter"}, ("found.append(new)", "found.append([[x or '.' for x in line] for line in new])")),
        ("a doubled letter is far from itself", "successor", {"missing"}, ("            if a != b:\n                pairs.add((a, b))\n                pairs.add((b, a))", "            pairs.add((a, b))\n            pairs.add((b, a))\n            if a == b:\n                pairs |= {(a, x) for x in letters if x != a}")),
        ("goal: any full board", "goal", FALSE, ("    for word in words:", "    for word in ():")),
        ("goal: doubled letters", "goal", FALSE, (" or cell in places", ""), ("sorted(places) != sorted(letters)", "not set(places) <= set(letters)")),
        ("goal: strange letters", "goal", FALSE, ("    if sorted(places) != sorted(letters):\n        return False\n", "")),
        ("goal: open cells", "goal", {"exception", "false-positive"}, ("cell is None or ", ""), ("sorted(places) != sorted(letters)", "not set(letters) >= {p for p in places if p}")),
        ("goal: rook's moves", "goal", TRUE, ("max(abs(r - y), abs(c - x))", "abs(r - y) + abs(c - x)")),
        ("goal: a doubled letter", "goal", TRUE, ("a != b and ", "")),
        ("goal: the first pairs", "goal", FALSE, ("zip(word, word[1:])", "list(zip(word, word[1:]))[:1]")),
        ("goal: a number", "goal", {"wrong-type"}, ("    return True", "    return 1")),
    ],
    "nonogram": [
        ("columns are not looked at", "successor", {"wrong-column"}, ("        if all(fits([new[r][c] for r in range(at + 1)], clue) for c, clue in enumerate(columns)):\n            found", "        if True:\n            found")),
        ("the first column only", "successor", {"wrong-column"}, ("for c, clue in enumerate(columns)", "for c, clue in enumerate(columns[:1])")),
        ("the last column is forgotten", "successor", {"wrong-column"}, ("for c, clue in enumerate(columns)", "for c, clue in enumerate(columns[:-1])")),
        ("ended runs may be short", "successor", {"wrong-column"}, ("        return found == clue[:len(found)]\n", "        return len(found) <= len(clue) and all(a <= b for a, b in zip(found, clue))\n")),
        ("long open runs", "successor", {"wrong-column"}, (" and found[-1] <= clue[len(found) - 1]", "")),
        ("open runs must be whole", "successor", {"missing"}, ("found[-1] <= clue", "found[-1] == clue")),
        ("columns must be whole", "successor", {"missing"}, ("fits([new[r][c] for r in range(at + 1)], clue)", "runs([new[r][c] for r in range(at + 1)]) == clue")),
        ("no gap between runs", "successor", {"wrong-runs"}, ("head + '.' + tail", "head + tail"), ("width - len(head) - 1)", "width - len(head))"), ("sum(clue[1:]) + len(clue) - 1", "sum(clue[1:])")),
        ("runs to the left", "successor", {"missing"}, ("range(width - rest - clue[0] + 1)", "range(1)")),
        ("the last place is forgotten", "successor", {"missing"}, ("range(width - rest - clue[0] + 1)", "range(width - rest - clue[0])")),
        ("runs in another order", "successor", {"wrong-runs"}, ("lines(rows[at], len(columns))", "lines(rows[at][::-1], len(columns))")),
        ("a row too far", "successor", {"wrong-row"}, ("        new[at] = list(line)\n", "        new[at] = list(line)\n        new[-1] = list(line)\n")),
        ("the lowest open row", "successor", {"wrong-row"}, ("        new[at] = list(line)\n        if all(fits([new[r][c] for r in range(at + 1)], clue) for c, clue in enumerate(columns)):\n            found.append(new)", "        new[-1] = list(line)\n        found.append(new)"), ("lines(rows[at]", "lines(rows[-1]")),
        ("the clue of the row above", "successor", {"wrong-runs"}, ("lines(rows[at],", "lines(rows[at - 1],")),
        ("filled rows again", "successor", {"overwrite"}, ("        new[at] = list(line)\n", "        new[at] = list(line)\n        new[0] = list(line)\n")),
        ("a cell at a time", "successor", {"wrong-row", "exception"}, ("new[at] = list(line)", "new[at] = [line[0]] + [None] * (len(line) - 1)"), ("        if all(fits([new[r][c] for r in range(at + 1)], clue) for c, clue in enumerate(columns)):\n            found", "        if True:\n            found")),
        ("empty clues have no line", "successor", {"missing"}, ("return ['.' * width]", "return []")),
        ("the first line only", "successor", {"missing"}, ("            found.append(new)\n    return found", "            found.append(new)\n            break\n    return found")),
        ("rows as texts", "successor", {"wrong-type"}, ("new[at] = list(line)", "new[at] = line")),
        ("other signs", "successor", {"wrong-type", "wrong-runs"}, ("            found.append(new)\n    return found", "            found.append([[{'#': 1, '.': 0}.get(x, x) for x in row] for row in new])\n    return found")),
        ("blanks for empty cells", "successor", {"wrong-type", "wrong-runs"}, ("            found.append(new)\n    return found", "            found.append([[' ' if x == '.' else x for x in row] for row in new])\n    return found")),
        ("writes into the state", "successor", {"mutated-input"}, ("new = [list(row) for row in state]", "new = state")),
        ("one after the last row", "successor", {"exception"}, ("    if at == len(state):\n        return []\n", "")),
        ("takes runs out of the clue", "successor", {"mutated-input", "exception"}, ("    for line in lines(rows[at]", "    if rows[at]:\n        rows[at].sort()\n    for line in lines(rows[at]")),
        ("goal: rows only", "goal", FALSE, ("return all(runs([row[c] for row in state]) == clue for c, clue in enumerate(columns))", "return True")),
        ("goal: columns only", "goal", FALSE, ("None in row or runs(row) != clue", "None in row")),
        ("goal: filled cells are counted", "goal", FALSE, ("runs(row) != clue", "row.count('#') != sum(clue)")),
        ("goal: open cells", "goal", {"exception"}, ("None in row or ", "")),
        ("goal: open cells are empty", "goal", FALSE, ("None in row or ", ""), ("''.join(line)", "''.join(x or '.' for x in line)")),
        ("goal: empty clues are [0]", "goal", TRUE, (".split()]", ".split()] or [0]")),
        ("goal: square pictures", "goal", {"false-negative", "exception", "false-positive"}, ("enumerate(columns))", "enumerate(columns)) and len(rows) == len(columns)")),
        ("goal: the last row is forgotten", "goal", {"false-positive", "exception"}, ("zip(state, rows)", "zip(state[:-1], rows)")),
        ("goal: None", "goal", {"wrong-type"}, ("            return False\n    return", "            return None\n    return")),
    ],
}  # fmt: skip

RIGHT = {
    "fillin": [
        ("successor", FILL.replace("found.append(new)\n    return found", "yield new").replace("    found = []\n    for slot in slots(state):\n        letters = [state[r][c] for r, c in slot]\n        if None not in letters:\n", "    for slot in slots(state):\n        letters = [state[r][c] for r, c in slot]\n        if None not in letters:\n")),
        ("successor", "import re\nfrom collections import Counter\n" + FILL[: FILL.index("def successor_state")] + "\ndef successor_state(state, words):\n    texts = [''.join(state[r][c] or '.' for r, c in s) for s in slots(state)]\n    left = Counter(words)\n    left.subtract(t for t in texts if '.' not in t)\n    out = []\n    for s, t in zip(slots(state), texts):\n        if '.' in t:\n            for w, n in left.items():\n                if n > 0 and re.fullmatch(t, w):\n                    fill = dict(zip(s, w))\n                    out.append([[fill.get((r, c), x) for c, x in enumerate(row)] for r, row in enumerate(state)])\n    return out\n"),
        ("goal", "from collections import Counter\n" + FILL_GOAL.replace("sorted(spelled) == sorted(words)", "Counter(spelled) == Counter(words)")),
    ],
    "gogen": [
        ("successor", GOGEN.replace("found.append(new)\n    return found", "yield new").replace("    found = []\n", "")),
        ("successor", GOGEN.replace("max(abs(r - y), abs(c - x)) > 1", "(r - y) ** 2 + (c - x) ** 2 > 2")),
        ("goal", GOGEN_GOAL.replace("max(abs(r - y), abs(c - x)) != 1", "(abs(r - y), abs(c - x)) not in ((0, 1), (1, 0), (1, 1))")),
    ],
    "nonogram": [
        ("successor", PICTURE.replace("            found.append(new)\n    return found", "            yield new").replace("    if at == len(state):\n        return []\n    found = []\n", "    if at == len(state):\n        return\n")),
        ("successor", "from itertools import product\n" + PICTURE.replace("lines(rows[at], len(columns))", "(''.join(p) for p in product('#.', repeat=len(columns)) if runs(p) == rows[at])")),
        ("successor", PICTURE.replace("found[:-1] == clue[:len(found) - 1] and ", "")),  # they were, when they ended
        ("goal", "from itertools import groupby\n" + PICTURE_GOAL.replace("[len(part) for part in ''.join(line).replace('.', ' ').split()]", "[len(list(g)) for k, g in groupby(line) if k == '#']")),
    ],
}  # fmt: skip

PRUNING = {
    "fillin": [("successor", FILL.replace("sorted(set(left))", "sorted(set(left))[:1]"))],
    "gogen": [("successor", GOGEN.replace("                found.append(new)\n", "                found.append(new)\n        break\n"))],
}  # fmt: skip
"""Functions that lose successors and no goal: words and letters can be placed in any order, and so in the alphabet's."""
