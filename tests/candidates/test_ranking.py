"""One distribution per slot: mass for unlisted words, every family counted once, nothing lost."""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent.candidates.provider import Question
from agent.candidates.ranking import family, rank
from agent.grid import Candidate

QUESTION = Question("1A", "Not out", 2)


def chances(candidates, model=None) -> tuple[dict[str, float], float]:
    """Return the probability of each word, and of none of them."""
    domain = rank([QUESTION], {"1A": candidates}, model).domains["1A"]
    words = {domain.word(i): exp(-float(domain.costs[i])) for i in range(len(domain))}
    return words, exp(-domain.open_cost)


@dataclass(frozen=True)
class Two:
    """A lexicon that knows two words: of every clue it thinks AT likely and NO unlikely."""

    lengths = range(2, 3)

    letters = np.array([[0, 19], [13, 14]], np.uint8)
    log_p = np.log(np.array([0.8, 0.1], np.float32))
    unlisted = 0.1

    def words(self, length: int) -> Two:
        assert length == 2
        return self

    def find(self, word: str) -> int | None:
        return {"AT": 0, "NO": 1}.get(word)

    def __len__(self) -> int:
        return 2

    def distribution(self, clue: str, length: int) -> Two:
        assert clue.strip()
        assert length == 2
        return self

    def spelling(self, length: int) -> tuple[np.ndarray, np.ndarray]:
        return np.full((length, 26), np.log(26), np.float32), np.zeros((length - 1, 26, 26), np.float32)

    def why(self, clue: str, word: str) -> str:
        return f"{clue}: {word}"


lists = st.lists(
    st.builds(
        Candidate,
        st.text("AINOT", min_size=1, max_size=3),
        st.floats(0, 1),
        st.sampled_from(["llm:a", "llm:b", "datamuse", "clueset", "mine"]),
    ),
    max_size=12,
)


@given(lists, st.sampled_from([None, Two()]))
def test_all_that_a_slot_may_take_adds_up_to_one(candidates, model):
    words, unlisted = chances(candidates, model)
    assert 0 < unlisted <= 1
    if model is None:
        assert sum(words.values()) + unlisted == pytest.approx(1)
    assert all(0 < p < inf for p in words.values())


@given(lists)
def test_the_domain_has_each_listed_word_of_the_length_once(candidates):
    domain = rank([QUESTION], {"1A": candidates}).domains["1A"]
    words = [domain.word(i) for i in range(len(domain))]
    assert sorted(words) == sorted({c.answer for c in candidates if len(c.answer) == 2})


@given(lists, st.randoms())
def test_the_order_of_the_candidates_does_not_matter(candidates, random):
    shuffled = random.sample(candidates, len(candidates))
    words, unlisted = chances(candidates)
    again, unlisted_again = chances(shuffled)
    assert again == pytest.approx(words)
    assert unlisted_again == pytest.approx(unlisted)


@given(lists)
def test_a_family_that_says_the_same_twice_is_heard_once(candidates):
    assert chances(candidates * 2)[0] == pytest.approx(chances(candidates)[0])


def test_the_likelier_word_costs_less():
    words, _ = chances([Candidate("IN", 0.8, "llm:m"), Candidate("AT", 0.1, "llm:m")])
    assert words["IN"] > words["AT"]


def test_a_word_that_two_families_list_gains():
    alone = [Candidate("IN", 0.5, "llm:m"), Candidate("AT", 0.5, "llm:m")]
    from_two, _ = chances([*alone, Candidate("AT", 0.9, "datamuse")], Two())
    from_one, _ = chances(alone, Two())
    assert from_two["AT"] / from_two["IN"] > from_one["AT"] / from_one["IN"]


def test_a_chosen_word_counts_less_than_the_models_own():
    own, chosen = Candidate("IN", 0.6, "llm:m"), Candidate("ON", 0.6, "llm choice:m")
    words, _ = chances([own, chosen])
    assert 0 < words["ON"] < words["IN"] / 2
    assert chances([own, Candidate("IN", 0.6, "llm choice:m")])[0]["IN"] > chances([own])[0]["IN"]


def test_a_probability_of_0_does_not_rule_a_word_out():
    words, _ = chances([Candidate("IN", 0.0, "llm:m")])
    assert words["IN"] > 0


def test_with_a_lexicon_its_words_and_the_listed_ones_compete():
    words, unlisted = chances([Candidate("IN", 0.9, "llm:m")], Two())
    assert set(words) == {"AT", "NO", "IN"}
    assert words["AT"] > words["NO"]
    assert sum(words.values()) + unlisted == pytest.approx(1, rel=1e-3)  # a listed word may still be spelled as well
    assert chances([Candidate("NO", 0.9, "llm:m")], Two())[0]["NO"] > 0.9


@pytest.mark.parametrize("listed", [[], ["NO"], ["AT"], ["AT", "NO"]])
def test_words_of_the_lexicon_listed_or_not_add_up_to_one(listed):
    words, unlisted = chances([Candidate(word, 0.9, "llm:m") for word in listed], Two())
    assert sum(words.values()) + unlisted == pytest.approx(1, rel=1e-5)


def test_a_lexicon_alone_keeps_its_ratios():
    domain = rank([QUESTION], {}, Two()).domains["1A"]
    assert domain.costs[1] - domain.costs[0] == pytest.approx(np.log(8), rel=1e-5)
    assert exp(-domain.open_cost) == pytest.approx(Two.unlisted)


@pytest.mark.parametrize("listed", [[], [Candidate("NO", 0.9, "llm:m")]])
def test_a_lexicon_says_what_letters_and_pairs_cost(listed):
    domain = rank([QUESTION], {"1A": listed}, Two()).domains["1A"]
    assert np.unique(domain.open_letters).size == 1
    assert domain.open_letters.shape == (2, 26)
    assert domain.open_letters[0, 0] == pytest.approx(np.log(26))
    assert domain.open_pairs.shape == (1, 26, 26)


def test_without_a_lexicon_usual_letters_cost_less():
    domain = rank([QUESTION], {"1A": [Candidate("NO", 0.9, "llm:m")]}).domains["1A"]
    assert domain.open_letters.shape == (2, 26)
    assert domain.open_letters[0, 4] < domain.open_letters[0, 25]  # E and Z


def test_an_unanswered_slot_is_open():
    words, unlisted = chances([])
    assert (words, unlisted) == ({}, pytest.approx(1))


def test_the_sources_of_candidates_are_kept():
    named = [Candidate("IN", 0.9, "llm:m", "because"), Candidate("IN", 0.2, "datamuse"), Candidate("OUT", 1, "llm:m")]
    ranking = rank([QUESTION], {"1A": named, "9D": named})
    assert ranking.sources("1A", "IN") == tuple(named[:2])
    assert ranking.sources("1A", "OUT") == ranking.sources("9D", "IN") == ()


@pytest.mark.parametrize(
    ("source", "expected"),
    [("llm:x", "llm"), ("LLM", "llm"), ("datamuse", "datamuse"), ("datamuse:ml", "datamuse"), ("", "other")],
)
def test_sources_belong_to_families(source, expected):
    assert family(source) == expected


def test_a_word_of_its_own_clue_is_no_candidate_but_around_a_blank():
    listed = {"1A": [Candidate("AT", 0.9, "llm:m"), Candidate("NO", 0.1, "llm:m")]}

    def chance(clue, lexicon=None):
        domain = rank([Question("1A", clue, 2)], listed, lexicon).domains["1A"]
        place = domain.find("AT")
        return 0.0 if place is None else exp(-float(domain.costs[place]))

    assert chance("Near; at") == chance("AT no distance") == 0 < chance("At ___") == chance("Near")
    of_any = Two()
    assert chance("Near; at", of_any) <= 1e-3 < chance("At ___", of_any)
    domain = rank([Question("1A", "Near; at", 2)], listed, of_any).domains["1A"]
    assert np.exp(-domain.costs).sum() + exp(-domain.open_cost) == pytest.approx(1)


def test_an_answer_that_a_source_gives_everywhere_is_given_nowhere():
    slots = ("1A", "2A", "3A", "1D")
    questions = [Question(slot, "Not out", 2) for slot in slots]

    def listed(times, probability=0.9):
        same, other = Candidate("IN", probability, "llm:m"), Candidate("NO", 0.1, "llm:m")
        theirs = Candidate("IN", 0.3, "datamuse")
        proposals = {slot: [other, theirs, *([same] if place < times else [])] for place, slot in enumerate(slots)}
        ranking = rank(questions, proposals)
        return [[named.source for named in ranking.sources(slot, "IN")] for slot in slots]

    assert listed(2)[:2] == [["datamuse", "llm:m"]] * 2
    assert listed(3) == listed(4) == [["datamuse"]] * 4
    assert listed(4, probability=0.4) == [["datamuse", "llm:m"]] * 4
