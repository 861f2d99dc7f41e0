"""The regulator ζ (section 6.1): each operation gets its release point, the first point of Sync at or after it."""

from __future__ import annotations

from collections.abc import Callable

from syncsql.algebra.sync import Points, Ticks
from syncsql.stream.names import AT
from syncsql.stream.text import Sql, listed, over

# Enough buckets that a window over one of them is small, few enough that a table of them is broadcast.
_BUCKETS = 1024


def release(
    rows: Sql,
    columns: list[str],
    points: Points,
    span: tuple[int, int],
    between: Callable[[int, int], Sql],
    column: str,
    into: str,
) -> Sql:
    """``rows`` (with these ``columns``) and ``into`` = the first point at or after ``column``, whose values are all in
    ``span`` (after, until].

    ``between`` gives the points in (after, until] as a relation with the one column ``_at``, and is only asked where
    arithmetic cannot tell. A value after the last point gets NULL."""
    if isinstance(points, Ticks):
        text = column if points.times.is_all else points.times.release_sql(f"`{column}`")
        if text is not None:
            return f"SELECT {listed(columns)}, {text} AS {into} FROM ({rows})"
    return _as_of(rows, columns, between(*span), span, column, into)


def _as_of(rows: Sql, columns: list[str], points: Sql, span: tuple[int, int], column: str, into: str) -> Sql:
    """Time is cut into buckets; within one a window finds the next point, and beyond it the first point of a later
    bucket, which a small table holds for every bucket."""
    after, until = span
    width = max(1, -(-(until - after) // _BUCKETS))
    bucket = f"CAST(floor((_t - {after}L - 1L) / {width}L) AS BIGINT) AS _b"
    points = f"SELECT *, {bucket} FROM (SELECT DISTINCT {AT} AS _t FROM ({points}))"
    firsts = (
        f"SELECT r.id AS _b, f._t FROM range(0, {_BUCKETS + 1}, 1, 1) r "
        f"LEFT JOIN (SELECT _b, min(_t) AS _t FROM ({points}) GROUP BY _b) f ON r.id = f._b"
    )
    onwards = over([], "_b DESC", "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING")
    later = f"SELECT _b, min(_t) {onwards} AS _later FROM ({firsts})"
    named = listed(f"{c} AS _c{i}" for i, c in enumerate(columns))
    operations = f"SELECT *, {bucket} FROM (SELECT {named}, {column} AS _t, FALSE AS _is FROM ({rows}))"
    nothing = listed(f"NULL AS _c{i}" for i in range(len(columns)))
    both = f"({operations}) UNION ALL (SELECT {nothing}, _t, TRUE AS _is, _b FROM ({points}))"
    inside = over(["_b"], "_t DESC", "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW")
    found = f"SELECT *, min(CASE WHEN _is THEN _t END) {inside} AS _next FROM ({both})"
    cells = listed([*(f"_c{i} AS {c}" for i, c in enumerate(columns)), f"coalesce(_next, _later) AS {into}"])
    return f"SELECT /*+ BROADCAST(l) */ {cells} FROM ({found}) f LEFT JOIN ({later}) l ON f._b = l._b WHERE NOT _is"
