"""⋈, bilinear: with R(t) = R₀ + D_R(t), what changed since the slice began,

R(t)⋈S(t) − R₀⋈S₀ = D_R(t)⋈S₀ + R₀⋈D_S(t) + D_R(t)⋈D_S(t).

The first two terms change where D_R or D_S does, line by line. The last pairs what changed on both sides. A key that
changes n times on both sides has n² pairs of lines but only some 2n pairs of *segments* that overlap in time, so D is
cut into segments: a row, its multiplicity in D, and the time from one change of it to the next.
"""

from __future__ import annotations

from syncsql.algebra.relations import Join
from syncsql.operators.context import Context, settled
from syncsql.stream.flow import Flow, consolidate, render
from syncsql.stream.names import AT, WEIGHT
from syncsql.stream.text import Sql, listed, over


def join_flow(node: Join, left: Flow, right: Flow, context: Context) -> Flow:
    condition = render(node.condition)
    ids = [*left.ids, *right.ids]

    def term(a: Sql, b: Sql, changing: str) -> Sql:
        """D_R⋈S₀ or R₀⋈D_S: ``changing`` is the side that has points."""
        at_left, at_right = ([AT], []) if changing == "left" else ([], [AT])
        sides = f"{_weighed(a, left.ids, '_wl', *at_left)} JOIN {_weighed(b, right.ids, '_wr', *at_right)}"
        return f"SELECT {listed([*ids, f'_wl * _wr AS {WEIGHT}', AT])} FROM {sides} ON {condition}"

    def lines() -> Sql:
        a, b = settled(left, context), settled(right, context)
        both = _both_changed(_segments(a, left.ids), _segments(b, right.ids), ids, condition)
        return context.scratch.union(term(a, right.before, "left"), term(left.before, b, "right"), both)

    def before() -> Sql:
        sides = f"{_weighed(left.before, left.ids, '_wl')} JOIN {_weighed(right.before, right.ids, '_wr')}"
        return f"SELECT {listed([*ids, f'_wl * _wr AS {WEIGHT}'])} FROM {sides} ON {condition}"

    return Flow(node.columns, lines, None, before, costly=True)


def _weighed(text: Sql, ids: list[str], weight: str, *rest: str) -> Sql:
    return f"(SELECT {listed([*ids, f'{WEIGHT} AS {weight}', *rest])} FROM ({text}))"


def _segments(lines: Sql, ids: list[str]) -> Sql:
    """``(row…, _d, _from, _to)``: how much more often than before the slice a row is there, and for how long."""
    order = over(ids, AT)
    changes = f"sum({WEIGHT}) {order} AS _d, {AT} AS _from, lead({AT}) {order} AS _to"
    return f"SELECT * FROM (SELECT {listed([*ids, changes])} FROM ({consolidate(lines, ids)})) WHERE _d <> 0"


def _both_changed(a: Sql, b: Sql, ids: list[str], condition: str) -> Sql:
    """Pairs of segments that overlap; an end that the slice does not see is NULL, which least and greatest skip."""
    overlap = "(b._to IS NULL OR a._from < b._to) AND (a._to IS NULL OR b._from < a._to)"
    cells = "a._d * b._d AS _w1, greatest(a._from, b._from) AS _f1, least(a._to, b._to) AS _t1"
    pairs = f"SELECT {listed([*ids, cells])} FROM ({a}) a JOIN ({b}) b ON {condition} AND {overlap}"
    ends = "filter(array(struct(_w1 AS w, _f1 AS at), struct(-_w1 AS w, _t1 AS at)), x -> x.at IS NOT NULL)"
    exploded = f"SELECT {listed([*ids, f'explode({ends}) AS _l'])} FROM ({pairs})"
    return f"SELECT {listed([*ids, f'_l.w AS {WEIGHT}', f'_l.at AS {AT}'])} FROM ({exploded})"
