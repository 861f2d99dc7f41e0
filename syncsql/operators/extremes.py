"""MIN and MAX where rows go away again: the extreme of the values that are alive at each point.

Remembered is how often each value of a group is there. Within a slice a touched value is alive over intervals of the
group's touched points; the values that nobody touches count as one, the extreme of them. Which interval covers which
point is found as in a segment tree: an interval is cut into at most 2·log n dyadic blocks, a point lies in log n of
them, and they meet in one join. So a group with a million changes costs n·log n, never n².
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from syncsql.operators.context import Context
from syncsql.operators.running import Accumulator, running
from syncsql.stream.names import AT, WEIGHT
from syncsql.stream.text import Sql, among, listed, over, same

_COUNT = Accumulator("n")
_LEVELS = "CAST(ceil(log2(_p + 2)) AS INT)"
# The first block of level k inside [_lo, _hi), and the one behind its last.
_FIRST, _END = "shiftright(_lo + shiftleft(1L, k) - 1L, k)", "shiftright(_hi, k)"
# The blocks of the interval of touched points [_lo, _hi), as (level, number): at each level the first one where it is
# a right child, and the last one where it is a left child, since their parents stick out of the interval.
_BLOCKS = f"""
flatten(transform(sequence(0, {_LEVELS}), k -> filter(
    array(named_struct('k', k, 'b', {_FIRST}), named_struct('k', k, 'b', {_END} - 1L)),
    (x, i) -> {_FIRST} < {_END} AND (
        (i = 0 AND {_FIRST} % 2 = 1)
        OR (i = 1 AND {_END} % 2 = 1 AND NOT ({_FIRST} % 2 = 1 AND {_FIRST} = {_END} - 1L))))))
"""


@dataclass(frozen=True)
class Extremes:
    """``changes``: (groups…, _at, old_v, new_v) for each point asked for; ``current``: (groups…, v) before them."""

    changes: Sql
    current: Callable[[], Sql]


def extremes(lines: Sql, groups: list[str], function: str, touched: Sql, context: Context, thin: bool) -> Extremes:
    """The MIN or MAX (``function``) of ``_v`` at the points ``touched`` (groups…, _at).

    ``lines`` is (groups…, _v, _w, _at)."""
    keys = [*groups, "_v"]
    values = f"SELECT {listed([*keys, f'{WEIGHT} AS {_COUNT.name}', AT])} FROM ({lines}) WHERE _v IS NOT NULL"
    state = context.state(keys, [_COUNT.name], values)
    counted = running(values, keys, [_COUNT], state, context, thin).rows

    order, everything = over(groups, AT), over(groups)
    numbers = f"CAST(row_number() {order} AS BIGINT) AS _i, count(1) {everything} AS _p"
    points = f"SELECT {listed([*groups, AT, numbers])} FROM ({touched})"

    by = listed([*groups, "_k", "_b"])
    exploded = f"SELECT {listed([*groups, '_v', f'explode({_BLOCKS}) AS _x'])} FROM ({_alive(counted, groups, points)})"
    placed = f"SELECT {listed([*groups, '_v', '_x.k AS _k', '_x.b AS _b'])} FROM ({exploded})"
    blocks = f"SELECT {by}, {function}(_v) AS _best FROM ({placed}) GROUP BY {by}"

    # Point 0 stands for the time before the first touched point.
    zero = f"SELECT {listed([*groups, f'CAST(NULL AS BIGINT) AS {AT}', '0L AS _i', '_p'])} FROM ({points}) WHERE _i = 1"
    wanted = context.scratch.union(points, zero)
    levels = f"SELECT {listed([*groups, AT, '_i'])}, explode(sequence(0, {_LEVELS})) AS _k FROM ({wanted})"
    match = same([f"w.{c}" for c in groups], [f"b.{c}" for c in groups])
    covered = (
        f"SELECT {listed([*(f'w.{g}' for g in groups), f'w.{AT}', 'w._i', '_best'])} FROM ({levels}) w "
        f"LEFT JOIN ({blocks}) b ON {match} AND w._k = b._k AND shiftright(w._i, w._k) = b._b"
    )
    by_point = listed([*groups, AT, "_i"])
    found = f"SELECT {by_point}, {function}(_best) AS _best FROM ({covered}) GROUP BY {by_point}"

    held = state.current(f"SELECT DISTINCT {listed(groups)} FROM ({touched})" if groups else None, groups)
    if held is not None:
        # Of the values that no line of the slice touches, the extreme is there all the time.
        rest = among(f"SELECT * FROM ({held}) WHERE {_COUNT.name} > 0", keys, counted, keys, anti=True)
        fixed = f"SELECT {listed([*groups, f'{function}(_v) AS _fixed'])} FROM ({rest})"
        fixed += f" GROUP BY {listed(groups)}" if groups else ""
        pick = "least" if function == "min" else "greatest"
        cells = listed([*(f"f.{g}" for g in groups), AT, "_i", f"{pick}(_best, _fixed) AS _best"])
        match = same([f"f.{c}" for c in groups], [f"x.{c}" for c in groups])
        found = f"SELECT {cells} FROM ({found}) f LEFT JOIN ({fixed}) x ON {match}"
    old = f"lag(_best) {over(groups, '_i')} AS old_v, _best AS new_v"
    changes = (
        f"SELECT {listed([*groups, AT])}, old_v, new_v FROM (SELECT {by_point}, {old} FROM ({found})) WHERE _i > 0"
    )

    def current() -> Sql:
        rows = state.current()
        if rows is None:
            return f"SELECT {listed([*groups, 'new_v AS v'])} FROM ({changes}) WHERE FALSE"
        alive = f"SELECT {listed([*groups, f'{function}(_v) AS v'])} FROM ({rows}) WHERE {_COUNT.name} > 0"
        return alive + (f" GROUP BY {listed(groups)}" if groups else "")

    return Extremes(changes, current)


def _alive(counted: Sql, groups: list[str], points: Sql) -> Sql:
    """(groups…, _v, _p, _lo, _hi): the touched values and the numbers of the points over which each is there."""
    mine = [f"c.{g}" for g in groups]
    match = same([*mine, f"c.{AT}"], [f"p.{c}" for c in (*groups, AT)])
    cells = listed([*mine, "_v", "_i", "_p", f"old_{_COUNT.name} AS _old", f"new_{_COUNT.name} AS _new"])
    numbered = f"SELECT {cells} FROM ({counted}) c JOIN ({points}) p ON {match}"
    order = over([*groups, "_v"], "_i")
    stepped = f"SELECT *, lead(_i) {order} AS _next, row_number() {order} AS _nth FROM ({numbered})"
    before = "CASE WHEN _nth = 1 AND _old > 0 THEN struct(0L AS lo, _i AS hi) END"
    after = "CASE WHEN _new > 0 THEN struct(_i AS lo, coalesce(_next, _p + 1) AS hi) END"
    spans = f"SELECT {listed([*groups, '_v', '_p', f'explode(array({before}, {after})) AS _s'])} FROM ({stepped})"
    return f"SELECT {listed([*groups, '_v', '_p', '_s.lo AS _lo', '_s.hi AS _hi'])} FROM ({spans}) WHERE _s IS NOT NULL"
