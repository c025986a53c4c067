"""A search space as a value: all that the judge, the loop and the search know about one.

A domain is written in one file, for the form see :class:`Domain`; `gridwright judge functions.py --domain mine.py`
reads it. Its two trusted functions are the contract for the functions that are judged: they have the wanted names,
parameters and annotations, and their docstrings are what a model is told. States are plain Python data: numbers,
strings, None, lists, tuples, sets, frozensets and dictionaries. No function of a domain changes a state.
"""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from agent.autotos import forms
from agent.autotos.published import Sums
from agent.errors import DomainError

Role = Literal["successor", "goal"]
ROLES: tuple[Role, ...] = ("successor", "goal")
State = Any
Key = Hashable
_SCALARS = frozenset((str, int, float, bool, type(None)))


def freeze(value: Any) -> Key:
    """Return plain data as a hashable value; equal for equal data.

    >>> freeze([["a", None], {"b"}]) == (("a", None), frozenset({"b"}))
    True
    """
    if isinstance(value, (list, tuple)):
        return tuple(value) if _SCALARS.issuperset(map(type, value)) else tuple(map(freeze, value))
    if isinstance(value, (set, frozenset)):
        return frozenset(map(freeze, value))
    if isinstance(value, dict):
        return frozenset((freeze(key), freeze(item)) for key, item in value.items())
    return value  # type: ignore[no-any-return]


def leaves(value: Any) -> int:
    """Return how many numbers and strings plain data holds.

    >>> leaves([["a", None], {"b": (1, 2)}])
    3
    """
    if isinstance(value, dict):
        return sum(map(leaves, value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return sum(map(leaves, value))
    return value is not None


def show(value: Any) -> str:
    """Write a value as Python would, on one line; sets in a fixed order.

    >>> show([{"b", "a"}, ("x", None)])
    "[{'a', 'b'}, ('x', None)]"
    """
    text = repr(value)
    if "{" not in text and "set(" not in text:
        return text  # the usual case, fast: nothing that has an order of its own
    if isinstance(value, list):
        return f"[{', '.join(map(show, value))}]"
    if isinstance(value, tuple):
        return f"({', '.join(map(show, value))}{',' * (len(value) == 1)})"
    if isinstance(value, (set, frozenset)):
        items = ", ".join(sorted(map(show, value)))
        braces = f"{{{items}}}" if items else ""
        return (braces or "set()") if isinstance(value, set) else f"frozenset({braces})"
    if isinstance(value, dict):
        return f"{{{', '.join(f'{show(key)}: {show(item)}' for key, item in value.items())}}}"
    return text


@dataclass(frozen=True, slots=True)
class Instance:
    """One problem: the start of its search, and by name the arguments that both functions take after the state.

    `goals` are those that its maker knows, not necessarily all. `solvable` and `optimal`, the least number of moves,
    are None if unknown. `name` tells the peculiarity.
    """

    name: str
    start: State
    arguments: Mapping[str, Any] = field(default_factory=dict)
    goals: tuple[State, ...] = ()
    solvable: bool | None = None
    optimal: int | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A domain's own kind of unsound successor: what it means, and the advice for the author."""

    meaning: str
    advice: str


def _nothing(*_: Any) -> tuple[Any, ...]:
    return ()


def _read(name: str, data: Any) -> Iterator[Instance]:
    yield Instance(
        str(data.get("name", name)),
        data["start"],
        {key: value for key, value in data.items() if key not in ("name", "start", "goals")},
        tuple(data.get("goals", ())),
    )


@dataclass(frozen=True, eq=False)
class Domain:
    """A search space. Only the first four fields must be given.

    `successors(state, ...)` and `is_goal(state, ...)` are the trusted functions, and the contract: name, parameters,
    annotations, docstring. Parameters after the state are looked up in the instance's arguments by their names.
    `instances(random)` makes the instances to judge on.

    The rest is for sharper verdicts, each with a default:
    `key(state)` names a state: two states with one key are the same.
    `breach(state, ...)` returns the clause that a successor breaks though its type is right, else "".
    `fault(state, child, ...)` returns the kind of a wrong successor, one of `kinds`, and a clause that describes it.
    `why(state, ...)` returns the rule that keeps a state from being a goal, for the feedback.
    `advice` replaces the general advice for a kind of fault.
    `probes(instance, goal, random)` makes states that a goal test must tell from a goal; `twists(arguments, goal,
    random)` makes arguments with which the goal no longer is one. Each breaks one rule.
    `rounded` are goals of any instance as arithmetic in floats gives them: missing one is a remark, not a fault.
    `smaller(role, state, arguments)` yields smaller states and arguments of the same sort, to shrink counter-examples.
    `toward(state, goal)`: whether a state may still lead to a goal, if moves only add to a state; None if they do more.
    `shortest`: whether the length of a solution counts, so that pruning must keep a shortest way to each goal.
    `enough(state, successors)` returns those of the successors that lose no goal: the yardstick for efficiency.
    `priority(state)` orders a best-first search, lowest first. `draw(state, arguments)` returns a drawing as text.
    `read(name, data)` yields the instances in an item of a JSON list, or in a text that is not JSON.
    `recombine(instances, random)` makes instances from given ones that must stay unseen. `published` are sums of runs
    by others, for reports.
    """

    name: str
    successors: Callable[..., Iterable[State]]
    is_goal: Callable[..., bool]
    instances: Callable[[Random], Iterable[Instance]]
    key: Callable[[State], Key] = freeze
    breach: Callable[..., str] = lambda *_: ""
    kinds: Mapping[str, Kind] = field(default_factory=dict)
    fault: Callable[..., tuple[str, str]] = lambda *_: ("wrong-successor", "a state was returned that is not a step on")
    why: Callable[..., str] = lambda *_: ""
    advice: Mapping[str, str] = field(default_factory=dict)
    probes: Callable[[Instance, State, Random], Iterable[State]] = _nothing
    twists: Callable[[Mapping[str, Any], State, Random], Iterable[Mapping[str, Any]]] = _nothing
    rounded: Sequence[State] = ()
    smaller: Callable[[Role, State, Mapping[str, Any]], Iterable[tuple[State, Mapping[str, Any]]]] = _nothing
    toward: Callable[[State, State], bool] | None = None
    shortest: bool = False
    enough: Callable[[State, list[State]], list[State]] | None = None
    priority: Callable[[State], float] = lambda state: -leaves(state)
    draw: Callable[[State, Mapping[str, Any]], str] | None = None
    read: Callable[[str, Any], Iterable[Instance]] = _read
    recombine: Callable[[Sequence[Instance], Random], Sequence[Instance]] = lambda instances, _: instances
    published: Sequence[Sums] = ()
    functions: Mapping[Role, str] = field(init=False)
    parameters: Mapping[Role, tuple[str, ...]] = field(init=False)
    types: Mapping[str, Any] = field(init=False)
    form: Any = field(init=False)

    def __post_init__(self) -> None:
        trusted = {"successor": self.successors, "goal": self.is_goal}
        names = {role: list(inspect.signature(function).parameters) for role, function in trusted.items()}
        types: dict[str, Any] = {}
        for role, function in trusted.items():
            hints = typing.get_type_hints(function)
            for name in names[role]:
                if name not in hints:
                    raise DomainError(
                        f"domain {self.name}: the parameter {name} of {function.__name__} needs a type: "
                        "functions are checked against it"
                    )
                types[name] = hints[name]
            if not inspect.getdoc(function):
                raise DomainError(f"domain {self.name}: {function.__name__} needs a docstring: it is the contract")
        values = {
            "functions": {role: function.__name__ for role, function in trusted.items()},
            "parameters": {role: tuple(names[role][1:]) for role in names},
            "types": types,
            "form": types[names["successor"][0]],
        }
        for name, value in values.items():
            object.__setattr__(self, name, value)

    def arguments(self, role: Role, instance: Instance) -> list[Any]:
        """Return the arguments of a call after the state."""
        return [instance.arguments[name] for name in self.parameters[role]]

    def children(self, state: State, instance: Instance) -> dict[Key, State]:
        """Return the trusted successors of a state by their keys, in a fixed order."""
        found = {self.key(child): child for child in self.successors(state, *self.arguments("successor", instance))}
        return {key: found[key] for key in sorted(found, key=show)}

    def holds(self, state: State, instance: Instance) -> bool:
        """Return whether a state is a goal, by the trusted test."""
        return self.is_goal(state, *self.arguments("goal", instance))

    def checked(self, instance: Instance) -> Instance:
        """Return an instance with its start, goals and arguments in the form of the contract.

        Raises ValueError with a clause that says what is wrong.
        """
        wanted = {name for names in self.parameters.values() for name in names}
        if set(instance.arguments) != wanted:
            raise ValueError(f"expected {', '.join(sorted(wanted)) or 'no arguments'} besides the start")
        try:
            start = forms.read(instance.start, self.form)
            goals = tuple(forms.read(goal, self.form) for goal in instance.goals)
            arguments = {name: forms.read(value, self.types[name]) for name, value in instance.arguments.items()}
        except forms.Misfit as misfit:
            raise ValueError(f"a value {misfit}") from None
        return Instance(instance.name, start, arguments, goals, instance.solvable, instance.optimal)

    def signature(self, role: Role) -> str:
        """Return the head of the function that is asked for."""
        return f"{self.functions[role]}({', '.join(('state', *self.parameters[role]))})"

    def task(self, role: Role) -> str:
        """Return what a model is told about the function that it is to write."""
        function = self.successors if role == "successor" else self.is_goal
        return f"    def {self.signature(role)}:\n\n{inspect.getdoc(function)}"
