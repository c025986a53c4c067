"""Providers are opened by their rows in the registry, and nothing is opened that is not needed."""

import pytest

from agent.candidates.lexicon import LexiconProvider
from agent.candidates.provider import Metered
from agent.candidates.ranking import FITTED, family
from agent.candidates.registry import NAMES, PROVIDERS
from agent.config import Settings
from agent.errors import UsageError
from agent.testing import no_network
from agent.tools import open_tools


@pytest.fixture
def settings(tmp_path):
    def make(*providers, **more):
        folders = {"cache_dir": tmp_path / "cache", "data_dir": tmp_path / "data"}
        return Settings(providers=providers, model="m", base_url="http://localhost:9/v1", **folders, **more)

    return make


def test_every_row_opens_under_its_own_name(settings):
    for entry in PROVIDERS:
        with open_tools(settings(entry.name)) as tools:
            names = [provider.name for provider in tools.providers]
            assert names == ([entry.name] if entry.live else [])
            assert all(isinstance(provider, Metered) for provider in tools.providers)
            assert (tools.lexicon is not None) == (entry.name == LexiconProvider.name)
        assert family(entry.name) == (entry.name if entry.trust else "other")
        assert FITTED.trust.get(entry.name) == entry.trust


def test_opening_leaves_nothing_on_disk_or_network(settings, tmp_path):
    with no_network(allow_loopback=False), open_tools(settings(*(entry.name for entry in PROVIDERS))):
        pass
    assert not list(tmp_path.iterdir())


def test_an_unknown_provider_is_answered_with_the_known_ones(settings):
    with (
        pytest.raises(UsageError, match=f"^unknown provider oracle; choose from {NAMES}$"),
        open_tools(settings("oracle")),
    ):
        pass


def test_a_language_model_must_be_named():
    with pytest.raises(UsageError, match="provider llm: no model is named"), open_tools(Settings(providers=("llm",))):
        pass
