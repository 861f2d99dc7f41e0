"""A query, or a part of it, answered from a view.

The whole query is tried first, then its parts from the outside in: the derived tables and left-joined queries of a
block, the branches of a union, the sides of a difference, the subqueries of its conditions. A part is replaced by an
equal query over the view, so the whole stays equal. Time is tested last (step 3 of the paper's algorithm).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from matcher.aggregates import NONDETERMINISTIC
from matcher.block import (
    Base,
    Block,
    Derived,
    LeftJoin,
    Over,
    Pair,
    Query,
    Rewritten,
    Union,
    as_block,
    expressions,
    parts,
    syncs,
)
from matcher.contain import match_block
from matcher.context import Context
from matcher.fingerprint import fingerprint
from matcher.normal import normal_form
from matcher.prover import Refuted, Unproved
from matcher.time import Contained, cover_hint, time_contained, witness
from matcher.verdict import Failure, Found, Match, NoMatch, Step, Unknown, Verdict, better
from matcher.view import View
from syncsql.algebra.expressions import Call, Expr, Subquery, substitute, walk
from syncsql.algebra.scalars import OVER_ANY_ORDER
from syncsql.algebra.sync import CLOCK, Sync, Ticks


@dataclass
class Rewriter:
    """Rewrites one query onto one view at a time."""

    context: Context
    insertions: Contained

    def match(self, query: Query, view: View) -> Verdict:
        """The verdict for ``view``: the whole query first, then its parts."""
        if nondeterministic(view.query):
            return NoMatch("NONDETERMINISTIC", f"`{view.name}` has a value that another run would not have")
        if len(query.columns) == len(view.fields) and fingerprint(query) == view.says:
            return self._same(query, view)
        failure: Failure | None = None
        whole = syncs(query)
        for part in _parts(query):
            result = self._part(part, view, whole)
            if isinstance(result, Match):
                return result
            failure = better(failure, result)
        return NoMatch("TABLES.DIFFERENT", "the query reads no relation") if failure is None else failure

    def _same(self, query: Query, view: View) -> Match:
        """The view's own query. Read at every tick it has the partial points of that too."""
        due = syncs(view.query)
        scan = view.scan(next(iter(due)) if len(due) == 1 else CLOCK, self.context.number())
        made = Block((Base(scan),), tuple(zip(query.columns, scan.outputs, strict=True)))
        return Match(view.name, made, (Step("the view says the same", "the same normal form"),))

    def _part(self, part: _Part, view: View, whole: set[Sync]) -> Verdict:
        if nondeterministic(part.query):
            return NoMatch("NONDETERMINISTIC", "the query has a value that another run would not have")
        found = match_block(as_block(part.query), view, self.context)
        if not isinstance(found, Found):
            return found
        late = self.late(found, view)
        if late is None:
            late = _begins_late(found, view, whole)
        if late is not None:
            return late
        rewrite = part.put_back(found.block)
        return Match(view.name, rewrite, (*found.proof, *_in_time(found, view)), found.exact, part.name)

    def late(self, found: Found, view: View) -> Failure | None:
        """Whether the view is up to date at every point at which it is read."""
        if found.always:
            return None
        source = found.block.sources[0]
        assert isinstance(source, Base)
        due = source.scan.sync
        answer = time_contained(due, view.sync, self.context.effort, self.insertions)
        if isinstance(answer, Unproved):
            return Unknown(answer.why)
        if isinstance(answer, Refuted):
            return NoMatch(
                "TIME.NOT_CONTAINED",
                f"the query is due at {due.name} ({due.points}), the view is up to date only at "
                f"{view.sync.name} ({view.sync.points})",
                witness(due, view.sync),
                cover_hint(due, view.sync),
            )
        return None


def _begins_late(found: Found, view: View, whole: set[Sync]) -> NoMatch | None:
    """An aggregate without GROUP BY is one row over nothing too, so also over a relation that no point was reached of
    yet. A view of it, read as such a relation, has no row. A query under one stream alone has no answer then; ``whole``
    are all streams of the query."""
    source = found.block.sources[0]
    assert isinstance(source, Base)
    due = source.scan.sync
    if found.always or whole == {due} or not has_rows_over_nothing(view.query):
        return None
    if isinstance(due.points, Ticks) and 0 in due.points.times:
        return None
    return NoMatch(
        "TIME.PARTIAL_POINTS",
        f"`{view.name}` has a row where there is nothing to aggregate; under {due.name} it has none before the first "
        "point of that, when the query may have an answer already",
        hint="use one synchronization stream for the whole query",
    )


def has_rows_over_nothing(query: Query) -> bool:
    """Whether ``query`` may have rows where all its relations are empty."""
    if isinstance(query, Union):
        return any(map(has_rows_over_nothing, query.branches))
    if isinstance(query, Pair):
        return has_rows_over_nothing(query.left) or (query.kind == "full" and has_rows_over_nothing(query.right))
    if isinstance(query, Over):
        return has_rows_over_nothing(query.query)
    if query.grouping is not None and not query.grouping.keys:
        return True
    return all(isinstance(s, Derived) and has_rows_over_nothing(s.query) for s in query.sources)


def _in_time(found: Found, view: View) -> tuple[Step, ...]:
    """What was proved about time, where there was anything to prove."""
    if found.always:
        return (Step("both read every relation under the same stream", "the same states at every tick"),)
    source = found.block.sources[0]
    assert isinstance(source, Base)
    due = source.scan.sync
    return () if due == view.sync else (Step(f"{due.name} ⊆ {view.sync.name}", "Theorem 1, Z3: unsat"),)


def nondeterministic(query: Query) -> bool:
    """Whether another evaluation over the same rows might give another answer."""
    for part in (e for expr in expressions(query) for e in walk(expr)):
        if isinstance(part, Call) and part.op == OVER_ANY_ORDER:
            return True
        if isinstance(part, Subquery) and nondeterministic(form_of(part)):
            return True
    calls = query.grouping.calls if isinstance(query, Block) and query.grouping is not None else ()
    if any(call.function in NONDETERMINISTIC for _, call in calls):
        return True
    return any(nondeterministic(p) for p in parts(query))


def form_of(subquery: Subquery) -> Query:
    return subquery.query if isinstance(subquery, Rewritten) else normal_form(subquery.plan)


@dataclass(frozen=True)
class _Part:
    """A query inside a query; ``around`` are the places that lead to it, from the outside in."""

    query: Query
    name: str | None
    around: tuple[_Place, ...] = ()

    def put_back(self, block: Block) -> Query:
        result: Query = block
        for place in reversed(self.around):
            result = place.with_inner(result)
        return result


@dataclass(frozen=True)
class _Place:
    """A place in ``query`` where an inner query stands: what it is, and its number."""

    query: Query
    kind: str
    number: int
    subquery: Subquery | None = None

    def with_inner(self, inner: Query) -> Query:
        query = self.query
        if isinstance(query, Union):
            branches = (*query.branches[: self.number], inner, *query.branches[self.number + 1 :])
            return replace(query, branches=branches)
        if isinstance(query, Pair):
            return replace(query, left=inner) if self.number == 0 else replace(query, right=inner)
        if isinstance(query, Over):
            return replace(query, query=as_block(inner))
        if self.subquery is not None:
            return _with_subquery(query, self.subquery, inner)
        if self.kind == "left":
            join = query.lefts[self.number]
            lefts = (*query.lefts[: self.number], LeftJoin(_derived(join.source, inner), join.on),
                     *query.lefts[self.number + 1 :])  # fmt: skip
            return replace(query, lefts=lefts)
        sources = query.sources
        made = _derived(sources[self.number], inner)
        return replace(query, sources=(*sources[: self.number], made, *sources[self.number + 1 :]))


def _derived(source: object, inner: Query) -> Derived:
    assert isinstance(source, Derived)
    return Derived(inner)


def _with_subquery(query: Block, subquery: Subquery, inner: Query) -> Block:
    made = Rewritten(subquery.kind, subquery.plan, subquery.params, subquery.args, subquery.text, subquery.type, inner)

    def one(expr: Expr) -> Expr:
        return substitute(expr, lambda e: made if e == subquery else None)

    return replace(
        query, where=tuple(one(e) for e in query.where), outputs=tuple((c, one(e)) for c, e in query.outputs)
    )


def _parts(query: Query, name: str | None = None, around: tuple[_Place, ...] = ()) -> Iterator[_Part]:
    yield _Part(query, name, around)
    if isinstance(query, Union):
        for number, branch in enumerate(query.branches):
            yield from _parts(branch, "a branch of the union", (*around, _Place(query, "branch", number)))
    elif isinstance(query, Pair):
        for number, side in enumerate((query.left, query.right)):
            yield from _parts(side, f"a side of the {query.kind}", (*around, _Place(query, "side", number)))
    elif isinstance(query, Over):
        yield from _parts(query.query, "the rows under OVER", (*around, _Place(query, "over", 0)))
    else:
        for number, source in enumerate(query.sources):
            if isinstance(source, Derived):
                yield from _parts(source.query, "a derived table", (*around, _Place(query, "source", number)))
        for number, join in enumerate(query.lefts):
            if isinstance(join.source, Derived):
                yield from _parts(join.source.query, "a derived table", (*around, _Place(query, "left", number)))
        for subquery in dict.fromkeys(e for p in (*query.where, *(x for _, x in query.outputs)) for e in walk(p)
                                      if isinstance(e, Subquery)):  # fmt: skip
            yield from _parts(
                form_of(subquery), f"the {subquery.kind.upper()} subquery", (*around, _Place(query, "sub", 0, subquery))
            )
