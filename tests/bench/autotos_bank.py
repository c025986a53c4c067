# ruff: noqa: E501 - a changed line of source stays a line
"""A bank of faulty and correct functions that measures the judge itself: faults to catch, correct functions to accept.

Most faulty functions are an honest one with one change, as models make them; the others are written out. Each has the
kinds of fault the judge may rightly put first. The bank was written from the contract, not from the judge's states.
"""

SUCCESSOR = """
def successor_state(state, horizontal_answers, vertical_answers):
    result = []
    for row in range(5):
        if None in state[row]:
            for word in horizontal_answers[row]:
                if len(word) == 5 and all(state[row][i] in (None, word[i]) for i in range(5)):
                    new = [line[:] for line in state]
                    new[row] = list(word)
                    result.append(new)
    for column in range(5):
        if None in [state[i][column] for i in range(5)]:
            for word in vertical_answers[column]:
                if len(word) == 5 and all(state[i][column] in (None, word[i]) for i in range(5)):
                    new = [line[:] for line in state]
                    for i in range(5):
                        new[i][column] = word[i]
                    result.append(new)
    return result
"""

GOAL = """
def is_goal_state(state, horizontal_answers, vertical_answers):
    for row in state:
        if None in row:
            return False
    for row in range(5):
        if "".join(state[row]) not in horizontal_answers[row]:
            return False
    for column in range(5):
        if "".join(state[i][column] for i in range(5)) not in vertical_answers[column]:
            return False
    return True
"""

FIT_ROW = "len(word) == 5 and all(state[row][i] in (None, word[i]) for i in range(5))"
FIT_COLUMN = "len(word) == 5 and all(state[i][column] in (None, word[i]) for i in range(5))"
HEAD = "def successor_state(state, horizontal_answers, vertical_answers):\n"
GOAL_HEAD = "def is_goal_state(state, horizontal_answers, vertical_answers):\n"

SUCCESSOR_CHANGES = [
    # name, kinds that may come first, (what is replaced, by what) ...
    (
        "slots of the last row and column forgotten",
        {"missing"},
        ("in range(5):\n        if", "in range(4):\n        if"),
    ),
    (
        "slots of the first row and column forgotten",
        {"missing"},
        ("in range(5):\n        if", "in range(1, 5):\n        if"),
    ),
    (
        "last answer of every list forgotten",
        {"missing"},
        ("_answers[row]:", "_answers[row][:-1]:"),
        ("_answers[column]:", "_answers[column][:-1]:"),
    ),
    (
        "first answer of every list only",
        {"missing"},
        ("_answers[row]:", "_answers[row][:1]:"),
        ("_answers[column]:", "_answers[column][:1]:"),
    ),
    (
        "nine answers at most",
        {"missing"},
        ("_answers[row]:", "_answers[row][:9]:"),
        ("_answers[column]:", "_answers[column][:9]:"),
    ),
    (
        "needs a crossing letter",
        {"missing"},
        (FIT_ROW, FIT_ROW + " and any(state[row])"),
        (FIT_COLUMN, FIT_COLUMN + " and any(state[i][column] for i in range(5))"),
    ),
    (
        "stops after one answer a slot",
        {"missing"},
        ("                    result.append(new)", "                    result.append(new)\n                    break"),
    ),
    ("no answer with the letter e", {"missing"}, ("len(word) == 5", "len(word) == 5 and 'e' not in word")),
    (
        "nothing once seven cells are filled",
        {"missing"},
        ("    result = []", "    result = []\n    if sum(c is not None for r in state for c in r) > 7: return result"),
    ),
    (
        "nothing at the root",
        {"missing"},
        ("    result = []", "    result = []\n    if not any(map(any, state)): return result"),
    ),
    (
        "nothing near the end",
        {"missing"},
        ("    result = []", "    result = []\n    if sum(c is None for r in state for c in r) < 6: return result"),
    ),
    ("lower case letters only", {"missing"}, ("len(word) == 5", "len(word) == 5 and word.islower()")),
    ("letters only", {"missing"}, ("len(word) == 5", "len(word) == 5 and word.isalpha()")),
    (
        "each answer of the first slot that has it only",
        {"missing"},
        ("len(word) == 5", "len(word) == 5 and not any(word in ws for ws in horizontal_answers[:2])"),
    ),
    (
        "compares with the next row",
        {"junk"},
        (FIT_ROW, FIT_ROW.replace("state[row]", "state[(row + 1) % 5]")),
        ("new[row] = list(word)", "new[row] = [o or w for o, w in zip(state[row], word)]"),
    ),
    ("six successors at most", {"missing"}, ("    return result", "    return result[:6]")),
    (
        "hard-wired to one start",
        {"missing"},
        ("    result = []", "    result = []\n    if any(map(any, state)): return result"),
    ),
    ("looks one list on", {"junk"}, ("horizontal_answers[row]:", "horizontal_answers[(row + 1) % 5]:")),
    ("exchanges the lists", {"junk"}, ("vertical_answers[column]:", "horizontal_answers[column]:")),
    ("writes upper case", {"junk", "overwrite"}, ("list(word)", "list(word.upper())")),
    ("writes backwards", {"junk", "overwrite"}, ("list(word)", "list(word[::-1])")),
    (
        "cuts long answers",
        {"junk"},
        ("len(word) == 5 and all(state[row]", "len(word) >= 5 and all(state[row]"),
        ("list(word)", "list(word[:5])"),
    ),
    (
        "also any letter",
        {"short-word", "junk"},
        (
            "    return result",
            "    for r in range(5):\n        for c in range(5):\n            if state[r][c] is None:\n                new = [line[:] for line in state]\n                new[r][c] = 'e'\n                result.append(new)\n    return result",
        ),
    ),
    (
        "also a junk word",
        {"junk", "overwrite"},
        (
            "    return result",
            "    if None in state[4]:\n        result.append([line[:] for line in state[:4]] + [[c or 'x' for c in state[4]]])\n    return result",
        ),
    ),
    ("overwrites in rows", {"overwrite"}, (FIT_ROW, "len(word) == 5")),
    ("overwrites in columns", {"overwrite"}, (FIT_COLUMN, "len(word) == 5")),
    (
        "overwrites when one letter agrees",
        {"overwrite"},
        (FIT_ROW, "len(word) == 5 and any(state[row][i] in (None, word[i]) for i in range(5))"),
    ),
    (
        "last cell is not compared",
        {"overwrite"},
        (FIT_ROW, "len(word) == 5 and all(state[row][i] in (None, word[i]) for i in range(4))"),
    ),
    (
        "first cell is not compared",
        {"overwrite"},
        (FIT_COLUMN, "len(word) == 5 and all(state[i][column] in (None, word[i]) for i in range(1, 5))"),
    ),
    (
        "writes over full slots too",
        {"overwrite"},
        ("if None in state[row]:", "if True:"),
        (
            FIT_ROW,
            "len(word) == 5 and (None not in state[row] or all(state[row][i] in (None, word[i]) for i in range(5)))",
        ),
    ),
    (
        "short answers from the left",
        {"short-word"},
        (FIT_ROW, "len(word) <= 5 and all(state[row][i] in (None, word[i]) for i in range(len(word)))"),
        ("new[row] = list(word)", "new[row][:len(word)] = list(word)"),
    ),
    (
        "short answers from the top",
        {"short-word"},
        (FIT_COLUMN, "len(word) <= 5 and all(state[i][column] in (None, word[i]) for i in range(len(word)))"),
        ("for i in range(5):\n                        new", "for i in range(len(word)):\n                        new"),
    ),
    (
        "four letters will do",
        {"short-word"},
        (FIT_ROW, "len(word) in (4, 5) and all(state[row][i] in (None, word[i]) for i in range(len(word)))"),
        ("new[row] = list(word)", "new[row][:len(word)] = list(word)"),
    ),
    ("the first letter only", {"short-word", "junk"}, ("new[row] = list(word)", "new[row][0] = word[0]")),
    (
        "forgets the last letter",
        {"short-word", "junk"},
        ("for i in range(5):\n                        new", "for i in range(4):\n                        new"),
    ),
    (
        "two rows at once",
        {"several-words", "overwrite"},
        (
            "                    new[row] = list(word)\n",
            "                    new[row] = list(word)\n                    new[(row + 1) % 5] = [n or w for n, w in zip(new[(row + 1) % 5], word)]\n",
        ),
    ),
    (
        "row and then column",
        {"several-words"},
        (
            "    return result",
            "    for word in vertical_answers[0]:\n        for base in result[:2]:\n            if len(word) == 5 and all(base[i][0] in (None, word[i]) for i in range(5)):\n                result.append([[word[i]] + base[i][1:] for i in range(5)])\n    return result",
        ),
    ),
    (
        "one list for all copies",
        {"several-words", "overwrite", "junk", "missing"},
        ("    result = []", "    result = []\n    one = [line[:] for line in state]"),
        (
            "                    new = [line[:] for line in state]\n                    new[row]",
            "                    new = one\n                    new[row]",
        ),
    ),
    (
        "copies the outer list only",
        {"mutated-input"},
        (
            "                    new = [line[:] for line in state]\n                    for i",
            "                    new = state[:]\n                    for i",
        ),
    ),
    ("copies nothing", {"mutated-input"}, ("new = [line[:] for line in state]", "new = state")),
    (
        "sorts the answers in place",
        {"mutated-input"},
        ("    result = []", "    result = []\n    for words in horizontal_answers: words.sort()"),
    ),
    (
        "uses the answers up",
        {"mutated-input"},
        ("    return result", "    if vertical_answers[4]: vertical_answers[4].pop()\n    return result"),
    ),
    (
        "uppercases the state in place",
        {"mutated-input"},
        ("    return result", "    state[0][0] = state[0][0] or 'x'\n    return result"),
    ),
    (
        "prints without end",
        {"output", "timeout"},
        ("    result = []", "    result = []\n    while True: print('x' * 100000)"),
    ),
    ("returns nothing", {"wrong-type"}, ("    return result", "    return")),
    ("forgets to return", {"wrong-type"}, ("    return result", "    result")),
    ("returns None when there is none", {"wrong-type"}, ("    return result", "    return result or None")),
    ("returns one grid", {"wrong-type"}, ("    return result", "    return result[0] if result else state")),
    ("returns pairs", {"wrong-type"}, ("result.append(new)", "result.append((new, word))")),
    ("returns strings for rows", {"wrong-type"}, ("new[row] = list(word)", "new[row] = word")),
    ("returns flat lists", {"wrong-type"}, ("result.append(new)", "result.append(sum(new, []))")),
    (
        "empty strings for empty cells",
        {"wrong-type"},
        ("    return result", "    return [[[c or '' for c in r] for r in g] for g in result]"),
    ),
    (
        "dots for empty cells",
        {"overwrite", "several-words", "junk"},
        ("    return result", "    return [[[c or '.' for c in r] for r in g] for g in result]"),
    ),
    ("returns dictionaries", {"wrong-type"}, ("result.append(new)", "result.append({'state': new})")),
    ("returns a set of strings", {"wrong-type"}, ("    return result", "    return {str(g) for g in result}")),
    ("loses a row", {"wrong-type"}, ("    return result", "    return [g[:4] for g in result]")),
    ("indexes past short answers", {"exception"}, (FIT_ROW, "word[4] and " + FIT_ROW)),
    (
        "takes every list to be full",
        {"exception"},
        ("    result = []", "    result = []\n    longest = [max(words, key=len) for words in horizontal_answers]"),
    ),
    ("joins empty cells", {"exception"}, ("if None in state[row]:", "if ''.join(state[row]) is not None:")),
    (
        "needs a package that is not there",
        {"exception"},
        ("def successor_state", "import numpy as np\ndef successor_state"),
    ),
    (
        "raises on purpose",
        {"exception"},
        ("    return result", "    if not result: raise StopIteration\n    return result"),
    ),
    ("exits", {"exception", "died"}, ("    return result", "    if not result: exit()\n    return result")),
    (
        "random order, half of them",
        {"nondeterministic", "missing"},
        ("    return result", "    import random\n    return random.sample(result, len(result) // 2)"),
    ),
    (
        "every other call",
        {"nondeterministic", "missing"},
        ("def successor_state", "calls = [0]\ndef successor_state"),
        ("    return result", "    calls[0] += 1\n    return result if calls[0] % 2 else result[1:]"),
    ),
    (
        "remembers by state only",
        {"nondeterministic", "missing", "junk"},
        ("def successor_state", "memo = {}\ndef successor_state"),
        ("    result = []", "    result = []\n    key = str(state)\n    if key in memo: return memo[key]"),
        ("    return result", "    memo[key] = result\n    return result"),
    ),
    (
        "depends on the clock",
        {"nondeterministic", "missing"},
        ("    return result", "    import time\n    return result[int(time.perf_counter_ns() // 64) % 2:]"),
    ),
    (
        "depends on the hash seed",
        {"nondeterministic", "missing"},
        ("    return result", "    return [g for g in result if hash(str(g)) % 8]"),
    ),
    (
        "endless on full grids",
        {"timeout"},
        ("    result = []", "    result = []\n    while all(map(all, state)): pass"),
    ),
    (
        "endless at the start",
        {"timeout"},
        ("    result = []", "    result = []\n    while not any(map(any, state)): pass"),
    ),
    ("syntax", {"syntax"}, ("    return result", "    return result)")),
    ("indentation", {"syntax"}, ("    result = []", "  result = []")),
    (
        "a lambda of another name, and nothing in it",
        {"missing"},
        (
            "def successor_state(state, horizontal_answers, vertical_answers):",
            "successors = lambda state, h, v: []\nclass S:\n  def f(self):",
        ),
    ),
    ("two parameters", {"exception"}, ("(state, horizontal_answers, vertical_answers)", "(state, answers)")),
    (
        "parameters in another order",
        {"exception", "wrong-type", "missing", "mutated-input"},
        ("(state, horizontal_answers, vertical_answers)", "(horizontal_answers, vertical_answers, state)"),
    ),
]

SUCCESSOR_TEXTS = [
    ("endless generator", {"too-many"}, HEAD + "    while True:\n        yield [r[:] for r in state]\n"),
    ("generator that never yields", {"timeout"}, HEAD + "    while True:\n        pass\n    yield state\n"),
    ("memory", {"memory"}, HEAD + "    return [[state] * 10**9 for _ in range(100)]\n"),
    (
        "recursion without end",
        {"exception", "died"},
        HEAD + "    return successor_state(state, horizontal_answers, vertical_answers)\n",
    ),
    (
        "everything that can be reached",
        {"several-words", "timeout", "too-many", "memory"},
        "from itertools import product\n"
        + HEAD
        + "    for ws in product(*horizontal_answers):\n        if all(len(w) == 5 for w in ws):\n            yield [list(w) for w in ws]\n",
    ),
    (
        "letter by letter",
        {"short-word", "overwrite", "junk"},
        HEAD
        + "    for r in range(5):\n        for c in range(5):\n            if state[r][c] is None:\n                for word in horizontal_answers[r]:\n                    if len(word) == 5:\n                        new = [line[:] for line in state]\n                        new[r][c] = word[c]\n                        yield new\n",
    ),
    ("no successor ever", {"missing"}, HEAD + "    return []\n"),
    ("the parent only", {"missing"}, HEAD + "    return [[r[:] for r in state]]\n"),
    ("reads a file", {"exception"}, HEAD + "    return open('/etc/hostname').read()\n"),
    ("prose", {"syntax"}, "Here is the function you asked for.\n"),
    ("nothing", {"no-function"}, ""),
]

GOAL_CHANGES = [
    ("rows only", {"false-positive"}, ("    for column in range(5):", "    for column in range(0):")),
    ("columns only", {"false-positive"}, ("    for row in range(5):", "    for row in range(0):")),
    ("first row only", {"false-positive"}, ("    for row in range(5):", "    for row in range(1):")),
    ("last column forgotten", {"false-positive"}, ("    for column in range(5):", "    for column in range(4):")),
    ("first row forgotten", {"false-positive"}, ("    for row in range(5):", "    for row in range(1, 5):")),
    ("middle column forgotten", {"false-positive"}, ("    for column in range(5):", "    for column in (0, 1, 3, 4):")),
    ("any list will do", {"false-positive"}, ("not in horizontal_answers[row]", "not in sum(horizontal_answers, [])")),
    (
        "any column list will do",
        {"false-positive"},
        ("not in vertical_answers[column]", "not in sum(vertical_answers, [])"),
    ),
    (
        "sorted letters",
        {"false-positive"},
        (
            '"".join(state[row]) not in horizontal_answers[row]',
            "sorted(state[row]) not in [sorted(w) for w in horizontal_answers[row]]",
        ),
    ),
    (
        "a part of an answer will do",
        {"false-positive"},
        (
            '"".join(state[row]) not in horizontal_answers[row]',
            "not any(''.join(state[row]) in w for w in horizontal_answers[row])",
        ),
    ),
    (
        "four letters right",
        {"false-positive"},
        (
            '"".join(state[row]) not in horizontal_answers[row]',
            "not any(sum(a == b for a, b in zip(state[row], w)) >= 4 for w in horizontal_answers[row])",
        ),
    ),
    (
        "case does not count for rows",
        {"false-positive"},
        (
            '"".join(state[row]) not in horizontal_answers[row]',
            "''.join(state[row]).lower() not in [w.lower() for w in horizontal_answers[row]]",
        ),
        ("not in vertical_answers[column]", ".lower() not in [w.lower() for w in vertical_answers[column]]"),
        ('"".join(state[i][column] for i in range(5))', '"".join(state[i][column] for i in range(5))'),
    ),
    (
        "a column may be read upwards",
        {"false-positive"},
        (
            '"".join(state[i][column] for i in range(5)) not in vertical_answers[column]',
            "not {''.join(state[i][column] for i in o) for o in (range(5), range(4, -1, -1))} & set(vertical_answers[column])",
        ),
    ),
    (
        "or instead of and",
        {"false-positive"},
        (
            "            return False\n    for column",
            "            break\n    else:\n        return True\n    for column",
        ),
    ),
    (
        "nearly full will do",
        {"false-positive", "exception"},
        ("        if None in row:", "        if row.count(None) > 1:"),
        ('"".join(state[row])', '"".join(c or "?" for c in state[row])'),
        (" not in horizontal_answers[row]:", " not in horizontal_answers[row] and None not in state[row]:"),
        (
            '"".join(state[i][column] for i in range(5)) not in',
            '"".join(state[i][column] or "?" for i in range(5)) not in',
        ),
        ("vertical_answers[column]:", "vertical_answers[column] and None not in [state[i][column] for i in range(5)]:"),
    ),
    (
        "empty cells are skipped",
        {"false-positive"},
        ("            return False\n    for row in range(5)", "            pass\n    for row in range(5)"),
        ('"".join(state[row]) not in', '"".join(filter(None, state[row])) not in [""] +'),
        (
            '"".join(state[i][column] for i in range(5)) not in',
            '"".join(state[i][column] or "" for i in range(5)) not in [""] +',
        ),
    ),
    (
        "empty lists are no obstacle",
        {"false-positive"},
        (" not in horizontal_answers[row]:", " not in (horizontal_answers[row] or [''.join(state[row])]):"),
    ),
    (
        "empty column lists are no obstacle",
        {"false-positive"},
        (
            " not in vertical_answers[column]:",
            " not in (vertical_answers[column] or [''.join(state[i][column] for i in range(5))]):",
        ),
    ),
    (
        "lists exchanged",
        {"false-negative", "false-positive"},
        ("not in horizontal_answers[row]", "not in vertical_answers[row]"),
        ("not in vertical_answers[column]", "not in horizontal_answers[column]"),
    ),
    ("upper case asked for", {"false-negative"}, ('"".join(state[row]) not', '"".join(state[row]).upper() not')),
    ("lists of letters compared", {"false-negative"}, ('"".join(state[row]) not in', "state[row] not in")),
    (
        "each answer once only",
        {"false-negative"},
        (
            "    return True",
            "    words = [''.join(r) for r in state] + [''.join(c) for c in zip(*state)]\n    return len(set(words)) == 10",
        ),
    ),
    (
        "first answers only",
        {"false-negative"},
        ("not in horizontal_answers[row]", "not in horizontal_answers[row][:1]"),
    ),
    (
        "last answer forgotten",
        {"false-negative"},
        ("not in vertical_answers[column]", "not in vertical_answers[column][:-1]"),
    ),
    (
        "letters a to z only",
        {"false-negative"},
        ("    return True", "    return all(c.isalpha() for r in state for c in r)"),
    ),
    (
        "lower case only",
        {"false-negative"},
        ("    return True", "    return all(c == c.lower() for r in state for c in r)"),
    ),
    ("never true", {"false-negative"}, ("    return True", "    return False")),
    ("read upwards", {"false-negative"}, ("for i in range(5)", "for i in range(4, -1, -1)")),
    ("joins without looking", {"exception"}, ("        if None in row:", "        if '' in row:")),
    ("returns None", {"wrong-type"}, ("            return False", "            return")),
    ("returns 1 and 0", {"wrong-type"}, ("return True", "return 1"), ("return False", "return 0")),
    ("returns the grid", {"wrong-type"}, ("    return True", "    return state")),
    ("returns text", {"wrong-type"}, ("    return True", "    return 'True'")),
    ("forgets the last return", {"wrong-type"}, ("    return True", "    True")),
    ("changes the state", {"mutated-input"}, ("    return True", "    state.reverse()\n    return True")),
    (
        "changes the answers",
        {"mutated-input"},
        ("    for row in state:", "    horizontal_answers[0].sort()\n    for row in state:"),
    ),
    (
        "says true every fourth time",
        {"nondeterministic", "false-positive"},
        ("def is_goal", "calls = []\ndef is_goal"),
        (
            "    for row in state:",
            "    calls.append(1)\n    if len(calls) % 4 == 0: return True\n    for row in state:",
        ),
    ),
    (
        "chance",
        {"nondeterministic", "false-negative", "false-positive"},
        ("    return True", "    import random\n    return random.random() < .5"),
    ),
    ("endless on goals", {"timeout"}, ("    return True", "    while True: pass")),
    ("numpy", {"exception"}, ("    return True", "    return True"), ("def is_goal", "import numpy\ndef is_goal")),
    ("syntax", {"syntax"}, ("    return True", "    return True]")),
    ("yields", {"wrong-type"}, ("    return True", "    yield True")),
]

GOAL_TEXTS = [
    ("full will do", {"false-positive"}, GOAL_HEAD + "    return all(c is not None for r in state for c in r)\n"),
    ("always true", {"false-positive"}, GOAL_HEAD + "    return True\n"),
    ("row 0 is filled", {"false-positive"}, GOAL_HEAD + "    return None not in state[0]\n"),
    (
        "equal to everything",
        {"wrong-type"},
        "class E:\n    def __eq__(s, o): return True\n    def __bool__(s): return True\n"
        + GOAL_HEAD
        + "    return E()\n",
    ),
    ("exits", {"died"}, "import os\n" + GOAL_HEAD + "    os._exit(0)\n"),
    ("raises", {"exception"}, GOAL_HEAD + "    assert all(map(all, state))\n    return False\n"),
    ("nothing", {"no-function"}, "x = 1\n"),
]

CORRECT_SUCCESSORS = [
    ("plain", SUCCESSOR),
    (
        "generator",
        HEAD
        + """    for line, lists in ((0, horizontal_answers), (1, vertical_answers)):
        for at, words in enumerate(lists):
            cells = [(at, i) if line == 0 else (i, at) for i in range(5)]
            old = [state[r][c] for r, c in cells]
            if None not in old:
                continue
            for word in words:
                if len(word) == 5 and all(o is None or o == w for o, w in zip(old, word)):
                    new = [list(row) for row in state]
                    for (r, c), w in zip(cells, word):
                        new[r][c] = w
                    yield new
""",
    ),
    ("deepcopy", "import copy\n" + SUCCESSOR.replace("[line[:] for line in state]", "copy.deepcopy(state)")),
    (
        "no duplicates",
        SUCCESSOR.replace(
            "    return result",
            "    unique = []\n    for grid in result:\n        if grid not in unique:\n            unique.append(grid)\n    return unique",
        ),
    ),
    (
        "returns the parent as well",
        SUCCESSOR.replace("if None in state[row]:", "if True:").replace(
            "if None in [state[i][column] for i in range(5)]:", "if True:"
        ),
    ),
    (
        "recursive",
        HEAD
        + """    def fill(slots, done):
        if not slots:
            return done
        (cells, words), *rest = slots
        old = [state[r][c] for r, c in cells]
        if None in old:
            done = done + [put(cells, w) for w in words if fits(old, w)]
        return fill(rest, done)
    def fits(old, word):
        return len(old) == len(word) and (not word or (old[0] in (None, word[0]) and fits(old[1:], word[1:])))
    def put(cells, word):
        letters = dict(zip(cells, word))
        return [[letters.get((r, c), state[r][c]) for c in range(5)] for r in range(5)]
    slots = [([(r, c) for c in range(5)], horizontal_answers[r]) for r in range(5)]
    slots += [([(r, c) for r in range(5)], vertical_answers[c]) for c in range(5)]
    return fill(slots, [])
""",
    ),
    (
        "class",
        """
from dataclasses import dataclass
@dataclass(frozen=True)
class Slot:
    cells: tuple
    words: tuple
    def moves(self, grid):
        old = [grid[r][c] for r, c in self.cells]
        if all(old):
            return
        for word in self.words:
            if len(word) == len(old) and all(o in (None, w) for o, w in zip(old, word)):
                new = [row.copy() for row in grid]
                for (r, c), w in zip(self.cells, word):
                    new[r][c] = w
                yield new
"""
        + HEAD
        + """    slots = [Slot(tuple((r, c) for c in range(5)), tuple(horizontal_answers[r])) for r in range(5)]
    slots += [Slot(tuple((r, c) for r in range(5)), tuple(vertical_answers[c])) for c in range(5)]
    return [new for slot in slots for new in slot.moves(state)]
""",
    ),
    (
        "comprehension",
        HEAD
        + """    def rows(grid, lists):
        return [[list(w) if i == r else list(row) for i, row in enumerate(grid)]
                for r, ws in enumerate(lists) if None in grid[r]
                for w in ws if len(w) == 5 and all(o in (None, x) for o, x in zip(grid[r], w))]
    turn = lambda grid: [list(c) for c in zip(*grid)]
    return rows(state, horizontal_answers) + [turn(g) for g in rows(turn(state), vertical_answers)]
""",
    ),
    (
        "bit tricks",
        HEAD
        + """    def mask(letters):
        value = 0
        for i, x in enumerate(letters):
            if x is not None:
                value |= ord(x) << (21 * i)
        return value
    def care(letters):
        return sum(((1 << 21) - 1) << (21 * i) for i, x in enumerate(letters) if x is not None)
    for turned, lists in ((False, horizontal_answers), (True, vertical_answers)):
        grid = [list(c) for c in zip(*state)] if turned else state
        for at in range(5):
            bits, known = mask(grid[at]), care(grid[at])
            if known == (1 << 105) - 1 or None not in grid[at]:
                continue
            for word in lists[at]:
                if len(word) == 5 and (mask(word) ^ bits) & known == 0:
                    new = [row[:] for row in grid]
                    new[at] = list(word)
                    yield [list(c) for c in zip(*new)] if turned else new
""",
    ),
    (
        "regular expressions",
        "import re\n"
        + HEAD
        + """    found = []
    for at in range(5):
        row = state[at]
        pattern = re.compile("".join(re.escape(c) if c else "." for c in row) + r"\\Z", re.DOTALL)
        for word in horizontal_answers[at] if None in row else ():
            if pattern.match(word):
                found.append([r[:] if i != at else list(word) for i, r in enumerate(state)])
        column = [r[at] for r in state]
        pattern = re.compile("".join(re.escape(c) if c else "." for c in column) + r"\\Z", re.DOTALL)
        for word in vertical_answers[at] if None in column else ():
            if pattern.match(word):
                found.append([r[:at] + [x] + r[at + 1:] for r, x in zip(state, word)])
    return tuple(found)
""",
    ),
    (
        "set of tuples inside",
        HEAD
        + """    seen = set()
    for r in range(5):
        for w in horizontal_answers[r]:
            if len(w) == 5 and all(state[r][i] in (None, w[i]) for i in range(5)):
                seen.add(tuple(tuple(w) if i == r else tuple(state[i]) for i in range(5)))
    for c in range(5):
        for w in vertical_answers[c]:
            if len(w) == 5 and all(state[i][c] in (None, w[i]) for i in range(5)):
                seen.add(tuple(tuple(w[i] if j == c else state[i][j] for j in range(5)) for i in range(5)))
    seen.discard(tuple(map(tuple, state)))
    return [[list(row) for row in grid] for grid in sorted(seen, key=repr)]
""",
    ),
    (
        "grids of tuples, in and out",
        HEAD
        + """    for r, ws in enumerate(horizontal_answers):
        for w in ws:
            if None in state[r] and len(w) == 5 and all(o in (None, x) for o, x in zip(state[r], w)):
                yield tuple(tuple(w) if i == r else tuple(row) for i, row in enumerate(state))
    for c, ws in enumerate(vertical_answers):
        for w in ws:
            old = [row[c] for row in state]
            if None in old and len(w) == 5 and all(o in (None, x) for o, x in zip(old, w)):
                yield tuple(tuple(row[:c]) + (x,) + tuple(row[c + 1:]) for row, x in zip(state, w))
""",
    ),
    (
        "map and filter",
        "from itertools import chain\nfrom functools import partial\n"
        + HEAD
        + """    def open_slot(line): return None in line
    def fits(line, word): return len(line) == len(word) and not any(a and a != b for a, b in zip(line, word))
    def put(grid, at, word): return [list(word) if i == at else list(row) for i, row in enumerate(grid)]
    def moves(grid, lists):
        return chain.from_iterable(map(partial(put, grid, at), filter(partial(fits, grid[at]), lists[at]))
                                   for at in range(len(grid)) if open_slot(grid[at]))
    turned = list(map(list, zip(*state)))
    return chain(moves(state, horizontal_answers), ([list(c) for c in zip(*g)] for g in moves(turned, vertical_answers)))
""",
    ),
    (
        "shares untouched rows",
        HEAD
        + """    result = []
    for r in range(5):
        if None in state[r]:
            result += [state[:r] + [list(w)] + state[r + 1:] for w in horizontal_answers[r]
                       if len(w) == 5 and all(o in (None, x) for o, x in zip(state[r], w))]
    for c in range(5):
        old = [row[c] for row in state]
        if None in old:
            for w in vertical_answers[c]:
                if len(w) == 5 and all(o in (None, x) for o, x in zip(old, w)):
                    result.append([row[:c] + [x] + row[c + 1:] for row, x in zip(state, w)])
    return result
""",
    ),
    (
        "prints for debugging",
        SUCCESSOR.replace("    return result", "    print(len(result), 'successors')\n    return result"),
    ),
    (
        "random order",
        SUCCESSOR.replace("    return result", "    import random\n    random.shuffle(result)\n    return result"),
    ),
    ("another name", SUCCESSOR.replace("def successor_state", "def get_successor_states")),
    (
        "helpers below",
        HEAD
        + "    return list(_moves(state, horizontal_answers, vertical_answers))\n"
        + SUCCESSOR.replace("def successor_state", "def _moves"),
    ),
    (
        "any size",
        SUCCESSOR.replace("for row in range(5)", "for row in range(len(state))")
        .replace("for column in range(5)", "for column in range(len(state[0]))")
        .replace("len(word) == 5", "len(word) == len(state)"),
    ),
]

PRUNING = [
    (
        "fewest candidates first",
        HEAD
        + """    best = None
    for line, lists in ((0, horizontal_answers), (1, vertical_answers)):
        for at, words in enumerate(lists):
            cells = [(at, i) if line == 0 else (i, at) for i in range(5)]
            old = [state[r][c] for r, c in cells]
            if None not in old:
                continue
            fitting = [w for w in words if len(w) == 5 and all(o in (None, x) for o, x in zip(old, w))]
            if best is None or len(fitting) < len(best[1]):
                best = cells, fitting
    for word in best[1] if best else ():
        new = [row[:] for row in state]
        for (r, c), x in zip(best[0], word):
            new[r][c] = x
        yield new
""",
    ),
    (
        "first open row only",
        SUCCESSOR.replace("    for column in range(5):", "        if result: break\n    for column in range(0):"),
    ),
    (
        "forward checking",
        SUCCESSOR.replace(
            "    return result",
            """    def alive(grid):
        for at in range(5):
            column = [row[at] for row in grid]
            for old, words in ((grid[at], horizontal_answers[at]), (column, vertical_answers[at])):
                if not any(len(w) == 5 and all(o in (None, x) for o, x in zip(old, w)) for w in words):
                    return False
        return True
    return [grid for grid in result if alive(grid)]""",
        ),
    ),
    ("rows are enough", SUCCESSOR.replace("    for column in range(5):", "    for column in range(0):")),
    (
        "empty slots only",
        SUCCESSOR.replace("if None in state[row]:", "if state[row] == [None] * 5:").replace(
            "if None in [state[i][column] for i in range(5)]:", "if [None] * 5 == [state[i][column] for i in range(5)]:"
        ),
    ),
    (
        "no word written twice",
        SUCCESSOR.replace(
            "len(word) == 5", "len(word) == 5 and list(word) not in [list(l) for l in (*state, *zip(*state))]"
        ),
    ),
    ("columns are enough", SUCCESSOR.replace("    for row in range(5):", "    for row in range(0):")),
    ("any four rows, and the columns", SUCCESSOR.replace("    for row in range(5):", "    for row in range(4):")),
    ("columns, and the first answer of each row", SUCCESSOR.replace("_answers[row]:", "_answers[row][:1]:")),
    (
        "rows, and columns with a letter",
        SUCCESSOR.replace(
            "if None in [state[i][column] for i in range(5)]:",
            "if None in [state[i][column] for i in range(5)] and state[0][column]:",
        ),
    ),
]
"""Functions that leave successors out and lose no goal: rows alone, or columns alone, can fill any grid."""

CORRECT_GOALS = [
    ("plain", GOAL),
    (
        "all",
        GOAL_HEAD
        + "    return (all(c is not None for r in state for c in r)\n            and all(''.join(r) in h for r, h in zip(state, horizontal_answers))\n            and all(''.join(c) in v for c, v in zip(zip(*state), vertical_answers)))\n",
    ),
    (
        "nested functions",
        GOAL_HEAD
        + "    def word(cells):\n        return None if None in cells else ''.join(cells)\n    def right(cells, words):\n        return word(cells) is not None and word(cells) in words\n    return all(right(state[i], horizontal_answers[i]) for i in range(5)) and all(right([r[i] for r in state], vertical_answers[i]) for i in range(5))\n",
    ),
    (
        "counts",
        GOAL_HEAD
        + "    good = 0\n    for i in range(5):\n        row = [c or ' ' for c in state[i]]\n        column = [r[i] or ' ' for r in state]\n        good += any(list(w) == row for w in horizontal_answers[i])\n        good += any(list(w) == column for w in vertical_answers[i])\n    return good == 10\n",
    ),
    (
        "try",
        GOAL_HEAD
        + "    try:\n        rows = [''.join(r) for r in state]\n    except TypeError:\n        return False\n    columns = [''.join(c) for c in zip(*rows)]\n    return not [1 for w, ws in zip(rows + columns, horizontal_answers + vertical_answers) if w not in set(ws)]\n",
    ),
    (
        "regular expression",
        "import re\n"
        + GOAL_HEAD
        + "    if any(None in r for r in state):\n        return False\n    words = [''.join(r) for r in state] + [''.join(c) for c in zip(*state)]\n    return all(re.fullmatch('|'.join(map(re.escape, ws)) or '(?!)', w) is not None for w, ws in zip(words, horizontal_answers + vertical_answers))\n",
    ),
]


def changed(base: str, changes: tuple[tuple[str, str], ...]) -> str:
    """Apply changes to a source; each must apply."""
    for old, new in changes:
        if old not in base:
            raise ValueError(f"nothing to change: {old}")
        base = base.replace(old, new)
    return base


def bank():
    """Yield (name, role, source, kinds that may rightly come first); for correct functions the verdicts."""
    for name, kinds, *changes in SUCCESSOR_CHANGES:
        yield name, "successor", changed(SUCCESSOR, tuple(changes)), kinds
    for name, kinds, *changes in GOAL_CHANGES:
        yield name, "goal", changed(GOAL, tuple(changes)), kinds
    for role, texts in (("successor", SUCCESSOR_TEXTS), ("goal", GOAL_TEXTS)):
        for name, kinds, source in texts:
            yield name, role, source, kinds
    for name, source in CORRECT_SUCCESSORS:
        yield name, "successor", source, {"exact"}
    for name, source in PRUNING:
        yield name, "successor", source, {"goal-preserving"}
    for name, source in CORRECT_GOALS:
        yield name, "goal", source, {"exact"}
