"""⋈, bilinear: R⋈S changes by ΔR⋈before(S) + before(R)⋈ΔS + ΔR⋈ΔS, the last at the later of the two points.

Proof: R(t)⋈S(t) with R(t) = R₀ + Σ_{at≤t} ΔR expands into R₀⋈S₀, the first two terms, and pairs of changes both of
which have happened by t, that is, from the later of their points on.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from syncsql.algebra.relations import Join
from syncsql.stream.flow import Flow, consolidate, render
from syncsql.stream.names import AT, WEIGHT


def join_flow(node: Join, left: Flow, right: Flow) -> Flow:
    condition = F.expr(render(node.condition))
    cells = [f"`{i}`" for i in (*left.ids, *right.ids)]

    def product(a: DataFrame, b: DataFrame, at: str | None) -> DataFrame:
        weighted = a.withColumnRenamed(WEIGHT, "_wl").withColumnRenamed(AT, "_al")
        other = b.withColumnRenamed(WEIGHT, "_wr").withColumnRenamed(AT, "_ar")
        joined = weighted.join(other, condition, "inner")
        point = [] if at is None else [f"{at} AS {AT}"]
        return joined.selectExpr(*cells, f"_wl * _wr AS {WEIGHT}", *point)

    def lines() -> DataFrame:
        changed_left = consolidate(left.lines, left.ids)
        changed_right = consolidate(right.lines, right.ids)
        terms = product(changed_left, right.before, "_al")
        terms = terms.union(product(left.before, changed_right, "_ar"))
        return terms.union(product(changed_left, changed_right, "greatest(_al, _ar)"))

    return Flow(node.columns, lines, None, lambda: product(left.before, right.before, None))
