"""Splitting a long puzzle into requests of about the same length, each of related clues.

>>> asked = [Question(name, "", 3) for name in ("1A", "2A", "3A", "1D", "2D")]
>>> [[question.slot for question in part] for part in split(asked, most=4)]
[['1A', '1D', '2A', '2D'], ['3A']]
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from math import ceil

from agent.candidates.provider import Question

_NUMBER = re.compile(r"\d+")


def split(questions: Sequence[Question], most: int) -> list[list[Question]]:
    """Split questions into as few parts of at most `most` as possible, evenly.

    Slots of one number and clues that refer to each other stay in one part, unless there are too many of them; so do
    crossing slots as far as possible. A puzzle that need not be split keeps its order.
    """
    if len(questions) <= most:
        return [list(questions)] if questions else []
    ordered = [(place, question) for place, group in enumerate(_in_line(_bound(questions))) for question in group]
    parts = []
    start, left = 0, ceil(len(ordered) / most)
    while start < len(ordered):
        end = start + ceil((len(ordered) - start) / left)
        while end < min(len(ordered), start + most) and ordered[end][0] == ordered[end - 1][0]:
            end += 1  # a group that was begun is finished
        parts.append([question for _, question in ordered[start:end]])
        start, left = end, max(1, left - 1)
    return parts


def _bound(questions: Sequence[Question]) -> list[list[Question]]:
    """Group the questions that have a number in common or refer to each other, directly or through others."""
    leader = {question.key: question.key for question in questions}

    def find(slot: str) -> str:
        while leader[slot] != slot:
            leader[slot] = slot = leader[leader[slot]]
        return slot

    first_with: dict[str, str] = {}
    for question in questions:
        number = _NUMBER.match(question.slot)
        partners = [reference.slot for reference in question.references if reference.role != "further"]
        if number:
            partners.append(first_with.setdefault(number[0], question.key))
        for partner in partners:
            if partner in leader:
                leader[find(question.key)] = find(partner)
    groups: dict[str, list[Question]] = {}
    for question in questions:
        groups.setdefault(find(question.key), []).append(question)
    return list(groups.values())


def _in_line(groups: Sequence[list[Question]]) -> list[list[Question]]:
    """Order groups so that each has as many crossings as possible with those before it."""
    place_of = {question.key: place for place, group in enumerate(groups) for question in group}
    links: Counter[int] = Counter()
    waiting = dict(enumerate(groups))
    row = []
    while waiting:
        place = max(waiting, key=lambda i: links[i])
        row.append(waiting.pop(place))
        for question in row[-1]:
            links.update(place_of[crossing.slot] for crossing in question.crossings if crossing.slot in place_of)
    return row
