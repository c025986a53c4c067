"""The lexicon's data: where it is, its sources, and how a user adds to it.

The shipped index is in the package. Sources that a user adds go into the user's data folder: `added.json` lists them,
copies of the user's files are kept next to it, and `local.lex` is the index of everything together.
"""

from __future__ import annotations

import json
import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from lexicon.errors import LexiconError, PackError
from lexicon.gloss import Glosses
from lexicon.lexicon import Lexicon
from lexicon.model import Model
from lexicon.pack import Pack

if TYPE_CHECKING:
    from lexicon.build.index import Entry

DATA = Path(__file__).with_name("data")
"""Folder of the shipped files: the index is mapped into memory, so it has to be a file."""

SHIPPED = "permissive.lex"
"""Name of the shipped index."""

MODEL = "permissive.model"
"""Name of the shipped weights."""

GCIDE = "gcide"
"""Name of the source that is the Collaborative International Dictionary of English, from Debian's dict-gcide."""

ONLY = "GRIDWRIGHT_LEXICON"
"""Environment variable: `permissive` keeps every run to the shipped data, whatever the user has added."""

GCIDE_FOLDER = "GRIDWRIGHT_GCIDE"
"""Environment variable: folder of GCIDE's files, if not that of Debian's dict-gcide."""

DECLINED = "no-gcide"
"""File in the user's folder that records that the user removed GCIDE: it is not to be added again by itself."""

_LOCK = threading.Lock()


@dataclass(frozen=True, slots=True)
class Source:
    """One source of data: name, licence, size in bytes, a description of its content, and path."""

    name: str
    licence: str
    size: int
    holds: str
    place: str


def shipped() -> Path:
    """Return the path of the shipped index."""
    return DATA / SHIPPED


def shipped_model() -> Path:
    """Return the path of the shipped weights."""
    return DATA / MODEL


def user_folder() -> Path:
    """Return the folder for the user's additions; it need not exist."""
    import platformdirs

    return platformdirs.user_data_path("gridwright") / "lexicon"


def opened(*, permissive: bool) -> Lexicon:
    """Open the lexicon with the user's additions, or with the shipped data only; the same object every time.

    GCIDE is added once if it is installed, unless the user has removed it.
    """
    with _LOCK:
        if permissive or os.environ.get(ONLY) == "permissive":
            return _opened(shipped(), None)
        local = user_folder() / "local.lex"
        if _stale(local):
            _refresh(local.parent)
        return _opened(local if local.is_file() else shipped(), Glosses.find())


@lru_cache(maxsize=2)
def _opened(index: Path, glosses: Glosses | None) -> Lexicon:
    return Lexicon(Pack(index), Model(shipped_model()), glosses)


def _stale(local: Path) -> bool:
    """Return whether the user's index is missing or outdated, and there is something to build it from."""
    names = [record["name"] for record in _added(local.parent)]
    if GCIDE not in names and _gcide_is_wanted(local.parent):
        return True
    if not names:
        return False
    try:
        return Pack(local).meta.get("base") != shipped().stat().st_size
    except PackError:  # missing or damaged: its sources are still there
        return True


def _refresh(place: Path) -> None:
    """Build the user's index again, with GCIDE if it is installed; one process at a time."""
    import logging  # takes a while to load, and few starts have anything to build

    log = logging.getLogger(__name__)
    try:
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        with _locked(place):
            if _stale(place / "local.lex"):
                records = _added(place)
                if _gcide_is_wanted(place):
                    records = _with(records, _gcide_record())
                names = ", ".join(record["name"] for record in records)
                log.warning("lexicon: reading %s into %s, once; this takes about a minute", names, place)
                _keep(place, records)
                _opened.cache_clear()
    except OSError as error:
        log.warning("lexicon: %s; using the shipped data only", error)


def gcide_folder() -> Path:
    """Return the folder of GCIDE's files `gcide.index` and `gcide.dict.dz`; it need not exist."""
    return Path(os.environ.get(GCIDE_FOLDER, "/usr/share/dictd"))


def _gcide_is_wanted(place: Path) -> bool:
    return (gcide_folder() / "gcide.index").is_file() and not (place / DECLINED).exists()


@contextmanager
def _locked(place: Path) -> Iterator[None]:
    """Keep other processes from building at the same time, if the system has file locks."""
    try:
        import fcntl
    except ImportError:
        yield
        return
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def add(source: str) -> Source:
    """Add a source to the user's lexicon, `gcide` or a file, and build its index again.

    A file has a line per entry: `clue<TAB>answer`, or `word;score` with scores to 100, or only words. GCIDE takes a
    minute or two. Raises FileNotFoundError if there is nothing, LexiconError with file and line if a line cannot be
    read.
    """
    place = user_folder()
    place.mkdir(parents=True, exist_ok=True, mode=0o700)
    if source == GCIDE:
        record = _gcide_record()
        (place / DECLINED).unlink(missing_ok=True)
    else:
        given = Path(source)
        for _ in read_file(given):
            pass  # a file that cannot be read is refused before anything changes
        copy = place / given.name
        if copy.resolve() != given.resolve():
            shutil.copyfile(given, copy)
        record = {"name": given.name, "licence": "the user's own", "path": str(copy)}
    with _locked(place):
        _keep(place, _with(_added(place), record))
    with _LOCK:
        _opened.cache_clear()
    return next(found for found in info() if found.name == record["name"])


def remove(name: str) -> None:
    """Remove a source from the user's lexicon. Raises LexiconError if it is not there."""
    place = user_folder()
    records = _added(place)
    rest = [record for record in records if record["name"] != name]
    if len(rest) == len(records):
        raise LexiconError(f"there is no added source {name}")
    with _locked(place):
        _keep(place, rest)
    (place / name).unlink(missing_ok=True)
    if name == GCIDE:
        (place / DECLINED).touch()
    with _LOCK:
        _opened.cache_clear()


def info() -> list[Source]:
    """List the sources the lexicon draws on: the shipped ones first, then the user's."""
    pack = Pack(shipped())
    words = f"{pack.meta['words']:,} words, {pack.meta['senses']:,} senses"
    shared = ", ".join(pack.meta["sources"])
    found = [Source(shared, "permissive, see NOTICE", pack.size, words, str(shipped()))]
    local = user_folder() / "local.lex"
    records = {record["name"]: record for record in _added(local.parent)}
    if records and _stale(local):
        size = local.stat().st_size if local.is_file() else 0
        holds = "read again at the next use of the lexicon"
        found += [Source(name, record["licence"], size, holds, str(local)) for name, record in records.items()]
    elif records:
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


def _gcide_record() -> dict[str, str]:
    return {"name": GCIDE, "licence": "GNU GPL 3 or later", "path": str(gcide_folder())}


def _with(records: list[dict[str, str]], record: dict[str, str]) -> list[dict[str, str]]:
    """Return the records with one more, which replaces one of the same name."""
    return [*(other for other in records if other["name"] != record["name"]), record]


def _keep(place: Path, records: list[dict[str, str]]) -> None:
    """Build the index of the records, and record its sources."""
    if records:
        _build(place, records)
    else:
        (place / "local.lex").unlink(missing_ok=True)
    (place / "added.json").write_text(json.dumps(records, indent=1) + "\n", encoding="utf-8")


def read_file(path: Path) -> Iterator[tuple[str, str, int | None]]:
    """Read a user's file: yields (clue or empty, answer as written, score or None).

    Raises FileNotFoundError, or LexiconError with file and line.
    """
    from lexicon.text import fold

    for number, line in enumerate(_utf8_lines(path), 1):
        text = line.strip("\r\n")
        if not text.strip():
            continue
        clue, _, answer = text.rpartition("\t")
        word, _, score = answer.partition(";")
        if not fold(word) or (score and not score.strip().isdigit()):
            raise LexiconError(f"{path}:{number}: expected clue<TAB>answer or word;score, found {text!r}")
        yield clue.strip(), word.strip(), int(score) if score else None


def _utf8_lines(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        try:
            yield from lines
        except UnicodeDecodeError as error:
            raise LexiconError(f"{path}: expected UTF-8 text") from error


def _build(place: Path, records: list[dict[str, str]]) -> None:
    from lexicon.build.extend import extend

    base = Pack(shipped())
    target = place / "local.lex"
    building = place / "building.lex"
    for number, record in enumerate(records):
        entries, words = _material(record)
        origin = "dictionary" if record["name"] == GCIDE else "glossary"
        source = {"name": record["name"], "licence": record["licence"], "words": len(words)}
        extend(base, entries, building, words=words, origin=origin, source=source, fingerprint=shipped().stat().st_size)
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
        return list(gcide.entries(Path(record["path"]))), {}
    entries, words = [], {}
    for clue, answer, score in read_file(Path(record["path"])):
        if clue:
            entries.append(Entry("n", 0, (answer,), clue, ranks=(1,)))
        words[fold(answer)] = 50 if score is None else max(10, min(95, 100 - score))
    return entries, words
