"""A bar for advances that take long: shown after a moment, on a terminal or in a notebook, and gone at the end."""

from __future__ import annotations

from threading import Lock, Timer
from time import perf_counter
from types import TracebackType
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from syncsql.render import framed, text

_PATIENCE_SECONDS = 1.0


class AdvanceBar:
    """Called with the number of streams and views that are done, how many there are, and the name of the last one."""

    def __init__(self, to: int, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        self._shown = console.is_terminal
        columns = (TextColumn("advance to {task.fields[to]}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
        self._progress = Progress(*columns, TextColumn("{task.fields[name]}"), console=console, transient=True)
        self._task = self._progress.add_task("", total=None, to=to, name="")
        self._timer = Timer(_PATIENCE_SECONDS, self._show)
        self._timer.daemon = True
        self._guard, self._over = Lock(), False

    def __call__(self, done: int, total: int, name: str) -> None:
        self._progress.update(self._task, completed=done, total=total, name=name)

    def _show(self) -> None:
        with self._guard:
            if not self._over:
                self._progress.start()

    def __enter__(self) -> AdvanceBar:
        if self._shown:
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._timer.cancel()
        with self._guard:
            self._over = True
            if self._progress.live.is_started:
                self._progress.stop()


class NotebookBar:
    """The same in a notebook. It is not rich's, which needs widgets there and warns where they are not installed."""

    def __init__(self, to: int) -> None:
        self._to, self._begin = to, perf_counter()
        self._display: Any = None

    def __call__(self, done: int, total: int, name: str) -> None:
        if perf_counter() - self._begin >= _PATIENCE_SECONDS:
            how_far = f'<progress value="{done}" max="{total}"></progress> {done}/{total} {text(name)}'
            self._show(framed(f"advance to {self._to} {how_far}"), f"advance to {self._to}: {done}/{total} {name}")

    def _show(self, html: str, plain: str) -> None:
        from IPython.display import display

        shown = {"text/html": html, "text/plain": plain}
        if self._display is None:
            self._display = display(shown, raw=True, display_id=True)
        else:
            self._display.update(shown, raw=True)

    def __enter__(self) -> NotebookBar:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._display is not None:
            self._show("", "")


def advance_bar(to: int) -> AdvanceBar | NotebookBar:
    """The bar that fits where it is shown."""
    return NotebookBar(to) if Console().is_jupyter else AdvanceBar(to)
