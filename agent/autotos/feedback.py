"""Describe a fault in one paragraph that the author of the function, a person or a model, can act on.

The paragraph names the function at fault, the clause of the contract, the call that shows it, the result and the
expected one, and the remedy. Each function is judged alone, against trusted functions, so a fault of one is never
attributed to the other. The wording is part of the prompts: a change of it breaks recorded loops.
"""

from __future__ import annotations

from agent.autotos.domain import Domain, Role, show
from agent.autotos.faults import CounterExample, weight
from agent.autotos.forms import text

SHOWN = 3
"""Offending or missing successors shown in a paragraph; more would only crowd the prompt."""

ADVICE = {
    "no-function": "Give the complete source of exactly this function, as plain Python in one code block.",
    "syntax": "Give the complete function again as valid Python, in one code block and with nothing after it.",
    "timeout": "Make it finish within a second for every state: return only the states that are one step on, and do "
    "not search ahead.",
    "memory": "Build only the states that are one step on, and keep nothing between calls.",
    "died": "Do not end the process, and do not recurse without end.",
    "output": "Do not print.",
    "protocol": "Return plain Python data only, and use nothing outside the function.",
    "too-many": "Return only the states that are one step on, each once, and stop.",
    "exception": "Handle every state that can be reached, and every argument of the agreed form, empty ones too. Only "
    "the standard library is at hand.",
    "wrong-type": "",
    "mutated-input": "Copy before you write: build each successor as a new value, with copies of the parts that you "
    "change, and leave the state and the other arguments as they were.",
    "reused": "Build new states in every call: what was returned belongs to the caller, who keeps it.",
    "nondeterministic": "Use no randomness, no clock and nothing that is kept from call to call: the result may depend "
    "on the arguments only.",
    "wrong-successor": "Return only states that one allowed move leads to, and apply all of its effects.",
    "false-positive": "Return True only if every condition of a goal holds.",
    "false-negative": "Return True whenever every condition of a goal holds, and ask for nothing else.",
    "missing": "Return the result of every move that is allowed in the state.",
    "parent": "Do not return the state itself.",
    "duplicate": "Leave out states that were returned already.",
    "shared-parts": "Copy every part of the state.",
    "order": "Go through lists in their own order rather than through sets.",
    "rounding": "Compare numbers with a tolerance: results of arithmetic in floats are rounded.",
}
"""Kind of fault -> what its author should do, for any domain; a domain may replace it."""


def advice_for(domain: Domain, kind: str) -> str:
    """Return the advice for a kind of fault: the domain's own, or the general one."""
    if kind in domain.kinds:
        return domain.kinds[kind].advice
    return domain.advice.get(kind, ADVICE[kind])


def contract(domain: Domain, role: Role) -> str:
    """Return what a function must return.

    >>> from agent.autotos.domains.crossword import CROSSWORD
    >>> contract(CROSSWORD, "goal")
    'It must return exactly True or False.'
    """
    if role == "goal":
        return "It must return exactly True or False."
    return f"It must return an iterable of states, each of the form {text(domain.form)}."


def call_text(example: CounterExample) -> str:
    """Return the arguments of the call that shows the fault."""
    return ", ".join(f"{name}={show(value)}" for name, value in example.arguments.items())


def paragraph(domain: Domain, role: Role, function: str, kind: str, note: str, example: CounterExample | None) -> str:
    """Return the paragraph on one fault.

    >>> from agent.autotos.domains.crossword import CROSSWORD
    >>> paragraph(CROSSWORD, "goal", "is_goal_state", "syntax", "invalid syntax (line 1)", None)
    'The function is_goal_state could not be used: invalid syntax (line 1). Give the complete function again as ...
    """
    advice = advice_for(domain, kind)
    if example is None:
        return f"The function {function} could not be used: {note}. {advice}".strip()
    parts = [f"The fault is in {function}: {note}. The call was {function}({call_text(example)})."]
    if kind == "wrong-type":
        parts.append(contract(domain, role))
        parts.append(f"What came begins with {show(example.came)[:200]}.")
    elif kind == "missing":
        shown = [show(state) for state in example.offending[:SHOWN]]
        parts.append(
            f"Not returned, though {'they are' if len(shown) > 1 else 'it is'} one step on: {'; '.join(shown)}."
        )
    elif kind in ("parent", "duplicate") or (role == "successor" and weight(kind) == "unsound"):
        parts.append(f"Returned: {show(example.offending[0])}.")
        if len(example.expected) <= SHOWN:
            parts.append(f"Right would have been: {show(example.expected)}.")
    elif kind in ("false-positive", "false-negative"):
        parts.append(f"It returned {example.came!r}; right is {example.expected!r}.")
    return " ".join([*parts, advice]).strip()
