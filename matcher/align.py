"""Which relation of the view is which relation of the query.

Goldstein and Larson, section 3.1 and 3.2: every relation of the view must be one of the query's, or be joined so that
it neither adds nor removes rows. The latter is turned round: such a relation is joined to the *query*, which does not
change its answer, and then both have it. Left joins are told in :mod:`matcher.left_joins`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from matcher.block import Base, Block, Derived, LeftJoin, Source, syncs, what_it_is
from matcher.context import Context
from matcher.facts import equalities
from matcher.left_joins import lefts
from matcher.partial import Partial, substituted
from matcher.prover import Prover
from matcher.verdict import Failure, NoMatch, Step
from syncsql.algebra.expressions import Column, Expr
from syncsql.algebra.sync import Sync

_MOST = 48


@dataclass(frozen=True)
class Alignment:
    """``view`` in the columns of ``query``; ``mapped`` and ``mapped_lefts`` number the query's sources that it has.

    ``sync`` is the stream under which the query reads all of these, None where there are several. ``alike`` says that
    the view has several and each relation is read under the same one in both: then both show the same states between
    the common points too, and at every tick the view as it is stands for them.

    ``partners`` are left joins of the view that are inner ones in the query: a row without a partner is not wanted.
    """

    query: Block
    view: Block
    sync: Sync | None
    alike: bool
    mapped: frozenset[int]
    mapped_lefts: frozenset[int] = frozenset()
    partners: tuple[LeftJoin, ...] = ()
    steps: tuple[Step, ...] = ()


def alignments(query: Block, view: Block, context: Context) -> Iterator[Alignment | Failure]:
    """All ways, the likeliest first; failures say why a way ended."""
    count = 0
    for partial in _sources(Partial(query, {}), view, 0, (), context):
        if isinstance(partial, Partial):
            for done in lefts(partial, view, 0, context):
                if isinstance(done, Partial):
                    yield _aligned(done, view)
                else:
                    yield done
                count += 1
                if count >= _MOST:
                    return
        else:
            yield partial


def _aligned(partial: Partial, view: Block) -> Alignment | Failure:
    sources = [partial.query.sources[i] for i in sorted(partial.mapped)]
    sources += [partial.query.lefts[i].source for i in sorted(partial.lefts)]
    found = syncs(Block(tuple(sources), ()))
    if not found:
        return NoMatch("TABLES.DIFFERENT", "the view reads no relation here: it is a row of constants")
    alike = _alike(partial, view)
    if len(found) > 1 and not alike:
        names = " and ".join(sorted(s.name for s in found))
        return NoMatch(
            "TIME.PARTIAL_POINTS",
            f"the query reads these relations under different synchronization streams ({names}), so between their "
            "common points it shows states that the view never has",
            hint="use one synchronization stream for these relations, or EMIT FULL",
        )
    seen = substituted(view, partial.columns)
    sync = found.pop() if len(found) == 1 else None
    return Alignment(
        partial.query, seen, sync, alike, partial.mapped, partial.lefts, partial.partners, partial.steps
    )  # fmt: skip


def _alike(partial: Partial, view: Block) -> bool:
    """Whether the view has several streams, and the query reads every relation of it under the same one."""
    if len(syncs(view)) < 2:
        return False
    home = {c.id: s.scan.sync for s in partial.query.all_sources if isinstance(s, Base) for c in s.columns}
    for source in view.all_sources:
        if not isinstance(source, Base):
            return False
        places = (partial.columns.get(c.id) for c in source.columns)
        if {home.get(p.id) for p in places if isinstance(p, Column)} != {source.scan.sync}:
            return False
    return True


# -- inner sources ---------------------------------------------------------------------------------------------------


def _sources(
    partial: Partial, view: Block, at: int, extra: tuple[Base, ...], context: Context
) -> Iterator[Partial | Failure]:
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
        yield NoMatch("SHAPE.DIFFERENT", f"the view has {what_it_is(source.query)} that the query does not have")


def _same_source(partial: Partial, number: int, other: Source, source: Source, context: Context) -> Partial | None:
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


def _extended(partial: Partial, view: Block, extra: tuple[Base, ...], context: Context) -> Partial | Failure:
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


def _referenced(partial: Partial, source: Base, view: Block, context: Context) -> Partial | None:
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
