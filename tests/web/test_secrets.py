"""Secrets that never leave the server."""

import pytest

from agent.config import Settings
from agent.testing import Canned, FakeDatamuse, FakeOpenAI, no_network

KEY = "sk-a-very-secret-key-0123456789"


def everything_said(client):
    """Call every route, and return all answers, heads and bodies."""
    said = []

    def note(answer):
        said.append(repr(answer.headers) + answer.text)
        return answer

    for path in ("/", "/api/settings", "/api/examples", "/api/nothing", client.part("page.css")):
        note(client.get(path))
    opened = note(client.post("/api/puzzles?example=tiny-01")).json()
    for what, body in (
        ("solve", {"providers": ["llm", "datamuse"]}),
        ("solve", {}),
        ("hint", {"cells": opened["cells"], "against": "agent"}),
        ("check", {"cells": opened["cells"]}),
        ("reveal", {"against": "agent"}),
        ("export?format=xd", {"cells": opened["cells"]}),
        ("solve", {"providers": ["nobody"]}),
    ):
        note(client.post(f"/api/puzzles/{opened['id']}/{what}", body))
    return "".join(said)


@pytest.mark.parametrize("answer", [f"I know your key: {KEY}", Canned({"error": {"message": KEY}}, status=401)])
def test_no_key_is_in_any_answer(serve, tmp_path, answer):
    """Not even if the model or its server repeats the key."""
    with FakeOpenAI([answer]) as model, FakeDatamuse({}) as words:
        settings = Settings(
            model="m", base_url=model.base_url, api_key=KEY, cache_dir=tmp_path / "c", data_dir=tmp_path / "d",
            datamuse_url=words.url, providers=("llm", "lexicon"),
        )  # fmt: skip
        with serve(settings) as client:
            said = everything_said(client)
        assert model.requests
        assert model.requests[0].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in said
    assert KEY[:12] not in said


def test_a_secret_in_a_base_url_is_never_shown(serve, tmp_path):
    settings = Settings(
        model="m", base_url=f"http://user:{KEY}@127.0.0.1:9/v1", cache_dir=tmp_path / "c", data_dir=tmp_path / "d"
    )
    with serve(settings) as client:
        said = everything_said(client)
    assert KEY not in said
    assert "holds a secret" in said


def test_the_llm_is_offered_under_the_models_name_alone(serve, tmp_path):
    settings = Settings(model="m-7", base_url="http://127.0.0.1:9/v1", api_key=KEY, cache_dir=tmp_path)
    with serve(settings) as client:
        answer = client.get("/api/settings")
    row = next(row for row in answer.json()["providers"] if row["name"] == "llm")
    assert (row["label"], row["available"]) == ("m-7", True)
    assert "127.0.0.1:9" not in answer.text


def test_it_works_without_a_network(serve):
    with no_network(allow_loopback=True), serve(Settings(offline=True)) as client:
        handle = client.open(example="mini-01")["id"]
        assert client.solve(handle)[-1][1]["solved"] is True
        assert client.get("/").status_code == 200


def test_a_page_offline_never_asks_datamuse(serve, tmp_path):
    with FakeDatamuse({}) as words:
        settings = Settings(offline=True, datamuse_url=words.url, cache_dir=tmp_path)
        with serve(settings) as client:
            client.solve(client.open(example="tiny-01")["id"], providers=["datamuse", "lexicon"])
        assert words.requests == []
