"""Searches over many instances, with accepted pairs and with the trusted functions, as rows of one table."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from agent.autotos.cases import held_out
from agent.autotos.domain import ROLES, Domain, Instance, Role
from agent.autotos.farm import Search
from agent.autotos.forms import describe
from agent.autotos.search import SearchLimits, SearchRun, Strategy, totals
from agent.autotos.submissions import Submission
from agent.errors import UnreadableError, reason
from agent.text import counted

MADE_INSTANCES = 5
"""Instances that are made if no file is given; a depth-first search of one takes from 1 to 60 seconds."""


@dataclass(frozen=True, slots=True)
class Row:
    """One search, or the sums over all instances: whose functions, in which order, and the outcome."""

    who: str
    strategy: Strategy
    run: SearchRun
    is_total: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the fields for a line of JSON."""
        return {"who": self.who, "strategy": self.strategy, "total": self.is_total, **asdict(self.run)}

    def line(self) -> str:
        """Return it as one line of text."""
        run = self.run
        moves = "" if run.moves is None else f" in {counted(run.moves, 'move')}"
        searched = "all instances" if self.is_total else f"instance {run.instance}"
        known = {True: "", False: ", NOT AS KNOWN", None: ""}[run.as_known]
        return (
            f"{self.who}, {self.strategy}, {searched}: {run.ended}{moves}{known}, "
            f"{counted(run.expansions, 'expansion')}, {run.generated:,} generated, "
            f"{counted(run.duplicates, 'duplicate')}, {counted(run.kept, 'state')} kept, {run.seconds:.2f} s"
        )


def load_instances(domain: Domain, path: str) -> list[Instance]:
    """Read instances: a JSON list of them, a file in another form that the domain reads, or a folder of such files.

    Makes some if no path is given. Raises UnreadableError.
    """
    if not path:
        made = held_out(domain, MADE_INSTANCES)
        return [replace(one, name=f"made {place} ({one.name})") for place, one in enumerate(made, 1)]
    where = Path(path)
    if where.is_dir():
        files = sorted(file for file in where.iterdir() if file.is_file())
        return [instance for file in files for instance in _in_file(domain, file)]
    return list(_in_file(domain, where))


def _in_file(domain: Domain, path: Path) -> Iterator[Instance]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableError(f"{path}: {reason(error)}; expected a file or a folder of instances") from None
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        yield from _checked(domain, f"{path}", path.stem, text)
        return
    for place, item in enumerate(data if isinstance(data, list) else [data]):
        yield from _checked(domain, f"{path}, item {place}", str(place), item)


def _checked(domain: Domain, where: str, name: str, item: Any) -> list[Instance]:
    try:
        return [domain.checked(instance) for instance in domain.read(name, item)]
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        problem = f"no {error}" if isinstance(error, KeyError) else str(error)
        if not isinstance(item, dict) and isinstance(error, (TypeError, AttributeError)):
            problem = f"it is {describe(item)}"
        raise UnreadableError(f"{where}: not an instance of {domain.name}: {problem}") from None


def pair_from(submissions: Sequence[Submission]) -> dict[Role, str]:
    """Return the last source of each role. Raises UnreadableError if one is missing."""
    pair = {one.role: one.source for one in submissions}
    missing = [role for role in ROLES if role not in pair]
    if missing:
        raise UnreadableError(f"no {' and no '.join(missing)} function was given: a search needs both")
    return pair


Searcher = Callable[[Instance, Strategy], SearchRun]
"""Searches one instance in one order."""
Runs = Callable[[Searcher, Sequence[Instance], Strategy], Iterator[SearchRun]]
"""Makes the searches of all instances in one order."""


def one_by_one(searcher: Searcher, instances: Sequence[Instance], strategy: Strategy) -> Iterator[SearchRun]:
    """Yield the runs of all instances, made here one after the other."""
    return (searcher(instance, strategy) for instance in instances)


def rows(
    who: str,
    instances: Sequence[Instance],
    strategies: Sequence[Strategy],
    searcher: Searcher,
    runs: Runs = one_by_one,
) -> Iterator[Row]:
    """Yield a row for each instance in each order as its search ends, and after each order a row with the totals."""
    for strategy in strategies:
        made = []
        for run in runs(searcher, instances, strategy):
            made.append(run)
            yield Row(who, strategy, run)
        yield Row(who, strategy, totals(made), is_total=True)


def reference_rows(
    domain: Domain,
    instances: Sequence[Instance],
    strategies: Sequence[Strategy],
    limits: SearchLimits,
    runs: Runs = one_by_one,
) -> Iterator[Row]:
    """Search with the trusted functions, and again with only the successors that are enough, if the domain says so."""
    trusted = Search(domain, None, "native", limits)
    yield from rows("reference", instances, strategies, trusted, runs)
    if domain.enough is not None:
        yield from rows("reference, enough", instances, strategies, replace(trusted, is_pruned=True), runs)
