"""Nested queries that have the same rows: blocks, unions, intersections, differences and OVER queries."""

from __future__ import annotations

from matcher.block import Base, Block, Derived, Over, Pair, Query, Union, relations, with_sync
from matcher.contain import match_block
from matcher.context import Context, SameRows
from matcher.verdict import Found
from matcher.view import View
from syncsql.algebra.expressions import Expr, substitute_columns
from syncsql.algebra.scalars import OVER
from syncsql.algebra.sync import Sync


def rows_of(query: Query, view: Query, context: Context) -> SameRows | None:
    """A nested query as another nested query with the same rows, up to a filter on top; None where it is not."""
    if not isinstance(query, Block) or not isinstance(view, Block):
        return _set_rows(query, view, context)
    scan = relations(view)
    sync = scan[0].sync if scan else None
    inner = View("ν", view, view.columns)
    found = match_block(query, inner, context)
    if not isinstance(found, Found) or len(found.block.sources) != 1 or found.block.lefts or not found.exact:
        return None
    if found.always:
        return None
    block = found.block
    if block.grouping is not None or sync is None:
        return None
    source = block.sources[0]
    assert isinstance(source, Base)
    if source.scan.sync not in {s.sync for s in relations(query)}:
        return None
    # The view's own columns, in place of those of the scan that stood for it.
    own: dict[str, Expr] = {c.id: v for c, v in zip(source.columns, view.columns, strict=True)}
    columns = {c.id: substitute_columns(e, own) for c, e in block.outputs}
    where = tuple(substitute_columns(e, own) for e in block.where)
    return SameRows(Derived(with_sync(view, source.scan.sync)), columns, where)


def _set_rows(query: Query, view: Query, context: Context) -> SameRows | None:
    if isinstance(query, Union) and isinstance(view, Union):
        return _union(query, view, context)
    if isinstance(query, Pair) and isinstance(view, Pair):
        return _pair(query, view, context)
    if isinstance(query, Over) and isinstance(view, Over):
        return _over(query, view, context)
    return None


def _sync(query: Query) -> Sync | None:
    """The one synchronization stream of the query's relations, if it is one."""
    found = {s.sync for s in relations(query)}
    return found.pop() if len(found) == 1 else None


def _union(query: Union, view: Union, context: Context) -> SameRows | None:
    """Branch by branch, in any order; columns must correspond alike, and so must what is left to filter."""
    sync = _sync(query)
    if len(query.branches) != len(view.branches) or sync is None:
        return None
    todo = list(view.branches)
    columns: dict[str, Expr] | None = None
    where: frozenset[Expr] | None = None
    for branch in query.branches:
        for other in todo:
            found = _in_positions(branch, other, query, view, context)
            if found is None or (columns is not None and (columns, where) != found):
                continue
            columns, where = found
            todo.remove(other)
            break
        else:
            return None
    assert columns is not None
    assert where is not None
    return SameRows(Derived(with_sync(view, sync)), columns, tuple(sorted(where, key=str)))


def _in_positions(
    branch: Query, other: Query, query: Union, view: Union, context: Context
) -> tuple[dict[str, Expr], frozenset[Expr]] | None:
    """A branch over a branch, told in the columns of the two unions."""
    rows = context.same_rows(branch, other)
    if rows is None:
        return None
    upward: dict[str, Expr] = {i.id: o for i, o in zip(other.columns, view.columns, strict=True)}
    columns = {
        o.id: substitute_columns(rows.columns[i.id], upward) for i, o in zip(branch.columns, query.columns, strict=True)
    }
    return columns, frozenset(substitute_columns(e, upward) for e in rows.where)


def _pair(query: Pair, view: Pair, context: Context) -> SameRows | None:
    """The same operation over the same sides, column by column."""
    sync = _sync(query)
    if query.kind != view.kind or len(query.columns) != len(view.columns) or sync is None:
        return None
    by: dict[str, Expr] = {}
    for mine, theirs in ((query.left, view.left), (query.right, view.right)):
        rows = context.same_rows(mine, theirs)
        if rows is None or rows.where or len(mine.columns) != len(theirs.columns):
            return None
        for a, b in zip(mine.columns, theirs.columns, strict=True):
            if rows.columns.get(a.id) != b:
                return None
            by[a.id] = b
    # The view's condition as it is where the query reads it: the time in it is the query's too.
    there = with_sync(view, sync)
    if {substitute_columns(e, by) for e in query.on} != set(there.on):
        return None
    columns: dict[str, Expr] = dict(zip([c.id for c in query.columns], view.columns, strict=True))
    return SameRows(Derived(there), columns)


def _over(query: Over, view: Over, context: Context) -> SameRows | None:
    """The same OVER expressions over the same rows; a row lost below would change the values of the others."""
    sync = _sync(query)
    rows = context.same_rows(query.query, view.query)
    if rows is None or rows.where or sync is None:
        return None
    columns = dict(rows.columns)
    there = with_sync(view, sync)
    for column, expr in query.added:
        wanted = substitute_columns(expr, rows.columns)
        found = next((c for c, e in there.added if e == wanted and getattr(e, "op", "") == OVER), None)
        if found is None:
            return None
        columns[column.id] = found
    return SameRows(Derived(there), columns)
