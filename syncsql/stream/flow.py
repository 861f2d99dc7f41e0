"""A time-varying relation over a slice of time (F0, F1], as the operators hand it on.

It comes in two forms. **Lines** ``(row…, _w, _at)``: the relation at T is the relation before the slice plus the lines
with ``_at`` ≤ T, added up; lines need not be consolidated. **Pairs** ``(_old, _new, _at)``: at most one per key and
point, the row of the key before and after. Pairs can be had where the relation has a key and every change of it is
known as a whole; an operator that adds up asks for lines, one that only maps rows keeps pairs as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from syncsql.algebra.expressions import Column, Expr, sql
from syncsql.stream.names import AT, NEW, OLD, WEIGHT


def render(expr: Expr, prefix: str = "") -> str:
    """``expr`` as Spark SQL over the ids of its columns (as fields of ``prefix``, if given)."""
    return sql(expr, lambda c: f"{prefix}`{c.id}`")


@dataclass(frozen=True, eq=False)
class Flow:
    """``make_before`` gives the relation before the slice as ``(row…, _w)``; it is only asked for where needed."""

    columns: tuple[Column, ...]
    make_lines: Callable[[], DataFrame] | None
    make_pairs: Callable[[], DataFrame] | None
    make_before: Callable[[], DataFrame]

    @property
    def has_pairs(self) -> bool:
        return self.make_pairs is not None

    @cached_property
    def pairs(self) -> DataFrame:
        assert self.make_pairs is not None
        return self.make_pairs()

    @cached_property
    def lines(self) -> DataFrame:
        return self.make_lines() if self.make_lines is not None else lines_of_pairs(self.pairs, self.columns)

    @cached_property
    def before(self) -> DataFrame:
        return self.make_before()

    @property
    def ids(self) -> list[str]:
        return [c.id for c in self.columns]


def lines_of_pairs(pairs: DataFrame, columns: tuple[Column, ...]) -> DataFrame:
    """Each pair as the line that takes the old row out and the line that puts the new one in."""
    out = F.struct(F.lit(-1).cast("bigint").alias("w"), F.col(OLD).alias("row"))
    into = F.struct(F.lit(1).cast("bigint").alias("w"), F.col(NEW).alias("row"))
    lines = pairs.filter(f"NOT ({OLD} <=> {NEW})").select(AT, F.explode(F.array(out, into)).alias("_l"))
    return lines.filter("_l.row IS NOT NULL").select(
        *(F.col(f"_l.row.{c.id}") for c in columns), F.col("_l.w").alias(WEIGHT), AT
    )


def consolidate(lines: DataFrame, ids: list[str]) -> DataFrame:
    """At most one line per row and point, and none of weight zero."""
    return lines.groupBy(*ids, AT).agg(F.sum(WEIGHT).alias(WEIGHT)).filter(f"{WEIGHT} <> 0")


def same(left: list[SparkColumn], right: list[SparkColumn]) -> SparkColumn:
    """Equality in which NULL is equal to NULL, column by column."""
    result = F.lit(True)
    for a, b in zip(left, right, strict=True):
        result = result & a.eqNullSafe(b)
    return result
