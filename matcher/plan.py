"""From a normal form back to a plan, for whoever runs it: the reverse of :mod:`matcher.normal`.

Conditions stand directly above the join of all sources; pushing them down is the business of
:func:`syncsql.algebra.normalize.normalize`, as for any other query. EXISTS and NOT EXISTS are semi and anti joins again
where the condition that links them to the row around them can stand at a join.
"""

from __future__ import annotations

from dataclasses import replace

from matcher.block import Base, Block, Grouping, Over, Pair, Query, Rewritten, Source, Union, columns_of
from matcher.normal import normal_form
from syncsql.algebra.expressions import (
    Call,
    Column,
    Expr,
    Subquery,
    columns_in,
    conjunction,
    has_subquery,
    substitute,
    substitute_columns,
)
from syncsql.algebra.relations import (
    Aggregate,
    Filter,
    Join,
    JoinKind,
    Node,
    OneRow,
    Outer,
    Project,
    SetOperation,
    Windowed,
    walk,
)

_SEMI: JoinKind = "semi"
_ANTI: JoinKind = "anti"


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
    joins = {part: link for part in block.where if (link := _link(part)) is not None}
    rest = [_expr(part) for part in block.where if part not in joins]
    if rest:
        plan = Filter(plan, conjunction(rest))
    for kind, inner, condition in joins.values():
        plan = Join(kind, plan, inner, condition)
    if block.grouping is not None:
        plan = _aggregate(plan, block.grouping)
    return Project(plan, block.columns, tuple(_expr(e) for _, e in block.outputs))


def _link(part: Expr) -> tuple[JoinKind, Node, Expr] | None:
    """``part`` as a semi or anti join of the row with a relation, on the conditions that read both; None where it is
    no such thing."""
    found, kind = part, _SEMI
    if isinstance(part, Call) and part.op == "NOT":
        found, kind = part.args[0], _ANTI
    if not isinstance(found, Subquery) or found.kind != "exists":
        return None
    query = found.query if isinstance(found, Rewritten) else normal_form(found.plan)
    outer: dict[str, Expr] = {p.id: _expr(a) for p, a in zip(found.params, found.args, strict=True)}
    if not isinstance(query, Block) or query.grouping is not None or not query.sources:
        return None
    links = [e for e in query.where if columns_in(e) & outer.keys()]
    own = tuple(e for e in query.where if e not in links)
    inner = to_plan(replace(query, where=own, outputs=tuple((c, c) for c in query.rows)))
    if any(isinstance(node, Outer) for node in walk(inner)) or any(map(has_subquery, links)):
        return None
    return kind, inner, conjunction([substitute_columns(e, outer) for e in links])


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
