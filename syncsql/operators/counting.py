"""DISTINCT and the set operations: functions of how often a row is there on each side.

DISTINCT: [n > 0]. INTERSECT: [l > 0 and r > 0], ALL: min(l, r). EXCEPT: [l > 0 and r = 0], ALL: max(l − r, 0). What is
remembered is the counts.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from syncsql.algebra.relations import Distinct, Node, SetOperation
from syncsql.operators.context import Context
from syncsql.operators.running import Accumulator, running
from syncsql.stream.flow import Flow
from syncsql.stream.names import AT, NEW, OLD, WEIGHT

_SET = {
    "distinct": "IF({p}l > 0, 1L, 0L)",
    "union": "IF({p}l + {p}r > 0, 1L, 0L)",
    "intersect": "IF({p}l > 0 AND {p}r > 0, 1L, 0L)",
    "except": "IF({p}l > 0 AND {p}r = 0, 1L, 0L)",
}
_BAG = {"intersect": "least({p}l, {p}r)", "except": "greatest({p}l - {p}r, 0L)"}


def distinct_flow(node: Distinct, flow: Flow, context: Context, thin: bool) -> Flow:
    lines = _side(flow, [c.id for c in node.columns], left=True)
    return _counted(node, lines, _SET["distinct"], True, context, thin)


def set_flow(node: SetOperation, left: Flow, right: Flow, context: Context, thin: bool) -> Flow:
    ids = [c.id for c in node.columns]
    lines = _side(left, ids, left=True).union(_side(right, ids, left=False))
    return _counted(node, lines, _BAG[node.kind] if node.all else _SET[node.kind], not node.all, context, thin)


def _side(flow: Flow, ids: list[str], left: bool) -> DataFrame:
    """The lines of one side under the result's column ids, counted as left or as right."""
    here, there = F.col(WEIGHT).alias("l" if left else "r"), F.lit(0).cast("bigint").alias("r" if left else "l")
    cells = [F.col(i).alias(o) for i, o in zip(flow.ids, ids, strict=True)]
    return flow.lines.select(*cells, *((here, there) if left else (there, here)), AT)


def _counted(node: Node, lines: DataFrame, text: str, is_set: bool, context: Context, thin: bool) -> Flow:
    ids = [c.id for c in node.columns]
    state = context.state(lines.select(*ids).schema, lines.select("l", "r").schema)
    counted = running(lines, ids, [Accumulator("l"), Accumulator("r")], state, context, thin)
    counts = {"_fo": F.expr(text.format(p="old_")), "_fn": F.expr(text.format(p="new_"))}
    changed = counted.withColumns(counts).filter("_fo <> _fn")

    def pairs() -> DataFrame:
        row = f"struct({', '.join(ids)})"
        return changed.selectExpr(
            f"CASE WHEN _fo > 0 THEN {row} END AS {OLD}", f"CASE WHEN _fn > 0 THEN {row} END AS {NEW}", AT
        )

    def before() -> DataFrame:
        rows = state.current(context.session, None)
        if rows is None:
            return lines.filter("FALSE").selectExpr(*ids, f"l AS {WEIGHT}")
        return rows.withColumn(WEIGHT, F.expr(text.format(p=""))).filter(f"{WEIGHT} > 0").select(*ids, WEIGHT)

    if is_set:
        return Flow(node.columns, None, pairs, before)
    return Flow(node.columns, lambda: changed.selectExpr(*ids, f"_fn - _fo AS {WEIGHT}", AT), None, before)
