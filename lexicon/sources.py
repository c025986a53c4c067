"""Where the lexicon's data lie, what they are, and how a user adds to them.

The shipped index lies in the package. What a user adds goes into the user's data folder: `added.json` names the
sources, copies of the user's files lie beside it, and `local.lex` is the index of everything together.
"""

from __future__ import annotations

import json
import shutil
import threading
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from lexicon.lexicon import Lexicon
from lexicon.model import Model
from lexicon.pack import Pack

if TYPE_CHECKING:
    from lexicon.build.index import Entry

SHIPPED = "permissive.lex"
"""Name of the shipped index, in `lexicon/data`."""

MODEL = "permissive.model"
"""Name of the shipped weights, beside the index."""

GCIDE = "gcide"
"""What to add for the Collaborative International Dictionary of English, as Debian's dict-gcide installs it."""

_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Source:
    """One source of data: its name, licence, size in bytes, what it holds, and where it lies."""

    name: str
    licence: str
    size: int
    holds: str
    place: str


def shipped() -> Path:
    """Return the path of the shipped index."""
    return Path(str(resources.files("lexicon") / "data" / SHIPPED))


def shipped_model() -> Path:
    """Return the path of the shipped weights."""
    return Path(str(resources.files("lexicon") / "data" / MODEL))


def user_folder() -> Path:
    """Return the folder for what the user adds; it need not exist."""
    import platformdirs

    return platformdirs.user_data_path("gridwright") / "lexicon"


def opened(*, permissive: bool) -> Lexicon:
    """Open the lexicon with the user's additions, or only with what is shipped; the same object every time."""
    with _LOCK:
        return _opened(_index(permissive=permissive))


@lru_cache(maxsize=2)
def _opened(index: Path) -> Lexicon:
    return Lexicon(Pack(index), Model(shipped_model()))


def _index(*, permissive: bool) -> Path:
    local = user_folder() / "local.lex"
    if permissive or not local.is_file():
        return shipped()
    if Pack(local).meta.get("base") != shipped().stat().st_size:
        warnings.warn(f"{local} was made for another version: add your sources again; they are left out", stacklevel=4)
        return shipped()
    return local


def add(source: str, *, folder: Path | None = None) -> Source:
    """Add a source to the user's lexicon and build its index anew: `gcide`, or a file.

    A file has a line per entry: `clue<TAB>answer`, or `word;score` with scores to 100, or only words. `folder` says
    where GCIDE lies, if not where Debian puts it. Takes a minute or two. Raises FileNotFoundError where there is
    nothing, ValueError with file and line where a line cannot be read.
    """
    place = user_folder()
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    known = _added(place)
    if source == GCIDE:
        record = {"name": GCIDE, "licence": "GNU GPL 3 or later", "path": str(folder or "")}
    else:
        given = Path(source)
        for _ in read_file(given):
            pass  # a file that cannot be read is refused before anything changes
        copy = place / given.name
        if copy.resolve() != given.resolve():
            shutil.copyfile(given, copy)
        record = {"name": given.name, "licence": "the user's own", "path": str(copy)}
    records = [*(other for other in known if other["name"] != record["name"]), record]
    _build(place, records)
    (place / "added.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")
    with _LOCK:
        _opened.cache_clear()
    return next(found for found in info() if found.name == record["name"])


def remove(name: str) -> None:
    """Take a source out of the user's lexicon. Raises KeyError when it is not there."""
    place = user_folder()
    records = _added(place)
    rest = [record for record in records if record["name"] != name]
    if len(rest) == len(records):
        raise KeyError(name)
    if rest:
        _build(place, rest)
    else:
        (place / "local.lex").unlink(missing_ok=True)
    (place / "added.json").write_text(json.dumps(rest, indent=1) + "\n", encoding="utf-8")
    (place / name).unlink(missing_ok=True)
    with _LOCK:
        _opened.cache_clear()


def info() -> list[Source]:
    """List the sources the lexicon draws on: the shipped ones first, then the user's."""
    pack = Pack(shipped())
    words = f"{pack.meta['words']:,} words, {pack.meta['senses']:,} senses"
    found = [Source("WordNet 3.0 and SCOWL", "permissive, see NOTICE", pack.size, words, str(shipped()))]
    local = user_folder() / "local.lex"
    if local.is_file():
        added = Pack(local)
        for record in added.meta["added"]:
            holds = f"{record['definitions']:,} definitions, {record['words']:,} listed words"
            found.append(Source(record["name"], record["licence"], added.size, holds, str(local)))
    return found


def as_json() -> list[dict[str, object]]:
    """Return :func:`info` as plain values."""
    return [asdict(source) for source in info()]


def _added(place: Path) -> list[dict[str, str]]:
    path = place / "added.json"
    if not path.is_file():
        return []
    records: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
    return records


def read_file(path: Path) -> Iterator[tuple[str, str, int | None]]:
    """Read a user's file: yields (clue or empty, answer as written, score or None).

    Raises FileNotFoundError, or ValueError naming file and line.
    """
    from lexicon.text import fold

    with path.open(encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            text = line.strip("\r\n")
            if not text.strip():
                continue
            clue, _, answer = text.rpartition("\t")
            word, _, score = answer.partition(";")
            if not fold(word) or (score and not score.strip().isdigit()):
                raise ValueError(f"{path}:{number}: expected clue<TAB>answer or word;score, found {text!r}")
            yield clue.strip(), word.strip(), int(score) if score else None


def _build(place: Path, records: list[dict[str, str]]) -> None:
    from lexicon.build.extend import extend

    base = Pack(shipped())
    target = place / "local.lex"
    building = place / "building.lex"
    for number, record in enumerate(records):
        entries, words = _material(record)
        source = {"name": record["name"], "licence": record["licence"], "words": len(words)}
        extend(base, entries, building, words=words, source=source, fingerprint=shipped().stat().st_size)
        step = place / f"step-{number % 2}.lex"
        building.replace(step)
        base = Pack(step)
    step.replace(target)
    for left in place.glob("step-*.lex"):
        left.unlink()


def _material(record: dict[str, str]) -> tuple[list[Entry], dict[str, int]]:
    """Read a source: its definitions, and its words with their size (10 common to 95 rare)."""
    from lexicon.build import gcide
    from lexicon.build.index import Entry
    from lexicon.text import fold

    if record["name"] == GCIDE:
        return list(gcide.entries(Path(record["path"]) if record["path"] else gcide.PLACE)), {}
    entries, words = [], {}
    for clue, answer, score in read_file(Path(record["path"])):
        if clue:
            entries.append(Entry("n", 0, (answer,), clue, ranks=(1,)))
        words[fold(answer)] = 50 if score is None else max(10, min(95, 100 - score))
    return entries, words
