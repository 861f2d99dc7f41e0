"""Left joins that are others: R ⟕ S = R ⋈ S where the conditions above are never true for a row without a partner, or
where a reference says that every row has one; R ▷ S where they are true only for such a row (:mod:`matcher.anti`)."""

from __future__ import annotations

from dataclasses import replace

from matcher.anti import as_not_exists
from matcher.block import Base, Block, Derived, LeftJoin, Over, Pair, Query, Union
from matcher.facts import Facts, equalities
from matcher.fingerprint import subquery_name
from matcher.prover import Effort, Prover
from syncsql.algebra.expressions import Expr, Literal, substitute_columns


def simplify(query: Query, facts: Facts, effort: Effort) -> Query:
    """``query`` with every left join that is another join made that, nested queries included."""
    if isinstance(query, Union):
        return replace(query, branches=tuple(simplify(b, facts, effort) for b in query.branches))
    if isinstance(query, Pair):
        return replace(query, left=simplify(query.left, facts, effort), right=simplify(query.right, facts, effort))
    if isinstance(query, Over):
        inner = simplify(query.query, facts, effort)
        assert isinstance(inner, Block)
        return replace(query, query=inner)
    sources = tuple(Derived(simplify(s.query, facts, effort)) if isinstance(s, Derived) else s for s in query.sources)
    query = replace(query, sources=sources)
    for join in query.lefts:
        if _rejects_nulls(query, join, facts, effort) or _always_finds(query, join, facts, effort):
            query = replace(
                query,
                sources=(*query.sources, join.source),
                lefts=tuple(j for j in query.lefts if j is not join),
                where=(*query.where, *join.on),
            )
        else:
            query = as_not_exists(query, join, facts, effort)
    return query


def _rejects_nulls(query: Block, join: LeftJoin, facts: Facts, effort: Effort) -> bool:
    """Whether the conditions above can never be true with NULLs in place of the joined side."""
    own = {c.id for c in join.source.columns}
    nulls: dict[str, Expr] = {c.id: Literal("NULL", "VOID") for c in join.source.columns}
    padded = [substitute_columns(p, nulls) for p in query.where]
    if padded == list(query.where):
        return False
    prover = Prover(effort, facts.never_null(query) - own, subquery_name)
    return bool(prover.possible(padded))


def _always_finds(query: Block, join: LeftJoin, facts: Facts, effort: Effort) -> bool:
    """Whether the join follows a reference that is never NULL: then every row has exactly one partner."""
    source = join.source
    if not isinstance(source, Base):
        return False
    pairs = set()
    for a, b in equalities(join.on):
        pairs |= {(a, b), (b, a)}
    for other in query.sources:
        # A reference holds between relations of one point in time.
        if not isinstance(other, Base) or other.scan.sync != source.scan.sync:
            continue
        for reference in facts.foreign_keys(other):
            if reference.references.lower() != source.name.lower() or len(join.on) != len(reference.columns):
                continue
            mine = [other.by_place[c.lower()] for c in reference.columns]
            theirs = [source.by_place[c.lower()] for c in reference.to]
            if all((m, t) in pairs for m, t in zip(mine, theirs, strict=True)):
                prover = Prover(effort, facts.never_null(query), subquery_name)
                if all(prover.never_null(query.where, m) for m in mine):
                    return True
    return False
