"""Clue sets: files of recorded candidates, which make every run without a network give the same answers.

One JSON object a line, readable and mergeable by hand:

    {"clue": "Not out", "length": 2, "candidates": [["IN", 0.9]], "source": "llm:x", "recorded": "2026-11-20"}

Lines are found by clue text (Unicode NFC, white space folded) and length. `source` and `recorded` may be missing and
further fields are left alone; if a clue stands on several lines, or in several files, each answer counts once for each
family of sources that the ranking knows, with its best probability. Answers that do not have the length cannot fit and
are left out.

A model's choice among the solver's own fillings is recorded as well, or a run from the file would not end as the live
one did. It keeps its source, `llm choice:x`, so that it is never taken for a model's own proposal.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import IO, Any

from agent.candidates.clues import clue_text
from agent.candidates.provider import Question
from agent.candidates.ranking import family
from agent.disk import lock
from agent.errors import ClueSetError
from agent.grid import Candidate
from agent.text import answer_letters

Key = tuple[str, int]
"""The key of a line: clue text in its one form, and length."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: candidates (answer, probability), best first, for a clue and a length, and their source."""

    clue: str
    length: int
    candidates: tuple[tuple[str, float], ...]
    source: str = "clueset"
    recorded: str = ""

    @property
    def key(self) -> Key:
        """The key by which the line is found."""
        return self.clue, self.length

    def __str__(self) -> str:
        fields: dict[str, Any] = {
            "clue": self.clue,
            "length": self.length,
            "candidates": self.candidates,
            "source": self.source,
            "recorded": self.recorded,
        }
        return json.dumps(fields, ensure_ascii=False)


def read_entries(path: Path | str) -> Iterator[Entry]:
    """Read a clue set line by line; empty lines are skipped. Raises ClueSetError."""
    number = 0
    try:
        with Path(path).open(encoding="utf-8-sig") as file:
            for number, line in enumerate(file, 1):  # noqa: B007  # the number is for the message
                if not line.isspace():
                    yield _entry(json.loads(line))
    except OSError as error:
        raise ClueSetError(f"{path}: expected a clue set, found no readable file: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ClueSetError(f"{path}: after line {number}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        reason = f"not JSON ({error})" if isinstance(error, json.JSONDecodeError | RecursionError) else str(error)
        raise ClueSetError(f"{path}: line {number}: {reason}") from None


def _entry(line: Any) -> Entry:
    if not isinstance(line, dict):
        raise ValueError("expected an object with clue, length and candidates")  # noqa: TRY004  # bad input, not our bug
    clue, length, pairs = line.get("clue"), line.get("length"), line.get("candidates")
    if not isinstance(clue, str):
        raise ValueError("expected a clue that is text")  # noqa: TRY004
    if type(length) is not int or length < 1:
        raise ValueError("expected a length that is a whole number from 1")
    if not isinstance(pairs, list):
        raise ValueError("expected candidates that are a list of [answer, probability]")  # noqa: TRY004
    candidates = []
    for pair in pairs:
        if not isinstance(pair, list) or len(pair) != 2 or not isinstance(pair[0], str):
            raise ValueError(f"expected [answer, probability], not {json.dumps(pair)[:80]}")
        answer, probability = pair
        if type(probability) not in (int, float) or not 0 <= probability <= 1:
            raise ValueError(f"expected a probability from 0 to 1 for {answer}, not {json.dumps(probability)[:80]}")
        if not (answer.isascii() and answer.isalpha() and answer.isupper()):
            answer = answer_letters(answer)
        if len(answer) == length:
            candidates.append((answer, float(probability)))
    source, recorded = line.get("source") or "clueset", line.get("recorded") or ""
    if not isinstance(source, str) or not isinstance(recorded, str):
        raise ValueError("expected source and recorded that are text")  # noqa: TRY004
    return Entry(clue_text(clue), length, tuple(candidates), source, recorded)


class ClueSet:
    """Recorded candidates, as a provider. A clue that is not in it has none.

    >>> clues = ClueSet([Entry("Not out", 2, (("ON", 0.1), ("IN", 0.9)), "llm:x")])
    >>> [str(candidate) for candidate in clues.propose([Question("1A", "Not  out", 2)])["1A"]]
    ['IN 90 % (llm:x)', 'ON 10 % (llm:x)']
    """

    name = "clueset"

    def __init__(self, entries: Iterator[Entry] | Sequence[Entry]) -> None:
        self._best: dict[Key, dict[tuple[str, str], Candidate]] = {}
        for entry in entries:
            best = self._best.setdefault(entry.key, {})
            by = family(entry.source)
            for answer, probability in entry.candidates:
                if (answer, by) not in best or probability > best[answer, by].probability:
                    best[answer, by] = Candidate(answer, probability, entry.source)

    @classmethod
    def open(cls, *paths: Path | str) -> ClueSet:
        """Read files as one clue set; files that have not changed are not read a second time. Raises ClueSetError.

        >>> ClueSet.open("data/minis/minis_llm.clues.jsonl") is ClueSet.open("data/minis/minis_llm.clues.jsonl")
        True
        """
        return _opened(tuple((Path(path), _stamp(path)) for path in paths))

    def __len__(self) -> int:
        return len(self._best)

    def __contains__(self, question: Question) -> bool:
        return self._find(question) is not None

    def propose(self, questions: Sequence[Question]) -> Mapping[str, Sequence[Candidate]]:
        """Answer the questions that were recorded, whatever letters are known: the ranking and the search decide."""
        return {question.key: _candidates(found) for question in questions if (found := self._find(question))}

    def _find(self, question: Question) -> Collection[Candidate] | None:
        """Look a clue up with notes on its references, or as printed: it may have been recorded either way."""
        for text in dict.fromkeys((question.noted, question.clue)):
            found = self._best.get((clue_text(text), question.length))
            if found is not None:
                return found.values()
        return None


KEPT = 2
"""Clue sets that stay in memory: a server opens the same one for each search, and reading it takes longer than most."""


@lru_cache(maxsize=KEPT)
def _opened(files: tuple[tuple[Path, object], ...]) -> ClueSet:
    return ClueSet(entry for path, _ in files for entry in read_entries(path))


def _stamp(path: Path | str) -> object:
    """Return what differs once a file has changed; of a pipe, and of what cannot be read, each time something else."""
    try:
        now = Path(path).stat()
    except OSError:
        return object()
    if not stat.S_ISREG(now.st_mode):
        return object()
    return now.st_dev, now.st_ino, now.st_size, now.st_mtime_ns


def _candidates(found: Collection[Candidate]) -> list[Candidate]:
    return sorted(found, key=lambda candidate: (-candidate.probability, candidate.answer))


def record(
    path: Path | str,
    questions: Sequence[Question],
    proposed: Mapping[str, Sequence[Candidate]],
    *,
    recorded: str | None = None,
) -> int:
    """Append answers to a clue set, one line per clue and source; return the number of new lines.

    `proposed` is `Question.key` -> candidates, as providers return it; `recorded` is a date, today's unless given.
    What the file has already is neither changed nor written again. The lines are written at once and are on the disk
    when this returns. Raises ClueSetError, before anything is written, if the file is not a clue set.
    """
    date = recorded or f"{datetime.now(UTC):%Y-%m-%d}"
    answers = [_answers(question, proposed.get(question.key, ()), date) for question in questions]
    new = {_content(entry): entry for entries in answers for entry in entries}
    if not new:
        return 0
    with Path(path).open("a+b") as file:
        lock(file, wait=True)  # so that no other process adds the same lines between our reading and writing
        for entry in read_entries(path):
            new.pop(_content(entry), None)
        _append(file, "".join(f"{entry}\n" for entry in new.values()).encode("utf-8", "backslashreplace"))
    return len(new)


def _answers(question: Question, candidates: Sequence[Candidate], recorded: str) -> Iterator[Entry]:
    by_source: dict[str, list[tuple[str, float]]] = {}
    for candidate in candidates:
        by_source.setdefault(candidate.source, []).append((candidate.answer, round(candidate.probability, 6)))
    for source, pairs in by_source.items():
        yield Entry(clue_text(question.noted), question.length, tuple(pairs), source, recorded)


def _content(entry: Entry) -> object:
    """Return the part that makes two lines the same: all but the date."""
    return entry.clue, entry.length, entry.candidates, entry.source


def _append(file: IO[bytes], lines: bytes) -> None:
    """Write lines to the end of a file, all or none: the process may be killed, or the disk full."""
    size = file.seek(0, os.SEEK_END)
    if size and lines:
        file.seek(size - 1)
        if file.read(1) != b"\n":
            lines = b"\n" + lines  # an editor left the last line open
    try:
        file.write(lines)
        file.flush()
        os.fsync(file.fileno())
    except OSError:
        os.ftruncate(file.fileno(), size)
        raise
