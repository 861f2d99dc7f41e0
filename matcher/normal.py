"""From a plan to its normal form, operator by operator; each case is an equation of relational algebra.

Views that a plan reads are replaced by their own definitions where that gives the same answer at every point
(Corollary 1): ``inline`` says for a scan what stands for it, or None where it must stay as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from matcher.block import Base, Block, Derived, Grouping, LeftJoin, Over, Pair, Query, Source, Union, as_block
from syncsql.algebra.expressions import (
    Call,
    Column,
    Expr,
    Subquery,
    columns_in,
    conjunction,
    conjuncts,
    infix,
    substitute_columns,
)
from syncsql.algebra.relations import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Node,
    OneRow,
    Outer,
    Project,
    Scan,
    SetOperation,
    Windowed,
)

Inline = Callable[[Scan], Query | None]


def normal_form(plan: Node, inline: Inline = lambda scan: None) -> Query:
    """The normal form of ``plan``; its columns are the plan's."""
    if isinstance(plan, Scan):
        return _scan(plan, inline)
    if isinstance(plan, OneRow | Outer):
        # The outer row's columns are free in the block, so the leaf itself has nothing to add.
        return Block((), tuple((c, c) for c in plan.columns))
    if isinstance(plan, Filter):
        return _filter(as_block(normal_form(plan.input, inline)), conjuncts(plan.predicate))
    if isinstance(plan, Project):
        return _project(as_block(normal_form(plan.input, inline)), plan)
    if isinstance(plan, Distinct):
        return distinct(as_block(normal_form(plan.input, inline)))
    if isinstance(plan, Aggregate):
        return _aggregate(_plain(as_block(normal_form(plan.input, inline))), plan)
    if isinstance(plan, SetOperation):
        return _set_operation(plan, inline)
    if isinstance(plan, Windowed):
        below = as_block(normal_form(plan.input, inline))
        return Over(below, tuple(zip(plan.outputs, plan.expressions, strict=True)))
    return _join(plan, inline)


def _scan(scan: Scan, inline: Inline) -> Query:
    inlined = inline(scan)
    if inlined is None:
        return Block((Base(scan),), tuple((c, c) for c in scan.columns))
    block = as_block(inlined)
    visible = zip(scan.outputs, block.outputs, strict=False)
    return replace(block, outputs=tuple((column, expr) for column, (_, expr) in visible))


def _by_output(block: Block) -> dict[str, Expr]:
    return {c.id: e for c, e in block.outputs}


def _filter(block: Block, parts: list[Expr]) -> Block:
    """σ_p(γ(R)) = γ(σ_p(R)) where p reads grouping columns alone; otherwise p is a HAVING."""
    by = _by_output(block)
    moved = [_as_exists(substitute_columns(p, by)) for p in parts]
    if block.grouping is None:
        return replace(block, where=(*block.where, *moved))
    keys = {c.id: e for c, e in block.grouping.keys}
    below = [p for p in moved if keys and columns_in(p) and columns_in(p) <= keys.keys()]
    above = [p for p in moved if p not in below]
    where = (*block.where, *(substitute_columns(p, keys) for p in below))
    return replace(block, where=where, grouping=replace(block.grouping, having=(*block.grouping.having, *above)))


def _project(block: Block, plan: Project) -> Block:
    by = _by_output(block)
    pairs = zip(plan.columns, plan.expressions, strict=True)
    return replace(block, outputs=tuple((c, substitute_columns(e, by)) for c, e in pairs))


def _plain(block: Block) -> Block:
    """A block without grouping: a grouped one becomes the source of a new one."""
    if block.grouping is None:
        return block
    return Block((Derived(block),), tuple((c, c) for c in block.columns))


def distinct(block: Block) -> Block:
    """δ(R) is R grouped by all its columns. After a grouping whose keys are all shown it changes nothing."""
    if block.grouping is not None:
        shown = {e.id for _, e in block.outputs if isinstance(e, Column)}
        if block.grouping.keys and {c.id for c, _ in block.grouping.keys} <= shown:
            return block
        block = _plain(block)
    # A column that stands twice is one key.
    keys: dict[Expr, Column] = {}
    for column, expr in block.outputs:
        keys.setdefault(expr, Column(f"{column.id}δ", column.name, column.type))
    outputs = tuple((column, keys[expr]) for column, expr in block.outputs)
    return replace(block, grouping=Grouping(tuple((c, e) for e, c in keys.items()), ()), outputs=outputs)


def _aggregate(block: Block, plan: Aggregate) -> Block:
    by = _by_output(block)
    keys = tuple((Column(f"{g.id}γ", g.name, g.type), by.get(g.id, g)) for g in plan.groups)
    calls = []
    for column, call in zip(plan.outputs, plan.calls, strict=True):
        argument = None if call.argument is None else substitute_columns(call.argument, by)
        calls.append((column, replace(call, argument=argument)))
    shown = tuple((g, k) for g, (k, _) in zip(plan.groups, keys, strict=True)) + tuple((c, c) for c, _ in calls)
    return replace(block, grouping=Grouping(keys, tuple(calls)), outputs=shown)


def _set_operation(plan: SetOperation, inline: Inline) -> Query:
    left, right = normal_form(plan.left, inline), normal_form(plan.right, inline)
    if plan.kind != "union":
        return Pair(f"{plan.kind}{' all' if plan.all else ''}", left, right, plan.columns)
    branches = (*_branches(left), *_branches(right))
    union = Union(branches, plan.columns)
    return union if plan.all else distinct(as_block(union))


def _branches(query: Query) -> tuple[Query, ...]:
    return query.branches if isinstance(query, Union) else (query,)


def _join(plan: Join, inline: Inline) -> Query:
    left, right = as_block(normal_form(plan.left, inline)), as_block(normal_form(plan.right, inline))
    parts = conjuncts(plan.condition)
    if plan.kind in ("semi", "anti"):
        return _filter(left, [exists(plan)])
    if plan.kind == "right":
        joined = _left_join(_plain(right), left, parts)
        order = {c.id: (c, e) for c, e in joined.outputs}
        return replace(joined, outputs=tuple(order[c.id] for c in plan.columns))
    if plan.kind == "left":
        return _left_join(_plain(left), right, parts)
    if plan.kind == "full":
        return Pair("full join", left, right, plan.columns, tuple(parts))
    left, right = _plain(left), _plain(right)
    by = _by_output(left) | _by_output(right)
    return Block(
        (*left.sources, *right.sources),
        (*left.outputs, *right.outputs),
        (*left.where, *right.where, *(substitute_columns(p, by) for p in parts)),
        (*left.lefts, *right.lefts),
    )


def _left_join(left: Block, right: Block, parts: list[Expr]) -> Block:
    """R ⟕_p σ_q(S) = R ⟕_{p ∧ q} S where S is one source whose columns are passed on as they are."""
    source: Source
    simple = len(right.sources) == 1 and not right.lefts and right.grouping is None
    if simple and all(isinstance(e, Column) for _, e in right.outputs):
        source, more, outputs = right.sources[0], right.where, right.outputs
    else:
        source, more, outputs = Derived(right), (), tuple((c, c) for c in right.columns)
    by = _by_output(left) | {c.id: e for c, e in outputs}
    on = (*(substitute_columns(p, by) for p in parts), *more)
    return replace(left, lefts=(*left.lefts, LeftJoin(source, on)), outputs=(*left.outputs, *outputs))


def exists(plan: Join) -> Expr:
    """R ⋉_p S = σ_{EXISTS (SELECT 1 FROM S WHERE p)}(R), where the subquery reads R's columns from its outer row."""
    mine = {c.id for c in plan.left.columns}
    read = sorted(columns_in(plan.condition) & mine)
    by_id = {c.id: c for c in plan.left.columns}
    params = {i: Column(f"{i}ω", by_id[i].name, by_id[i].type) for i in read}
    condition = substitute_columns(plan.condition, dict(params))
    inner: Node = plan.right
    if params:
        inner = Join("inner", inner, Outer(tuple(params.values())), conjunction([]))
    inner = Filter(inner, condition)
    found = Subquery("exists", inner, tuple(params.values()), tuple(by_id[i] for i in read), str(plan.right), "BOOLEAN")
    return Call("NOT", ("(NOT ", ")"), (found,), "BOOLEAN") if plan.kind == "anti" else found


def _as_exists(part: Expr) -> Expr:
    """x IN (SELECT y …) is true exactly when EXISTS (SELECT … WHERE y = x) is; a condition asks for no more."""
    if not isinstance(part, Subquery) or part.kind != "in":
        return part
    found = part.plan.columns[0]
    operand = Column(f"{found.id}ι", found.name, part.args[0].type)
    inner = Join("inner", part.plan, Outer((operand,)), conjunction([]))
    plan = Filter(inner, infix("=", found, operand, "BOOLEAN"))
    return Subquery("exists", plan, (operand, *part.params), part.args, part.text, "BOOLEAN")
