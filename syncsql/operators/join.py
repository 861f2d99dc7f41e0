"""⋈, bilinear: with R(t) = R₀ + D_R(t), what changed since the slice began,

R(t)⋈S(t) − R₀⋈S₀ = D_R(t)⋈S₀ + R₀⋈D_S(t) + D_R(t)⋈D_S(t).

The first two terms change where D_R or D_S does, line by line. The last pairs what changed on both sides. A key that
changes n times on both sides has n² pairs of lines but only some 2n pairs of *segments* that overlap in time, so D is
cut into segments: a row, its multiplicity in D, and the time from one change of it to the next.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, Window
from pyspark.sql import functions as F

from syncsql.algebra.relations import Join
from syncsql.stream.flow import Flow, consolidate, render
from syncsql.stream.names import AT, WEIGHT

_FROM, _TO = "_from", "_to"


def join_flow(node: Join, left: Flow, right: Flow) -> Flow:
    condition = F.expr(render(node.condition))
    cells = [f"`{i}`" for i in (*left.ids, *right.ids)]

    def product(a: DataFrame, b: DataFrame, *rest: str) -> DataFrame:
        joined = a.withColumnRenamed(WEIGHT, "_wl").join(b.withColumnRenamed(WEIGHT, "_wr"), condition, "inner")
        return joined.selectExpr(*cells, f"_wl * _wr AS {WEIGHT}", *rest)

    def lines() -> DataFrame:
        terms = product(left.lines, right.before, AT).union(product(left.before, right.lines, AT))
        return terms.union(both_changed())

    def both_changed() -> DataFrame:
        a = _segments(left).withColumnsRenamed({_FROM: "_fl", _TO: "_tl", WEIGHT: "_wl"})
        b = _segments(right).withColumnsRenamed({_FROM: "_fr", _TO: "_tr", WEIGHT: "_wr"})
        overlap = F.expr("(_tr IS NULL OR _fl < _tr) AND (_tl IS NULL OR _fr < _tl)")
        pairs = a.join(b, condition & overlap, "inner").withColumns(
            {"_w1": F.expr("_wl * _wr"), "_f1": F.expr("greatest(_fl, _fr)"), "_t1": F.expr("least(_tl, _tr)")}
        )
        # least and greatest pass over NULL, which is an end that the slice does not see.
        ends = F.expr("filter(array(struct(_w1 AS w, _f1 AS at), struct(-_w1 AS w, _t1 AS at)), x -> x.at IS NOT NULL)")
        exploded = pairs.withColumn("_l", F.explode(ends))
        return exploded.selectExpr(*cells, f"_l.w AS {WEIGHT}", f"_l.at AS {AT}")

    return Flow(node.columns, lines, None, lambda: product(left.before, right.before))


def _segments(flow: Flow) -> DataFrame:
    """``(row…, _w, _from, _to)``: how much more often than before the slice a row is there, and for how long."""
    order = Window.partitionBy(*(f"`{i}`" for i in flow.ids)).orderBy(AT)
    lines = consolidate(flow.lines, flow.ids)
    segments = lines.withColumns(
        {
            "_d": F.sum(WEIGHT).over(order.rowsBetween(Window.unboundedPreceding, 0)),
            _TO: F.lead(AT).over(order),
        }
    )
    return segments.filter("_d <> 0").selectExpr(
        *(f"`{i}`" for i in flow.ids), f"_d AS {WEIGHT}", f"{AT} AS {_FROM}", _TO
    )
