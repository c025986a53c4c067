# ruff: noqa: E501 - a changed line of source stays a line
"""A bank of faulty and right functions for each domain besides the crossword.

Most faulty functions are a right one with one change, as models make them. Each has the kinds of fault that the judge
may rightly put first. The bank was written from the contracts, not from the judge's states.
"""

import autotos_own_bank as own

GAME = """
def successor_states(state):
    found = []
    for i in range(len(state)):
        for j in range(i + 1, len(state)):
            a, b = state[i], state[j]
            rest = [state[k] for k in range(len(state)) if k != i and k != j]
            results = [a + b, a - b, b - a, a * b]
            if b != 0:
                results.append(a / b)
            if a != 0:
                results.append(b / a)
            for result in results:
                found.append(rest + [result])
    return found
"""
GAME_GOAL = """
def is_goal_state(state):
    return len(state) == 1 and state[0] == 24
"""

BLOCKS = """
def successor(state):
    found = []
    clear, table, held, on = state['clear'], state['on-table'], state['holding'], state['on']
    if state['arm-empty']:
        for block in clear:
            new = {'clear': [b for b in clear if b != block], 'on-table': list(table), 'on': list(on)}
            new['arm-empty'], new['holding'] = False, block
            if block in table:
                new['on-table'].remove(block)
            for pair in on:
                if pair[0] == block:
                    new['on'].remove(pair)
                    new['clear'].append(pair[1])
            found.append(new)
    else:
        found.append({'clear': clear + [held], 'on-table': table + [held], 'arm-empty': True, 'holding': None, 'on': list(on)})
        for block in clear:
            new = {'clear': [b for b in clear if b != block] + [held], 'on-table': list(table), 'on': on + [(held, block)]}
            new['arm-empty'], new['holding'] = True, None
            found.append(new)
    return found
"""
BLOCKS_GOAL = """
def is_goal_state(state, goal):
    for name in ('clear', 'on-table', 'on'):
        for fact in goal[name]:
            if fact not in state[name]:
                return False
    return True
"""

LOGIC = """
def successor(state, rules):
    found = []
    for x, y in rules:
        if x in state:
            new = set(state)
            new.add(y)
            found.append(new)
    return found
"""
LOGIC_GOAL = """
def is_goal_state(state, goal):
    return goal in state
"""

PUSH = """
def successor_states(state, grid):
    found = []
    row, column = state['at-player']
    stones = state['at-stone']
    for down, right in [(-1, 0), (1, 0), (0, -1), (0, 1)]:
        ahead = (row + down, column + right)
        behind = (row + 2 * down, column + 2 * right)
        if grid[ahead[0]][ahead[1]] == 1:
            continue
        if ahead not in stones:
            found.append({'at-player': ahead, 'at-stone': list(stones)})
        elif grid[behind[0]][behind[1]] != 1 and behind not in stones:
            found.append({'at-player': ahead, 'at-stone': [behind if s == ahead else s for s in stones]})
    return found
"""
PUSH_GOAL = """
def is_goal_state(state, grid):
    return all(grid[row][column] == 2 for row, column in state['at-stone'])
"""

BASES = {
    ("game24", "successor"): GAME,
    ("game24", "goal"): GAME_GOAL,
    ("blocksworld", "successor"): BLOCKS,
    ("blocksworld", "goal"): BLOCKS_GOAL,
    ("prontoqa", "successor"): LOGIC,
    ("prontoqa", "goal"): LOGIC_GOAL,
    ("sokoban", "successor"): PUSH,
    ("sokoban", "goal"): PUSH_GOAL,
}
FALSE, TRUE = {"false-positive"}, {"false-negative"}
DIVIDES = "            if b != 0:\n                results.append(a / b)\n            if a != 0:\n                results.append(b / a)\n"

# domain -> (name, role, kinds that may come first, (what is replaced, by what) ...)
CHANGES = {
    "game24": [
        ("values, not places", "successor", {"length"}, ("if k != i and k != j", "if state[k] != a and state[k] != b")),
        ("infinite", "successor", {"division-by-zero"}, ("            if b != 0:\n                results", "            results"), ("append(a / b)", "append(a / b if b else float('inf'))")),
        ("an empty state for a quotient by zero", "successor", {"length"}, ("    return found", "    return found + [[]] * (0 in state and len(state) == 2)")),
        ("divides by zero", "successor", {"exception"}, (DIVIDES, "            results += [a / b, b / a]\n")),
        ("no subtraction the other way", "successor", {"missing"}, (", b - a, a * b", ", a * b")),
        ("no product", "successor", {"missing"}, ("b - a, a * b]", "b - a]")),
        ("no quotients", "successor", {"missing"}, (DIVIDES, "")),
        ("one quotient only", "successor", {"missing"}, ("            if a != 0:\n                results.append(b / a)\n", "")),
        ("exact quotients only", "successor", {"missing"}, ("if b != 0:", "if b != 0 and a % b == 0:"), ("if a != 0:", "if a != 0 and b % a == 0:")),
        ("integer division", "successor", {"wrong-result"}, ("a / b", "a // b"), ("b / a", "b // a")),
        ("rounds", "successor", {"wrong-result"}, ("rest + [result]", "rest + [round(result, 2)]")),
        ("absolute values", "successor", {"wrong-result", "missing"}, ("rest + [result]", "rest + [abs(result)]")),
        ("a power as well", "successor", {"wrong-result"}, ("b - a, a * b]", "b - a, a * b, a * a]")),
        ("neighbours only", "successor", {"missing"}, ("range(i + 1, len(state))", "range(i + 1, min(i + 2, len(state)))")),
        ("drops the rest", "successor", {"length"}, ("rest + [result]", "[result]")),
        ("keeps an operand", "successor", {"length"}, ("k != i and k != j", "k != i")),
        ("positive numbers only", "successor", {"missing"}, ("for result in results:", "for result in [r for r in results if r > 0]:")),
        ("changes its input", "successor", {"mutated-input"}, ("    found = []", "    found = []\n    state.sort(reverse=True)")),
        ("strings", "successor", {"wrong-type"}, ("rest + [result]", "rest + [str(result)]")),
        ("tuples", "successor", {"wrong-type"}, ("found.append(rest + [result])", "found.append(tuple(rest + [result]))")),
        ("four numbers only", "successor", {"missing"}, ("    found = []", "    found = []\n    if len(state) == 2: return [[state[0] + state[1]]]")),
        ("goal: 24 among others", "goal", FALSE, ("len(state) == 1 and state[0] == 24", "24 in state")),
        ("goal: first number", "goal", {"exception", "false-positive"}, ("len(state) == 1 and ", "")),
        ("goal: sum", "goal", FALSE, ("len(state) == 1 and state[0] == 24", "sum(state) == 24")),
        ("goal: rounded", "goal", FALSE, ("state[0] == 24", "round(state[0]) == 24")),
        ("goal: never", "goal", TRUE, ("== 24", "== 1000")),
        ("goal: text", "goal", {"wrong-type"}, ("return len(state) == 1 and state[0] == 24", "return 'yes' if state == [24] else 'no'")),
        ("goal: tuple", "goal", TRUE, ("len(state) == 1 and state[0] == 24", "state == (24,)")),
    ],
    "blocksworld": [
        ("stacks without clear", "successor", {"wrong-effects"}, ("if b != block] + [held], 'on-table': list(table), 'on': on", "if b != block], 'on-table': list(table), 'on': on")),
        ("the one below stays clear", "successor", {"wrong-effects"}, ("'clear': [b for b in clear if b != block] + [held], 'on-table': list(table), 'on': on", "'clear': clear + [held], 'on-table': list(table), 'on': on")),
        ("unstacking clears nothing", "successor", {"wrong-effects"}, ("                    new['clear'].append(pair[1])\n", "")),
        ("held stays clear", "successor", {"wrong-effects"}, ("new = {'clear': [b for b in clear if b != block], 'on-table'", "new = {'clear': list(clear), 'on-table'")),
        ("stays on the table", "successor", {"wrong-effects"}, ("                new['on-table'].remove(block)\n", "                pass\n")),
        ("stays on the other", "successor", {"wrong-effects"}, ("                    new['on'].remove(pair)\n", "")),
        ("the hand stays full", "successor", {"wrong-effects"}, ("new['arm-empty'], new['holding'] = True, None", "new['arm-empty'], new['holding'] = False, None")),
        ("the hand stays empty", "successor", {"wrong-effects"}, ("new['arm-empty'], new['holding'] = False, block", "new['arm-empty'], new['holding'] = True, block")),
        ("still held when down", "successor", {"wrong-effects", "illegal-move"}, ("'arm-empty': True, 'holding': None", "'arm-empty': True, 'holding': held")),
        ("put down is not clear", "successor", {"wrong-effects"}, ("found.append({'clear': clear + [held]", "found.append({'clear': list(clear)")),
        ("put down is not on the table", "successor", {"wrong-effects"}, ("'on-table': table + [held]", "'on-table': list(table)")),
        ("a full hand picks up", "successor", {"illegal-move", "wrong-effects"}, ("if state['arm-empty']:", "if True:"), ("    else:\n", "    if held:\n")),
        ("buried blocks are taken", "successor", {"illegal-move", "wrong-effects", "exception"}, ("        for block in clear:\n            new = {'clear': [b for b in clear if b != block], 'on-table'", "        for block in clear + [b for b in table if b not in clear]:\n            new = {'clear': [b for b in clear if b != block], 'on-table'")),
        ("never puts down", "successor", {"missing"}, ("        found.append({'clear': clear", "        0 and found.append({'clear': clear")),
        ("never stacks", "successor", {"missing"}, ("        for block in clear:\n            new = {'clear': [b for b in clear if b != block] + [held]", "        for block in []:\n            new = {'clear': [b for b in clear if b != block] + [held]")),
        ("never unstacks", "successor", {"missing"}, ("            found.append(new)\n    else:", "            if block in table: found.append(new)\n    else:")),
        ("never picks up", "successor", {"missing"}, ("            found.append(new)\n    else:", "            if block not in table: found.append(new)\n    else:")),
        ("the first block only", "successor", {"missing"}, ("        for block in clear:\n            new = {'clear': [b for b in clear if b != block], 'on-table'", "        for block in clear[:1]:\n            new = {'clear': [b for b in clear if b != block], 'on-table'")),
        ("lists for pairs", "successor", {"wrong-type"}, ("on + [(held, block)]", "on + [[held, block]]")),
        ("pairs the wrong way", "successor", {"wrong-effects", "illegal-move"}, ("(held, block)", "(block, held)")),
        ("shares the input", "successor", {"mutated-input", "exception"}, ("'on-table': list(table), 'on': list(on)}", "'on-table': table, 'on': on}")),
        ("an invented key", "successor", {"wrong-type"}, ("            found.append(new)\n    else:", "            new['moved'] = block; found.append(new)\n    else:")),
        ("forgets holding", "successor", {"wrong-type"}, ("new['arm-empty'], new['holding'] = True, None", "new['arm-empty'] = True")),
        ("yields to one state", "successor", {"wrong-type"}, ("    return found", "    return found[0] if found else state")),
        ("goal: on only", "goal", FALSE, ("('clear', 'on-table', 'on')", "('on',)")),
        ("goal: clear forgotten", "goal", FALSE, ("('clear', 'on-table', 'on')", "('on-table', 'on')")),
        ("goal: equal lists", "goal", TRUE, ("        for fact in goal[name]:\n            if fact not in state[name]:\n                return False", "        if goal[name] and sorted(goal[name]) != sorted(state[name]):\n            return False")),
        ("goal: empty means none", "goal", TRUE, ("        for fact in goal[name]:", "        if not goal[name] and state[name]: return False\n        for fact in goal[name]:")),
        ("goal: any fact", "goal", {"false-positive"}, ("                return False\n    return True", "                continue\n            return True\n    return False")),
        ("goal: pairs either way", "goal", FALSE, ("if fact not in state[name]:", "if fact not in state[name] and fact[::-1] not in state[name]:")),
        ("goal: the hand must be empty", "goal", TRUE, ("    return True", "    return state['arm-empty']")),
        ("goal: asks for holding", "goal", {"exception"}, ("    return True", "    return state['holding'] == goal['holding']")),
    ],
    "prontoqa": [
        ("chains", "successor", {"several-rules"}, ("            new.add(y)", "            new.add(y)\n            new |= {b for a, b in rules if a in new}")),
        ("everything at once", "successor", {"several-rules"}, ("    return found", "    return [set().union(*found)] if found else []")),
        ("backwards", "successor", {"not-applicable", "invented-fact"}, ("if x in state:", "if y in state:"), ("new.add(y)", "new.add(x)")),
        ("any rule", "successor", {"not-applicable"}, ("if x in state:", "if True:")),
        ("loses the condition", "successor", {"lost-facts"}, ("            new.add(y)", "            new.add(y)\n            new.discard(x)")),
        ("the conclusion alone", "successor", {"lost-facts"}, ("new = set(state)", "new = set()")),
        ("the first rule only", "successor", {"missing", "nondeterministic"}, ("            found.append(new)", "            found.append(new)\n            break")),
        ("the last rule of a condition", "successor", {"missing", "nondeterministic"}, ("for x, y in rules:", "for x, y in dict(rules).items():")),
        ("positive facts only", "successor", {"missing"}, ("if x in state:", "if x in state and not y.startswith('not'):")),
        ("single words only", "successor", {"missing"}, ("if x in state:", "if x in state and ' ' not in y:")),
        ("parts of words", "successor", {"not-applicable"}, ("if x in state:", "if any(x in fact for fact in state):")),
        ("indexes the rules", "successor", {"exception"}, ("for x, y in rules:", "for x, y in [rules[i] for i in range(len(rules))]:")),
        ("one known fact", "successor", {"missing"}, ("if x in state:", "if state == {x}:")),
        ("the least fact", "successor", {"missing"}, ("if x in state:", "if x == min(state):")),
        ("copies nothing", "successor", {"mutated-input"}, ("new = set(state)", "new = state")),
        ("lists", "successor", {"wrong-type"}, ("found.append(new)", "found.append(sorted(new))")),
        ("facts", "successor", {"wrong-type"}, ("found.append(new)", "found.append(y)")),
        ("one state", "successor", {"wrong-type", "missing"}, ("    return found", "    return found[0] if found else set()")),
        ("frozen and not understood", "successor", {"wrong-type"}, ("new = set(state)", "new = state.copy(); new.clear(); new |= state"), ("found.append(new)", "found.append(frozenset(new))")),
        ("negates", "successor", {"invented-fact", "not-applicable"}, ("new.add(y)", "new.add('not-' + y)")),
        ("a random order of rules ends it", "successor", {"missing", "nondeterministic"}, ("for x, y in rules:", "for x, y in list(rules)[:3]:")),
        ("goal: part of a fact", "goal", FALSE, ("goal in state", "any(goal in fact for fact in state)")),
        ("goal: in a fact", "goal", FALSE, ("goal in state", "any(fact in goal for fact in state)")),
        ("goal: alone", "goal", TRUE, ("goal in state", "state == {goal}")),
        ("goal: either side", "goal", FALSE, ("goal in state", "goal in state or 'not-' + goal in state")),
        ("goal: not negated", "goal", TRUE, ("goal in state", "goal in state and not goal.startswith('not')")),
        ("goal: a set", "goal", {"wrong-type"}, ("goal in state", "state & {goal}")),
        ("goal: letters", "goal", {"false-negative", "false-positive"}, ("goal in state", "set(goal) <= state")),
    ],
    "sokoban": [
        ("stone onto stone", "successor", {"stone-on-stone"}, (" and behind not in stones", "")),
        ("walks onto stones", "successor", {"player-on-stone"}, ("        if ahead not in stones:\n", "        if True:\n")),
        ("walks and pushes", "successor", {"player-on-stone"}, ("        elif grid[behind", "        if ahead in stones: found.append({'at-player': ahead, 'at-stone': list(stones)})\n        if ahead in stones and grid[behind")),
        ("through walls", "successor", {"in-a-wall", "exception"}, ("            continue\n", "            pass\n")),
        ("stones into walls", "successor", {"in-a-wall"}, ("grid[behind[0]][behind[1]] != 1 and ", "")),
        ("pulls", "successor", {"illegal-move", "stone-on-stone", "player-on-stone", "in-a-wall"}, ("[behind if s == ahead", "[(row - down, column - right) if s == ahead")),
        ("the player stays", "successor", {"illegal-move"}, ("found.append({'at-player': ahead, 'at-stone': [behind", "found.append({'at-player': (row, column), 'at-stone': [behind")),
        ("the player follows the stone", "successor", {"player-on-stone"}, ("found.append({'at-player': ahead, 'at-stone': [behind", "found.append({'at-player': behind, 'at-stone': [behind")),
        ("the stone vanishes", "successor", {"illegal-move"}, ("[behind if s == ahead else s for s in stones]", "[s for s in stones if s != ahead]")),
        ("the stone is doubled", "successor", {"player-on-stone"}, ("[behind if s == ahead else s for s in stones]", "stones + [behind]")),
        ("never pushes", "successor", {"missing"}, ("        elif grid[behind", "        elif False and grid[behind")),
        ("never walks", "successor", {"missing"}, ("        if ahead not in stones:\n            found.append", "        if ahead not in stones:\n            0 and found.append")),
        ("three directions", "successor", {"missing"}, (", (0, 1)]", "]")),
        ("diagonals too", "successor", {"illegal-move"}, (", (0, 1)]", ", (0, 1), (1, 1)]")),
        ("goals are walls for the player", "successor", {"missing"}, ("== 1:\n            continue", "!= 0:\n            continue")),
        ("goals are walls for stones", "successor", {"missing"}, ("behind[1]] != 1", "behind[1]] == 0")),
        ("stones stay on goals", "successor", {"missing"}, ("elif grid[behind", "elif grid[ahead[0]][ahead[1]] != 2 and grid[behind")),
        ("leaves dead corners out", "successor", {"missing"}, ("    return found", "    return [s for s in found if s['at-stone'] == stones or sum(grid[r + a][c + b] == 1 for r, c in s['at-stone'] for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))) < 2]")),
        ("lists for places", "successor", {"wrong-type"}, ("ahead = (row + down, column + right)", "ahead = [row + down, column + right]")),
        ("a set of stones", "successor", {"wrong-type"}, ("'at-stone': [behind if s == ahead else s for s in stones]", "'at-stone': {behind if s == ahead else s for s in stones}")),
        ("moves the input", "successor", {"mutated-input"}, ("found.append({'at-player': ahead, 'at-stone': list(stones)})", "state['at-player'] = ahead; found.append(dict(state))")),
        ("row and column exchanged", "successor", {"exception", "in-a-wall", "missing", "illegal-move"}, ("grid[ahead[0]][ahead[1]]", "grid[ahead[1]][ahead[0]]")),
        ("checks bounds too narrowly", "successor", {"missing"}, ("if grid[ahead[0]][ahead[1]] == 1:", "if grid[ahead[0]][ahead[1]] == 1 or ahead[0] < 2:")),
        ("goal: any stone", "goal", FALSE, ("all(", "any(")),
        ("goal: the first stone", "goal", FALSE, ("in state['at-stone']", "in state['at-stone'][:1]")),
        ("goal: the player too", "goal", TRUE, ("return all(", "return grid[state['at-player'][0]][state['at-player'][1]] == 2 and all(")),
        ("goal: exchanged", "goal", {"exception", "false-negative", "false-positive"}, ("grid[row][column]", "grid[column][row]")),
        ("goal: not in a wall", "goal", FALSE, ("== 2", "!= 1")),
        ("goal: a count", "goal", {"wrong-type"}, ("all(grid[row][column] == 2 for row, column in state['at-stone'])", "sum(grid[row][column] == 2 for row, column in state['at-stone'])")),
        ("goal: in order", "goal", TRUE, ("all(grid[row][column] == 2 for row, column in state['at-stone'])", "[(r, c) for r, line in enumerate(grid) for c, cell in enumerate(line) if cell == 2] == state['at-stone']")),
    ],
}  # fmt: skip

RIGHT = {
    "game24": [
        ("successor", "def successor_states(state):\n    from itertools import permutations\n    found = set()\n    for order in permutations(state):\n        if len(order) < 2: continue\n        (a, b), rest = order[:2], order[2:]\n        for r in (a + b, a - b, a * b) + ((a / b,) if b else ()):\n            found.add(tuple(sorted(rest + (r,))))\n    return [list(one) for one in found]\n"),
        ("goal", "def is_goal_state(state):\n    import math\n    return len(state) == 1 and math.isclose(state[0], 24, abs_tol=1e-9)\n"),
        ("successor", "def successor_states(state):\n    for i, a in enumerate(state):\n        for j, b in enumerate(state):\n            if i != j:\n                rest = [x for k, x in enumerate(state) if k not in (i, j)]\n                yield rest + [a + b]\n                yield rest + [a - b]\n                yield rest + [a * b]\n                if abs(b) > 1e-9:\n                    yield rest + [a / b]\n"),
        ("goal", "def is_goal_state(state):\n    return state == [24]\n"),
    ],
    "blocksworld": [
        ("successor", "import copy\ndef successor(state):\n    out = []\n    for block in list(state['clear']):\n        new = copy.deepcopy(state)\n        if state['arm-empty']:\n            new['clear'].remove(block)\n            new['holding'], new['arm-empty'] = block, False\n            below = dict(state['on']).get(block)\n            if below is None:\n                new['on-table'].remove(block)\n            else:\n                new['on'].remove((block, below))\n                new['clear'].append(below)\n        else:\n            new['clear'].remove(block)\n            new['clear'].append(state['holding'])\n            new['on'].append((state['holding'], block))\n            new['holding'], new['arm-empty'] = None, True\n        out.append(new)\n    if state['holding']:\n        new = copy.deepcopy(state)\n        new['clear'].append(state['holding'])\n        new['on-table'].append(state['holding'])\n        new['holding'], new['arm-empty'] = None, True\n        out.append(new)\n    return out\n"),
        ("goal", "def is_goal_state(state, goal):\n    return all(set(goal[name]) <= set(state[name]) for name in goal)\n"),
        ("goal", "def is_goal(state, goal):\n    for key, value in goal.items():\n        if isinstance(value, list) and any(v not in state[key] for v in value):\n            return False\n    return True\n"),
    ],
    "prontoqa": [
        ("successor", "def successor(state, rules):\n    return [state | {y} for x, y in rules if x in state and y not in state]\n"),
        ("goal", "def is_goal_state(state, target):\n    return not {target}.isdisjoint(state)\n"),
        ("successor", "def successor(state, rules):\n    found = set()\n    for rule in rules:\n        if rule[0] in state:\n            found.add(frozenset(state | {rule[1]}))\n    return found\n"),
        ("successor", "def successor(state, rules):\n    for condition, conclusion in sorted(rules):\n        if condition in state:\n            new = state.copy()\n            new.add(conclusion)\n            yield new\n"),
    ],
    "sokoban": [
        ("successor", "def successor_states(state, grid):\n    stones = set(state['at-stone'])\n    def free(r, c): return 0 <= r < len(grid) and 0 <= c < len(grid[0]) and grid[r][c] != 1 and (r, c) not in stones\n    out = []\n    r, c = state['at-player']\n    for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):\n        if free(r + dr, c + dc):\n            out.append({'at-player': (r + dr, c + dc), 'at-stone': state['at-stone']})\n        elif (r + dr, c + dc) in stones and free(r + 2 * dr, c + 2 * dc):\n            moved = stones - {(r + dr, c + dc)} | {(r + 2 * dr, c + 2 * dc)}\n            out.append({'at-player': (r + dr, c + dc), 'at-stone': sorted(moved)})\n    return out\n"),
        ("goal", "def is_goal_state(state, grid):\n    goals = {(r, c) for r, row in enumerate(grid) for c, cell in enumerate(row) if cell == 2}\n    return goals == set(state['at-stone'])\n"),
        ("goal", "def is_goal_state(state, grid):\n    for stone in state['at-stone']:\n        if grid[stone[0]][stone[1]] != 2:\n            return False\n    return True\n"),
    ],
}  # fmt: skip


PRUNING = {"game24": [("successor", GAME.replace("a - b, b - a", "abs(a - b)"))]}
"""Functions that lose successors and no goal: up to its sign, every result can be had without a negative number."""


def right(domain):
    """Return (role, source) of the functions of a domain that are to be accepted."""
    return [
        *(RIGHT | own.RIGHT)[domain],
        *(PRUNING | own.PRUNING).get(domain, []),
        *((role, source) for (name, role), source in (BASES | own.BASES).items() if name == domain),
    ]


def faulty(domain):
    """Return (name, role, source, kinds) of the faulty functions of a domain."""
    made = []
    for name, role, kinds, *changes in (CHANGES | own.CHANGES)[domain]:
        source = (BASES | own.BASES)[domain, role]
        for old, new in changes:
            assert old in source, (domain, name, old)
            source = source.replace(old, new)
        made.append((name, role, source, kinds))
    return made
