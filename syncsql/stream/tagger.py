"""The tagger (section 2.1): raw tuples become operations ``+``, ``u``, ``-`` of a tagged stream.

- With a key, the first tuple of a key is ``+`` and later ones are ``u``.
- With KEY NULL every tuple is ``+``.
- With OPERATION BY the source itself says ``+``, ``u`` or ``-``; what does not fit (a ``-`` or ``u`` for a key that is
  not there, a ``+`` for one that is) is rejected with its reason and changes nothing.

Tuples take effect in the order of (timestamp, arrival). One pass over each key's tuples, after its row of before.
"""

from __future__ import annotations

from collections.abc import Callable

from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, POS, PUSH, SEQ, UPDATE
from syncsql.stream.text import Sql, listed, over, quoted, struct

REASON = "_reason"
# Within one point, and over all: a window per point that is sorted so needs no sort of its own after one over all.
_HERE = f"{PUSH} ASC NULLS FIRST, {POS} ASC NULLS FIRST"
_ARRIVAL = f"{AT} ASC NULLS FIRST, {_HERE}"
_EARLIER = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
_WORDS = {
    INSERT: ("+", "i", "insert", "c", "r"),
    UPDATE: ("u", "update"),
    DELETE: ("-", "d", "delete"),
}
# Arrival as one number: pushes are numbered, and a push holds fewer than 2^40 tuples.
SEQUENCE = f"shiftleft({PUSH}, 40) + {POS} AS {SEQ}"

Union = Callable[[Sql, Sql], Sql]


def tag(
    raw: Sql, columns: list[str], key: tuple[str, ...] | None, operation: str | None, before: Sql | None, union: Union
) -> Sql:
    """The operations of ``raw`` (source columns, ``_at``, ``_push``, ``_pos``) after the relation ``before``; those of
    a stream with a key and without OPERATION BY come from :mod:`syncsql.stream.upserts`.

    The result has the log's columns and ``_reason``, which is not NULL where a tuple was rejected."""
    row = [quoted(c) for c in columns]
    lines = f"SELECT {listed([*row, AT, PUSH, POS, _said(operation)])} FROM ({raw})"
    if key is None:
        if operation is None:
            return _log(f"SELECT *, CAST(NULL AS STRING) AS {REASON} FROM ({lines})", row)
        return _bag(lines, row, before, union)
    if before is not None:
        # The row of before comes first in its key's order: an insertion at no time.
        old = f"SELECT {listed(row)}, CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), '{INSERT}'"
        lines = union(lines, f"{old} FROM ({before})")
    keys = [quoted(k) for k in key]
    return _operations(lines, row, keys)


def _said(operation: str | None) -> str:
    """The operation in our words; NULL where the source's word is none."""
    if operation is None:
        return f"'{INSERT}' AS {CHANGE}"
    cases = " ".join(f"WHEN word IN ({listed(repr(w) for w in words)}) THEN '{op}'" for op, words in _WORDS.items())
    return f"CASE {cases} END AS {CHANGE}".replace("word", f"lower(trim(CAST({quoted(operation)} AS STRING)))")


def _missing(keys: list[str]) -> str:
    return " OR ".join(f"{k} IS NULL" for k in keys)


def _operations(lines: Sql, row: list[str], keys: list[str]) -> Sql:
    order, point = over(keys, _ARRIVAL, _EARLIER), over([*keys, AT], _HERE)
    # Whatever the fate of an operation: after + the key is there, and after - it is not.
    there = f"CASE {CHANGE} WHEN '{INSERT}' THEN TRUE WHEN '{DELETE}' THEN FALSE END"
    alive = f"SELECT *, coalesce(last({there}, TRUE) {order}, FALSE) AS _alive FROM ({lines})"
    reason = (
        f"CASE WHEN {AT} IS NULL THEN NULL WHEN {CHANGE} IS NULL THEN 'UNKNOWN_OPERATION' "
        f"WHEN {_missing(keys)} THEN 'NULL_KEY' "
        f"WHEN {CHANGE} = '{INSERT}' AND _alive THEN 'KEY_EXISTS' "
        f"WHEN {CHANGE} <> '{INSERT}' AND NOT _alive THEN 'NO_SUCH_KEY' END AS {REASON}"
    )
    judged = f"SELECT *, {reason} FROM ({alive})"
    # The row that the key has after each operation that was taken, inside a struct that is NULL for the others.
    after = (
        f"CASE WHEN {REASON} IS NULL THEN struct(CASE WHEN {CHANGE} <> '{DELETE}' THEN {struct(row)} END AS row) END"
    )
    stepped = f"SELECT *, (last({after}, TRUE) {order}).row AS _was FROM ({judged})"
    later = over([*keys, AT], _HERE, "ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING")
    more = f"max(CASE WHEN {REASON} IS NULL THEN 1 END) {later} IS NULL"
    net = f"first(_was) {point} AS {BEFORE}, {REASON} IS NULL AND {more} AS {NET}"
    # A deletion shows the row that went away.
    gone = f"{REASON} IS NULL AND {CHANGE} = '{DELETE}'"
    cells = [f"IF({gone}, _was.{c}, {c}) AS {c}" for c in row]
    rest = listed([AT, PUSH, POS, CHANGE, REASON, net])
    return _log(f"SELECT * FROM (SELECT {listed(cells)}, {rest} FROM ({stepped})) WHERE {AT} IS NOT NULL", row, True)


def _bag(lines: Sql, row: list[str], before: Sql | None, union: Union) -> Sql:
    """Without a key ``-`` takes out one equal row. The number of equal rows is a walk that is reflected at zero: a
    ``-`` is rejected where the plain sum reaches a new minimum below zero."""
    step = f"CAST(CASE {CHANGE} WHEN '{INSERT}' THEN 1 WHEN '{DELETE}' THEN -1 ELSE 0 END AS BIGINT) AS _step"
    steps = f"SELECT *, {step} FROM ({lines})"
    if before is not None:
        nothing = "CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS BIGINT), CAST(NULL AS STRING)"
        steps = union(steps, f"SELECT {listed(row)}, {nothing}, count(1) FROM ({before}) GROUP BY {listed(row)}")
    here = over(row, _ARRIVAL, "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW")
    summed = f"SELECT *, sum(_step) {here} AS _sum FROM ({steps})"
    lowest = f"least(0L, min(_sum) {over(row, _ARRIVAL, _EARLIER)})"
    reason = (
        f"CASE WHEN {CHANGE} IS NULL THEN 'UNKNOWN_OPERATION' "
        f"WHEN {CHANGE} = '{UPDATE}' THEN 'UPDATE_WITHOUT_KEY' "
        f"WHEN {CHANGE} = '{DELETE}' AND _sum < _lowest THEN 'NO_SUCH_ROW' END AS {REASON}"
    )
    walked = f"SELECT *, {lowest} AS _lowest FROM ({summed})"
    return _log(f"SELECT * FROM (SELECT *, {reason} FROM ({walked})) WHERE {AT} IS NOT NULL", row)


def _log(lines: Sql, row: list[str], keyed: bool = False) -> Sql:
    net, before = (NET, [BEFORE]) if keyed else (f"TRUE AS {NET}", [])
    cells = [AT, CHANGE, SEQUENCE, net, f"TRUE AS {FULL}", *row, *before, PUSH, POS, REASON]
    return f"SELECT {listed(cells)} FROM ({lines})"
