"""The regulator ζ (section 6.1): each operation gets its release point, the first point of Sync at or after it."""

from __future__ import annotations

from collections.abc import Callable

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from syncsql.algebra.sync import Points, Ticks
from syncsql.stream.names import AT

# Enough buckets that a window over one of them is small, few enough that a table of them is broadcast.
_BUCKETS = 1024

PointsBetween = Callable[[int, int], DataFrame]


def release(
    frame: DataFrame, points: Points, after: int, until: int, between: PointsBetween, column: str, into: str
) -> DataFrame:
    """``frame`` with ``into`` = the first point at or after ``column``, whose values are all in (after, until].

    ``between`` gives the points in (after, until] as a DataFrame with the one column ``_at``, and is only asked where
    arithmetic cannot tell. A value after the last point gets NULL."""
    if isinstance(points, Ticks):
        if points.times.is_all:
            return frame.withColumn(into, F.col(column))
        text = points.times.release_sql(f"`{column}`")
        if text is not None:
            return frame.withColumn(into, F.expr(text))
    return _as_of(frame, between(after, until), after, until, column, into)


def _as_of(frame: DataFrame, points: DataFrame, after: int, until: int, column: str, into: str) -> DataFrame:
    """Time is cut into buckets; within one a window finds the next point, and beyond it the first point of a later
    bucket, which a small table holds for every bucket."""
    width = max(1, -(-(until - after) // _BUCKETS))
    session = frame.sparkSession
    bucket = F.expr(f"CAST(floor((`_t` - {after}L - 1L) / {width}L) AS BIGINT)")
    points = points.select(F.col(AT).alias("_t")).distinct().withColumn("_b", bucket)
    every = session.range(0, _BUCKETS + 1).select(F.col("id").alias("_b"))
    firsts = every.join(points.groupBy("_b").agg(F.min("_t").alias("_t")), "_b", "left")
    onwards = Window.orderBy(F.desc("_b")).rowsBetween(Window.unboundedPreceding, -1)
    later = firsts.select("_b", F.min("_t").over(onwards).alias("_later"))
    names = frame.columns
    both = frame.withColumn("_t", F.col(column)).withColumn("_b", bucket).withColumn("_is", F.lit(False))
    both = both.unionByName(points.withColumn("_is", F.lit(True)), allowMissingColumns=True)
    inside = Window.partitionBy("_b").orderBy(F.desc("_t")).rangeBetween(Window.unboundedPreceding, 0)
    found = both.withColumn("_next", F.min(F.when(F.col("_is"), F.col("_t"))).over(inside)).filter("NOT _is")
    joined = found.join(F.broadcast(later), "_b", "left").withColumn(into, F.coalesce("_next", "_later"))
    return joined.select(*(f"`{n}`" for n in names if n != into), into)
