"""The choices of a page: within the server's limits, and the server's settings by default."""

from agent.config import Settings
from agent.web.choice import DEFAULT_LIMITS, DEFAULT_PATIENCE, DEFAULT_SECONDS, Offer


def test_settings_beyond_the_limits_are_cut_to_them():
    choice = Offer(Settings(seconds=1e6, patience=1e6, rounds=100)).choose({})
    limits = DEFAULT_LIMITS
    assert (choice.seconds, choice.patience, choice.rounds) == (limits.seconds, limits.patience, limits.rounds)


def test_settings_of_0_are_kept_and_missing_ones_have_a_default():
    choice = Offer(Settings(seconds=0, patience=0)).choose({})
    assert (choice.seconds, choice.patience) == (0, 0)
    choice = Offer(Settings()).choose({})
    assert (choice.seconds, choice.patience) == (DEFAULT_SECONDS, DEFAULT_PATIENCE)
