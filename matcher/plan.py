"""From a normal form back to a plan, for whoever runs it: the reverse of :mod:`matcher.normal`.

Conditions stand directly above the join of all sources; pushing them down is the business of
:func:`syncsql.algebra.normalize.normalize`, as for any other query.
"""

from __future__ import annotations

from matcher.block import Base, Block, Grouping, Over, Pair, Query, Rewritten, Source, Union, columns_of
from syncsql.algebra.expressions import Column, Expr, Subquery, conjunction, substitute
from syncsql.algebra.relations import (
    Aggregate,
    Filter,
    Join,
    Node,
    OneRow,
    Outer,
    Project,
    SetOperation,
    Windowed,
)


def to_plan(query: Query) -> Node:
    """A plan with the columns of ``query``."""
    if isinstance(query, Union):
        plan = to_plan(query.branches[0])
        for branch in query.branches[1:]:
            plan = SetOperation("union", True, plan, to_plan(branch), query.columns)
        return plan
    if isinstance(query, Pair):
        left, right = to_plan(query.left), to_plan(query.right)
        if query.kind == "full join":
            return _selected(Join("full", left, right, conjunction(list(query.on))), query.columns)
        kind, _, all_ = query.kind.partition(" ")
        return SetOperation(kind, bool(all_), left, right, query.columns)  # type: ignore[arg-type]
    if isinstance(query, Over):
        columns, expressions = (tuple(part) for part in zip(*query.added, strict=True))
        return Windowed(to_plan(query.query), columns, expressions)
    return _block(query)


def _source(source: Source) -> Node:
    return source.scan if isinstance(source, Base) else to_plan(source.query)


def _block(block: Block) -> Node:
    plan: Node = OneRow()
    for number, source in enumerate(block.sources):
        plan = _source(source) if number == 0 else Join("inner", plan, _source(source), conjunction([]))
    for join in block.lefts:
        plan = Join("left", plan, _source(join.source), conjunction([_expr(e) for e in join.on]))
    free = {c.id: c for e in _read(block) for c in columns_of(e)}
    have = {c.id for c in plan.columns} | _grouped(block.grouping)
    outer = tuple(c for i, c in free.items() if i not in have)
    if outer:
        # Columns of the query around this one: they come in through the outer row.
        plan = Join("inner", plan, Outer(outer), conjunction([])) if block.all_sources else Outer(outer)
    if block.where:
        plan = Filter(plan, conjunction([_expr(e) for e in block.where]))
    if block.grouping is not None:
        plan = _aggregate(plan, block.grouping)
    return Project(plan, block.columns, tuple(_expr(e) for _, e in block.outputs))


def _aggregate(plan: Node, grouping: Grouping) -> Node:
    kept = plan.columns
    if grouping.keys:
        keys = tuple(c for c, _ in grouping.keys)
        plan = Project(plan, (*kept, *keys), (*kept, *(_expr(e) for _, e in grouping.keys)))
    groups = tuple(c for c, _ in grouping.keys)
    plan = Aggregate(plan, groups, tuple(c for c, _ in grouping.calls), tuple(call for _, call in grouping.calls))
    return Filter(plan, conjunction([_expr(e) for e in grouping.having])) if grouping.having else plan


def _selected(plan: Node, columns: tuple[Column, ...]) -> Node:
    return plan if plan.columns == columns else Project(plan, columns, columns)


def _grouped(grouping: Grouping | None) -> set[str]:
    return set() if grouping is None else {c.id for c, _ in (*grouping.keys, *grouping.calls)}


def _read(block: Block) -> list[Expr]:
    found = [*block.where, *(e for j in block.lefts for e in j.on), *(e for _, e in block.outputs)]
    if block.grouping is not None:
        found += [e for _, e in block.grouping.keys]
        found += [c.argument for _, c in block.grouping.calls if c.argument is not None]
    return found


def _expr(expr: Expr) -> Expr:
    """``expr`` with the plans of subqueries that were rewritten."""

    def by(part: Expr) -> Expr | None:
        if not isinstance(part, Rewritten):
            return None
        args = tuple(_expr(a) for a in part.args)
        return Subquery(part.kind, to_plan(part.query), part.params, args, part.text, part.type)

    return substitute(expr, by)
