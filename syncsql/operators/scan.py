"""ℜ_Sync(S): the changes of a stored stream, released at the points of its synchronization stream.

ℜ_Sync(S) at T is R[S(T')], T' the last point of Sync at or before T. So over the slice (F0, F1] exactly the operations
in (T'(F0), T'(F1)] come in, each at its release point, and what a key went through between two points counts as one
change. Operations after T'(F1) stay in the stream's log until their point comes.
"""

from __future__ import annotations

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from syncsql.algebra.relations import Scan
from syncsql.operators.context import Context
from syncsql.storage.stored import Stored, read
from syncsql.stream.flow import Flow
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, INSERT, NET, NEW, OLD, SEQ, TS, WEIGHT, quoted
from syncsql.stream.regulator import release

_POINT = "_r"


def scan_flow(scan: Scan, context: Context) -> Flow:
    if scan.kind == "clock":
        return _clock(scan, context)
    reader = _Reader(scan, context)
    keyed = reader.stored.key is not None
    return Flow(
        scan.columns,
        None if keyed else reader.bag_lines,
        reader.pairs if keyed else None,
        reader.before,
    )


def reaches(scan: Scan, context: Context) -> bool:
    """Whether anything of the stream comes in during the slice; told from statistics, without a job."""
    if scan.kind == "clock":
        return True
    after, until = _range(scan, context)
    return until is not None and context.stored(scan).log.rows(after, until) > 0


def rows_in(scan: Scan, context: Context) -> int:
    """How many rows of the stream come in during the slice, at most; told from statistics."""
    if scan.kind == "clock":
        return context.slice.end - context.slice.start
    after, until = _range(scan, context)
    stored = context.stored(scan)
    count = 0 if until is None else stored.log.rows(after, until)
    if context.slice.first is not None and after is not None:
        count += stored.relation.rows() + stored.log.rows(stored.folded_to(), after)
    return count


def _range(scan: Scan, context: Context) -> tuple[int | None, int | None]:
    """(T'(F0), T'(F1)] of the scan; for a view that begins in the slice, from T' of its first point."""
    points, span = scan.sync.points, context.slice
    start = span.start if span.first is None else span.first
    after, until = context.last_point(points, start), context.last_point(points, span.end)
    return after, (until if until is not None and (after is None or until > after) else None)


class _Reader:
    def __init__(self, scan: Scan, context: Context) -> None:
        self._scan = scan
        self._context = context
        self.stored: Stored = context.stored(scan)
        self._after, self._until = _range(scan, context)

    def _cells(self, prefix: str, ts: SparkColumn | None) -> list[SparkColumn]:
        """The scan's columns out of a log line or a struct of it, under their ids."""
        cells = [F.col(prefix + quoted(self.stored.column(c.name))).alias(c.id) for c in self._scan.outputs]
        if self._scan.ts is not None and ts is not None:
            cells.append(ts.alias(self._scan.ts.id))
        return cells

    def _log(self) -> DataFrame | None:
        """The operations that come in, with their release point."""
        if self._until is None:
            return None
        after = -1 if self._after is None else self._after
        log = read(self.stored.log, self._context.session, self._after, self._until)
        points = self._scan.sync.points
        return release(
            log, points, after, self._until, lambda a, u: self._context.points_between(points, a, u), AT, _POINT
        )

    def _initial(self) -> DataFrame | None:
        """What a view that begins in the slice finds: the whole relation, at its first point."""
        if self._context.slice.first is None or self._after is None:
            return None
        return self.stored.at(self._context.session, self._after)

    def before(self) -> DataFrame:
        session = self._context.session
        if self._context.slice.first is not None or self._after is None:
            rows = session.createDataFrame([], self.stored.relation.schema)
        else:
            rows = self.stored.at(session, self._after)
        return rows.select(*self._cells("", F.col(TS)), F.lit(1).cast("bigint").alias(WEIGHT))

    # Without a key

    def bag_lines(self) -> DataFrame:
        first = self._context.slice.first
        parts = []
        initial, log = self._initial(), self._log()
        if initial is not None:
            weight = F.lit(1).cast("bigint").alias(WEIGHT)
            parts.append(initial.select(*self._cells("", F.col(TS)), weight, F.lit(first).cast("bigint").alias(AT)))
        if log is not None:
            parts.append(self._bag_changes(log))
        return _union(parts, self._empty_lines())

    def _bag_changes(self, log: DataFrame) -> DataFrame:
        weight = F.when(F.col(CHANGE) == INSERT, 1).otherwise(-1).cast("bigint").alias(WEIGHT)
        if self.stored.append_only:
            return log.select(*self._cells("", F.col(AT)), weight, F.col(_POINT).alias(AT))
        if self._scan.ts is not None:
            log = self._with_removed_ts(log)
        cells = self._cells("", F.col(TS) if self._scan.ts is not None else None)
        lines = log.select(*cells, weight, F.col(_POINT).alias(AT))
        if self._scan.sync.is_clock:
            return lines
        # A row that came and went between two points was never there.
        ids = [c.id for c in self._scan.columns]
        return lines.groupBy(*ids, AT).agg(F.sum(WEIGHT).alias(WEIGHT)).filter(f"{WEIGHT} <> 0")

    def _with_removed_ts(self, log: DataFrame) -> DataFrame:
        """Adds ``_ts``: of an insertion its own time; of a deletion the time of the row that it takes out, which is
        the n-th insertion of that row for the n-th deletion (first in, first out)."""
        row = [F.col(quoted(c)) for c in self.stored.columns]
        lines = log.withColumn(TS, F.col(AT))
        if self._after is not None:
            # Rows of before that are equal to a row taken out in the slice.
            gone = log.filter(F.col(CHANGE) == DELETE).select(*row).distinct()
            old = self.stored.at(self._context.session, self._after, gone)
            lines = lines.unionByName(old.withColumn(CHANGE, F.lit(INSERT)), allowMissingColumns=True)
        inserted = F.col(CHANGE) == INSERT
        numbered = lines.withColumn(
            "_nth", F.row_number().over(Window.partitionBy(*row, inserted).orderBy(F.col(TS), F.col(SEQ)))
        )
        order = Window.partitionBy(*row, F.col("_nth"))
        taken = F.max(F.when(inserted, F.col(TS))).over(order)
        return numbered.withColumn(TS, F.when(inserted, F.col(TS)).otherwise(taken)).filter(F.col(AT).isNotNull())

    # With a key

    def pairs(self) -> DataFrame:
        first = self._context.slice.first
        parts = []
        initial, log = self._initial(), self._log()
        if initial is not None:
            new = F.struct(*self._cells("", F.col(TS)))
            old = F.lit(None).cast(initial.select(new).schema[0].dataType)
            parts.append(initial.select(old.alias(OLD), new.alias(NEW), F.lit(first).cast("bigint").alias(AT)))
        if log is not None:
            parts.append(self._changes(log))
        return _union(parts, self._empty_pairs())

    def _changes(self, log: DataFrame) -> DataFrame:
        log = log.filter(F.col(NET))
        if self._scan.ts is not None:
            log = self._with_previous_ts(log)
        old = F.when(F.col(BEFORE).isNotNull(), F.struct(*self._cells(f"{BEFORE}.", F.col("_before_ts"))))
        new = F.when(F.col(CHANGE) != DELETE, F.struct(*self._cells("", F.col(AT))))
        if self._scan.ts is None:
            old = F.when(F.col(BEFORE).isNotNull(), F.struct(*self._cells(f"{BEFORE}.", None)))
            new = F.when(F.col(CHANGE) != DELETE, F.struct(*self._cells("", None)))
        key = [F.col(quoted(k)) for k in self.stored.key or ()]
        pairs = log.select(*key, old.alias(OLD), new.alias(NEW), AT, _POINT)
        if not self._scan.sync.is_clock:
            # Between two points only the first row of before and the last row after count.
            order = Window.partitionBy(*key, F.col(_POINT)).orderBy(AT)
            pairs = pairs.withColumns(
                {OLD: F.first(OLD).over(order), "_last": F.lead(F.lit(1)).over(order).isNull()}
            ).filter("_last")
        pairs = pairs.select(OLD, NEW, F.col(_POINT).alias(AT))
        return pairs.filter(f"{OLD} IS NOT NULL OR {NEW} IS NOT NULL")

    def _with_previous_ts(self, log: DataFrame) -> DataFrame:
        """Adds ``_before_ts``, the TS of the row in ``_before``: the time of the key's operation before this one."""
        key = [F.col(quoted(k)) for k in self.stored.key or ()]
        lines = log.withColumn("_when", F.col(AT))
        if self._after is not None:
            touched = log.filter(F.col(BEFORE).isNotNull()).select(*key).distinct()
            old = self.stored.at(self._context.session, self._after, touched)
            lines = lines.unionByName(old.withColumnRenamed(TS, "_when"), allowMissingColumns=True)
        order = Window.partitionBy(*key).orderBy(F.col("_when"), F.col(AT).asc_nulls_first())
        return lines.withColumn("_before_ts", F.lag("_when").over(order)).filter(F.col(AT).isNotNull())

    def _empty_lines(self) -> DataFrame:
        empty = self._context.session.createDataFrame([], self.stored.relation.schema)
        none = F.lit(0).cast("bigint")
        return empty.select(*self._cells("", F.col(TS)), none.alias(WEIGHT), none.alias(AT))

    def _empty_pairs(self) -> DataFrame:
        empty = self._context.session.createDataFrame([], self.stored.relation.schema)
        row = F.struct(*self._cells("", F.col(TS)))
        return empty.select(row.alias(OLD), row.alias(NEW), F.lit(0).cast("bigint").alias(AT))


def _union(parts: list[DataFrame], empty: DataFrame) -> DataFrame:
    if not parts:
        return empty
    result = parts[0]
    for part in parts[1:]:
        result = result.unionByName(part)
    return result


def _clock(scan: Scan, context: Context) -> Flow:
    """A stream of time points: +<T>T for each of them, made here and never stored."""
    points, sync, span = scan.points, scan.sync.points, context.slice
    assert points is not None

    def cells(at: SparkColumn) -> list[SparkColumn]:
        return [at.cast("bigint").alias(c.id) for c in scan.columns]

    def lines() -> DataFrame:
        end = context.last_point(sync, span.end)
        start = -1 if span.first is not None else context.last_point(sync, span.start)
        if end is None:
            return context.points_between(points, -1, -1).select(
                *cells(F.col(AT)), F.lit(1).cast("bigint").alias(WEIGHT), AT
            )
        start = -1 if start is None else start
        frame = context.points_between(points, start, end).withColumnRenamed(AT, "_p")
        frame = release(frame, sync, start, end, lambda a, u: context.points_between(sync, a, u), "_p", AT)
        at = F.col(AT) if span.first is None else F.greatest(F.col(AT), F.lit(span.first).cast("bigint"))
        return frame.select(*cells(F.col("_p")), F.lit(1).cast("bigint").alias(WEIGHT), at.alias(AT))

    def before() -> DataFrame:
        start = -1 if span.first is not None else context.last_point(sync, span.start)
        frame = context.points_between(points, -1, -1 if start is None else start)
        return frame.select(*cells(F.col(AT)), F.lit(1).cast("bigint").alias(WEIGHT))

    return Flow(scan.columns, lines, None, before)
