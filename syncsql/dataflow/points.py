"""The points of synchronization streams: arithmetic where they are known by it, else read from the streams' logs."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow.compute as pc
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from syncsql.algebra.sync import Events, Points, Ticks
from syncsql.algebra.timeset import TimeSet
from syncsql.storage.sessions import SMALL_ROWS
from syncsql.storage.stored import Stored, read
from syncsql.stream.names import AT, CHANGE, INSERT


class PointReader:
    """Looks up points in the streams of a database, by lower-case name."""

    def __init__(self, session: SparkSession, stored: Mapping[str, Stored]) -> None:
        self._session = session
        self._stored = stored

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
        return self._of_frame(self.between(points, -1, at), "max")

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
        return self._of_frame(self.between(points, after, until), "min")

    def between(self, points: Points, after: int, until: int) -> DataFrame:
        """The points in (after, until] as a DataFrame with the column ``_at``, each once."""
        if isinstance(points, Ticks):
            return self._ticks(points.times, max(after, -1), until)
        if isinstance(points, Events):
            log = read(self._stored[points.stream.lower()].log, self._session, after, until)
            return log.filter(F.col(CHANGE) == INSERT).select(AT).distinct()
        left, right = self.between(points.left, after, until), self.between(points.right, after, until)
        if points.op == "union":
            return left.union(right).distinct()
        return left.join(right, AT, "left_semi" if points.op == "intersect" else "left_anti")

    def _ticks(self, times: TimeSet, after: int, until: int) -> DataFrame:
        text = times.contains_sql("id")
        if text is None:
            listed = [(p,) for p in times.points(after + 1, until)]
            return self._session.createDataFrame(listed, f"{AT} BIGINT")
        period = times.pieces[0].period if len(times.pieces) == 1 else 1
        start = times.first_at_or_after(after + 1)
        if start is None or start > until:
            return self._session.range(0).toDF(AT)
        if len(times.pieces) == 1 and times.pieces[0].pattern.size == 1:
            return self._session.range(start, min(until, times.pieces[0].end) + 1, period).toDF(AT)
        return self._session.range(start, until + 1).filter(text).toDF(AT)

    def _extreme(self, points: Events, after: int | None, until: int, last: bool) -> int | None:
        log = self._stored[points.stream.lower()].log
        if log.rows(after, until) == 0:
            return None
        if log.rows(after, until) <= SMALL_ROWS:
            lines = log.arrow(after, until, [AT, CHANGE])
            times = lines.filter(pc.equal(lines[CHANGE], INSERT))[AT]
            found: int | None = (pc.max(times) if last else pc.min(times)).as_py()
            return found
        lines_frame = log.frame(self._session, after, until).filter(F.col(CHANGE) == INSERT)
        return self._of_frame(lines_frame, "max" if last else "min")

    def _of_frame(self, frame: DataFrame, function: str) -> int | None:
        row = frame.agg(F.expr(f"{function}({AT})")).toArrow().to_pylist()[0]
        value: int | None = next(iter(row.values()))
        return value
