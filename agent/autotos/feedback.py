"""Describe a fault in one paragraph that the author of the function, a person or a model, can act on.

The paragraph names the function at fault, the clause of the contract, the call that shows it, the result and the
expected one, and the remedy. Each function is judged alone, against trusted functions, so a fault of one is never
attributed to the other. The wording is part of the prompts: a change of it breaks recorded loops.
"""

from __future__ import annotations

import json
from typing import Any

from agent.autotos.domain import Domain, Role
from agent.autotos.faults import CounterExample

SHOWN = 3
"""Offending or missing successors shown in a paragraph; more would only crowd the prompt."""

ADVICE = {
    "no-function": "Give the complete source of exactly this function, as plain Python in one code block.",
    "syntax": "Give the complete function again as valid Python, in one code block and with nothing after it.",
    "timeout": "Make it finish within a second for every state: return only the states that are one step on, and do "
    "not search ahead.",
    "memory": "Build only the grids that are one step on, and keep nothing between calls.",
    "died": "Do not end the process, and do not recurse without end.",
    "output": "Do not print.",
    "protocol": "Return plain lists only, and use nothing outside the function.",
    "too-many": "Return only the states that are one step on, each once, and stop.",
    "exception": "Handle every state that can be reached, with empty cells as None, and lists that are empty or hold "
    "answers of any length. Only the standard library is at hand.",
    "wrong-type": "",
    "mutated-input": "Copy before you write: build each successor as a new list of new rows, and leave the state and "
    "the answers as they were.",
    "reused": "Build new states in every call: what was returned belongs to the caller, who keeps it.",
    "nondeterministic": "Use no randomness, no clock and nothing that is kept from call to call: the result may depend "
    "on the arguments only.",
    "overwrite": "Write an answer only where each cell of its slot is empty or holds the same letter already.",
    "several-words": "Each successor is one step on: one answer written into one slot.",
    "short-word": "Skip answers whose length is not exactly that of the slot, and write a whole answer at once.",
    "junk": "Write only whole answers from the slot's own list, exactly as they stand there.",
    "false-positive": "Return True only where every cell is filled and every slot spells one of its own answers.",
    "false-negative": "Return True wherever every cell is filled and every slot spells one of its own answers.",
    "missing": "Return the result of every answer that fits, for every slot that is not yet full, of every direction.",
    "parent": "A slot that is already full is done: do not write into it again.",
    "duplicate": "Leave out grids that were returned already, for instance when a list holds an answer twice.",
    "shared-rows": "Copy every row.",
    "order": "Go through lists in their own order rather than through sets.",
}

CONTRACT: dict[Role, str] = {
    "successor": "It must return an iterable of grids; each grid is a list of rows as long as the state's, and each "
    "cell is None or a one-character string.",
    "goal": "It must return exactly True or False.",
}


def show(value: Any) -> str:
    """Write a value as Python would, on one line.

    >>> show([["a", None], True])
    "[['a', None], True]"
    """
    return repr(value)


def call_text(domain: Domain, example: CounterExample) -> str:
    """Return the arguments of the call that shows the fault."""
    names = ("state", *domain.parameters)
    return ", ".join(f"{name}={show(example.arguments[name])}" for name in names)


def paragraph(domain: Domain, role: Role, function: str, kind: str, note: str, example: CounterExample | None) -> str:
    """Return the paragraph on one fault.

    >>> from agent.autotos.domains import CROSSWORD
    >>> paragraph(CROSSWORD, "goal", "is_goal_state", "syntax", "invalid syntax (line 1)", None)
    'The function is_goal_state could not be used: invalid syntax (line 1). Give the complete function again as ...
    """
    advice = ADVICE[kind]
    if example is None:
        return f"The function {function} could not be used: {note}. {advice}".strip()
    parts = [f"The fault is in {function}: {note}. The call was {function}({call_text(domain, example)})."]
    if kind == "wrong-type":
        parts.append(CONTRACT[role])
        parts.append(f"What came begins with {json.dumps(example.came)[:200]}.")
    elif kind == "missing":
        shown = [show(grid) for grid in example.offending[:SHOWN]]
        parts.append(
            f"Not returned, though {'they are' if len(shown) > 1 else 'it is'} one step on: {'; '.join(shown)}."
        )
    elif kind in ("overwrite", "several-words", "short-word", "junk", "parent", "duplicate"):
        parts.append(f"Returned: {show(example.offending[0])}.")
        if len(example.expected) <= SHOWN:
            parts.append(f"Right would have been: {show(example.expected)}.")
    elif kind in ("false-positive", "false-negative"):
        parts.append(f"It returned {example.came!r}; right is {example.expected!r}.")
    return " ".join([*parts, advice]).strip()
