"""The stream of a view over the clock, made when it is read; nothing is stored."""

from __future__ import annotations

from pyspark.sql import DataFrame

from syncsql.algebra.expressions import Column as Attribute
from syncsql.algebra.expressions import Expr, Now, sql, substitute
from syncsql.algebra.sync import CLOCK, Sync
from syncsql.dataflow.engine import Engine
from syncsql.dataflow.points import PointReader
from syncsql.dataflow.registry import View
from syncsql.storage.scratch import Scratch
from syncsql.stream.names import AT
from syncsql.stream.text import listed, quoted


class ClockStream:
    """Its points, or the row that tells the time."""

    def __init__(self, engine: Engine, entry: View) -> None:
        self._engine, self._definition = engine, entry.definition
        self._sync = self._find_sync()

    def _find_sync(self) -> Sync:
        d = self._definition
        if d.points is not None:
            return Sync(d.name, d.points)
        nows: list[Now] = []
        for expression in d.now_row or ():
            substitute(expression, lambda e: nows.append(e) if isinstance(e, Now) else None)
        return nows[0].sync if nows else CLOCK

    def _cells(self) -> list[str]:
        d = self._definition
        if d.now_row is None:
            return [f"CAST({AT} AS {f.type}) AS {quoted(f.name)}" for f in d.fields]
        return [f"{_at_point(e)} AS {quoted(f.name)}" for e, f in zip(d.now_row, d.fields, strict=True)]

    def changes(self, since: int, until: int) -> DataFrame:
        scratch = Scratch(self._engine.sessions.user)
        reader = PointReader(scratch, self._engine.registry.feeds)
        op = "'+'"
        if self._definition.now_row is not None:
            op = f"IF({AT} = {reader.first(self._sync.points, -1, until)}, '+', 'u')"
        cells = [f"{op} AS op", *self._cells(), f"{AT} AS ts"]
        points = reader.between(self._sync.points, since, until)
        return scratch.frame(f"SELECT {listed(cells)} FROM ({points}) ORDER BY {AT}")

    def points(self, since: int, until: int) -> DataFrame:
        scratch = Scratch(self._engine.sessions.user)
        points = PointReader(scratch, self._engine.registry.feeds).between(self._sync.points, since, until)
        return scratch.frame(f"SELECT {AT} AS ts, TRUE AS full FROM ({points}) ORDER BY {AT}")

    def relation(self, at: int) -> DataFrame:
        scratch = Scratch(self._engine.sessions.user)
        reader = PointReader(scratch, self._engine.registry.feeds)
        after = -1
        if self._definition.now_row is not None:
            last = reader.last(self._sync.points, at)
            after = -1 if last is None else last - 1
        points = reader.between(self._sync.points, after, at)
        return scratch.frame(f"SELECT {listed(self._cells())} FROM ({points})")


def _at_point(expr: Expr) -> str:
    """``expr`` with the point for Now."""
    point = Attribute(AT, AT, "BIGINT")
    text: str = sql(substitute(expr, lambda e: point if isinstance(e, Now) else None), lambda c: f"`{c.id}`")
    return text
