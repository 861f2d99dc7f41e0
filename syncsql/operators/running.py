"""The kernel of every operator that adds up: accumulators per group, before and after each point of the slice.

new(g, T) = old(g) ⊕ the contributions with ``_at`` ≤ T. One shuffle and one sort: the accumulators of before enter the
same ordered pass as the first contribution of their group, and frames over ``_at`` read off both values at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from pyspark.sql import Column, DataFrame, Window
from pyspark.sql import functions as F
from pyspark.sql.types import DataType

from syncsql.operators.context import Context, State
from syncsql.stream.names import AT


@dataclass(frozen=True)
class Accumulator:
    """A column of contributions and how they combine: sum, min or max."""

    name: str
    combine: str = "sum"

    def over(self, column: Column) -> Column:
        return {"sum": F.sum, "min": F.min, "max": F.max}[self.combine](column)

    def settled(self, column: Column) -> Column:
        """No contribution counts as zero, and as no extreme value."""
        return F.coalesce(column, F.lit(0)) if self.combine == "sum" else column


def running(
    lines: DataFrame, keys: list[str], accumulators: list[Accumulator], state: State, context: Context, thin: bool
) -> DataFrame:
    """``(keys…, _at, old_<name>…, new_<name>…)``, a row per group and point at which it was touched.

    ``lines`` has the keys, the contributions and ``_at``. ``thin`` says that many lines share a group and point, so
    that adding them up first pays."""
    names = [a.name for a in accumulators]
    types = {f.name: f.dataType for f in lines.schema.fields}
    if thin or not keys:
        lines = lines.groupBy(*keys, AT).agg(*(_typed(a, a.over(F.col(a.name)), types, a.name) for a in accumulators))
    if not context.dry:
        lines = context.once(lines.select(*keys, *names, AT))
    old = state.current(context.session, lines.select(*keys).distinct() if keys else None)
    if old is not None:
        start = F.lit(context.slice.start).cast("bigint")
        lines = lines.select(*keys, *names, AT).unionByName(old.select(*keys, *names, start.alias(AT)))
    order = Window.partitionBy(*keys).orderBy(AT)
    to_here = order.rangeBetween(Window.unboundedPreceding, 0)
    to_before = order.rangeBetween(Window.unboundedPreceding, -1)
    cells = {}
    for a in accumulators:
        cells[f"new_{a.name}"] = a.over(F.col(a.name)).over(to_here)
        cells[f"old_{a.name}"] = a.over(F.col(a.name)).over(to_before)
    cells["_next"] = F.lead(AT).over(order)
    passed = lines.withColumns(cells).filter(f"_next IS NULL OR _next > {AT}")
    if old is not None:
        passed = passed.filter(f"{AT} > {context.slice.start}L")
    sides = [
        _typed(a, a.settled(F.col(f"{p}_{a.name}")), types, f"{p}_{a.name}")
        for p in ("old", "new")
        for a in accumulators
    ]
    changed = context.once(passed.select(*keys, AT, *sides, F.col("_next").isNull().alias("_last")))
    state.save(changed.filter("_last").select(*keys, *(F.col(f"new_{n}").alias(n) for n in names)))
    return changed.drop("_last")


def _typed(accumulator: Accumulator, column: Column, types: dict[str, DataType], name: str) -> Column:
    """Adding up must not change the type that the state is stored in."""
    return column.cast(types[accumulator.name]).alias(name)
