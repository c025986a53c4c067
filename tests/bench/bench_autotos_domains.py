"""Measure the judge on the domains besides the crossword: a fault bank for each, and the published functions.

    python tests/bench/bench_autotos_domains.py bank [--seed N] [--domain NAME]
    python tests/bench/bench_autotos_domains.py published [--domain NAME]

`published` needs the folder autotos_domains in GRIDWRIGHT_DATA. Its strict truth is independent of the judge's
states: every function is called on the published unit tests and on states that are reached on the published problems,
and compared with the functions below, which share no code with the trusted ones. A call that fails is a fault as
well.
"""

import argparse
import json
import statistics
from collections import Counter
from fractions import Fraction
from itertools import islice, permutations

import autotos_domains_bank as bank
from common import RESULTS, evaluation, machine, missing

from agent.autotos.cases import Case
from agent.autotos.domain import Instance
from agent.autotos.domains import load
from agent.autotos.evaluation import load_instances
from agent.autotos.judge import judge
from agent.autotos.sandbox import Limits, choose_backend
from agent.autotos.session import LoadError, Session

DATA = evaluation.path("autotos_domains")
NAMES = ("blocksworld", "game24", "prontoqa", "sokoban")
"""The domains of which functions are published."""
OWN = ("fillin", "gogen", "nonogram")
PROBLEMS = {name: name for name in NAMES} | {name: f"{name}_instances.json" for name in ("game24", "prontoqa")}
STATES = 60
"""States of the published problems that a function is called on, besides the unit tests."""


def game24(state):
    """Return the successors as sorted numbers, by exact arithmetic."""
    found = set()
    numbers = [Fraction(x).limit_denominator(10**6) for x in state]
    for a, b, *rest in permutations(numbers) if len(numbers) > 1 else ():
        found |= {tuple(sorted([*rest, c])) for c in (a + b, a - b, a * b, *((a / b,) if b else ()))}
    return found


def blocksworld(state):
    """Return the successors as sets of facts, by the four operators of the planning domain."""
    facts = world(state)
    blocks = {block for fact in facts for block in fact[1:]}
    found = set()
    for x in blocks:
        free = {("handempty",), ("clear", x)} <= facts
        if free and ("ontable", x) in facts:
            found.add(facts - {("clear", x), ("ontable", x), ("handempty",)} | {("holding", x)})
        if ("holding", x) in facts:
            found.add(facts - {("holding", x)} | {("clear", x), ("handempty",), ("ontable", x)})
        for y in blocks - {x}:
            if free and ("on", x, y) in facts:
                gone = {("on", x, y), ("clear", x), ("handempty",)}
                found.add(facts - gone | {("holding", x), ("clear", y)})
            if {("holding", x), ("clear", y)} <= facts:
                found.add(facts - {("holding", x), ("clear", y)} | {("handempty",), ("clear", x), ("on", x, y)})
    return found


def world(state):
    """Return a state of blocks as a set of facts. Raises for a state of another form."""
    facts = [("clear", x) for x in state["clear"]] + [("ontable", x) for x in state["on-table"]]
    facts += [("on", *pair) for pair in state["on"] if type(pair) is tuple or 1 / 0]
    facts += [("handempty",)] * (state["arm-empty"] is True) + [("holding", x) for x in [state["holding"]] if x]
    assert len(facts) == len(set(facts))
    assert set(state) == {"clear", "on-table", "on", "arm-empty", "holding"}
    return frozenset(facts)


def prontoqa(state, rules):
    """Return the successors; the state itself if a conclusion is known."""
    return {frozenset(state) | {y} for x, y in rules if x in state}


def sokoban(state, grid):
    """Return the successors as player and stones."""
    (r, c), stones = state["at-player"], frozenset(state["at-stone"])
    found = set()
    for dr, dc in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        to, beyond = (r + dr, c + dc), (r + dr + dr, c + dc + dc)
        clear = {at for at in (to, beyond) if at not in stones and not wall(grid, at)}
        if to in clear:
            found.add((to, stones))
        elif to in stones and beyond in clear:
            found.add((to, stones - {to} | {beyond}))
    return found


def wall(grid, at):
    return not (0 <= at[0] < len(grid) and 0 <= at[1] < len(grid[0])) or grid[at[0]][at[1]] == 1


def places(state):
    assert len(set(state["at-stone"])) == len(state["at-stone"])
    assert type(state["at-player"]) is tuple
    return state["at-player"], frozenset(state["at-stone"])


ORACLES = {
    "game24": (game24, lambda s: tuple(sorted(Fraction(x).limit_denominator(10**6) for x in s)), lambda s: s == [24]),
    "blocksworld": (
        blocksworld,
        world,
        lambda s, goal: all(fact in s[name] for name in ("clear", "on-table", "on") for fact in goal[name]),
    ),
    "prontoqa": (prontoqa, frozenset, lambda s, goal: any(fact == goal for fact in s)),
    "sokoban": (sokoban, places, lambda s, grid: all(grid[r][c] == 2 for r, c in s["at-stone"])),
}
"""Domain -> successors as a set of named states, the name of a state, the goal test."""


def problems(name):
    """Return every n-th published problem."""
    every = load_instances(load(name), str(DATA / PROBLEMS[name]))
    return every[:: max(1, len(every) // 12)]


def questions(name, role):
    """Return (instance, state) of states that are reached on published problems, and of the published unit tests."""
    domain = load(name)
    found = []
    for instance in problems(name):
        states, seen = [instance.start], {domain.key(instance.start)}
        for state in islice(states, 400):
            for key, child in domain.children(state, instance).items():
                if key not in seen and len(states) < 400:
                    seen.add(key)
                    states.append(child)
        found += [(instance, state) for state in states[:: max(1, len(states) // (STATES // 12))]]
    if role == "goal":
        found += [(Instance("", s, {**found[0][0].arguments, **more}), s) for s, more in unit_goals(name)]
    return found


def unit_goals(name):
    """Yield the states of the published unit tests for goals, and for blocks world the same by other facts."""
    for kind in ("goals", "non_goals"):
        path = next(path for path in DATA.glob(f"{name}_{kind}.json*"))
        text = path.read_text()
        rows = json.loads(text) if path.suffix == ".json" else [json.loads(line) for line in text.split("\n") if line]
        for row in rows:
            if name == "game24":
                yield row, {}
            elif name == "prontoqa":
                yield set(row["state"]), {"goal": row["goal"]}
            elif name == "sokoban":
                state = {"at-player": tuple(row["state"]["at-player"])}
                yield {**state, "at-stone": [tuple(at) for at in row["state"]["at-stone"]]}, {"grid": row["grid"]}
            else:
                state = {**row["state"], "on": [tuple(pair) for pair in row["state"]["on"]]}
                yield state, {"goal": {**row["goal"], "on": [tuple(pair) for pair in row["goal"]["on"]]}}
                for clear, table in ((state["clear"][:1], []), ([], state["on-table"][:1]), (["z"], []), ([], ["z"])):
                    yield state, {"goal": {"clear": clear, "on-table": table, "on": state["on"][:1]}}


def strict(name, role, source, asked, backend):
    """Return what is wrong with a function by the independent truth, "" for nothing."""
    successors, named, is_goal = ORACLES[name]
    domain = load(name)
    try:
        with Session(source, role, domain, backend, Limits()) as session:
            for instance, state in asked:
                reply = session.call(Case(instance, state, None))
                if reply.failure or "error" in reply.answer:
                    return f"{reply.failure or reply.answer['error']}: {reply.answer.get('message', '')[:80]}"
                if reply.mutated:
                    return "changes its input"
                value, arguments = reply.answer["value"], domain.arguments(role, instance)
                if role == "goal":
                    if type(value) is not bool or value != is_goal(state, *arguments):
                        return f"says {value!r:.20} of {state}"
                    continue
                try:
                    came = {named(child) for child in value}
                except Exception as error:  # noqa: BLE001 - whatever is wrong with it, it is not a state
                    return f"a state of another form ({type(error).__name__})"
                right = successors(state, *arguments) - {named(state)}
                came.discard(named(state))  # to return the state itself is waste, not a fault
                if came != right:
                    return f"{len(came - right)} too many, {len(right - came)} missing of {len(right)}"
    except LoadError as error:
        return str(error)
    return ""


def run_bank(name, options, backend):
    """Judge the bank of a domain; return a summary and a row for each function."""
    rows = []
    given = [(label, role, source, kinds) for label, role, source, kinds in bank.faulty(name)]
    given += [(f"right {number}", role, source, set()) for number, (role, source) in enumerate(bank.right(name))]
    for label, role, source, kinds in given:
        verdict = judge(source, role, load(name), backend=backend, seed=options.seed)
        faults = [fault.kind for fault in verdict.faults]
        good = not verdict.is_accepted and faults[0] in kinds if kinds else verdict.is_accepted
        rows.append(
            {"name": label, "role": role, "wanted": sorted(kinds), "verdict": verdict.verdict, "faults": faults}
        )
        rows[-1] |= {"as wanted": good, "seconds": round(verdict.seconds, 2)}
        if not good:
            print("NOT AS WANTED", name, rows[-1], flush=True)
    faulty = sum(bool(row["wanted"]) for row in rows)
    return {"faulty": faulty, "right": len(rows) - faulty, "as wanted": sum(row["as wanted"] for row in rows)}, rows


def run_published(name, _options, backend):
    """Judge the published functions of a domain; return a summary and a row for each."""
    rows, known = [], {}
    asked = {role: questions(name, role) for role in ("successor", "goal")}
    for line in (DATA / f"{name}_functions.jsonl").read_text().splitlines():
        given = json.loads(line)
        role, source = given["role"], given["source"] or ""
        if (role, source) not in known:
            verdict = judge(source, role, load(name), backend=backend)
            known[role, source] = verdict, strict(name, role, source, asked[role], backend)
        verdict, truth = known[role, source]
        row = {key: given[key] for key in ("run", "attempt", "role")}
        row |= {"final": bool(given.get("final")), "published": given.get("published"), "strict": truth or "right"}
        row |= {"ours": verdict.verdict, "faults": [fault.kind for fault in verdict.faults]}
        row |= {"seconds": round(verdict.seconds, 2), "agree": verdict.is_accepted == (not truth)}
        if not row["agree"]:
            row["note"] = verdict.faults[0].note if verdict.faults else ""
            row["counter-example"] = verdict.to_json()["counter_example"]
            print(name, {key: value for key, value in row.items() if key != "counter-example"}, flush=True)
        rows.append(row)
    seconds = [verdict.seconds for verdict, _ in known.values()]
    times = {"median": round(statistics.median(seconds), 2), "worst": round(max(seconds), 2)}
    return {**table(rows), "agree": sum(row["agree"] for row in rows), "functions": len(rows), "seconds": times}, rows


def table(rows):
    """Return how verdicts and truth meet, and the runs that passed the unit tests and failed the evaluation."""
    counts = Counter((row["strict"] == "right", row["ours"] in ("exact", "goal-preserving")) for row in rows)
    by_run = {}
    for row in rows:
        if row["final"]:
            by_run.setdefault(row["run"], []).append(row)
    failed = [pair for pair in by_run.values() if any(row["published"] and row["published"]["failure"] for row in pair)]
    accepted = [pair for pair in failed if all(row["ours"] in ("exact", "goal-preserving") for row in pair)]
    return {
        "strictly right, accepted": counts[True, True],
        "strictly right, refused": counts[True, False],
        "strictly wrong, accepted": counts[False, True],
        "strictly wrong, refused": counts[False, False],
        "runs that passed the unit tests and failed the evaluation": len(failed),
        "of these accepted": len(accepted),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("what", choices=["bank", "published"])
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--domain", choices=[*NAMES, *OWN])
    options = parser.parse_args()
    run = {"bank": run_bank, "published": run_published}[options.what]
    backend = choose_backend("auto")
    every = NAMES if options.what == "published" else NAMES + OWN
    for name in [name for name in every if options.domain in (None, name)]:
        if options.what == "published" and missing(DATA / PROBLEMS[name]):
            continue
        summary, rows = run(name, options, backend)
        print(name, json.dumps(summary, indent=1), flush=True)
        file = f"autotos_{name}_{options.what}{f'_seed{options.seed}' if options.what == 'bank' else ''}.json"
        (RESULTS / file).write_text(
            json.dumps({"summary": summary, "machine": machine(), "functions": rows}, indent=1) + "\n"
        )


if __name__ == "__main__":
    main()
