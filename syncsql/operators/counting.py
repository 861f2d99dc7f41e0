"""DISTINCT and the set operations: functions of how often a row is there on each side.

DISTINCT: [n > 0]. INTERSECT: [l > 0 and r > 0], ALL: min(l, r). EXCEPT: [l > 0 and r = 0], ALL: max(l − r, 0). What is
remembered is the counts.
"""

from __future__ import annotations

from syncsql.algebra.relations import Distinct, Node, SetOperation
from syncsql.operators.context import Context, settled
from syncsql.operators.running import Accumulator, running
from syncsql.stream.flow import Flow
from syncsql.stream.names import AT, NEW, OLD, WEIGHT
from syncsql.stream.text import Sql, listed, struct

_SET = {
    "distinct": "IF({p}l > 0, 1L, 0L)",
    "union": "IF({p}l + {p}r > 0, 1L, 0L)",
    "intersect": "IF({p}l > 0 AND {p}r > 0, 1L, 0L)",
    "except": "IF({p}l > 0 AND {p}r = 0, 1L, 0L)",
}
_BAG = {"intersect": "least({p}l, {p}r)", "except": "greatest({p}l - {p}r, 0L)"}


def distinct_flow(node: Distinct, flow: Flow, context: Context, thin: bool) -> Flow:
    lines = _side(flow, [c.id for c in node.columns], context, left=True)
    return _counted(node, lines, _SET["distinct"], True, context, thin)


def set_flow(node: SetOperation, left: Flow, right: Flow, context: Context, thin: bool) -> Flow:
    ids = [c.id for c in node.columns]
    lines = context.scratch.union(_side(left, ids, context, left=True), _side(right, ids, context, left=False))
    return _counted(node, lines, _BAG[node.kind] if node.all else _SET[node.kind], not node.all, context, thin)


def _side(flow: Flow, ids: list[str], context: Context, left: bool) -> Sql:
    """The lines of one side under the result's column ids, counted as left or as right."""
    counts = f"{WEIGHT} AS l, 0L AS r" if left else f"0L AS l, {WEIGHT} AS r"
    cells = [f"{i} AS {o}" for i, o in zip(flow.ids, ids, strict=True)]
    return f"SELECT {listed([*cells, counts, AT])} FROM ({settled(flow, context)})"


def _counted(node: Node, lines: Sql, text: str, is_set: bool, context: Context, thin: bool) -> Flow:
    ids = [c.id for c in node.columns]
    state = context.state(ids, ["l", "r"], lines)
    counted = running(lines, ids, [Accumulator("l"), Accumulator("r")], state, context, thin)
    before_, after = text.format(p="old_"), text.format(p="new_")
    old, new = (f"CASE WHEN {count} > 0 THEN {struct(ids)} END" for count in (before_, after))

    def pairs() -> Sql:
        return f"SELECT {old} AS {OLD}, {new} AS {NEW}, {AT} FROM ({counted.rows}) WHERE {before_} <> {after}"

    def bag() -> Sql:
        cells = listed([*ids, f"{after} - {before_} AS {WEIGHT}", AT])
        return f"SELECT {cells} FROM ({counted.rows}) WHERE {before_} <> {after}"

    def before() -> Sql:
        rows = state.current()
        if rows is None:
            return f"SELECT {listed(ids)}, l AS {WEIGHT} FROM ({lines}) WHERE FALSE"
        counted_rows = f"SELECT {listed(ids)}, {text.format(p='')} AS {WEIGHT} FROM ({rows})"
        return f"SELECT * FROM ({counted_rows}) WHERE {WEIGHT} > 0"

    if is_set:
        return Flow(node.columns, None, pairs, before, carrying=counted.carrying(old, new))
    return Flow(node.columns, bag, None, before)
