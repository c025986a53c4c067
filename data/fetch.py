"""Fetch the evaluation data that the project may not contain: `make data`, or `python data/fetch.py`.

Every file is read from where its authors publish it, at a pinned commit, brought into the form that Gridwright reads
(`published.py`), and kept only if its SHA-256 is the one in `checksums.txt`. If all files are there already, nothing
is fetched. Licences and uses: `README.md` next to this file.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import sys
import tarfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path, PurePosixPath

import published
import requests
from evaluation import OWN, VARIABLE, folder

SECONDS = 60
"""How long a server may be silent."""
TOT_PUZZLES = (published.TOT, "f10dd7a586268ea0d996308bb7126420bbe8d247", "src/tot/data/crosswords/mini0505.json")
TOT_LOG = (
    published.TOT,
    "ff24baecd938aacd573e384f27472711d0b23acc",
    "tree_of_thought_llm/logs/crosswords/env_cache.json",
)
AUTOTOS = ("IBM/AutoToS", "a2a0d27c6df603763a3023b3ab0f268301a70f3a")
LOGS = {"blocksworld": "blocks", "game24": "24game", "prontoqa": "prontoqa", "sokoban": "sokoban"}
"""Domain of AutoToS -> the folder of its logs."""
GOGEN = ("b-mehta/gogen", "995e69df131d93bfccbe2195280ac520b851cdce")
GOGENS = 20
DOMINOES = "914cf1ff46eaa77d58970920f7c20422eea56cb2"
WEBPBN = {
    **dict.fromkeys(
        ("00001-dancer", "00006-cat", "00021-skid", "00027-bucks", "00065-mum", "00436-petroglyph", "00529-swing"),
        "940689570c87f35c67ef0b5bc74478c1d3be50c2",
    ),
    "06574-forever": "2df077ac391811780db216e6f763b9fced755938",
}

Made = Iterator[tuple[str, str]]
"""Names and contents of the files that one source gives."""


def raw(repository: str, commit: str, path: str) -> str:
    """Read one text file of a repository."""
    return _get(f"https://raw.githubusercontent.com/{repository}/{commit}/{path}").decode()


def archive(repository: str, commit: str) -> dict[str, str]:
    """Read all tables, logs, JSON and PDDL of a repository, by path."""
    content = io.BytesIO(_get(f"https://codeload.github.com/{repository}/tar.gz/{commit}"))
    with tarfile.open(fileobj=content) as tar:
        return {
            member.name.partition("/")[2]: file.read().decode(errors="replace")
            for member in tar
            if member.name.endswith((".csv", ".txt", ".json", ".jsonl", ".pddl")) and (file := tar.extractfile(member))
        }


def _get(url: str) -> bytes:
    answer = requests.get(url, timeout=SECONDS)
    answer.raise_for_status()
    return answer.content


def goobix() -> Made:
    """Read 156 word squares with clues: those that are tuned on (100-155) and those that are reported on."""
    puzzles = published.goobix(json.loads(raw(*TOT_PUZZLES)))
    yield "goobix_000_099.json", json.dumps(puzzles[:100], indent=0)
    yield "goobix_100_155.json", json.dumps(puzzles[100:], indent=0)
    yield "goobix_test20.json", json.dumps([puzzle for puzzle in puzzles if puzzle["tot_test20"]], indent=0)


def gpt4() -> Made:
    """Read what GPT-4 proposed for the 20 test puzzles."""
    yield "tot_gpt4_candidates.json", published.gpt4_candidates(json.loads(raw(*TOT_LOG)))


def autotos() -> Made:
    """Read the instances of AutoToS, and the functions that models wrote in the runs without validation."""
    files = archive(*AUTOTOS)
    instances = published.instances(files["src/crossword5by5/crossworld.csv"])
    yield "autotos_20.json", json.dumps(list(instances), indent=0)
    yield "autotos_functions.jsonl", lines(judged(row for run in runs(files, "cw") for row in run))
    yield from autotos_domains(files)


def runs(files: Mapping[str, str], folder: str) -> Iterator[list[dict[str, object]]]:
    """Yield the functions of each published run without validation, from the logs in a folder."""
    logs: dict[str, list[str]] = defaultdict(list)
    for path in sorted(files):
        if found := re.fullmatch(rf"src/clean_logs/{folder}/(.+-noval)_logs/script_log_\d+_\d+\.txt", path):
            logs[found[1]].append(files[path])
    for name, texts in logs.items():
        for number, text in enumerate(texts, start=1):
            yield list(published.attempts(f"{name}_run{number}", text))


def autotos_domains(files: Mapping[str, str]) -> Made:
    """Yield the instances, unit tests and functions of the four other domains; PrOntoQA's instances are not IBM's."""
    made = {
        name: files[f"src/{path}"]
        for name, path in {
            "blocksworld_goals.json": "blocksworld/blocks_goals.jsonl",  # one value, over many lines
            "blocksworld_non_goals.json": "blocksworld/blocks_non_goals.jsonl",
            "blocksworld_successors.json": "blocksworld/blocks_successors.jsonl",
            "blocksworld_optimal.csv": "blocksworld/solutions.csv",
            "game24_non_goals.jsonl": "twentyfourgame/24game_non_goals.jsonl",
            "game24_successors.jsonl": "twentyfourgame/24game_successors.jsonl",
            "sokoban_optimal_costs.json": "sokoban/sokoban_optimal_costs.json",
            **{
                f"{name}_{kind}.jsonl": f"{name}/{name}_{kind}.jsonl"
                for name in ("prontoqa", "sokoban")
                for kind in ("goals", "non_goals", "successors")
            },
        }.items()
    }
    tables = [files[f"src/twentyfourgame/{name}.csv"] for name in ("unittests", "model_test")]
    made |= {"game24_instances.json": published.quads(*tables), "game24_goals.jsonl": "[24]\n"}
    for path in sorted(files):
        if found := re.fullmatch(r"src/(blocksworld|sokoban)/\w+_instances/([\w-]+\.pddl)", path):
            made["/".join(found.groups())] = files[path]
    for name, title in LOGS.items():
        functions = (row for run in runs(files, title) for row in published.finals(title, run))
        made[f"{name}_functions.jsonl"] = lines(functions)
    yield from ((f"autotos_domains/{name}", text) for name, text in made.items())


def lines(rows: Iterable[Mapping[str, object]]) -> str:
    """Write rows as lines of JSON."""
    return "".join(json.dumps(row) + "\n" for row in rows)


def judged(rows: Iterable[dict[str, object]]) -> Iterator[dict[str, object]]:
    """Add our strict verdict to each published function."""
    ours = (OWN / "autotos_strict.jsonl").read_text("utf-8").splitlines()
    strict = {(row["run"], row["attempt"]): row["strict_verdict"] for row in map(json.loads, ours)}
    return ({**row, "strict_verdict": strict[row["run"], row["attempt"]]} for row in rows)


def gogens() -> Made:
    """Read newspaper Gogens."""
    for number in range(GOGENS):
        yield f"gogen/bmehta-{number:02d}.json", published.gogen(number, raw(*GOGEN, f"Puzzles/{number:02d}.txt"))


def nonograms() -> Made:
    """Read nonograms of webpbn.com and of domino logic."""
    for name, commit in WEBPBN.items():
        path = f"webpbn/webpbn-{name}.non"
        text = raw(published.PICROSS, commit, f"inputs/{path}")
        yield f"nonograms/{PurePosixPath(path).stem}.json", published.webpbn(path, text)
    for name, content in published.dominoes(raw(published.PICROSS, DOMINOES, "inputs/domino_logic.txt")):
        yield f"nonograms/{name}.json", content


SOURCES: dict[str, Callable[[], Made]] = {
    "GooBix puzzles": goobix,
    "GPT-4's proposals": gpt4,
    "AutoToS": autotos,
    "Gogens": gogens,
    "nonograms": nonograms,
}


def pinned() -> dict[str, str]:
    """Return the SHA-256 of each file, by name."""
    rows = (OWN / "checksums.txt").read_text("utf-8").splitlines()
    return {name: digest for digest, name in (row.split("  ") for row in rows)}


def absent(target: Path, checksums: Mapping[str, str]) -> list[str]:
    """Return the names of the files that are not there, or not with their checksum."""
    return [
        name
        for name, digest in checksums.items()
        if not (target / name).is_file() or hashlib.sha256((target / name).read_bytes()).hexdigest() != digest
    ]


def keep(made: Iterable[tuple[str, str]], target: Path, checksums: Mapping[str, str]) -> list[str]:
    """Write the files whose checksum is the pinned one; return the names of the others."""
    refused = []
    for name, text in made:
        content = text.encode()
        if hashlib.sha256(content).hexdigest() != checksums.get(name):
            refused.append(name)
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (target / name).write_bytes(content)
    return refused


def main() -> int:
    """Fetch; return 0 if every file is there afterwards, else 1."""
    target, checksums = folder(), pinned()
    for title, source in SOURCES.items() if absent(target, checksums) else ():
        try:
            refused = keep(source(), target, checksums)
        except requests.ConnectionError as error:
            url = error.request.url if error.request else "the server"
            print(
                f"{url} cannot be reached: no network? Or set {VARIABLE} to a folder that has the files",
                file=sys.stderr,
            )
            return 1
        except (requests.RequestException, tarfile.TarError, ValueError, LookupError) as error:
            print(f"{title}: not what was published at the pinned commit: {error!r}", file=sys.stderr)
            continue
        for name in refused:
            print(f"{title}: {name} does not have the pinned checksum and was not kept", file=sys.stderr)
    missing = absent(target, checksums)
    print(f"{target}: {len(checksums) - len(missing)} of {len(checksums)} files are there")
    return int(bool(missing))


if __name__ == "__main__":
    sys.exit(main())
