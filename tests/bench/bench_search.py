"""How much work and time the crossword search takes.

    python tests/bench/bench_search.py

1. The 20 AutoToS instances: expansions, generated and seconds of all, against what the published functions needed.
2. 5x5 grids with 10, 100 and 1,000 candidates a slot: seconds to the proved optimum, and to the runner-up as well.
   The words are drawn from the lexicon, the true answer stands at a random rank (exponential, mean 8), probabilities
   fall with rank (1/rank^1.1), a slot may stay open. Peer in the same run: CP-SAT of OR-Tools with one worker and the
   same costs, on the same grids, if it is installed; without "no answer twice", which only makes it easier.
Left out: best-first and depth-first search without tightening (hours at 1,000 candidates).
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator
from importlib.util import find_spec

import numpy as np
from common import ROOT, evaluation, keep, missing, spread

from agent.formats import CandidateInstance, open_puzzles
from agent.grid import Grid, Puzzle
from agent.puzzles.crossword import Domain, fill
from agent.solve import solve_lists
from lexicon import load

PUBLISHED = {"expansions": 4_568_109, "generated": 39_733_481}
"""Totals over the same 20 instances of the functions that a Llama-3.1-405B run of AutoToS ended with."""

PEER_SECONDS = 20.0


def autotos() -> dict[str, object] | None:
    """Fill the published instances and check them with the reference goal function."""
    path = evaluation.path("autotos_20.json")
    if missing(path):
        return None
    items = [item for item in open_puzzles(path) if isinstance(item, CandidateInstance)]
    times = []
    for _ in range(5):
        started = time.perf_counter()
        solutions = [solve_lists(item.grid, item.answers) for item in items]
        times.append(time.perf_counter() - started)
    fills = [sum(search_seconds(item) for item in items) for _ in range(5)]
    return {
        "solved": sum(s.consistent and s.grid == item.solution for s, item in zip(solutions, items, strict=True)),
        "expansions": sum(s.stats.expansions for s in solutions),
        "generated": sum(s.stats.generated for s in solutions),
        "search_seconds_for_all": spread(fills),
        "seconds_for_all_with_proof_and_report": spread(times),
        "published": PUBLISHED,
    }


def search_seconds(item: CandidateInstance) -> float:
    """Time the search alone."""
    words = {
        slot.name: dict.fromkeys(w for w in item.answers[slot.name] if len(w) == len(slot) and w.isalpha())
        for slot in item.grid.slots
    }
    domains = {name: Domain.of(list(listed), length=5) for name, listed in words.items()}
    started = time.perf_counter()
    fill(item.grid, domains, count=1)
    return time.perf_counter() - started


def instances(size: int, count: int) -> Iterator[tuple[Grid, Grid, dict[str, Domain]]]:
    """Make grids (empty, filled) with `size` candidates a slot, from fillings of our own 5x5 minis."""
    vocabulary = load(permissive=True).words(5)
    filled = [p for p in own_minis() if (p.grid.width, p.grid.height) == (5, 5)]
    for seed in range(count):
        chance = random.Random(f"{size}-{seed}")
        solution = filled[seed % len(filled)].solution
        domains = {}
        for slot in solution.slots:
            answer = solution.answer(slot)
            source = vocabulary if len(slot) == 5 else load(permissive=True).words(len(slot))
            picked = chance.sample(range(len(source)), min(size, len(source)))
            words = [word for word in map(source.word, picked) if word != answer][: size - 1]
            words.insert(min(int(chance.expovariate(1 / 8)), len(words)), answer)
            weights = [1 / (rank + 2) ** 1.1 for rank in range(len(words))]
            total = sum(weights)
            domains[slot.name] = Domain.of(
                {word: 0.9 * weight / total for word, weight in zip(words, weights, strict=True)}, open_cost=3.0
            )
        yield solution.emptied(), solution, domains


def own_minis() -> list[Puzzle]:
    """Read the project's own minis."""
    paths = sorted((ROOT / "data" / "minis").glob("*.xd"))
    return [puzzle for path in paths for puzzle in open_puzzles(path) if isinstance(puzzle, Puzzle)]


def weighted(size: int, count: int, *, peer: bool) -> dict[str, object]:
    """Time the optimum, with and without the runner-up."""
    best, both, theirs, expansions, proved, right, agree = [], [], [], [], 0, 0, 0
    for empty, solution, domains in instances(size, count):
        started = time.perf_counter()
        found = fill(empty, domains, count=1)
        best.append(time.perf_counter() - started)
        started = time.perf_counter()
        fill(empty, domains)
        both.append(time.perf_counter() - started)
        expansions.append(found.expansions)
        proved += found.proved
        right += found.fillings[0].grid == solution
        if peer:
            seconds, cost = cp_sat(empty, domains)
            theirs.append(seconds)
            agree += cost is not None and abs(cost - found.fillings[0].cost) < 0.01
    row: dict[str, object] = {
        "grids": count,
        "proved": proved,
        "true_filling_is_optimum": right,
        "expansions": sum(expansions),
        "seconds_optimum": spread(best),
        "seconds_with_runner_up": spread(both),
    }
    if peer:
        ratios = [their / our for their, our in zip(theirs, best, strict=True)]
        row |= {"cp_sat_seconds": spread(theirs), "cp_sat_same_cost": agree, "cp_sat_over_ours": spread(ratios)}
    return row


def cp_sat(grid: Grid, domains: dict[str, Domain]) -> tuple[float, float | None]:
    """Solve the same grid with CP-SAT, one worker; seconds with model building, and the cost if proved optimal.

    Answers may come twice here, which never makes the optimum costlier.
    """
    from ortools.sat.python import cp_model

    scale = 1_000_000
    started = time.perf_counter()
    model = cp_model.CpModel()
    cells = [[model.new_bool_var("") for _ in range(26)] for _ in grid.cells]
    terms = []
    for slot in grid.slots:
        for cell in slot.cells:
            model.add_exactly_one(cells[cell])
    for slot in grid.slots:
        domain = domains[slot.name]
        takes = [model.new_bool_var("") for _ in range(len(domain))]
        is_open = model.new_bool_var("")
        model.add_exactly_one([*takes, is_open])
        terms += [int(scale * cost) * take for cost, take in zip(domain.costs.tolist(), takes, strict=True)]
        least = domain.open_letters.min(axis=1)
        terms.append(int(scale * (domain.open_cost + float(least.sum()))) * is_open)
        for position, letter in np.argwhere(domain.open_letters > least[:, None]).tolist():
            spelled = model.new_bool_var("")
            model.add(is_open + cells[slot.cells[position]][letter] - 1 <= spelled)
            terms.append(int(scale * float(domain.open_letters[position, letter] - least[position])) * spelled)
        for position, cell in enumerate(slot.cells):
            for letter in range(26):
                here = [take for take, word in zip(takes, domain.letters, strict=True) if word[position] == letter]
                model.add(sum(here) + is_open >= cells[cell][letter])
    model.minimize(sum(terms))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = PEER_SECONDS
    status = solver.solve(model)
    cost = solver.objective_value / scale if status == cp_model.OPTIMAL else None
    return time.perf_counter() - started, cost


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20)
    arguments = parser.parse_args()
    has_peer = find_spec("ortools") is not None
    if not has_peer:
        print("skipped: the peer CP-SAT (pip install ortools)")
    weighted(10, 2, peer=False)  # warm up
    rows = {str(size): weighted(size, arguments.count, peer=has_peer and size <= 100) for size in (10, 100, 1000)}
    keep("search", {"autotos_20": autotos(), "weighted_5x5_by_candidates": rows})


if __name__ == "__main__":
    main()
