"""ξ (section 4.2.1): the net changes of an answer, as the operations of its stream.

With a key a change is one insert, update or delete per key and point; without one it is deleted and inserted rows.
"""

from __future__ import annotations

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from syncsql.algebra.expressions import Column
from syncsql.algebra.keys import Key
from syncsql.algebra.sync import Points, Sync, Ticks
from syncsql.operators.context import Context
from syncsql.stream.flow import Flow, consolidate
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, NEW, OLD, SEQ, UPDATE, WEIGHT, quoted


def emit(
    flow: Flow, columns: tuple[Column, ...], names: list[str], key: Key | None, syncs: list[Sync], context: Context
) -> DataFrame:
    """The lines of the stream's log; ``names`` are the columns' names in the log, in the order of ``columns``."""
    named = dict(zip([c.id for c in columns], names, strict=True))
    if key is None:
        log = _bag(flow, named)
    else:
        pairs = flow.pairs if flow.has_pairs else _paired(flow, [c.id for c in key])
        log = _keyed(pairs, named)
    return _with_full(log, syncs, context).select(
        AT, CHANGE, SEQ, NET, FULL, *(F.col(quoted(n)) for n in names), *([] if key is None else [F.col(BEFORE)])
    )


def _bag(flow: Flow, named: dict[str, str]) -> DataFrame:
    """A line for each row that came or went, as many times as it did."""
    lines = consolidate(flow.lines, flow.ids)
    lines = lines.withColumn(SEQ, F.explode(F.expr(f"sequence(1L, abs({WEIGHT}))")))
    change = F.when(F.col(WEIGHT) > 0, INSERT).otherwise(DELETE)
    cells = [F.col(f"`{i}`").alias(n) for i, n in named.items()]
    return lines.select(AT, change.alias(CHANGE), SEQ, F.lit(True).alias(NET), *cells)


def _paired(flow: Flow, key: list[str]) -> DataFrame:
    """Lines as pairs: of a key there is at most one row before a point, and one after."""
    lines = consolidate(flow.lines, flow.ids)
    row = F.struct(*(F.col(f"`{i}`") for i in flow.ids))
    grouped = lines.groupBy(*(f"`{k}`" for k in key), AT) if key else lines.groupBy(AT)
    return grouped.agg(
        F.first(F.when(F.col(WEIGHT) < 0, row), ignorenulls=True).alias(OLD),
        F.first(F.when(F.col(WEIGHT) > 0, row), ignorenulls=True).alias(NEW),
    ).select(OLD, NEW, AT)


def _keyed(pairs: DataFrame, named: dict[str, str]) -> DataFrame:
    pairs = pairs.filter(f"NOT ({OLD} <=> {NEW})")
    change = F.when(F.col(OLD).isNull(), INSERT).when(F.col(NEW).isNull(), DELETE).otherwise(UPDATE)

    def cell(side: str, id_: str) -> SparkColumn:
        return F.col(f"{side}.`{id_}`")

    row = [F.coalesce(F.col(NEW), F.col(OLD))[i].alias(n) for i, n in named.items()]
    before = F.when(F.col(OLD).isNotNull(), F.struct(*(cell(OLD, i).alias(n) for i, n in named.items())))
    return pairs.select(
        AT, change.alias(CHANGE), F.lit(0).cast("bigint").alias(SEQ), F.lit(True).alias(NET), *row, before.alias(BEFORE)
    )


def _with_full(log: DataFrame, syncs: list[Sync], context: Context) -> DataFrame:
    """A point is full where every input is synchronized (Proposition 2)."""
    full = F.lit(True)
    for number, sync in enumerate(syncs):
        text = _contains(sync.points)
        if text is None:
            name = f"_p{number}"
            points = context.points_between(sync.points, context.slice.start, context.slice.end)
            points = points.select(F.col(AT).alias(name)).distinct()
            log = log.join(points, F.col(AT) == F.col(name), "left")
            full = full & F.col(name).isNotNull()
        else:
            full = full & F.expr(text)
    return log.withColumn(FULL, full)


def _contains(points: Points) -> str | None:
    return points.times.contains_sql(AT) if isinstance(points, Ticks) else None
