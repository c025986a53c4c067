"""The commands about one puzzle: solve, candidates, hint, check, verify."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from agent.cli import exits
from agent.cli.exits import DONE, NOT_SOLVED
from agent.cli.frame import (
    Voice,
    check_outputs,
    clean,
    emit,
    emit_json,
    examples,
    has_colours,
    interruptible,
    parse_grid,
    parse_size,
    settings_from,
    stop,
    write,
    write_text,
)
from agent.cli.grids import Count, Explain, Letters, ProveUnique, solve_grid
from agent.cli.live import LiveVoice
from agent.cli.options import (
    Against,
    AsJson,
    BaseUrl,
    ClueSets,
    ConfigFile,
    GridText,
    MaxCalls,
    MaxTokens,
    Model,
    Offline,
    Patience,
    Providers,
    PuzzleArgument,
    Quiet,
    Rounds,
    Seconds,
    Size,
    Sure,
)
from agent.errors import FormatError, ProviderError, UsageError
from agent.filetypes import ENDINGS, format_of

if TYPE_CHECKING:
    from agent.assist import Key
    from agent.candidates.provider import Question
    from agent.candidates.ranking import Ranking
    from agent.config import Settings
    from agent.core import Event
    from agent.grid import ClueText, Puzzle
    from agent.solution import Solution
    from agent.tools import Tools


class Ink(StrEnum):
    """Which letters are written into the grid."""

    ALL = "all"
    SURE = "sure"


def add_to(app: typer.Typer) -> None:
    """Add the commands to the program."""
    app.command(
        short_help="Solve a crossword from its clues.",
        epilog=examples(
            "gridwright solve today.puz",
            "pbpaste | gridwright solve - --model gpt-5-mini",
            "gridwright solve today.ipuz -m qwen3 --base-url http://localhost:11434/v1",
            "gridwright solve today.xd --clue-set recorded.jsonl --offline --json",
        ),
    )(solve)
    app.command(
        short_help="List the candidates for a clue or a puzzle.",
        epilog=examples(
            'gridwright candidates "Not out" --length 2',
            'gridwright candidates "Indian antelope" --pattern N?L?AI',
            "gridwright candidates today.puz --count 3",
        ),
    )(candidates)
    app.command(
        epilog=examples(
            "gridwright hint today.puz",
            "gridwright hint today.puz 4D --grid 'CAT/A../T..'",
            "gridwright hint today.puz 4D --whole --guess",
        )
    )(hint)
    app.command(
        short_help="Compare a partial grid with the solution.",
        epilog=examples("gridwright check today.puz --grid 'CAT/A../T..'"),
    )(check)
    app.command(
        short_help="Prove that a filled grid holds, or show why not.",
        epilog=examples("gridwright verify today.puz --grid filled.txt --clue-set recorded.jsonl"),
    )(verify)


@clean
def solve(
    puzzle: PuzzleArgument,
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    rounds: Rounds = None,
    seconds: Seconds = None,
    patience: Patience = None,
    max_calls: MaxCalls = None,
    max_tokens: MaxTokens = None,
    sure: Sure = None,
    size: Size = None,
    ink: Annotated[
        Ink, typer.Option(help="Letters of the grid that are written: all, or sure: none that is less than 50 % sure.")
    ] = Ink.ALL,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Add what live providers answer to this clue set.")
    ] = None,
    save: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Write the filled puzzle: {ENDINGS}; a picture .png"),
    ] = None,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a report as an HTML page (- for stdout).")
    ] = None,
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a picture as SVG; - is stdout.")] = None,
    count: Count = 1,
    prove_unique: ProveUnique = True,
    explain: Explain = False,
    letters: Letters = "",
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: ConfigFile = None,
) -> None:
    """Solve a crossword: how sure the whole grid is, the grid, the answers, how sure each is, where it comes from.

    Puzzles without clues are known by their content and solved too, with a proof of uniqueness.

    Without options the embedded lexicon answers, and nothing leaves the machine. For better answers name who is to
    be asked: a language model, Datamuse, recorded clue sets.
    """
    from agent.draw.svg import standalone
    from agent.formats import load_source, read_puzzle
    from agent.kinds import detect

    as_text = check_outputs(save, html, svg, as_json=as_json)
    settings = settings_from(
        config, providers=providers, model=model, base_url=base_url, offline=offline, rounds=rounds, seconds=seconds,
        patience=patience, max_calls=max_calls, max_tokens=max_tokens, sure=sure,
    )  # fmt: skip
    voice = LiveVoice(quiet)
    data, name = load_source(puzzle)
    if letters or detect(data):
        code = solve_grid(
            data, name, voice, letters=letters, count=count, prove_unique=prove_unique, explain=explain,
            seconds=settings.seconds, as_json=as_json, as_text=as_text, html=html,
            svg=svg, save=save,
        )  # fmt: skip
        raise typer.Exit(code)
    if save:
        format_of(save)  # a wrong ending is better said before the work
    opened = read_puzzle(data, name, size=parse_size(size))
    last_grid = LastGrid(as_json)
    solution = solve_any(opened, name, settings, clue_set or [], voice, record=record, last_grid=last_grid)
    if ink == Ink.SURE:
        solution = solution.inked()
    if save:
        write(save, solution.puzzle, solution.grid)
    if html:
        write_text(html, solution.to_html())
    if svg:
        write_text(svg, standalone(solution.svg()))
    if as_json:
        emit_json(solution.to_json())
    elif as_text:
        emit(solution.to_text(colour=has_colours(sys.stdout)))
    raise typer.Exit(exits.of_result(solution))


@dataclass(slots=True)
class LastGrid:
    """The last grid that a search had, for when it is ended hard."""

    as_json: bool
    rows: Sequence[str] = ()

    def print(self) -> None:
        """Print it, if there is one; as JSON in any case."""
        if self.as_json:
            emit_json({"grid": list(self.rows), "solved": False, "termination": "cancelled", "ended": "interrupted"})
        elif self.rows:
            emit("\n".join(self.rows))


def solve_any(
    puzzle: Puzzle | ClueText,
    source: str,
    settings: Settings,
    clue_sets: Sequence[Path],
    voice: Voice,
    *,
    record: Path | None = None,
    last_grid: LastGrid | None = None,
) -> Solution:
    """Solve a puzzle, which came from the file `source`. Ends if nobody answered.

    What went wrong and what it cost is said on stderr. `last_grid` is printed if it must end at once; without it no
    letter is, as who asked for a hint does not want them all.
    """
    from agent.core import Budget, Event, limit
    from agent.grid import ClueText
    from agent.gridless.solve import solve_clues
    from agent.solve import solve as solve_puzzle
    from agent.tools import open_tools

    budget = Budget(seconds=limit(settings.seconds), patience=limit(settings.patience))

    def last_words() -> None:
        voice.__exit__(None, None, None)
        if last_grid is not None:
            last_grid.print()
        what = ": this is the last grid it had" if last_grid is not None and last_grid.rows else ""
        voice.warn(f"gridwright: interrupted, and the search did not end in time{what}")

    def on_event(event: Event) -> None:
        if last_grid is not None and event.kind == "round":
            last_grid.rows = event.data["rows"]
        voice.on_event(event)

    with (
        voice,
        open_tools(settings, clue_sets, voice.warn, record=record) as tools,
        interruptible(last_words) as asked,
    ):
        budget = replace(budget, cancelled=asked.is_set)
        if isinstance(puzzle, ClueText):
            try:
                solution = solve_clues(puzzle, tools, budget=budget, on_event=on_event)
            except FormatError as error:
                raise error.within(source) from error
        else:
            voice.on_event(Event("opened", {"grid": puzzle.grid}))
            solution = solve_puzzle(puzzle, tools, budget=budget, on_event=on_event)
    if solution.is_unanswered:
        raise ProviderError(f"no provider could answer: {'; '.join(solution.warnings)}")
    for line in solution.warnings:
        voice.warn(f"warning: {line}")
    if solution.ended:
        voice.warn(f"cut short: {solution.ended}")
    for name, used in solution.stats.usage.items():
        cost = "" if not used.tokens else " cost unknown," if used.cost is None else f" cost {used.cost:.4f},"
        tokens = f" {used.tokens:,} tokens," if used.tokens else ""
        voice.warn(f"{name}: {used.calls} requests,{tokens}{cost} {used.cache_hits} answers from the cache")
    return solution


def open_key(
    source: str,
    against: str,
    settings: Settings,
    clue_sets: Sequence[Path],
    size: str | None,
    voice: Voice,
) -> Key:
    """Open what a person is helped with: the official solution that the file carries, else what the agent finds."""
    from agent.assist import agent_key, key_without_solving
    from agent.formats import load_source, read_puzzle

    data, name = load_source(source)
    puzzle = read_puzzle(data, name, size=parse_size(size))
    return key_without_solving(puzzle, against) or agent_key(solve_any(puzzle, name, settings, clue_sets, voice))


def one_crossword(puzzle: Puzzle | ClueText, source: str) -> Puzzle:
    """Insist on a grid. Raises FormatError for clue text alone."""
    from agent.grid import ClueText

    if isinstance(puzzle, ClueText):
        problem = "expected a puzzle with a grid, found clues alone: `gridwright solve --save` gives them one"
        raise FormatError(problem, file="stdin" if source == "-" else source)
    return puzzle


def rank_all(questions: Sequence[Question], tools: Tools, patience: float | None, voice: Voice) -> Ranking:
    """Ask all providers and rank what they say. Ends if those who were asked failed, and no other answered."""
    from agent.candidates.ranking import rank
    from agent.core import Budget, limit
    from agent.proposing import propose

    said = propose(tools.providers, questions, budget=Budget(patience=limit(patience)), calls=tools.calls)
    if said.warnings and tools.lexicon is None and not any(said.by_slot.values()):
        raise ProviderError(f"no provider could answer: {'; '.join(said.warnings)}")
    for line in said.warnings:
        voice.warn(f"warning: {line}")
    if said.ended:
        voice.warn(f"cut short: {said.ended}")
    return rank(questions, said.by_slot, tools.lexicon, tools.constants)


@clean
def candidates(
    clue: Annotated[str, typer.Argument(metavar="CLUE", help="A clue; or a puzzle's file, or - for stdin.")],
    length: Annotated[int | None, typer.Option("--length", "-n", min=1, help="Letters of the answer.")] = None,
    pattern: Annotated[str | None, typer.Option(metavar="LETTERS", help="Known letters, such as A?R?.")] = None,
    count: Annotated[int, typer.Option(metavar="N", min=1, help="Candidates to print for each clue.")] = 10,
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: ConfigFile = None,
) -> None:
    """List the candidates for a clue, or for every slot of a puzzle, from all providers together."""
    from agent.formats import open_puzzle
    from agent.questions import ask
    from agent.tools import open_tools

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    if clue == "-" or Path(clue).is_file():
        questions = ask(one_crossword(open_puzzle(clue), clue))
    else:
        questions = [one_question(clue, length, pattern)]
    voice = Voice(quiet)
    with voice, open_tools(settings, clue_set or [], voice.warn) as tools:
        ranking = rank_all(questions, tools, settings.patience, voice)
        listed = {question.slot: best_candidates(question, ranking, tools, count) for question in questions}
    if as_json:
        emit_json(listed)
        return
    for question in questions:
        emit(f"{question.slot}  {question.noted} ({question.length})")
        for found in listed[question.slot]:
            row = f"  {found['answer']}  {100 * found['probability']:5.1f} %  {found['source']}  {found['why']}"
            emit(row.rstrip())


def one_question(clue: str, length: int | None, pattern: str | None) -> Question:
    """Put one clue. Raises UsageError if its length is not known, or the pattern is none."""
    from agent.candidates.provider import Question

    if pattern is not None:
        pattern = pattern.upper().replace(".", "?").replace("_", "?")
        if not pattern or not all(sign == "?" or (sign.isascii() and sign.isalpha()) for sign in pattern):
            raise UsageError(f"--pattern: expected letters and ? such as A?R?, not {pattern}")
        if length not in {None, len(pattern)}:
            raise UsageError(f"--pattern {pattern} has {len(pattern)} letters, --length says {length}")
    elif length is None:
        raise UsageError(f"how long is the answer? Give --length or --pattern (there is no file {clue})")
    return Question("clue", clue, length or len(pattern or ""), pattern or "")


def best_candidates(question: Question, ranking: Ranking, tools: Tools, count: int) -> list[dict[str, Any]]:
    """List the most probable words that a question admits, with who named them and why."""
    from agent.candidates.clues import definition

    domain = ranking.domains[question.key]
    best: list[dict[str, Any]] = []
    for index in domain.costs.argsort().tolist():
        word = domain.word(index)
        if question.admits(word):
            named = ranking.sources(question.key, word)
            sources = sorted({candidate.source for candidate in named})
            why = next((candidate.why for candidate in named if candidate.why), "")
            if not named and tools.lexicon is not None:
                why = tools.lexicon.why(definition(question), word)
            best.append(
                {
                    "answer": word,
                    "probability": round(exp(-domain.costs[index]), 6),
                    "source": " + ".join(sources) or "lexicon",
                    "why": why,
                }
            )
        if len(best) == count:
            break
    return best


@clean
def hint(
    puzzle: PuzzleArgument,
    slot: Annotated[
        str, typer.Argument(metavar="SLOT", help="A slot such as 4D; without one, the surest letter of any.")
    ] = "",
    whole: Annotated[bool, typer.Option("--whole", help="Give the whole answer of the slot.")] = False,
    guess: Annotated[bool, typer.Option("--guess", help="Give it even if it is less than 50 % sure.")] = False,
    against: Against = "",
    grid: GridText = "",
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    size: Size = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: ConfigFile = None,
) -> None:
    """Give one letter, or one answer, and no more away: from the official solution if the file carries one."""
    from agent.assist import hint_letter, hint_slot
    from agent.draw.doubt import rounded

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    if whole and not slot:
        raise UsageError("--whole needs a slot, such as 4D")
    key = open_key(puzzle, against, settings, clue_set or [], size, Voice(quiet))
    partial = parse_grid(grid, key.puzzle) if grid else key.puzzle.grid
    slot = slot.upper()
    if slot and slot not in key.words:
        raise UsageError(f"there is no slot {slot}: there are {', '.join(key.words)}")
    found = hint_slot(key, slot) if whole else hint_letter(key, partial, slot)
    if found is None:
        stop(NOT_SOLVED, "nothing is left to give away")
    if found.is_guess and not guess:
        stop(NOT_SOLVED, f"{found.slot}: {found.refusal}; --guess gives it anyway")
    if as_json:
        probability = rounded(found.probability)
        emit_json(
            {
                "slot": found.slot,
                "position": found.position,
                "text": found.text,
                "probability": probability,
                "source": found.source,
            }
        )
    else:
        emit(found)


@clean
def check(
    puzzle: PuzzleArgument,
    grid: GridText,
    against: Against = "",
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    size: Size = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: ConfigFile = None,
) -> None:
    """Compare a partial grid with the official solution if the file carries one, else with what the agent finds.

    By an official solution letters are right or wrong, and the exit code is 1 if any is wrong. The agent only says
    what it would write instead, and how sure it is.
    """
    from agent.assist import judge_cells
    from agent.draw.doubt import rounded

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    key = open_key(puzzle, against, settings, clue_set or [], size, Voice(quiet))
    partial = parse_grid(grid, key.puzzle)
    judged = judge_cells(key, partial)
    differing = {cell: said for cell, said in judged.items() if said.judgement in {"wrong", "other"}}
    if as_json:
        rows = []
        for cell, said in judged.items():
            row, column = divmod(cell, partial.width)
            told = {"row": row + 1, "column": column + 1, "letter": partial.cells[cell], "judgement": said.judgement}
            if key.source == "agent":  # an official letter is not given away
                told |= {"agent": said.letter, "probability": rounded(said.probability)}
            rows.append(told)
        emit_json({"source": key.source, "cells": rows})
    else:
        for cell, said in differing.items():
            row, column = divmod(cell, partial.width)
            emit(f"row {row + 1} column {column + 1}: {partial.cells[cell]}: {said}")
        whose = "the official solution" if key.source == "official" else "what the agent would write"
        emit(f"{len(judged)} cells compared with {whose}: {len(differing)} differ{'s' * (len(differing) == 1)}")
    raise typer.Exit(NOT_SOLVED if any(said.judgement == "wrong" for said in differing.values()) else DONE)


@clean
def verify(
    puzzle: PuzzleArgument,
    grid: GridText,
    clue_set: ClueSets = None,
    providers: Providers = None,
    model: Model = None,
    base_url: BaseUrl = None,
    offline: Offline = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
    config: ConfigFile = None,
) -> None:
    """Prove that a filled grid holds, or show what does not: crossings, candidates of every clue, no answer twice."""
    from agent.assist import verify_filled
    from agent.formats import open_puzzle
    from agent.questions import ask
    from agent.tools import open_tools

    settings = settings_from(config, providers=providers, model=model, base_url=base_url, offline=offline)
    opened = one_crossword(open_puzzle(puzzle), puzzle)
    filled = parse_grid(grid, opened)
    voice = Voice(quiet)
    with voice, open_tools(settings, clue_set or [], voice.warn) as tools:
        ranking = rank_all(ask(opened), tools, settings.patience, voice)
    proof = verify_filled(opened, filled, ranking.domains)
    if as_json:
        emit_json({"verified": proof.holds, "faults": list(proof.faults)})
    else:
        emit(proof)
    raise typer.Exit(DONE if proof.holds else NOT_SOLVED)
