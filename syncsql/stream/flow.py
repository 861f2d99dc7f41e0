"""A time-varying relation over a slice of time (F0, F1], as the operators hand it on: as SQL text.

It comes in two forms. **Lines** ``(row…, _w, _at)``: the relation at T is the relation before the slice plus the lines
with ``_at`` ≤ T, added up; lines need not be consolidated. **Pairs** ``(_old, _new, _at)``: at most one per key and
point, the row of the key before and after. Pairs can be had where the relation has a key and every change of it is
known as a whole; an operator that adds up asks for lines, one that only maps rows keeps pairs as they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from syncsql.algebra.expressions import Column, Expr, sql
from syncsql.stream.kept import Kept
from syncsql.stream.lazy import lazy
from syncsql.stream.names import AT, NEW, OLD, WEIGHT
from syncsql.stream.text import Sql, listed, struct


def render(expr: Expr, prefix: str = "") -> str:
    """``expr`` as Spark SQL over the ids of its columns (as fields of ``prefix``, if given)."""
    return sql(expr, lambda c: f"{prefix}`{c.id}`")


@dataclass(frozen=True)
class Carrying:
    """Pairs that carry the columns of the pass that they are made from, row by row, with none left out. So one job
    can give both what an operator must remember (``settle`` takes it from the result) and the changes of the view."""

    pairs: Sql
    columns: tuple[str, ...]
    settle: Callable[[Kept], None]


@dataclass(frozen=True, eq=False)
class Flow:
    """``make_before`` gives the relation before the slice as ``(row…, _w)``; it is only asked for where needed.

    ``costly`` says that reading the changes twice would compute something large twice. ``carrying`` is another way to
    the pairs, for one reader who reads nothing else."""

    columns: tuple[Column, ...]
    make_lines: Callable[[], Sql] | None
    make_pairs: Callable[[], Sql] | None
    make_before: Callable[[], Sql]
    costly: bool = False
    carrying: Carrying | None = None

    @property
    def has_pairs(self) -> bool:
        return self.make_pairs is not None

    @lazy
    def pairs(self) -> Sql:
        assert self.make_pairs is not None
        return self.make_pairs()

    @lazy
    def lines(self) -> Sql:
        return self.make_lines() if self.make_lines is not None else lines_of_pairs(self.pairs, self.ids)

    @lazy
    def before(self) -> Sql:
        return self.make_before()

    def without_pairs(self) -> Flow:
        """The same relation for a reader whose key is another one than the pairs have."""
        return replace(self, make_lines=lambda: self.lines, make_pairs=None, carrying=None)

    @property
    def ids(self) -> list[str]:
        return [c.id for c in self.columns]


def lines_of_pairs(pairs: Sql, ids: list[str]) -> Sql:
    """Each pair as the line that takes the old row out and the line that puts the new one in, with the columns ``ids``;
    where these stay the same, there is none."""
    narrow = [f"CASE WHEN {s} IS NOT NULL THEN {struct([f'{s}.{i}' for i in ids])} END AS {s}" for s in (OLD, NEW)]
    sides = f"array(struct(-1L AS w, {OLD} AS r), struct(1L AS w, {NEW} AS r))"
    narrowed = f"SELECT {listed([*narrow, AT])} FROM ({pairs})"
    exploded = f"SELECT {AT}, explode({sides}) AS _l FROM ({narrowed}) WHERE NOT ({OLD} <=> {NEW})"
    cells = [*(f"_l.r.{i} AS {i}" for i in ids), f"_l.w AS {WEIGHT}", AT]
    return f"SELECT {listed(cells)} FROM ({exploded}) WHERE _l.r IS NOT NULL"


def consolidate(lines: Sql, ids: list[str]) -> Sql:
    """At most one line per row and point, and none of weight zero."""
    keys = listed([*ids, AT])
    return f"SELECT {keys}, sum({WEIGHT}) AS {WEIGHT} FROM ({lines}) GROUP BY {keys} HAVING sum({WEIGHT}) <> 0"
