"""Streams beside each other over time, as the paper's figures have them: a line for each stream, a column for each time
point at which one of them has something, ``+<a,105>`` in the cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Protocol

from pyspark.sql import DataFrame

from syncsql.render import Report

# More than this of one stream is not for reading.
_MOST = 500


class Changing(Protocol):
    """A stream, view or query."""

    @property
    def name(self) -> str: ...

    @property
    def is_keyed(self) -> bool:
        """Whether a deletion has the key alone."""

    def changes(self, since: int | None = None, until: int | None = None) -> DataFrame: ...


def timeline_of(handles: Sequence[Changing], since: int | None, until: int | None) -> Report:
    at: list[dict[int, list[str]]] = []
    notes = []
    for handle in handles:
        lines = handle.changes(since, until).limit(_MOST + 1).collect()
        if len(lines) > _MOST:
            notes.append(f"{handle.name}: the first {_MOST} operations")
        cells: dict[int, list[str]] = defaultdict(list)
        for op, *values, ts in lines[:_MOST]:
            cells[ts].append(operation(op, values, handle.is_keyed))
        at.append(cells)
    points = sorted(set().union(*at))
    rows = tuple((h.name, *("\n".join(c.get(p, ())) for p in points)) for h, c in zip(handles, at, strict=True))
    return Report("", ("stream", *map(str, points)), rows, tuple(notes))


def operation(op: str, values: Sequence[Any], is_keyed: bool = True) -> str:
    """An operation in the paper's form; a deletion has the key alone where there is one.

    >>> operation("u", ["a", 105]), operation("-", ["a", None]), operation("-", ["a", None], is_keyed=False)
    ('u<a,105>', '-<a>', '-<a,NULL>')
    """
    shown = [v for v in values if op != "-" or v is not None or not is_keyed]
    return f"{op}<{','.join('NULL' if v is None else str(v) for v in shown)}>"
