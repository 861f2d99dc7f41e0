"""Which relation of the view is which relation of the query.

Goldstein and Larson, section 3.1 and 3.2: every relation of the view must be one of the query's, or be joined so that
it neither adds nor removes rows. The latter is turned round: such a relation is joined to the *query*, which does not
change its answer, and then both have it. A left join of the view may be a left join of the query, an inner one (then
only the rows that found a partner are wanted), or absent (then it must not multiply rows).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from matcher.anti import as_left_join
from matcher.block import Base, Block, Derived, Grouping, LeftJoin, Source, syncs
from matcher.context import Context
from matcher.facts import equalities
from matcher.prover import Prover
from matcher.verdict import Failure, NoMatch, Step
from syncsql.algebra.expressions import Column, Expr, columns_in, substitute_columns
from syncsql.algebra.sync import Sync

_MOST = 48


@dataclass(frozen=True)
class Alignment:
    """``view`` in the columns of ``query``; ``mapped`` and ``mapped_lefts`` number the query's sources that it has.

    ``partners`` are left joins of the view that are inner ones in the query: a row without a partner is not wanted.
    """

    query: Block
    view: Block
    sync: Sync
    mapped: frozenset[int]
    mapped_lefts: frozenset[int] = frozenset()
    partners: tuple[LeftJoin, ...] = ()
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True)
class _Partial:
    query: Block
    columns: dict[str, Expr]
    mapped: frozenset[int] = frozenset()
    lefts: frozenset[int] = frozenset()
    partners: tuple[LeftJoin, ...] = ()
    steps: tuple[Step, ...] = ()


def alignments(query: Block, view: Block, context: Context) -> Iterator[Alignment | Failure]:
    """All ways, the likeliest first; failures say why a way ended."""
    count = 0
    for partial in _sources(_Partial(query, {}), view, 0, (), context):
        if isinstance(partial, _Partial):
            for done in _lefts(partial, view, 0, context):
                if isinstance(done, _Partial):
                    yield _aligned(done, view)
                else:
                    yield done
                count += 1
                if count >= _MOST:
                    return
        else:
            yield partial


def _aligned(partial: _Partial, view: Block) -> Alignment | Failure:
    sources = [partial.query.sources[i] for i in sorted(partial.mapped)]
    sources += [partial.query.lefts[i].source for i in sorted(partial.lefts)]
    found = syncs(Block(tuple(sources), ()))
    if len(found) > 1:
        names = " and ".join(sorted(s.name for s in found))
        return NoMatch(
            "TIME.PARTIAL_POINTS",
            f"the query reads these relations under different synchronization streams ({names}), so between their "
            "common points it shows states that the view never has",
            hint="use one synchronization stream for these relations, or EMIT FULL",
        )
    seen = substituted(view, partial.columns)
    return Alignment(
        partial.query, seen, found.pop(), partial.mapped, partial.lefts, partial.partners, partial.steps
    )  # fmt: skip


def substituted(block: Block, by: dict[str, Expr]) -> Block:
    """``block`` with the columns of its rows replaced; those of its grouping stay."""

    def one(expr: Expr) -> Expr:
        return substitute_columns(expr, by)

    grouping = block.grouping
    if grouping is not None:
        calls = tuple(
            (c, call if call.argument is None else replace(call, argument=one(call.argument)))
            for c, call in grouping.calls
        )
        grouping = Grouping(tuple((c, one(e)) for c, e in grouping.keys), calls, grouping.having)
    return replace(
        block,
        where=tuple(one(e) for e in block.where),
        lefts=tuple(LeftJoin(j.source, tuple(one(e) for e in j.on)) for j in block.lefts),
        outputs=block.outputs if grouping is not None else tuple((c, one(e)) for c, e in block.outputs),
        grouping=grouping,
    )


# -- inner sources ---------------------------------------------------------------------------------------------------


def _sources(
    partial: _Partial, view: Block, at: int, extra: tuple[Base, ...], context: Context
) -> Iterator[_Partial | Failure]:
    if at == len(view.sources):
        yield _extended(partial, view, extra, context)
        return
    source = view.sources[at]
    found = False
    for number, other in enumerate(partial.query.sources):
        if number in partial.mapped:
            continue
        step = _same_source(partial, number, other, source, context)
        if step is not None:
            found = True
            yield from _sources(step, view, at + 1, extra, context)
    if found:
        return
    if isinstance(source, Base):
        yield from _sources(partial, view, at + 1, (*extra, source), context)
    else:
        yield NoMatch("SHAPE.DIFFERENT", "the view has a derived table that the query does not have")


def _same_source(partial: _Partial, number: int, other: Source, source: Source, context: Context) -> _Partial | None:
    if isinstance(source, Base):
        if not isinstance(other, Base) or other.name.lower() != source.name.lower():
            return None
        columns = {c.id: other.by_place[source.place(c)] for c in source.columns if source.place(c) in other.by_place}
        return replace(partial, columns=partial.columns | columns, mapped=partial.mapped | {number})
    if not isinstance(other, Derived):
        return None
    rows = context.same_rows(other.query, source.query)
    if rows is None:
        return None
    sources = (*partial.query.sources[:number], rows.source, *partial.query.sources[number + 1 :])
    query = substituted(replace(partial.query, sources=sources), rows.columns)
    query = replace(query, where=(*query.where, *rows.where))
    return replace(partial, query=query, mapped=partial.mapped | {number})


def _extended(partial: _Partial, view: Block, extra: tuple[Base, ...], context: Context) -> _Partial | Failure:
    """The query joined with the view's further relations, each through a reference that always finds one row."""
    todo = list(extra)
    if not partial.mapped and extra:
        return NoMatch("TABLES.DIFFERENT", f"the view reads `{extra[0].name}`, which the query does not read")
    while todo:
        for source in todo:
            grown = _referenced(partial, source, view, context)
            if grown is not None:
                partial = grown
                todo.remove(source)
                break
        else:
            name = todo[0].name
            return NoMatch(
                "TABLES.EXTRA",
                f"the view joins `{name}`, which the query does not read, and no constraint says that every row finds "
                f"exactly one row of `{name}`",
                hint=f"declare a NOT NULL FOREIGN KEY to the PRIMARY KEY of `{name}`, or leave it out of the view",
            )
    return partial


def _referenced(partial: _Partial, source: Base, view: Block, context: Context) -> _Partial | None:
    """``partial`` with ``source``, where FOREIGN KEY and PRIMARY KEY say that the join finds exactly one row."""
    own = {c.id for c in source.columns}
    pairs: dict[str, Expr] = {}
    for a, b in equalities(view.where):
        for mine, theirs in ((a, b), (b, a)):
            if mine.id in own and theirs.id not in own and theirs.id in partial.columns:
                pairs[source.place(mine)] = partial.columns[theirs.id]
    prover = Prover(context.effort, context.facts.never_null(partial.query), context.name)
    for number in partial.mapped:
        referring = partial.query.sources[number]
        if not isinstance(referring, Base):
            continue
        for reference in context.facts.foreign_keys(referring):
            if reference.references.lower() != source.name.lower():
                continue
            ids = frozenset(source.by_place[t.lower()].id for t in reference.to)
            places = [(referring.by_place[c.lower()], t.lower()) for c, t in zip(reference.columns, reference.to,
                                                                                strict=True)]  # fmt: skip
            if ids not in context.facts.keys(source) or not all(
                _joins(pairs.get(t), f, partial.query) for f, t in places
            ):
                continue
            if all(prover.never_null(partial.query.where, f) for f, _ in places):
                joins = tuple(context.equation(source.by_place[t], f) for f, t in places)
                scan = replace(source.scan, sync=referring.scan.sync)
                query = replace(
                    partial.query,
                    sources=(*partial.query.sources, Base(scan)),
                    where=(*partial.query.where, *joins),
                )
                step = Step(f"`{source.name}` can be joined to the query without changing it", "FOREIGN KEY")
                return replace(
                    partial,
                    query=query,
                    columns=partial.columns | {c.id: c for c in source.columns},
                    mapped=partial.mapped | {len(query.sources) - 1},
                    steps=(*partial.steps, step),
                )
    return None


def _joins(joined: Expr | None, column: Column, query: Block) -> bool:
    """Whether the view joins on ``column``, or on one that the query makes equal to it."""
    if joined is None or joined == column:
        return joined is not None
    return any({a, b} == {joined, column} for a, b in equalities(query.where))


# -- left joins ------------------------------------------------------------------------------------------------------


def _lefts(partial: _Partial, view: Block, at: int, context: Context) -> Iterator[_Partial | Failure]:
    if at == len(view.lefts):
        yield partial
        return
    join = view.lefts[at]
    for step in _left(partial, join, context):
        if isinstance(step, _Partial):
            yield from _lefts(step, view, at + 1, context)
        else:
            yield step


def _left(partial: _Partial, join: LeftJoin, context: Context) -> Iterator[_Partial | Failure]:
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


def _without_partner(partial: _Partial, join: LeftJoin, source: Base, context: Context) -> _Partial | None:
    """The query wants the rows that find no partner: these are rows of the left join."""
    on = [substitute_columns(e, partial.columns) for e in join.on]
    same = replace(source, scan=replace(source.scan, sync=_sync(partial)))
    query = as_left_join(partial.query, same, on, context)
    if query is None:
        return None
    columns = partial.columns | {c.id: c for c in source.columns}
    return replace(partial, query=query, columns=columns, lefts=partial.lefts | {len(query.lefts) - 1})


def _sync(partial: _Partial) -> Sync:
    return next(iter(syncs(Block(tuple(partial.query.sources[i] for i in partial.mapped), ()))))


def _absent(partial: _Partial, join: LeftJoin, source: Base, context: Context) -> _Partial | Failure:
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
    added = LeftJoin(Base(replace(source.scan, sync=_sync(partial))), on)
    query = replace(partial.query, lefts=(*partial.query.lefts, added))
    return replace(
        partial,
        query=query,
        columns=partial.columns | {c.id: c for c in source.columns},
        lefts=partial.lefts | {len(query.lefts) - 1},
        steps=(*partial.steps, Step(f"the LEFT JOIN of `{source.name}` neither adds nor removes rows", "key")),
    )


def columns_in_all(parts: tuple[Expr, ...]) -> set[str]:
    return set().union(*(columns_in(p) for p in parts))


def _same_condition(query: Block, mine: tuple[Expr, ...], theirs: tuple[Expr, ...], context: Context) -> bool:
    """Whether both conditions find the same partners, for the rows that the query keeps.

    The columns of the left-joined side are nullable here, and only conditions on the inner sources are assumed."""
    inner = {c.id for s in query.sources for c in s.columns}
    given = [p for p in query.where if columns_in(p) <= inner]
    prover = Prover(context.effort, context.facts.never_null(query), context.name)
    return bool(prover.implies([*given, *mine], theirs)) and bool(prover.implies([*given, *theirs], mine))
