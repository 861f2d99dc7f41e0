"""R ▷_p S = π_R σ_{s IS NULL}(R ⟕_p S) where s is never NULL in a partner: from left to right and back.

In normal form it is NOT EXISTS, however it was written. A view that has R ⟕ S answers it as well, so for such a view
the query is turned into a left join again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from matcher.block import Base, Block, LeftJoin, expressions, reads
from matcher.context import Context
from matcher.facts import Facts
from matcher.fingerprint import subquery_name
from matcher.normal import exists
from matcher.plan import to_plan
from matcher.prover import Effort, Prover
from syncsql.algebra.expressions import Call, Column, Expr, Subquery, conjunction
from syncsql.algebra.relations import Join, Outer


def as_not_exists(query: Block, join: LeftJoin, facts: Facts, effort: Effort) -> Block:
    """``query`` with NOT EXISTS instead of ``join``, where it wants only rows without a partner; else as it is."""
    own = {c.id for c in join.source.columns}
    prover = Prover(effort, facts.never_null(query) | facts.not_null(join.source), subquery_name)
    tests = [p for p in query.where if (c := _null(p)) and c.id in own and prover.never_null(join.on, c)]
    lefts = tuple(j for j in query.lefts if j is not join)
    rest = replace(query, lefts=lefts, where=tuple(p for p in query.where if p not in tests))
    if not tests or own & reads(expressions(rest)):
        return query
    return replace(rest, where=(*rest.where, _not_exists(query, join)))


def as_left_join(query: Block, source: Base, on: Sequence[Expr], context: Context) -> Block | None:
    """``query`` with a left join with ``source`` instead of the same NOT EXISTS, or None where it has none such."""
    join = LeftJoin(source, tuple(on))
    wanted = _not_exists(query, join)
    found = next((p for p in query.where if _named(p) == _named(wanted)), None)
    if found is None:
        return None
    prover = context.prover(context.facts.never_null(query) | context.facts.not_null(source))
    marker = next((c for c in source.columns if prover.never_null(on, c)), None)
    if marker is None:
        return None
    alone = Call("IS NULL", ("(", " IS NULL)"), (marker,), "BOOLEAN")
    where = tuple(p for p in query.where if p is not found)
    return replace(query, lefts=(*query.lefts, join), where=(*where, alone))


def _null(part: Expr) -> Column | None:
    """The column that a condition wants to be NULL."""
    operand = part.args[0] if isinstance(part, Call) and part.op == "IS NULL" else None
    return operand if isinstance(operand, Column) else None


def _not_exists(query: Block, join: LeftJoin) -> Expr:
    own = {c.id for c in join.source.columns}
    outer = Outer(tuple(c for c in query.rows if c.id not in own))
    plan = join.source.scan if isinstance(join.source, Base) else to_plan(join.source.query)
    return exists(Join("anti", outer, plan, conjunction(list(join.on))))


def _named(part: Expr) -> tuple[str, tuple[Expr, ...]] | None:
    """What tells one NOT EXISTS from another: its query, and the columns of the outer row that it reads."""
    inner = part.args[0] if isinstance(part, Call) and part.op == "NOT" else None
    return (subquery_name(inner), inner.args) if isinstance(inner, Subquery) and inner.kind == "exists" else None
