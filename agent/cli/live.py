"""The live view of a solve at a terminal: the grid as it is filled, and the providers being asked."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from agent.cli.common import Voice

if TYPE_CHECKING:
    from types import TracebackType

    from rich.console import RenderableType
    from rich.live import Live

    from agent.core import Event
    from agent.grid import Grid

UPDATES_PER_SECOND = 12
"""Often enough for letters to seem to arrive, yet a terminal over a slow line keeps up."""

LIVE_AFTER_SECONDS = 0.3
"""A solve that ends sooner shows no live view, which would only flicker."""

NOT_YET = 0.0
"""Confidence shown for letters of unsure slots, which are then in lower case, until the final posteriors are known."""


class LiveVoice(Voice):
    """Messages of `solve` on stderr: at a terminal, the grid and what each provider has found, until it is done.

    It vanishes when the answer is there. Elsewhere it is as silent as any :class:`Voice`.
    """

    show_after = LIVE_AFTER_SECONDS

    def __init__(self, quiet: bool = False) -> None:
        super().__init__(quiet)
        self._live: Live | None = None
        self._drawn = ""
        self._found: dict[str, str] = {}
        self._lines: dict[str, Any] = {}

    def on_event(self, event: Event) -> None:
        """Record the event; the view uses it when it is drawn next."""
        super().on_event(event)
        if event.kind == "opened":
            self._text = "looking for candidates"
            opened = event.data["grid"]
            self._lines = {"bars": opened.bars, "numbers": opened.numbers}
            self._draw(opened, ())
        elif event.kind == "proposed":
            self._found[event.data["provider"]] = self._text
        elif event.kind in {"round", "pattern"}:
            from agent.grid import Grid

            grid = replace(Grid.parse("\n".join(event.data["rows"])), **self._lines)
            self._draw(grid, event.data.get("unsure", ()))

    def _draw(self, grid: Grid, unsure: tuple[str, ...] | list[str]) -> None:
        if self._timer is None:
            return  # there is no live view
        doubtful = {cell for slot in grid.slots if slot.name in unsure for cell in slot.cells}
        sure = {cell for slot in grid.slots if slot.name not in unsure for cell in slot.cells}
        confidence = [NOT_YET if cell in doubtful - sure else 1.0 for cell in range(len(grid.cells))]
        self._drawn = grid.text(confidence)

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        self._spinner = Spinner("dots")
        self._live = Live(
            console=Console(stderr=True),
            refresh_per_second=UPDATES_PER_SECOND,
            transient=True,
            get_renderable=self._view,
        )
        self._live.start()

    def _view(self) -> RenderableType:
        from rich.console import Group
        from rich.text import Text

        self._spinner.update(text=Text(self._text))
        drawn = Text.from_ansi(self._drawn, no_wrap=True, overflow="crop")
        found = Text("\n".join(self._found.values()))
        return Group(drawn, *([found] if found else []), self._spinner)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        super().__exit__(kind, error, trace)
        if self._live is not None:
            self._live.stop()
            self._live = None
