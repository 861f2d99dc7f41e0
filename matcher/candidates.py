"""The covering views to try for a set of queries, each with what it is expected to save.

Members of one shape are clustered, and each cluster gives a view of rows and, where all group, one of groups. Parts of
queries that no such view has (set operations, full joins, OVER, derived tables over them) are shared where several
queries have the very same.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from matcher.block import Base, Block, Derived, Query, parts, relations, syncs, with_sync
from matcher.clusters import Cluster, clusters
from matcher.context import Context
from matcher.cost import Estimator
from matcher.cover import groups_view, rows_view
from matcher.fingerprint import fingerprint
from matcher.joined import Joiner
from matcher.members import Member, members
from matcher.rewrite import nondeterministic
from syncsql.algebra.relations import Scan
from syncsql.algebra.sync import CLOCK, Sync

_NAME = "cover"


@dataclass(frozen=True)
class Candidate:
    """``query`` is read at every tick, to be put under a stream that covers ``syncs``; without syncs it is as it is.

    ``drops`` says by how much the cost of each query is expected to fall."""

    query: Query
    tables: tuple[str, ...]
    syncs: tuple[Sync, ...]
    size: float
    drops: Mapping[int, float]


def candidates(queries: Sequence[Query], estimator: Estimator, context: Context) -> list[Candidate]:
    found = list(_same_parts(queries, estimator))
    for alike in _shapes(queries):
        prover = context.prover(frozenset().union(*(context.facts.not_null(s) for s in alike[0].sources)))
        present = context.prover(frozenset(c.id for s in alike[0].all_sources for c in s.columns))
        for cluster in clusters(alike, Joiner(prover, present)):
            views = [groups_view(cluster.members, cluster.predicate, prover),
                     rows_view(cluster.members, cluster.predicate, prover)]  # fmt: skip
            found += [_candidate(cluster, view, estimator) for view in views if view is not None]
    return found


def _shapes(queries: Sequence[Query]) -> list[list[Member]]:
    """The members of several queries by shape; what a larger join of the very same queries has in it is left to it."""
    shapes: dict[str, list[Member]] = {}
    for number, query in enumerate(queries):
        for member in members(number, query):
            shapes.setdefault(member.shape, []).append(member)
    several = [found for found in shapes.values() if len({m.query for m in found}) > 1]
    kept: list[list[Member]] = []
    for alike in sorted(several, key=lambda found: -len(found[0].all_sources)):
        if not any(all(_inside(m, larger) for m in alike) for larger in kept):
            kept.append(alike)
    return kept


def _inside(member: Member, larger: Sequence[Member]) -> bool:
    same = (m for m in larger if m.query == member.query and m.part is member.part)
    return any(member.taken <= m.taken and len(member.lefts) <= len(m.lefts) for m in same)


def _candidate(cluster: Cluster, view: Block, estimator: Estimator) -> Candidate:
    size = estimator.size(view)
    priced = replace(estimator, known=ChainMap({_NAME: size}, dict(estimator.known)))
    drops: dict[int, float] = {}
    for member in cluster.members:
        drop = estimator.cost(member.part).total - priced.cost(_expected(member, view)).total
        drops[member.query] = max(drop, drops.get(member.query, 0.0))
    tables = tuple(s.name for s in cluster.members[0].all_sources)
    return Candidate(view, tables, _distinct(m.sync for m in cluster.members), size, drops)


def _expected(member: Member, view: Block) -> Block:
    """What the member's block would be over the view, as far as its cost is concerned."""
    part = member.part
    kept = set(view.where)
    sources = (_scan(), *(s for i, s in enumerate(part.sources) if i not in member.taken))
    where = tuple(c for c, mine in member.conditions if mine is None or mine not in kept)
    alike = view.grouping is not None and set(member.keys) == {e for _, e in view.grouping.keys}
    return replace(
        part, sources=sources, where=where, lefts=() if member.lefts else part.lefts,
        grouping=None if alike else part.grouping,
    )  # fmt: skip


def _scan() -> Base:
    return Base(Scan(_NAME, "view", CLOCK, (), None, None, False))


# -- parts that are the same -----------------------------------------------------------------------------------------


def _same_parts(queries: Sequence[Query], estimator: Estimator) -> Iterator[Candidate]:
    found: dict[str, list[tuple[int, Query]]] = {}
    for number, query in enumerate(queries):
        for part in _nested(query):
            if not _of_relations(part) and not nondeterministic(part):
                timeless = with_sync(part, CLOCK) if len(syncs(part)) == 1 else part
                found.setdefault(fingerprint(timeless), []).append((number, part))
    for alike in found.values():
        part = alike[0][1]
        if len({number for number, _ in alike}) > 1:
            size = estimator.size(part)
            drop = (
                estimator.cost(part).total - replace(estimator, known={_NAME: size}).cost(Block((_scan(),), ())).total
            )
            one_sync = len(syncs(part)) == 1
            yield Candidate(
                with_sync(part, CLOCK) if one_sync else part,
                tuple(dict.fromkeys(s.name for s in relations(part, subqueries=False))),
                _distinct(s for _, p in alike for s in syncs(p)) if one_sync else (),
                size,
                dict.fromkeys((number for number, _ in alike), drop),
            )


def _nested(query: Query) -> Iterator[Query]:
    """``query`` and what it reads from; subqueries, which may read columns of a row around them, are left out."""
    yield query
    for inner in parts(query):
        yield from _nested(inner)


def _of_relations(part: Query) -> bool:
    return isinstance(part, Block) and not any(isinstance(s, Derived) for s in part.all_sources)


def _distinct(found: Iterator[Sync]) -> tuple[Sync, ...]:
    return tuple(sorted(set(found), key=lambda s: (s.name.lower(), str(s.points))))
