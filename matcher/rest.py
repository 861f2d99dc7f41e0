"""A view's rows plus a rest that is read from the base: σ_q(R) = σ_q(V) ∪ σ_{q ∧ (v IS NOT TRUE)}(R), for V = σ_v(R).

The two parts are disjoint and complete whatever q and v are, since v is either true or not true. What is used of the
view is proved as for any other rewrite.
"""

from __future__ import annotations

from dataclasses import replace

from matcher.align import Alignment, alignments
from matcher.block import Block, Derived, Item, Query, Union, reads, with_sync
from matcher.contain import match_block
from matcher.context import Context
from matcher.verdict import Found, Step
from matcher.view import View
from syncsql.algebra.expressions import Call, Column, Expr, Literal, conjunction, infix, substitute_columns

_TRUE = Literal("TRUE", "BOOLEAN")


def with_rest(query: Block, view: View, context: Context) -> tuple[Query, Found] | None:
    """``query`` from the view's rows and the rows that the view does not have, or None."""
    if view.block.grouping is not None or view.block.lefts or query.lefts:
        return None
    rows = query if query.grouping is None else _rows_of(query)
    for aligned in alignments(rows, view.block, context):
        if not isinstance(aligned, Alignment) or len(aligned.query.sources) != len(rows.sources):
            continue
        wanted = (aligned.view if aligned.sync is None else with_sync(aligned.view, aligned.sync)).where
        # Both parts read what was aligned: a derived table of the query may have become the view's.
        same = aligned.query
        prover = context.prover(context.facts.never_null(same))
        if not wanted or prover.possible([*same.where, *wanted]):
            # Proved: the view has none of the query's rows.
            continue
        found = match_block(replace(same, where=(*same.where, *wanted)), view, context)
        if not isinstance(found, Found):
            continue
        missing = Call("NOT", ("(NOT ", ")"), (infix("<=>", conjunction(list(wanted)), _TRUE, "BOOLEAN"),), "BOOLEAN")
        others = replace(same, where=(*same.where, missing))
        columns = tuple(Column(f"{c.id}∪", c.name, c.type) for c in rows.columns)
        union = Union((found.block, others), columns)
        proof = (*found.proof, Step("the rest is what the view's conditions are not true for", "by construction"))
        made = replace(found, proof=proof)
        return (union, made) if query.grouping is None else (_regrouped(query, rows, union), made)
    return None


def _rows_of(query: Block) -> Block:
    """The rows under a grouping, with the columns that it reads."""
    assert query.grouping is not None
    arguments = [c.argument for _, c in query.grouping.calls if c.argument is not None]
    read = reads(iter([*(e for _, e in query.grouping.keys), *arguments]))
    outputs: tuple[Item, ...] = tuple((replace(c, id=f"{c.id}ρ"), c) for c in query.rows if c.id in read)
    return replace(query, grouping=None, outputs=outputs)


def _regrouped(query: Block, rows: Block, union: Union) -> Block:
    """The query's grouping over the rows of both parts."""
    grouping = query.grouping
    assert grouping is not None
    by: dict[str, Expr] = {}
    for (_, expr), column in zip(rows.outputs, union.columns, strict=True):
        assert isinstance(expr, Column)
        by[expr.id] = column
    calls = tuple(
        (c, call if call.argument is None else replace(call, argument=substitute_columns(call.argument, by)))
        for c, call in grouping.calls
    )
    keys = tuple((c, substitute_columns(e, by)) for c, e in grouping.keys)
    return Block((Derived(union),), query.outputs, grouping=replace(grouping, keys=keys, calls=calls))
