"""The page in the other two browser engines, if Playwright has them."""

from pathlib import Path

import pytest
from acting import PATIENCE, choose, letters, opened, said, solve


@pytest.mark.parametrize("name", ["firefox", "webkit"])
def test_a_mini_is_played_kept_checked_and_solved(manager, address, name):
    engine = getattr(manager, name)
    if not Path(engine.executable_path).exists():
        pytest.skip(f"no {name}: playwright install {name}")
    browser = engine.launch()
    try:
        page = browser.new_page()
        page.set_default_timeout(PATIENCE)
        troubles = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.goto(f"{address}/#example=mini-01")
        opened(page)
        page.keyboard.type("bag")
        assert "".join(letters(page)[2:5]) == "BAG"
        page.reload()
        opened(page)
        assert "".join(letters(page)[2:5]) == "BAG"
        choose(page, "Check", "The whole grid")
        said(page, "1 wrong (struck through)")
        solve(page)
        assert "".join(letters(page)).replace(".", "") == "BIGZEROPILOTINONNEW"
        assert not troubles
    finally:
        browser.close()
