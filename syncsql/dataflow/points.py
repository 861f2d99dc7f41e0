"""The points of synchronization streams: arithmetic where they are known by it, else read from the streams' logs."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.types import LongType, StructField, StructType

from syncsql.algebra.sync import Events, Points, Ticks
from syncsql.algebra.timeset import TimeSet
from syncsql.storage import limits
from syncsql.storage.feed import Feed
from syncsql.storage.scratch import Scratch
from syncsql.storage.stored import Stored
from syncsql.stream.names import AT, CHANGE, INSERT
from syncsql.stream.text import Sql, among

_POINTS = StructType([StructField(AT, LongType())])


class PointReader:
    """Looks up points in the streams of a database, by lower-case name."""

    def __init__(self, scratch: Scratch, feeds: Mapping[str, Feed]) -> None:
        self._scratch = scratch
        self._feeds = feeds

    def last(self, points: Points, at: int) -> int | None:
        """The last point at or before ``at``."""
        if at < 0:
            return None
        if isinstance(points, Ticks):
            return points.times.last_at_or_before(at)
        if isinstance(points, Events):
            return self._extreme(points, None, at, last=True)
        if points.op == "union":
            found = [p for p in (self.last(points.left, at), self.last(points.right, at)) if p is not None]
            return max(found, default=None)
        return self._value(self.between(points, -1, at), "max")

    def first(self, points: Points, after: int, until: int) -> int | None:
        """The first point in (after, until]."""
        if isinstance(points, Ticks):
            found = points.times.first_at_or_after(max(0, after + 1))
            return found if found is not None and found <= until else None
        if isinstance(points, Events):
            return self._extreme(points, after, until, last=False)
        if points.op == "union":
            both = (self.first(points.left, after, until), self.first(points.right, after, until))
            return min((p for p in both if p is not None), default=None)
        return self._value(self.between(points, after, until), "min")

    def between(self, points: Points, after: int, until: int) -> Sql:
        """The points in (after, until] as a relation with the column ``_at``, each once."""
        if isinstance(points, Ticks):
            return self._ticks(points.times, max(after, -1), until)
        if isinstance(points, Events):
            log = self._feeds[points.stream.lower()].changes(self._scratch, after, until)
            return f"SELECT DISTINCT {AT} FROM ({log}) WHERE {CHANGE} = '{INSERT}'"
        left, right = self.between(points.left, after, until), self.between(points.right, after, until)
        if points.op == "union":
            return f"({left}) UNION ({right})"
        return among(left, [AT], right, [AT], anti=points.op == "except")

    def _ticks(self, times: TimeSet, after: int, until: int) -> Sql:
        start = times.first_at_or_after(after + 1)
        if start is None or start > until:
            return f"SELECT 0L AS {AT} WHERE FALSE"
        text = times.contains_sql("id")
        if text is None:
            return self._scratch.rows(pa.table({AT: pa.array(times.points(after + 1, until), pa.int64())}), _POINTS)
        if len(times.pieces) == 1 and times.pieces[0].pattern.size == 1:
            end, step = min(until, times.pieces[0].end), times.pieces[0].period
            return f"SELECT id AS {AT} FROM range({start}, {end + 1}, {step})"
        return f"SELECT id AS {AT} FROM range({start}, {until + 1}) WHERE {text}"

    def _extreme(self, points: Events, after: int | None, until: int, last: bool) -> int | None:
        feed = self._feeds[points.stream.lower()]
        if feed.lines(after, until) == 0:
            return None
        if isinstance(feed, Stored) and feed.lines(after, until) <= limits.SMALL_ROWS:
            lines = feed.log.arrow(after, until, [AT, CHANGE])
            times = lines.filter(pc.equal(lines[CHANGE], INSERT))[AT]
            found: int | None = (pc.max(times) if last else pc.min(times)).as_py()
            return found
        return self._value(self.between(points, -1 if after is None else after, until), "max" if last else "min")

    def _value(self, points: Sql, function: str) -> int | None:
        rows = self._scratch.sql(f"SELECT {function}({AT}) AS p FROM ({points})").toArrow()
        found: int | None = rows.to_pylist()[0]["p"]
        return found
