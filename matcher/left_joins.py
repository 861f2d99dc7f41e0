"""Which left join of the view is which of the query's: the same one, an inner one of which only the rows with a partner
are wanted, one of which only those without a partner are, or one that the query can do without."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from matcher.anti import as_left_join
from matcher.block import Base, Block, Derived, LeftJoin
from matcher.context import Context
from matcher.facts import equalities
from matcher.partial import Partial, columns_in_all, substituted
from matcher.prover import Prover
from matcher.verdict import Failure, NoMatch, Step
from syncsql.algebra.expressions import Expr, columns_in, substitute_columns


def lefts(partial: Partial, view: Block, at: int, context: Context) -> Iterator[Partial | Failure]:
    if at == len(view.lefts):
        yield partial
        return
    join = view.lefts[at]
    for step in _left(partial, join, context):
        if isinstance(step, Partial):
            yield from lefts(step, view, at + 1, context)
        else:
            yield step


def _left(partial: Partial, join: LeftJoin, context: Context) -> Iterator[Partial | Failure]:
    source = join.source
    if not isinstance(source, Base):
        for number, theirs in enumerate(partial.query.lefts):
            if number not in partial.lefts and isinstance(theirs.source, Derived):
                rows = context.same_rows(theirs.source.query, source.query)
                if rows is not None and not rows.where:
                    lefts = (*partial.query.lefts[:number], LeftJoin(rows.source, theirs.on),
                             *partial.query.lefts[number + 1 :])  # fmt: skip
                    query = substituted(replace(partial.query, lefts=lefts), rows.columns)
                    on = tuple(substitute_columns(e, partial.columns) for e in join.on)
                    if _same_condition(query, query.lefts[number].on, on, context):
                        yield replace(partial, query=query, lefts=partial.lefts | {number})
                        return
        yield NoMatch("SHAPE.DIFFERENT", "the view has a left join with a derived table that the query does not have")
        return
    name = source.name
    for number, theirs in enumerate(partial.query.lefts):
        if number in partial.lefts or not isinstance(theirs.source, Base) or theirs.source.name.lower() != name.lower():
            continue
        columns = partial.columns | {c.id: theirs.source.by_place[source.place(c)] for c in source.columns}
        on = tuple(substitute_columns(e, columns) for e in join.on)
        if _same_condition(partial.query, theirs.on, on, context):
            yield replace(partial, columns=columns, lefts=partial.lefts | {number})
        else:
            yield NoMatch("JOIN.KIND", f"view and query LEFT JOIN `{name}` on different conditions")
    found = False
    for number, other in enumerate(partial.query.sources):
        if number in partial.mapped or not isinstance(other, Base) or other.name.lower() != name.lower():
            continue
        found = True
        columns = partial.columns | {c.id: other.by_place[source.place(c)] for c in source.columns}
        on = tuple(substitute_columns(e, columns) for e in join.on)
        partner = LeftJoin(other, on)
        yield replace(partial, columns=columns, mapped=partial.mapped | {number}, partners=(*partial.partners, partner))
    if not found:
        yield _without_partner(partial, join, source, context) or _absent(partial, join, source, context)


def _without_partner(partial: Partial, join: LeftJoin, source: Base, context: Context) -> Partial | None:
    """The query wants the rows that find no partner: these are rows of the left join."""
    on = [substitute_columns(e, partial.columns) for e in join.on]
    same = replace(source, scan=replace(source.scan, sync=partial.sync))
    query = as_left_join(partial.query, same, on, context)
    if query is None:
        return None
    columns = partial.columns | {c.id: c for c in source.columns}
    return replace(partial, query=query, columns=columns, lefts=partial.lefts | {len(query.lefts) - 1})


def _absent(partial: Partial, join: LeftJoin, source: Base, context: Context) -> Partial | Failure:
    """R ⟕ S has R's rows, each once, where S has at most one row for each: the query can have it too."""
    own = {c.id for c in source.columns}
    matched = {m.id for a, b in equalities(join.on) for m, t in ((a, b), (b, a)) if m.id in own and t.id not in own}
    if not any(key <= matched for key in context.facts.keys(source)):
        return NoMatch(
            "TABLES.EXTRA",
            f"the view LEFT JOINs `{source.name}`, which the query does not read; a row may find several rows there",
            hint=f"join on a PRIMARY KEY of `{source.name}`, or leave `{source.name}` out of the view",
        )
    on = tuple(substitute_columns(e, partial.columns) for e in join.on)
    if not columns_in_all(on) <= own | {c.id for c in partial.query.rows}:
        return NoMatch(
            "TABLES.EXTRA", f"the view LEFT JOINs `{source.name}` through a relation the query does not read"
        )
    added = LeftJoin(Base(replace(source.scan, sync=partial.sync)), on)
    query = replace(partial.query, lefts=(*partial.query.lefts, added))
    return replace(
        partial,
        query=query,
        columns=partial.columns | {c.id: c for c in source.columns},
        lefts=partial.lefts | {len(query.lefts) - 1},
        steps=(*partial.steps, Step(f"the LEFT JOIN of `{source.name}` neither adds nor removes rows", "key")),
    )


def _same_condition(query: Block, mine: tuple[Expr, ...], theirs: tuple[Expr, ...], context: Context) -> bool:
    """Whether both conditions find the same partners, for the rows that the query keeps.

    The columns of the left-joined side are nullable here, and only conditions on the inner sources are assumed."""
    inner = {c.id for s in query.sources for c in s.columns}
    given = [p for p in query.where if columns_in(p) <= inner]
    prover = Prover(context.effort, context.facts.never_null(query), context.name)
    return bool(prover.implies([*given, *mine], theirs)) and bool(prover.implies([*given, *theirs], mine))
