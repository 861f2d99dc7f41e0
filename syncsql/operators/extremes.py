"""MIN and MAX where rows go away again: the extreme of the values that are alive at each point.

Remembered is how often each value of a group is there. Within a slice a touched value is alive over intervals of the
group's touched points; the values that nobody touches count as one, the extreme of them. Which interval covers which
point is found as in a segment tree: an interval is cut into at most 2·log n dyadic blocks, a point lies in log n of
them, and they meet in one join. So a group with a million changes costs n·log n, never n².
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F

from syncsql.operators.context import Context
from syncsql.operators.running import Accumulator, running
from syncsql.stream.flow import same
from syncsql.stream.names import AT, WEIGHT

_COUNT = "n"
# The blocks of the interval of touched points [_lo, _hi), as (level, number), in closed form.
_BLOCKS = """
flatten(transform(sequence(0, _levels), k -> filter(array(
    named_struct('k', k, 'b', shiftright(_lo + shiftleft(1L, k) - 1L, k)),
    named_struct('k', k, 'b', shiftright(_hi, k) - 1L)),
    (x, i) -> shiftright(_lo + shiftleft(1L, k) - 1L, k) < shiftright(_hi, k) AND (
        (i = 0 AND shiftright(_lo + shiftleft(1L, k) - 1L, k) % 2 = 1)
        OR (i = 1 AND shiftright(_hi, k) % 2 = 1
            AND NOT (shiftright(_lo + shiftleft(1L, k) - 1L, k) % 2 = 1
                     AND shiftright(_lo + shiftleft(1L, k) - 1L, k) = shiftright(_hi, k) - 1L))))))
"""


@dataclass(frozen=True)
class Extremes:
    """``changes``: (groups…, _at, old_v, new_v) for each point asked for; ``current``: (groups…, v) before them."""

    changes: DataFrame
    current: Callable[[], DataFrame]


def extremes(
    lines: DataFrame, groups: list[str], function: str, touched: DataFrame, context: Context, thin: bool
) -> Extremes:
    """The MIN or MAX (``function``) of ``_v`` at the points ``touched`` (groups…, _at).

    ``lines`` is (groups…, _v, _w, _at)."""
    best = F.min if function == "min" else F.max
    pick = F.least if function == "min" else F.greatest
    values = lines.filter("_v IS NOT NULL").withColumnRenamed(WEIGHT, _COUNT)
    keys = [*groups, "_v"]
    state = context.state(values.select(*keys).schema, values.select(_COUNT).schema)
    counted = running(values, keys, [Accumulator(_COUNT)], state, context, thin)

    order = Window.partitionBy(*groups).orderBy(AT)
    everything = Window.partitionBy(*groups)
    points = touched.withColumn("_i", F.row_number().over(order).cast("bigint"))
    points = points.withColumn("_p", F.count(F.lit(1)).over(everything))

    alive = _alive(counted, groups, points)
    blocks = alive.withColumn("_levels", _levels()).withColumn("_x", F.explode(F.expr(_BLOCKS)))
    blocks = blocks.groupBy(*groups, F.col("_x.k").alias("_k"), F.col("_x.b").alias("_b")).agg(
        best("_v").alias("_best")
    )

    # Point 0 stands for the time before the first touched point.
    zero = points.filter("_i = 1").withColumns({"_i": F.lit(0).cast("bigint"), AT: F.lit(None).cast("bigint")})
    wanted = points.unionByName(zero).withColumn("_levels", _levels())
    inside = wanted.withColumn("_k", F.explode(F.expr("sequence(0, _levels)"))).withColumn(
        "_b", F.expr("shiftright(_i, _k)")
    )
    named = blocks.toDF(*(f"_g{i}" for i in range(len(groups))), "_bk", "_bb", "_best")
    match = same([F.col(g) for g in groups], [F.col(f"_g{i}") for i in range(len(groups))])
    found = inside.join(named, match & (F.col("_k") == F.col("_bk")) & (F.col("_b") == F.col("_bb")), "left")
    found = found.groupBy(*groups, AT, "_i").agg(best("_best").alias("_best"))

    rest = _rest(state.current(context.session, touched.select(*groups).distinct() if groups else None), counted, keys)
    if rest is not None:
        fixed = rest.groupBy(*groups).agg(best("_v").alias("_fixed"))
        fixed = fixed.toDF(*(f"_g{i}" for i in range(len(groups))), "_fixed")
        found = found.join(fixed, match, "left").withColumn("_best", pick("_best", "_fixed"))
    found = found.withColumn("old_v", F.lag("_best").over(Window.partitionBy(*groups).orderBy("_i")))
    changes = found.filter("_i > 0").select(*groups, AT, "old_v", F.col("_best").alias("new_v"))

    def current() -> DataFrame:
        rows = state.current(context.session, None)
        if rows is None:
            return changes.filter("FALSE").select(*groups, F.col("new_v").alias("v"))
        return rows.filter(f"{_COUNT} > 0").groupBy(*groups).agg(best("_v").alias("v"))

    return Extremes(changes, current)


def _levels() -> Column:
    return F.expr("CAST(ceil(log2(_p + 2)) AS INT)")


def _alive(counted: DataFrame, groups: list[str], points: DataFrame) -> DataFrame:
    """(groups…, _v, _p, _lo, _hi): the touched values and the numbers of the points over which each is there."""
    named = points.toDF(*(f"_g{i}" for i in range(len(groups))), "_pt", "_i", "_p")
    match = same([F.col(g) for g in groups], [F.col(f"_g{i}") for i in range(len(groups))])
    numbered = counted.join(named, match & (F.col(AT) == F.col("_pt")), "inner")
    order = Window.partitionBy(*groups, "_v").orderBy("_i")
    numbered = numbered.withColumns({"_next": F.lead("_i").over(order), "_first": F.row_number().over(order) == 1})
    before = F.when(F.col("_first") & (F.col(f"old_{_COUNT}") > 0), _interval(F.lit(0), F.col("_i")))
    after = F.when(F.col(f"new_{_COUNT}") > 0, _interval(F.col("_i"), F.coalesce("_next", F.col("_p") + 1)))
    spans = numbered.select(*groups, "_v", "_p", F.explode(F.array(before, after)).alias("_s")).filter("_s IS NOT NULL")
    return spans.select(*groups, "_v", "_p", F.col("_s.lo").alias("_lo"), F.col("_s.hi").alias("_hi"))


def _interval(low: Column, high: Column) -> Column:
    return F.struct(low.cast("bigint").alias("lo"), high.cast("bigint").alias("hi"))


def _rest(held: DataFrame | None, counted: DataFrame, keys: list[str]) -> DataFrame | None:
    """The values of the touched groups that are there and that no line of the slice touches."""
    if held is None:
        return None
    touched = counted.select(*(F.col(k).alias(f"_t{i}") for i, k in enumerate(keys))).distinct()
    condition = same([F.col(k) for k in keys], [F.col(f"_t{i}") for i in range(len(keys))])
    return held.filter(f"{_COUNT} > 0").join(touched, condition, "left_anti")
