"""σ, π and ∪ of bags: each line or pair is mapped by itself, and nothing is remembered.

σ_p(R + r) = σ_p(R) + σ_p(r), π(R + r) = π(R) + π(r), and the same with −: the paper's differential equations.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from syncsql.algebra.relations import Filter, Project, SetOperation
from syncsql.stream.flow import Flow, render
from syncsql.stream.names import AT, NEW, OLD, WEIGHT


def filter_flow(node: Filter, flow: Flow) -> Flow:
    predicate = render(node.predicate)

    def pairs() -> DataFrame:
        cells = {
            side: F.expr(f"CASE WHEN {side} IS NOT NULL AND {render(node.predicate, f'{side}.')} THEN {side} END")
            for side in (OLD, NEW)
        }
        kept = flow.pairs.select(cells[OLD].alias(OLD), cells[NEW].alias(NEW), AT)
        return kept.filter(f"{OLD} IS NOT NULL OR {NEW} IS NOT NULL")

    return Flow(
        flow.columns,
        None if flow.has_pairs else lambda: flow.lines.filter(predicate),
        pairs if flow.has_pairs else None,
        lambda: flow.before.filter(predicate),
    )


def project_flow(node: Project, flow: Flow) -> Flow:
    def cells(prefix: str) -> list[str]:
        return [f"{render(e, prefix)} AS `{c.id}`" for c, e in zip(node.columns, node.expressions, strict=True)]

    def pairs() -> DataFrame:
        def side(name: str) -> str:
            fields = ", ".join(
                f"'{c.id}', {render(e, f'{name}.')}" for c, e in zip(node.columns, node.expressions, strict=True)
            )
            return f"CASE WHEN {name} IS NOT NULL THEN named_struct({fields}) END AS {name}"

        return flow.pairs.selectExpr(side(OLD), side(NEW), AT)

    return Flow(
        node.columns,
        None if flow.has_pairs else lambda: flow.lines.selectExpr(*cells(""), WEIGHT, AT),
        pairs if flow.has_pairs else None,
        lambda: flow.before.selectExpr(*cells(""), WEIGHT),
    )


def union_flow(node: SetOperation, left: Flow, right: Flow) -> Flow:
    """R ∪ S of bags: the lines of both."""

    def both(a: DataFrame, b: DataFrame) -> DataFrame:
        rest = [c for c in a.columns if c not in left.ids]
        first = a.selectExpr(*(f"`{i}` AS `{c.id}`" for i, c in zip(left.ids, node.columns, strict=True)), *rest)
        second = b.selectExpr(*(f"`{i}` AS `{c.id}`" for i, c in zip(right.ids, node.columns, strict=True)), *rest)
        return first.union(second)

    return Flow(
        node.columns,
        lambda: both(left.lines, right.lines),
        None,
        lambda: both(left.before, right.before),
    )
