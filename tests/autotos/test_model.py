"""The loop's model: an unusable answer is one without code, a server that fails ends the run."""

import pytest

from agent.autotos.model import connect
from agent.autotos.submissions import extract
from agent.config import Settings
from agent.errors import ConfigError, ModelError
from agent.network import Retry
from agent.testing import Canned, FakeOpenAI, no_network

ASKED = [{"role": "user", "content": "Write it."}]


@pytest.fixture
def settings(tmp_path):
    def make(url, **more):
        return Settings(model="m", base_url=url, data_dir=tmp_path, **more)

    return make


def test_a_reply_comes_with_its_tokens(settings):
    with FakeOpenAI(["def f(): ..."]) as server, connect(settings(server.base_url)) as complete:
        reply = complete(ASKED)
    assert (reply.text, reply.tokens > 0) == ("def f(): ...", True)


def test_an_unusable_answer_is_one_without_code(settings, monkeypatch):
    monkeypatch.setattr(Retry, "wait", lambda *_args, **_options: 0.0)
    with FakeOpenAI([""]) as server, connect(settings(server.base_url)) as complete:
        reply = complete(ASKED)
        assert len(server.chats) == 2
    assert reply.text.startswith("(no answer: m at ")
    assert extract(reply.text) == ""


def test_a_server_that_refuses_ends_the_run(settings):
    refusal = Canned({"error": {"message": "wrong key"}}, status=401)
    with (
        FakeOpenAI([refusal]) as server,
        connect(settings(server.base_url)) as complete,
        pytest.raises(ModelError, match="wrong key"),
    ):
        complete(ASKED)


@pytest.mark.parametrize(
    ("more", "message"),
    [({"offline": True}, "offline is set"), ({}, "not a valid base URL")],
)
def test_settings_that_cannot_work_are_refused(settings, more, message):
    with (
        no_network(allow_loopback=False),
        pytest.raises(ConfigError, match=message),
        connect(settings("nonsense", **more)),
    ):
        pass
