"""From a plan to the changes of its answer over one slice: each node becomes the operator that computes it."""

from __future__ import annotations

from collections.abc import Iterable

from syncsql.algebra.expressions import Expr, Subquery, has_now, walk
from syncsql.algebra.relations import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Node,
    OneRow,
    Project,
    Scan,
    SetOperation,
    Windowed,
    expressions_of,
)
from syncsql.errors import UnsupportedError
from syncsql.operators.aggregate import aggregate_flow
from syncsql.operators.context import Context
from syncsql.operators.counting import distinct_flow, set_flow
from syncsql.operators.join import join_flow
from syncsql.operators.rowwise import filter_flow, project_flow, union_flow
from syncsql.operators.scan import scan_flow
from syncsql.operators.window import split, window_flow
from syncsql.stream.flow import Flow
from syncsql.stream.names import AT, WEIGHT

_JOINS = {"left": "LEFT", "right": "RIGHT", "full": "FULL OUTER", "semi": "SEMI", "anti": "ANTI"}
_AGGREGATES = ("count", "sum", "avg", "min", "max")


def compile_plan(node: Node, context: Context) -> Flow:
    """The changes of ``node`` over the context's slice."""
    _refuse(node)
    inputs = [compile_plan(i, context) for i in node.inputs]
    if isinstance(node, Scan):
        return scan_flow(node, context)
    if isinstance(node, Filter):
        return _filter(node, inputs[0], context)
    if isinstance(node, Project):
        _refuse_now(node.expressions, "selected")
        return project_flow(node, inputs[0])
    if isinstance(node, Join):
        if node.kind != "inner":
            raise UnsupportedError(
                "UNSUPPORTED.QUERY",
                f"{_JOINS[node.kind]} JOIN is not supported in a continuous query",
                hint="inner and cross joins are",
                about=node,
            )
        return join_flow(node, inputs[0], inputs[1], context)
    if isinstance(node, Aggregate):
        _refuse_now([c.argument for c in node.calls if c.argument is not None], "aggregated")
        return aggregate_flow(node, inputs[0], context, _thin(node))
    if isinstance(node, Distinct):
        return distinct_flow(node, inputs[0], context, _thin(node))
    if isinstance(node, SetOperation):
        if node.kind == "union" and node.all:
            return union_flow(node, inputs[0], inputs[1], context)
        return set_flow(node, inputs[0], inputs[1], context, _thin(node))
    assert isinstance(node, OneRow)
    return _one_row(node, context)


def _refuse_now(expressions: Iterable[Expr], how: str) -> None:
    for expression in expressions:
        if has_now(expression):
            raise UnsupportedError(
                "UNSUPPORTED.NOW", f"Now cannot be {how}: it is another value at every tick",
                hint="compare with it in WHERE, or select TS", about=expression,
            )  # fmt: skip


def _refuse(node: Node) -> None:
    """What the algebra can say and no operator computes yet; a view that needs it is refused when it is created."""
    for part in (p for e in expressions_of(node) for p in walk(e)):
        if isinstance(part, Subquery):
            raise UnsupportedError(
                "UNSUPPORTED.EXPRESSION", "a subquery inside an expression is not supported in a continuous query",
                hint="join with the subquery in FROM instead", about=part,
            )  # fmt: skip
    if isinstance(node, Windowed):
        raise UnsupportedError(
            "UNSUPPORTED.EXPRESSION", "an OVER window is not supported in a continuous query",
            hint="aggregate with GROUP BY and join with the result", about=node.expressions[0],
        )  # fmt: skip
    for call, column in zip(node.calls, node.outputs, strict=True) if isinstance(node, Aggregate) else ():
        if call.distinct:
            raise UnsupportedError(
                "UNSUPPORTED.AGGREGATE", f"{call} is not supported in a continuous query",
                hint="aggregate over a derived table with SELECT DISTINCT", about=column,
            )  # fmt: skip
        if call.function not in _AGGREGATES:
            raise UnsupportedError(
                "UNSUPPORTED.AGGREGATE", f"the aggregate {call} is not supported in a continuous query",
                hint="supported: COUNT, SUM, AVG, MIN, MAX", about=column,
            )  # fmt: skip


def _filter(node: Filter, flow: Flow, context: Context) -> Flow:
    if not has_now(node.predicate):
        return filter_flow(node, flow)
    for window in split(node):
        flow = window_flow(window, flow, context)
    return flow


def _thin(node: Node) -> bool:
    """Whether many changes of a group meet at one point, so that adding them up before the shuffle pays."""
    return any(isinstance(n, Scan) and not n.sync.is_clock for i in node.inputs for n in _below(i))


def _below(node: Node) -> list[Node]:
    return [node, *(n for i in node.inputs for n in _below(i))]


def _one_row(node: OneRow, context: Context) -> Flow:
    """The one row without columns is there from the first point on."""
    first = context.slice.first
    lines = f"SELECT 1L AS {WEIGHT}, {first or 0}L AS {AT}" + (" WHERE FALSE" if first is None else "")
    before = f"SELECT 1L AS {WEIGHT}" + ("" if first is None else " WHERE FALSE")
    return Flow(node.columns, lambda: lines, None, lambda: before)
