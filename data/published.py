"""Bring published puzzles and logs into the form that Gridwright reads; `fetch.py` gets them and checks the result.

Functions from text to text or values: nothing here touches the network or a file.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

TOT = "princeton-nlp/tree-of-thought-llm"
PICROSS = "pierre-dejoue/picross-solver"
STOPPED = "last attempt, run stopped (max iterations)"
"""The published verdict on the functions of a run that was given up."""


def goobix(published: Sequence[tuple[Sequence[str], Sequence[str]]]) -> list[dict[str, Any]]:
    """Return the puzzles, each published as [ten clues, 25 letters]; `tot_test20` marks the 20 of the ToT paper."""
    puzzles = []
    for index, (clues, letters) in enumerate(published):
        rows = ["".join(letters[k : k + 5]) for k in range(0, 25, 5)]
        columns = ["".join(letters[k::5]) for k in range(5)]
        puzzles.append(
            {
                "id": f"goobix-{index:03d}",
                "source": f"github.com/{TOT} src/tot/data/crosswords/mini0505.json[{index}] (GooBix)",
                "licence": "repository MIT (c) 2023 Shunyu Yao; puzzles originally scraped from GooBix",
                "grid": rows,
                "size": "5x5",
                "clues": {
                    "across": [list(item) for item in zip((1, 6, 7, 8, 9), clues[:5], rows, strict=True)],
                    "down": [list(item) for item in zip((1, 2, 3, 4, 5), clues[5:], columns, strict=True)],
                },
                "tot_test20": index < 100 and index % 5 == 0,
            }
        )
    return puzzles


def gpt4_candidates(log: Mapping[str, Mapping[str, float]]) -> str:
    """Turn {board as text: {"h2. motor": confidence}} into one object per puzzle, sorted by clues.

    A proposal's score is the sum of the confidences that GPT-4 gave it on all boards of its puzzle.
    """
    scores: dict[tuple[tuple[str, str], ...], dict[str, dict[str, float]]] = {}
    for board, proposals in log.items():
        clues = tuple(sorted(re.findall(r"^([hv][1-5])\. (.*): .{5}$", board, re.MULTILINE)))
        found = scores.setdefault(clues, {place: defaultdict(float) for place, _ in clues})
        for proposal, confidence in proposals.items():
            place, _, word = proposal.partition(". ")
            found[place][word] += confidence
    puzzles = [
        {
            "clues": dict(clues),
            "candidates": {
                place: {word: {"env_cache_score": round(score, 6)} for word, score in sorted(words.items()) if score}
                for place, words in found.items()
            },
        }
        for clues, found in sorted(scores.items())
    ]
    return json.dumps({"puzzles": puzzles}, indent=0)


def instances(table: str) -> Iterator[dict[str, Any]]:
    """Read AutoToS's table of candidate lists, and find the grids that they allow."""
    rows = csv.reader(io.StringIO(table))
    next(rows)
    for index, row in enumerate(rows):
        across, down = json.loads(row[0]), json.loads(row[1])
        yield {
            "index": index,
            "horizontal_answers": across,
            "vertical_answers": down,
            "goal_grids": sorted(set(_fillings(across, down))),
        }


def _fillings(
    across: Sequence[Sequence[str]], down: Sequence[Sequence[str]], rows: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Find all 5x5 grids made of listed answers, row by row."""
    if len(rows) == 5:
        yield rows
        return
    for word in across[len(rows)]:
        columns = ["".join(column) for column in zip(*rows, word, strict=False)]
        if len(word) == 5 and all(
            any(len(answer) == 5 and answer.startswith(column) for answer in answers)
            for column, answers in zip(columns, down, strict=True)
        ):
            yield from _fillings(across, down, (*rows, word))


def attempts(run: str, log: str) -> Iterator[dict[str, Any]]:
    """Read the functions of one run of AutoToS, with the published verdict on each.

    A function is rejected if the next prompt asks to mend something; the first prompt for a goal function does not.
    """
    parts = re.split(r"^(AutoToS prompt|Model response|System message):\n", log, flags=re.MULTILINE)[1:]
    turns = list(zip(parts[::2], parts[1::2], strict=True))
    total = r"^(?:S|Total s)uccess: (\d+), failure: (\d+), total expansions (\d+), total generated (\d+)$"
    end = re.search(total, log, re.MULTILINE)
    result = end and dict(zip(("success", "failure", "expansions", "generated"), map(int, end.groups()), strict=True))
    role, number = "successor", 0
    for place, (speaker, response) in enumerate(turns):
        if speaker != "Model response":
            continue
        number += 1
        source = function(response)
        if source:
            role = "goal" if "goal" in source.partition("(")[0].lower() else "successor"
        prompt = next((text for other, text in turns[place + 1 :] if other == "AutoToS prompt"), "")
        accepted = not prompt or prompt.strip().startswith("Please provide a goal test function")
        yield {
            "run": run,
            "attempt": number,
            "role": role,
            "source": source,
            "paper_verdict": "rejected" if not accepted else "passed" if result else STOPPED,
            "run_result": result,
        }


def function(response: str) -> str | None:
    """Return the function that AutoToS takes from a response: imports moved inside, examples cut off."""
    pieces = response.replace("<|endoftext|>", "").split("```")
    for block in pieces[1::2] or pieces:
        lines = block.removeprefix("python").removeprefix("Python").strip().split("\n")
        first = next((k for k, line in enumerate(lines) if line.startswith("def ")), None)
        if first is None or not re.search("successor|goal", lines[first].lower()):
            continue
        end = next((k for k, line in enumerate(lines) if k > first and line[:1].isalpha()), len(lines))
        body = [f"    {line}" for line in lines[:first] if line.strip()] + lines[first + 1 : end]
        return "\n".join([lines[first], *body]).rstrip() + "\n"
    return None


def finals(domain: str, rows: Sequence[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the functions of one run of another domain; the last of each role is `final` if the run got to the end.

    `published` counts the instances that the run's search solved, and those that it did not.
    """
    functions = [row for row in rows if row["source"]]
    last = {row["role"]: row["attempt"] for row in functions}
    for row in functions:
        made = {"domain": domain, **{name: row[name] for name in ("run", "attempt", "role", "source")}}
        if row["run_result"] and row["attempt"] == last[row["role"]]:
            result = {name: row["run_result"][name] for name in ("success", "failure")}
            made |= {"final": True, "published": result}
        yield made


def quads(*tables: str) -> str:
    """Bring the tables of the 24 game into one list of lists of numbers."""
    rows = (row for table in tables for row in csv.DictReader(io.StringIO(table)))
    return json.dumps([[int(number) for number in row["Puzzles"].split()] for row in rows])


def gogen(number: int, text: str) -> str:
    """Spread the nine given letters over the board; the words follow an empty line."""
    givens, words = text.strip().split("\n\n")
    rows = [".".join(row) for row in givens.split("\n")]
    return json.dumps(
        {
            "name": f"bmehta-{number:02d}",
            "board": [rows[0], ".....", rows[1], ".....", rows[2]],
            "words": words.split("\n"),
            "source": f"github.com/b-mehta/gogen Puzzles/{number:02d}.txt",
            "licence": "MIT (repo); Evening Standard puzzles",
            "letters_missing": [],
        }
    )


def webpbn(path: str, text: str) -> str:
    """Read one nonogram in the format .non."""
    fields = dict(re.findall(r'^(\w+) "?(.*?)"?$', text, re.MULTILINE))
    lines = {
        side: [[int(run) for run in line.split(",") if run != "0"] for line in block.split()]
        for side, block in re.findall(r"^(rows|columns)\n((?:[\d,]+\n)+)", text, re.MULTILINE)
    }
    return json.dumps(
        {
            "name": PurePosixPath(path).stem,
            "title": fields["title"],
            "author": fields["by"],
            "copyright": fields["copyright"],
            "licence": "free redistribution with attribution (README of Wolter survey sample set v8)",
            "source": f"github.com/{PICROSS} inputs/{path}",
            "width": int(fields["width"]),
            "height": int(fields["height"]),
            "rows": lines["rows"],
            "cols": lines["columns"],
            "goal": fields["goal"],
        }
    )


def dominoes(text: str) -> Iterator[tuple[str, str]]:
    """Read the nonograms 3-Dom to 7-Dom; yield name and content."""
    grid = re.compile(r"^GRID (\S+)\nROWS\n(.*?)COLUMNS\n(.*?)(?:\n\n|\Z)", re.DOTALL | re.MULTILINE)
    for title, *sides in grid.findall(text):
        if title > "7-Dom":
            continue
        rows, columns = ([[int(n) for n in line.strip("[] ").split()] for line in s.strip().split("\n")] for s in sides)
        puzzle = {
            "name": title.lower(),
            "title": title,
            "author": None,
            "copyright": None,
            "licence": "OK: pure pattern (Simpson domino logic), picross-solver MIT",
            "source": f"github.com/{PICROSS} inputs/domino_logic.txt",
            "width": len(columns),
            "height": len(rows),
            "rows": rows,
            "cols": columns,
        }
        yield title.lower(), json.dumps(puzzle)
