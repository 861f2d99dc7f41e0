"""The tagger (section 2.1): raw tuples become operations ``+``, ``u``, ``-`` of a tagged stream.

- With a key, the first tuple of a key is ``+`` and later ones are ``u``.
- With KEY NULL every tuple is ``+``.
- With OPERATION BY the source itself says ``+``, ``u`` or ``-``; what does not fit (a ``-`` or ``u`` for a key that is
  not there, a ``+`` for one that is) is rejected with its reason and changes nothing.

Tuples take effect in the order of (timestamp, arrival). One pass over each key's tuples, after its row of before.
"""

from __future__ import annotations

from pyspark.sql import Column, DataFrame, Window, WindowSpec
from pyspark.sql import functions as F

from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, POS, PUSH, SEQ, UPDATE, quoted

REASON = "_reason"
_ORDER = (AT, PUSH, POS)
_WORDS = {
    "+": INSERT, "i": INSERT, "insert": INSERT, "c": INSERT, "r": INSERT,
    "u": UPDATE, "update": UPDATE, "-": DELETE, "d": DELETE, "delete": DELETE,
}  # fmt: skip


def tag(
    raw: DataFrame, columns: list[str], key: tuple[str, ...] | None, operation: str | None, before: DataFrame | None
) -> DataFrame:
    """The operations of ``raw`` (source columns, ``_at``, ``_push``, ``_pos``) after the relation ``before``.

    The result has the log's columns and ``_reason``, which is not NULL where a tuple was rejected."""
    if operation is not None:
        raw = raw.withColumn(CHANGE, _said(operation))
    if key is None:
        if operation is None:
            return _log(raw.withColumn(CHANGE, F.lit(INSERT)).withColumn(REASON, _none()), columns)
        return _bag(raw, columns, before)
    missing = _any_null(key)
    if before is not None:
        # The row of before comes first in its key's order: an insertion at no time.
        raw = raw.unionByName(before.select(*(F.col(quoted(c)) for c in columns)), allowMissingColumns=True)
    return _upserts(raw, columns, key, missing) if operation is None else _operations(raw, columns, key, missing)


def _said(operation: str) -> Column:
    """The operation in our words; NULL where the source's word is none."""
    word = F.lower(F.trim(F.col(quoted(operation)).cast("string")))
    mapping = F.create_map(*(F.lit(x) for pair in _WORDS.items() for x in pair))
    return F.try_element_at(mapping, word)


def _in_order(key: tuple[str, ...]) -> WindowSpec:
    return Window.partitionBy(*(quoted(k) for k in key)).orderBy(*(F.col(c).asc_nulls_first() for c in _ORDER))


def _at_point(key: tuple[str, ...]) -> WindowSpec:
    """The tuples of a key at one point. The order that :func:`_in_order` sorts by serves it too."""
    return Window.partitionBy(*(quoted(k) for k in key), AT).orderBy(*(F.col(c).asc_nulls_first() for c in _ORDER))


def _upserts(lines: DataFrame, columns: list[str], key: tuple[str, ...], missing: Column) -> DataFrame:
    order, point = _in_order(key), _at_point(key)
    lines = lines.withColumns(
        # Single columns instead of a struct: only they, not a second copy of the row, go through the shuffle.
        {f"_was{i}": F.lag(quoted(c)).over(order) for i, c in enumerate(columns)}
        | {"_first": F.row_number().over(order) == 1}
    )
    was = F.when(~F.col("_first"), F.struct(*(F.col(f"_was{i}").alias(c) for i, c in enumerate(columns))))
    lines = lines.withColumn(CHANGE, F.when(F.col("_first"), INSERT).otherwise(UPDATE))
    lines = lines.withColumn("_was", was).withColumns(
        {BEFORE: F.first("_was").over(point), NET: F.lead(F.lit(1)).over(point).isNull()}
    )
    reason = F.when(missing, "NULL_KEY")
    return _log(lines.filter(F.col(AT).isNotNull()).withColumn(REASON, reason), columns, keyed=True)


def _operations(lines: DataFrame, columns: list[str], key: tuple[str, ...], missing: Column) -> DataFrame:
    order, point = _in_order(key), _at_point(key)
    earlier = order.rowsBetween(Window.unboundedPreceding, -1)
    said = F.when(F.col(AT).isNull(), INSERT).otherwise(F.col(CHANGE))
    # Whatever the fate of an operation: after + the key is there, and after - it is not.
    there = F.when(said == INSERT, True).when(said == DELETE, False)
    lines = lines.withColumn(CHANGE, said)
    lines = lines.withColumn("_alive", F.coalesce(F.last(there, ignorenulls=True).over(earlier), F.lit(False)))
    reason = (
        F.when(F.col(AT).isNull(), None)
        .when(F.col(CHANGE).isNull(), "UNKNOWN_OPERATION")
        .when(missing, "NULL_KEY")
        .when((F.col(CHANGE) == INSERT) & F.col("_alive"), "KEY_EXISTS")
        .when((F.col(CHANGE) != INSERT) & ~F.col("_alive"), "NO_SUCH_KEY")
    )
    lines = lines.withColumn(REASON, reason)
    taken = F.col(REASON).isNull()
    # The row that the key has after each operation that was taken, inside a struct that is NULL for the others.
    row = F.struct(*(F.col(quoted(c)) for c in columns))
    after = F.when(taken, F.struct(F.when(F.col(CHANGE) != DELETE, row).alias("row")))
    lines = lines.withColumn("_was", F.last(after, ignorenulls=True).over(earlier)["row"])
    later = point.rowsBetween(1, Window.unboundedFollowing)
    lines = lines.withColumns(
        {BEFORE: F.first("_was").over(point), NET: taken & F.max(F.when(taken, 1)).over(later).isNull()}
    )
    # A deletion shows the row that went away.
    gone = taken & (F.col(CHANGE) == DELETE)
    lines = lines.withColumns({c: F.when(gone, F.col("_was")[c]).otherwise(F.col(quoted(c))) for c in columns})
    return _log(lines.filter(F.col(AT).isNotNull()), columns, keyed=True)


def _bag(tagged: DataFrame, columns: list[str], before: DataFrame | None) -> DataFrame:
    """Without a key ``-`` takes out one equal row. The number of equal rows is a walk that is reflected at zero: a
    ``-`` is rejected where the plain sum reaches a new minimum below zero."""
    step = F.when(F.col(CHANGE) == INSERT, 1).when(F.col(CHANGE) == DELETE, -1).otherwise(0)
    lines = tagged.withColumn("_step", step)
    if before is not None:
        cells = [F.col(quoted(c)) for c in columns]
        old = before.groupBy(*cells).agg(F.count(F.lit(1)).cast("int").alias("_step"))
        lines = lines.unionByName(old, allowMissingColumns=True)
    order = Window.partitionBy(*(quoted(c) for c in columns)).orderBy(*(F.col(c).asc_nulls_first() for c in _ORDER))
    lines = lines.withColumn("_sum", F.sum("_step").over(order.rowsBetween(Window.unboundedPreceding, 0)))
    lowest = F.least(F.lit(0), F.min("_sum").over(order.rowsBetween(Window.unboundedPreceding, -1)))
    reason = (
        F.when(F.col(CHANGE).isNull(), "UNKNOWN_OPERATION")
        .when(F.col(CHANGE) == UPDATE, "UPDATE_WITHOUT_KEY")
        .when((F.col(CHANGE) == DELETE) & (F.col("_sum") < lowest), "NO_SUCH_ROW")
    )
    return _log(lines.withColumn(REASON, reason).filter(F.col(AT).isNotNull()), columns)


def _log(lines: DataFrame, columns: list[str], keyed: bool = False) -> DataFrame:
    net, before = (F.col(NET), [F.col(BEFORE)]) if keyed else (F.lit(True).alias(NET), [])
    return lines.select(
        AT, CHANGE, _sequence().alias(SEQ), net, F.lit(True).alias(FULL), *(F.col(quoted(c)) for c in columns),
        *before, PUSH, POS, REASON,
    )  # fmt: skip


def _sequence() -> Column:
    """Arrival as one number: pushes are numbered, and a push holds fewer than 2^40 tuples."""
    return F.shiftleft(F.col(PUSH), 40) + F.col(POS)


def _any_null(key: tuple[str, ...]) -> Column:
    missing = F.lit(False)
    for k in key:
        missing = missing | F.col(quoted(k)).isNull()
    return missing


def _none() -> Column:
    return F.lit(None).cast("string")
