"""PrOntoQA, as published: from one fact and rules "if X then Y" to a target fact, one rule application a step.

The worlds to judge on are made here; no text of the PrOntoQA project is part of this one.
"""

import re
from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise
from random import Random

from agent.autotos.domain import Domain, Instance, Kind, show

Rules = list[tuple[str, str]] | set[tuple[str, str]]


def successor(state: AbstractSet[str], rules: Rules) -> list[set[str]]:
    """Return the steps of a search by logical deduction.

    - `state` is the set of the facts that are known, strings, such as {"integer"}.
    - `rules` is a list or a set of pairs (X, Y), "if X then Y", such as [("integer", "real number")].

    A rule is applicable if X is known. One step applies one rule once: the successor is the state with Y added, as a
    new set. Each applicable rule gives a successor of its own, and facts that only follow from Y are for later steps.
    """
    return [{*state, y} for x, y in sorted(rules) if x in state and y not in state]


def is_goal_state(state: AbstractSet[str], goal: str) -> bool:
    """Recognise a goal of a search by logical deduction.

    - `state` is the set of the facts that are known, strings.
    - `goal` is the target fact, a string. A negated fact is one string, such as "not-bony".

    Return True exactly when the target fact is known.
    """
    return goal in state


def fault(state: AbstractSet[str], child: AbstractSet[str], rules: Rules) -> tuple[str, str]:
    """Return the fault of a wrong successor."""
    lost, new = sorted(state - child), sorted(child - state)
    if lost:
        return "lost-facts", f"the fact {lost[0]!r} was known and is not any more"
    if len(new) > 1:
        return "several-rules", f"{len(new)} facts were added in one step: {', '.join(map(repr, new))}"
    if any(y == new[0] for _, y in rules):
        return "not-applicable", f"{new[0]!r} was added, but no rule for it has a condition that is known"
    return "invented-fact", f"{new[0]!r} was added, which no rule concludes"


KINDS = {
    "lost-facts": Kind("a known fact is missing", "Add to a copy of the state: what is known stays known."),
    "several-rules": Kind(
        "more than one rule was applied", "Apply one rule to the given state for each successor, once."
    ),
    "not-applicable": Kind("a rule was applied whose condition is not known", "Use (X, Y) only if X is in the state."),
    "invented-fact": Kind("a fact was added that no rule concludes", "Add nothing but the Y of an applicable rule."),
}

STEMS = ("oak", "tree", "living thing", "real", "two-tone", "not-green", "green", "reality", "whole number", "b")
"""Facts that are parts of each other, of two words, negated."""


def world(random: Random, size: int) -> tuple[list[tuple[str, str]], str]:
    """Return a chain of rules with side conclusions and rules of elsewhere, and the first fact of the chain."""
    facts = random.sample([*STEMS, *(f"{stem}us" for stem in STEMS)], 2 * len(STEMS))
    chain, rest = [*facts[:size], f"not-{facts[size].removeprefix('not-')}"], facts[size + 1 :]
    rules = [*pairwise(chain), *((random.choice(chain), fact) for fact in rest[:3])]
    rules += [(rest[3], random.choice(chain)), (rest[4], rest[5]), (random.choice(chain[1:]), chain[0])]
    return random.sample(rules, len(rules)), chain[0]


def instances(random: Random) -> Iterator[Instance]:
    """Yield worlds with chains of one to seven rules, rules as a list and as a set, targets in and out of reach."""
    for place in range(28):
        rules, first = world(random, 1 + place % 7)
        facts = sorted({fact for rule in rules for fact in rule})
        start = {first} | set(random.sample(facts, place % 3))
        known = set(start)
        while new := {y for x, y in rules if x in known} - known:
            known |= new
        negated = [fact for fact in sorted(known) if fact.startswith("not-")]
        goal = random.choice([[*facts, f"not-{facts[0]}"], negated][place % 4 == 0])
        arguments = {"rules": set(rules) if place % 2 else rules, "goal": goal}
        yield Instance(f"a chain of {1 + place % 7}", start, arguments, (known,) if goal in known else ())
    yield Instance("no rules", {"oak"}, {"rules": [], "goal": "oak"}, ({"oak"},))


def probes(_instance: Instance, goal: set[str], _random: Random) -> Iterator[set[str]]:
    """Yield the known facts without one each, one each alone, and with facts that look alike."""
    for fact in sorted(goal):
        yield goal - {fact}
        yield {fact}
        yield (goal - {fact}) | {f"not-{fact}", f"{fact}s", fact[:-1], f"a {fact}"}
    yield set()


def singular(noun: str) -> str:
    """Return a noun or an adjective as it stands in a rule about one thing.

    >>> singular("Butterflies"), singular("prime numbers"), singular("carnivorous"), singular("an oak")
    ('butterfly', 'prime number', 'carnivorous', 'oak')
    """
    word = re.sub(r"^an? ", "", noun.lower())
    if word.endswith(("ous", "ss", "us", "is")):
        return word
    return re.sub(r"(?<=us|ss|sh|ch)es$|(?<=x)es$|s$", "", re.sub(r"ies$", "y", word))


def read(name: str, data: Mapping[str, str]) -> Iterator[Instance]:
    """Read a published question: sentences, the last of which is the known fact, and a statement to prove or refute.

    The target is the side that holds, so it can always be reached.
    """

    def clause(sentence: str) -> tuple[str, str]:
        verb = " are " if " are " in sentence else " is "
        subject, _, rest = sentence.strip(" .").removeprefix("Every ").removeprefix("Each ").partition(verb)
        return singular(subject), ("not-" if rest.startswith("not ") else "") + singular(rest.removeprefix("not "))

    *rules, fact = [clause(sentence) for sentence in data["question"].strip(" .").split(". ")]
    target = clause(data["query"].partition(":")[2])[1]
    if data["answer"] == "False":
        target = target.removeprefix("not-") if target.startswith("not-") else f"not-{target}"
    yield Instance(name, {fact[1]}, {"rules": set(rules), "goal": target}, solvable=True)


PRONTOQA = Domain(
    name="prontoqa",
    successors=successor,
    is_goal=is_goal_state,
    instances=instances,
    kinds=KINDS,
    fault=fault,
    why=lambda _state, goal: f"{goal!r} is not known",
    advice={"missing": "Return a successor for every rule whose X is known, whatever the others are."},
    probes=probes,
    toward=lambda state, goal: state <= goal,
    enough=lambda _state, children: sorted(children, key=show)[:1],
    read=read,
)
