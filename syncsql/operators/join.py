"""⋈, bilinear: with R(t) = R₀ + D_R(t), what changed since the slice began,

R(t)⋈S(t) − R₀⋈S₀ = D_R(t)⋈S₀ + R₀⋈D_S(t) + D_R(t)⋈D_S(t).

The first two terms change where D_R or D_S does, line by line. The last pairs what changed on both sides. A key that
changes n times on both sides has n² pairs of lines but only some 2n pairs of *segments* that overlap in time, so D is
cut into segments: a row, its multiplicity in D, and the time from one change of it to the next. Where the changes of
an input are pairs, a segment ends at the next pair of its key: one pass in the order of the key, which a join on that
key, and the pairing of its answer, can go on with.
"""

from __future__ import annotations

from syncsql.algebra.keys import key_of
from syncsql.algebra.relations import Join, Node
from syncsql.operators.context import Context, settled
from syncsql.operators.merge import merged_pairs, shared_key
from syncsql.stream.flow import Flow, consolidate, render
from syncsql.stream.names import AT, NEW, OLD, WEIGHT
from syncsql.stream.text import Sql, listed, over


def join_flow(node: Join, left: Flow, right: Flow, context: Context) -> Flow:
    condition = render(node.condition)
    ids = [*left.ids, *right.ids]
    key = shared_key(node, left, right)

    def term(a: Sql, b: Sql, changing: str) -> Sql:
        """D_R⋈S₀ or R₀⋈D_S: ``changing`` is the side that has points."""
        at_left, at_right = ([AT], []) if changing == "left" else ([], [AT])
        sides = f"{_weighed(a, left.ids, '_wl', *at_left)} JOIN {_weighed(b, right.ids, '_wr', *at_right)}"
        return f"SELECT {listed([*ids, f'_wl * _wr AS {WEIGHT}', AT])} FROM {sides} ON {condition}"

    def lines() -> Sql:
        a, b = settled(left, context), settled(right, context)
        segments = _segments(node.left, left, a), _segments(node.right, right, b)
        both = _both_changed(*segments, ids, condition)
        return context.scratch.union(term(a, right.before, "left"), term(left.before, b, "right"), both)

    def before() -> Sql:
        sides = f"{_weighed(left.before, left.ids, '_wl')} JOIN {_weighed(right.before, right.ids, '_wr')}"
        return f"SELECT {listed([*ids, f'_wl * _wr AS {WEIGHT}'])} FROM {sides} ON {condition}"

    if key is not None:
        return Flow(node.columns, None, lambda: merged_pairs(node, left, right, key, context), before, costly=True)
    return Flow(node.columns, lines, None, before, costly=True)


def _weighed(text: Sql, ids: list[str], weight: str, *rest: str) -> Sql:
    return f"(SELECT {listed([*ids, f'{WEIGHT} AS {weight}', *rest])} FROM ({text}))"


def _segments(node: Node, flow: Flow, lines: Sql) -> Sql:
    """``(row…, _d, _from, _to)``: how much more often than before the slice a row is there, and for how long."""
    key = key_of(node)
    if key is not None and flow.has_pairs and not flow.costly:
        return _segments_of_pairs(flow.pairs, flow.ids, [c.id for c in key])
    order = over(flow.ids, AT)
    changes = f"sum({WEIGHT}) {order} AS _d, {AT} AS _from, lead({AT}) {order} AS _to"
    return f"SELECT * FROM (SELECT {listed([*flow.ids, changes])} FROM ({consolidate(lines, flow.ids)})) WHERE _d <> 0"


def _segments_of_pairs(pairs: Sql, ids: list[str], key: list[str]) -> Sql:
    """The row of before goes with the first pair of its key for good; each new row stays until the next pair."""
    keyed = f"SELECT {listed([*(f'coalesce({NEW}, {OLD}).{k} AS {k}' for k in key), OLD, NEW, AT])} FROM ({pairs})"
    order = over(key, AT)
    stepped = f"SELECT *, lead({AT}) {order} AS _next, row_number() {order} AS _nth FROM ({keyed})"
    gone = f"CASE WHEN _nth = 1 AND {OLD} IS NOT NULL THEN struct(-1L AS d, {OLD} AS r, CAST(NULL AS BIGINT) AS t) END"
    here = f"CASE WHEN {NEW} IS NOT NULL THEN struct(1L AS d, {NEW} AS r, _next AS t) END"
    exploded = f"SELECT {listed([*key, AT])}, explode(array({gone}, {here})) AS _s FROM ({stepped})"
    row = [i if i in key else f"_s.r.{i} AS {i}" for i in ids]
    segment = listed([*row, "_s.d AS _d", f"{AT} AS _from", "_s.t AS _to"])
    return f"SELECT {segment} FROM ({exploded}) WHERE _s IS NOT NULL"


def _both_changed(a: Sql, b: Sql, ids: list[str], condition: str) -> Sql:
    """Pairs of segments that overlap; an end that the slice does not see is NULL, which least and greatest skip."""
    overlap = "(b._to IS NULL OR a._from < b._to) AND (a._to IS NULL OR b._from < a._to)"
    cells = "a._d * b._d AS _w1, greatest(a._from, b._from) AS _f1, least(a._to, b._to) AS _t1"
    pairs = f"SELECT {listed([*ids, cells])} FROM ({a}) a JOIN ({b}) b ON {condition} AND {overlap}"
    ends = "filter(array(struct(_w1 AS w, _f1 AS at), struct(-_w1 AS w, _t1 AS at)), x -> x.at IS NOT NULL)"
    exploded = f"SELECT {listed([*ids, f'explode({ends}) AS _l'])} FROM ({pairs})"
    return f"SELECT {listed([*ids, f'_l.w AS {WEIGHT}', f'_l.at AS {AT}'])} FROM ({exploded})"
