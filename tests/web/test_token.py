"""A server with a token serves only requests that carry it."""

import pytest
import requests

TOKEN = "open-sesame"  # noqa: S105 - of this test


@pytest.fixture(scope="module")
def guarded(serve):
    with serve(token=TOKEN) as client:
        yield client


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/"), ("HEAD", "/"), ("GET", "/api/settings"), ("GET", "/worker.js"), ("POST", "/api/puzzles"),
        ("GET", "/?token="), ("GET", "/?token=open"), ("GET", f"/api/settings?token={TOKEN}"),
    ],
)  # fmt: skip
def test_nothing_is_served_without_the_token(guarded, method, path):
    answer = requests.request(method, guarded.url + path, timeout=300)
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert TOKEN not in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Cookie": "gridwright-1=open-sesame"}, {"Cookie": "gridwright=open-sesame"}, {"Cookie": "\xff=;;"},
        {"Authorization": "open-sesame"}, {"Authorization": "Bearer \xff"}, {"Authorization": "Bearer "},
    ],
)  # fmt: skip
def test_other_cookies_and_headers_do_not_help(guarded, headers):
    sent = {name: value.encode("latin-1") for name, value in headers.items()}
    assert requests.get(guarded.url + "/api/settings", headers=sent, timeout=300).status_code == 403


def test_the_printed_address_gives_a_cookie_and_hides_the_token(guarded):
    with requests.Session() as browser:
        page = browser.get(f"{guarded.url}/?token={TOKEN}", timeout=300)
        (redirect,) = page.history
        assert (page.status_code, page.url) == (200, guarded.url + "/")
        assert (redirect.status_code, redirect.headers["location"]) == (303, "/")
        assert {"HttpOnly", "SameSite=Lax"} <= set(redirect.headers["set-cookie"].split("; "))
        assert redirect.headers["cache-control"] == "no-cache"
        assert browser.get(guarded.url + "/api/settings", timeout=300).status_code == 200
        assert browser.post(guarded.url + "/api/puzzles?example=mini-01", timeout=300).status_code == 201


def test_a_program_sends_the_token_as_a_header(guarded):
    headers = {"Authorization": f"Bearer {TOKEN}"}
    assert requests.get(guarded.url + "/api/settings", headers=headers, timeout=300).status_code == 200


def test_a_cookie_does_not_open_the_door_to_other_pages(guarded):
    headers = {"Cookie": f"gridwright-{guarded.url.rsplit(':', 1)[1]}={TOKEN}", "Origin": "http://evil.example"}
    assert requests.post(guarded.url + "/api/puzzles?example=mini-01", headers=headers, timeout=300).status_code == 403
