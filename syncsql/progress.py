"""A bar for advances that take long: shown after a moment, on a terminal or in a notebook, and gone at the end."""

from __future__ import annotations

from threading import Lock, Timer
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

_PATIENCE_SECONDS = 1.0


class AdvanceBar:
    """Called with the number of streams and views that are done, how many there are, and the name of the last one."""

    def __init__(self, to: int, console: Console | None = None) -> None:
        console = console or Console(stderr=True)
        self._shown = console.is_terminal or console.is_jupyter
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
