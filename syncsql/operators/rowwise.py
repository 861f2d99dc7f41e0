"""σ, π and ∪ of bags: each line or pair is mapped by itself, and nothing is remembered.

σ_p(R + r) = σ_p(R) + σ_p(r), π(R + r) = π(R) + π(r), and the same with −: the paper's differential equations.
"""

from __future__ import annotations

from dataclasses import replace

from syncsql.algebra.relations import Filter, Project, SetOperation
from syncsql.operators.context import Context
from syncsql.stream.flow import Carrying, Flow, render
from syncsql.stream.names import AT, NEW, OLD, WEIGHT
from syncsql.stream.text import Sql, listed, struct


def filter_flow(node: Filter, flow: Flow) -> Flow:
    predicate = render(node.predicate)

    def kept(side: str) -> str:
        return f"CASE WHEN {side} IS NOT NULL AND {render(node.predicate, f'{side}.')} THEN {side} END AS {side}"

    def pairs() -> Sql:
        both = f"SELECT {kept(OLD)}, {kept(NEW)}, {AT} FROM ({flow.pairs})"
        return f"SELECT * FROM ({both}) WHERE {OLD} IS NOT NULL OR {NEW} IS NOT NULL"

    return Flow(
        flow.columns,
        None if flow.has_pairs else lambda: f"SELECT * FROM ({flow.lines}) WHERE {predicate}",
        pairs if flow.has_pairs else None,
        lambda: f"SELECT * FROM ({flow.before}) WHERE {predicate}",
        flow.costly,
        _carried(flow, kept(OLD), kept(NEW)),
    )


def _carried(flow: Flow, old: str, new: str) -> Carrying | None:
    if flow.carrying is None:
        return None
    cells = listed([old, new, AT, *flow.carrying.columns])
    return replace(flow.carrying, pairs=f"SELECT {cells} FROM ({flow.carrying.pairs})")


def project_flow(node: Project, flow: Flow) -> Flow:
    def cells(prefix: str = "") -> list[str]:
        return [f"{render(e, prefix)} AS {c.id}" for c, e in zip(node.columns, node.expressions, strict=True)]

    def mapped(side: str) -> str:
        return f"CASE WHEN {side} IS NOT NULL THEN {struct(cells(f'{side}.'))} END AS {side}"

    return Flow(
        node.columns,
        None if flow.has_pairs else lambda: f"SELECT {listed([*cells(), WEIGHT, AT])} FROM ({flow.lines})",
        (lambda: f"SELECT {mapped(OLD)}, {mapped(NEW)}, {AT} FROM ({flow.pairs})") if flow.has_pairs else None,
        lambda: f"SELECT {listed([*cells(), WEIGHT])} FROM ({flow.before})",
        flow.costly,
        _carried(flow, mapped(OLD), mapped(NEW)),
    )


def union_flow(node: SetOperation, left: Flow, right: Flow, context: Context) -> Flow:
    """R ∪ S of bags: the lines of both."""

    def both(a: Sql, b: Sql, *rest: str) -> Sql:
        def named(flow: Flow, text: Sql) -> Sql:
            cells = [f"{i} AS {c.id}" for i, c in zip(flow.ids, node.columns, strict=True)]
            return f"SELECT {listed([*cells, *rest])} FROM ({text})"

        return context.scratch.union(named(left, a), named(right, b))

    return Flow(
        node.columns,
        lambda: both(left.lines, right.lines, WEIGHT, AT),
        None,
        lambda: both(left.before, right.before, WEIGHT),
        left.costly or right.costly,
    )
