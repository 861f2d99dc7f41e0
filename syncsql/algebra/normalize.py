"""Rewrites that every query goes through before it is planned; each takes a plan and gives an equal one.

The order matters: conditions are pushed down first, because a condition that has moved into a scan's filter no longer
needs its columns above the join; only then are columns that nobody reads taken out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from syncsql.algebra.expressions import (
    Expr,
    Now,
    Subquery,
    columns_in,
    conjunction,
    conjuncts,
    substitute,
    substitute_columns,
)
from syncsql.algebra.relations import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Node,
    Project,
    Scan,
    SetOperation,
    Windowed,
    expressions_of,
    with_inputs,
)
from syncsql.algebra.sync import Sync, intersection


def push_conditions(node: Node) -> Node:
    """σ moves towards the scans: σ_p(R ⋈ S) = σ_p(R) ⋈ S where p reads R alone, and the like."""
    node = with_inputs(node, tuple(push_conditions(i) for i in node.inputs))
    if isinstance(node, Filter):
        return _push(node.input, conjuncts(node.predicate))
    if isinstance(node, Join) and node.kind == "inner":
        return _push(replace(node, condition=conjunction([])), conjuncts(node.condition))
    return node


def _push(node: Node, parts: list[Expr]) -> Node:
    if not parts:
        return node
    if isinstance(node, Filter):
        return _push(node.input, [*conjuncts(node.predicate), *parts])
    if isinstance(node, Project):
        by = {c.id: e for c, e in zip(node.columns, node.expressions, strict=True)}
        return replace(node, input=_push(node.input, [substitute_columns(p, by) for p in parts]))
    if isinstance(node, Distinct):
        return replace(node, input=_push(node.input, parts))
    if isinstance(node, Aggregate):
        groups = {g.id for g in node.groups}
        down = [p for p in parts if columns_in(p) and columns_in(p) <= groups]
        rest = [p for p in parts if p not in down]
        pushed = replace(node, input=_push(node.input, down))
        return Filter(pushed, conjunction(rest)) if rest else pushed
    if isinstance(node, SetOperation) and node.kind == "union":
        sides = []
        for side in (node.left, node.right):
            by = {c.id: s for c, s in zip(node.columns, side.columns, strict=True)}
            sides.append(_push(side, [substitute_columns(p, by) for p in parts]))
        return replace(node, left=sides[0], right=sides[1])
    if isinstance(node, Join) and node.kind == "inner":
        left, right = {c.id for c in node.left.columns}, {c.id for c in node.right.columns}
        to_left = [p for p in parts if columns_in(p) <= left]
        to_right = [p for p in parts if p not in to_left and columns_in(p) <= right]
        rest = [p for p in parts if p not in to_left and p not in to_right]
        timed = [p for p in rest if any(isinstance(e, Now) for e in _walk(p))]
        condition = conjunction([*conjuncts(node.condition), *(p for p in rest if p not in timed)])
        join = Join("inner", _push(node.left, to_left), _push(node.right, to_right), condition)
        return Filter(join, conjunction(timed)) if timed else join
    return Filter(node, conjunction(parts))


def _walk(expr: Expr) -> list[Expr]:
    found: list[Expr] = []
    substitute(expr, lambda e: found.append(e))
    return found


def prune_columns(node: Node) -> Node:
    """π moves towards the scans: no relation carries a column that nothing above it reads."""
    return _prune(node, {c.id for c in node.columns})


def _prune(node: Node, wanted: set[str]) -> Node:
    if isinstance(node, Scan):
        kept = tuple(c for c in node.outputs if c.id in wanted)
        return replace(node, outputs=kept, ts=node.ts if node.ts is not None and node.ts.id in wanted else None)
    if isinstance(node, Filter):
        return replace(node, input=_prune(node.input, wanted | columns_in(node.predicate)))
    if isinstance(node, Project):
        kept_pairs = [(c, e) for c, e in zip(node.columns, node.expressions, strict=True) if c.id in wanted]
        read = set().union(*(columns_in(e) for _, e in kept_pairs))
        columns, expressions = tuple(c for c, _ in kept_pairs), tuple(e for _, e in kept_pairs)
        return Project(_prune(node.input, read), columns, expressions)
    if isinstance(node, Aggregate):
        pairs = [(c, a) for c, a in zip(node.outputs, node.calls, strict=True) if c.id in wanted]
        read = {g.id for g in node.groups}.union(*(columns_in(a.argument) for _, a in pairs))
        outputs, calls = tuple(c for c, _ in pairs), tuple(a for _, a in pairs)
        return Aggregate(_prune(node.input, read), node.groups, outputs, calls)
    if isinstance(node, Windowed):
        pairs_over = [(c, e) for c, e in zip(node.outputs, node.expressions, strict=True) if c.id in wanted]
        read = wanted.union(*(columns_in(e) for _, e in pairs_over))
        return Windowed(_prune(node.input, read), tuple(c for c, _ in pairs_over), tuple(e for _, e in pairs_over))
    if isinstance(node, Join):
        read = wanted | columns_in(node.condition)
        return replace(node, left=_prune(node.left, read), right=_prune(node.right, read))
    # DISTINCT and the set operations compare whole rows, and their columns correspond by position.
    return with_inputs(node, tuple(_prune(i, {c.id for c in i.columns}) for i in node.inputs))


RULES: tuple[Callable[[Node], Node], ...] = (push_conditions, prune_columns)


def normalize(plan: Node) -> Node:
    for rule in RULES:
        plan = rule(plan)
    return plan


def syncs_of(plan: Node) -> list[Sync]:
    """The distinct synchronization streams under which ``plan`` reads its inputs and the time."""
    found = [s for inner in plan.inputs for s in syncs_of(inner)]
    found += [plan.sync] if isinstance(plan, Scan) else []
    found += [s for expr in expressions_of(plan) for s in times_in(expr)]
    return list(dict.fromkeys(found))


def times_in(expr: Expr) -> list[Sync]:
    """The synchronization streams under which ``expr`` reads the time, and relations in its subqueries."""
    found: list[Sync] = []
    for part in _walk(expr):
        if isinstance(part, Now):
            found.append(part.sync)
        elif isinstance(part, Subquery):
            found += syncs_of(part.plan)
    return found


def keep_full_points(plan: Node) -> Node:
    """EMIT FULL (Theorem 2): at a full point ℜ_Sync_i(S_i) = R[S_i(T)] = ℜ_∩Sync(S_i), so reading every input at the
    common points gives the same answers there, and none anywhere else."""
    return at_points(plan, intersection(syncs_of(plan)))


def at_points(node: Node, sync: Sync) -> Node:
    """``node`` with every relation, and the time, read under ``sync``; in subqueries too."""

    def by(part: Expr) -> Expr | None:
        if isinstance(part, Subquery):
            return replace(part, plan=at_points(part.plan, sync), args=tuple(map(timed, part.args)))
        return Now(sync) if isinstance(part, Now) else None

    def timed(expr: Expr) -> Expr:
        return substitute(expr, by)

    node = with_inputs(node, tuple(at_points(i, sync) for i in node.inputs))
    if isinstance(node, Scan):
        return replace(node, sync=sync)
    if isinstance(node, Filter):
        return replace(node, predicate=timed(node.predicate))
    if isinstance(node, Join):
        return replace(node, condition=timed(node.condition))
    if isinstance(node, Project | Windowed):
        return replace(node, expressions=tuple(map(timed, node.expressions)))
    return node
