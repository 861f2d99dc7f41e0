"""What is shown to a person: one value that gives text for a terminal, HTML for a notebook, and plain data."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Report:
    """A small table under a title, with text below it."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        parts = [self.title] if self.title else []
        if self.columns:
            parts.append(grid(self.columns, self.rows))
        return "\n".join([*parts, *self.notes])

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{_text(c)}</th>" for c in self.columns)
        body = "".join("<tr>" + "".join(f"<td>{_text(cell(v))}</td>" for v in row) + "</tr>" for row in self.rows)
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>" if self.columns else ""
        notes = "".join(f"<pre>{_text(n)}</pre>" for n in self.notes)
        return f"<div><b>{_text(self.title)}</b>{table}{notes}</div>"


def grid(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as aligned text.

    >>> print(grid(["op", "RoomID"], [["+", "a"]]))
    op  RoomID
    --  ------
    +   a
    """
    cells = [[cell(v) for v in row] for row in rows]
    widths = [max([len(c), *(len(row[i]) for row in cells)]) for i, c in enumerate(columns)]

    def line(values: Sequence[str]) -> str:
        return "  ".join(v.ljust(w) for v, w in zip(values, widths, strict=True)).rstrip()

    return "\n".join([line(columns), line(["-" * w for w in widths]), *(line(row) for row in cells)])


def cell(value: Any) -> str:
    return "" if value is None else str(value)


def _text(value: str) -> str:
    return html.escape(value)
