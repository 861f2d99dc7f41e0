"""Counterexamples: what shows that a view cannot answer a query.

Either two databases that look the same through the view but not through the query, so that no query over the view can
tell what the query tells; or a time point at which the query is due and the view is not refreshed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from syncsql.render import grid

Rows = tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Table:
    name: str
    columns: tuple[str, ...]
    rows: Rows

    def __str__(self) -> str:
        if not self.rows:
            return f"{self.name}: no rows"
        shown = [["NULL" if v is None else str(v) for v in row] for row in self.rows]
        body = "\n".join("  " + line for line in grid(self.columns, shown).split("\n"))
        return f"{self.name}\n{body}"

    def to_dict(self) -> dict[str, Any]:
        return {"name": self.name, "columns": list(self.columns), "rows": [[_plain(v) for v in r] for r in self.rows]}


@dataclass(frozen=True)
class TwoDatabases:
    """``view`` is what the view holds in both; ``query`` is what the query answers in each, at the time ``now``."""

    one: tuple[Table, ...]
    other: tuple[Table, ...]
    view: Table
    query: tuple[Table, Table]
    now: int | None = None

    def __str__(self) -> str:
        parts = []
        for name, tables, answer in (("A", self.one, self.query[0]), ("B", self.other, self.query[1])):
            inside = "\n".join(str(t) for t in (*tables, answer))
            parts.append(f"database {name}\n" + "\n".join("  " + line for line in inside.split("\n")))
        when = "" if self.now is None else f" at Now = {self.now}"
        return "\n".join([*parts, f"in both{when}, {self.view}"])

    def to_dict(self) -> dict[str, Any]:
        return {
            "databases": [[t.to_dict() for t in self.one], [t.to_dict() for t in self.other]],
            "view": self.view.to_dict(),
            "now": self.now,
            "query": [t.to_dict() for t in self.query],
        }


@dataclass(frozen=True)
class TimePoint:
    """The query is due at ``point``; the view is refreshed last at ``before`` and next at ``after``."""

    point: int
    before: int | None
    after: int | None

    def __str__(self) -> str:
        last = "never before" if self.before is None else f"last at {self.before}"
        following = "never again" if self.after is None else f"next at {self.after}"
        return f"time point {self.point}: the query is due, the view is refreshed {last} and {following}"

    def to_dict(self) -> dict[str, Any]:
        return {"time_point": self.point, "view_before": self.before, "view_after": self.after}


Evidence = TwoDatabases | TimePoint


def _plain(value: Any) -> Any:
    return value if isinstance(value, int | float | str | bool | None) else str(value)
