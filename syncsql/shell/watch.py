"""WATCH in a shell that only reads: the stream of a view as another process advances the database."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rich.console import Group
from rich.live import Live
from rich.text import Text

from syncsql.render import cell, counted, grid
from syncsql.shell.commands import changing
from syncsql.shell.display import table

if TYPE_CHECKING:
    from syncsql.shell.shell import Shell

_PAUSE_SECONDS = 0.5
_BEFORE = 10
_AROUND = 8


class Watch:
    """``until`` ends it when time has come so far; else ``shell.cancelled`` does."""

    def __init__(self, shell: Shell, name: str, until: int | None) -> None:
        self._shell, self._name, self._until = shell, name, until
        self._columns: list[str] = []
        self._at = -1
        self._seen = 0
        self._rows: deque[tuple[Any, ...]] = deque(maxlen=max(shell.display.out.height - _AROUND, _BEFORE))

    def run(self) -> None:
        """Begins with the last changes so far."""
        self._at = self._closed()
        so_far = changing(self._shell, self._name).changes(None, self._at)
        self._columns = so_far.columns
        self._rows += [tuple(r) for r in so_far.tail(_BEFORE)]
        if not self._shell.display.is_terminal:
            self._shell.display.say(grid(self._columns, list(self._rows)))
            self._follow(lambda new: self._shell.display.say("\n".join("  ".join(map(cell, r)) for r in new)))
            return
        with Live(self._shown(), console=self._shell.display.out, auto_refresh=False) as live:
            self._follow(lambda _: live.update(self._shown(), refresh=True))

    def _closed(self) -> int:
        self._shell.db._engine.refresh()
        return self._shell.closed

    def _follow(self, show: Callable[[list[tuple[Any, ...]]], None]) -> None:
        while not self._over():
            closed = self._closed()
            if closed > self._at:
                try:
                    new = [tuple(r) for r in changing(self._shell, self._name).changes(self._at, closed).collect()]
                except Exception:
                    # Who leaves meanwhile has the job cancelled, and that is all.
                    if self._shell.cancelled.is_set():
                        return
                    raise
                self._at, self._seen = closed, self._seen + len(new)
                self._rows += new
                show(new)
            elif self._shell.cancelled.wait(_PAUSE_SECONDS):
                return

    def _over(self) -> bool:
        return self._shell.cancelled.is_set() or (self._until is not None and self._at >= self._until)

    def _shown(self) -> Group:
        news = counted(self._seen, "new change") if self._seen else "waiting for changes"
        head = Text(f"{self._name} at {self._at}: {news} · Ctrl-C leaves", style="bold")
        return Group(head, table(self._columns, list(self._rows)))
