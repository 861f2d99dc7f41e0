"""The kernel of every operator that adds up: accumulators per group, before and after each point of the slice.

new(g, T) = old(g) ⊕ the contributions with ``_at`` ≤ T. One shuffle and one sort: the accumulators of before enter the
same ordered pass as the first contribution of their group, and frames over ``_at`` read off both values at once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from syncsql.operators.context import Context, State
from syncsql.storage.scratch import Scratch
from syncsql.stream.flow import Carrying
from syncsql.stream.kept import Kept
from syncsql.stream.lazy import lazy
from syncsql.stream.names import AT, NEW, OLD
from syncsql.stream.text import Sql, listed, over


@dataclass(frozen=True)
class Accumulator:
    """A column of contributions, how they combine (sum, min or max), and the type that the result is kept in."""

    name: str
    combine: str = "sum"
    type: str = "bigint"

    def over(self, window: str) -> str:
        return f"{self.combine}({self.name}) {window}"

    def settled(self, column: str) -> str:
        """No contribution counts as zero, and as no extreme value. Adding up must not change the type."""
        return f"CAST(coalesce({column}, 0) AS {self.type})" if self.combine == "sum" else column


LAST = "_last"


@dataclass(frozen=True, eq=False)
class Pass:
    """The rows of an ordered pass as SQL, and the new state of the groups as one plain aggregate.

    They are computed once and give the state as well where a view's log is made from them row by row, or where they
    are few. Otherwise adding up a second time costs less than keeping them."""

    text: Sql
    totals: Sql
    columns: tuple[str, ...]
    settle: Callable[[Kept], None]
    scratch: Scratch

    @lazy
    def rows(self) -> Sql:
        """For one reader."""
        if self.scratch.few:
            return self.kept
        self.settle(Kept(self.totals, None))
        return self.text

    @lazy
    def kept(self) -> Sql:
        """For several readers."""
        kept = self.scratch.once(self.text)
        self.settle(kept)
        return kept.text

    def carrying(self, old: str, new: str) -> Carrying:
        """Pairs of these two expressions over the rows."""
        pairs = f"SELECT {old} AS {OLD}, {new} AS {NEW}, {listed([AT, *self.columns])} FROM ({self.text})"
        return Carrying(pairs, self.columns, self.settle)


def running(
    lines: Sql, keys: list[str], accumulators: list[Accumulator], state: State, context: Context, thin: bool
) -> Pass:
    """``(keys…, _at, old_<name>…, new_<name>…, _last)``, a row per group and point at which it was touched; ``_last``
    marks the last one of its group, whose new values are the group's new state.

    ``lines`` has the keys, the contributions and ``_at``. ``thin`` says that many lines share a group and point, so
    that adding them up first pays."""
    names = [a.name for a in accumulators]
    start = context.slice.start
    if thin or not keys:
        summed = [f"CAST({a.combine}({a.name}) AS {a.type}) AS {a.name}" for a in accumulators]
        by = listed([*keys, AT])
        lines = f"SELECT {listed([*keys, *summed, AT])} FROM ({lines}) GROUP BY {by}"
    contributions = f"SELECT {listed([*keys, *names, AT])} FROM ({lines})"
    old = state.current(f"SELECT DISTINCT {listed(keys)} FROM ({lines})" if keys else None, keys)
    if old is not None:
        before = f"SELECT {listed([*keys, *names])}, {start}L AS {AT} FROM ({old})"
        contributions = context.scratch.union(contributions, before)
    here, earlier = over(keys, AT), over(keys, AT, "RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING")
    cells = [f"{a.over(here)} AS new_{a.name}, {a.over(earlier)} AS old_{a.name}" for a in accumulators]
    passed = f"SELECT {listed([*keys, AT, *cells])}, lead({AT}) {here} AS _next FROM ({contributions})"
    sides = [f"{a.settled(f'{p}_{a.name}')} AS {p}_{a.name}" for p in ("old", "new") for a in accumulators]
    where = f"(_next IS NULL OR _next > {AT})" + ("" if old is None else f" AND {AT} > {start}")
    changed = f"SELECT {listed([*keys, AT, *sides])}, _next IS NULL AS {LAST} FROM ({passed}) WHERE {where}"
    columns = (*keys, *(f"{p}_{n}" for p in ("old", "new") for n in names), LAST)
    added = [f"{a.settled(f'{a.combine}({a.name})')} AS new_{a.name}" for a in accumulators]
    totals = f"SELECT {listed([*keys, *added, f'TRUE AS {LAST}'])} FROM ({contributions})"
    totals += f" GROUP BY {listed(keys)}" if keys else ""
    new = {n: f"new_{n}" for n in names}
    counts = [a.name for a in accumulators if a.combine == "sum"]
    return Pass(changed, totals, columns, lambda kept: state.save(kept, LAST, new, counts), context.scratch)
