"""The decision for a query: which views were looked at, what was found of each, and which rewrite is used."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from time import perf_counter

import z3

from matcher.block import Block, Query, as_block, relations
from matcher.context import Context
from matcher.cost import Cost, Estimator, Grouped, grouped_by
from matcher.decision import Decision
from matcher.evidence import Evidence
from matcher.facts import Facts
from matcher.fingerprint import fingerprint
from matcher.index import ViewIndex
from matcher.insertions import Insertions
from matcher.memory import Memory
from matcher.nested import rows_of
from matcher.prover import Effort
from matcher.rest import with_rest
from matcher.rewrite import Rewriter
from matcher.time import time_contained
from matcher.verdict import Match, NoMatch, Unknown, Verdict
from matcher.view import View
from matcher.witness import Search, World
from matcher.workspace import Asked, Workspace
from syncsql.algebra.catalog import Definition, ViewDef
from syncsql.algebra.relations import Node
from syncsql.algebra.sync import Sync
from syncsql.language import Query as Statement

# At most so many candidates are given to the solver, and the search ends after so many matches.
_MOST_TRIED = 8
_ENOUGH = 2
_MOST_VIEWS = 4
# A counterexample is looked for where views came nearest to a match, not for each of a thousand.
_MOST_EXPLAINED = 20
# How the reason of a verdict begins that is owed to a mistake in the matcher.
FAILED = "the matcher failed"


@dataclass
class Matcher:
    """Decides queries against the views of a workspace.

    ``budget_ms`` is the solver's time for one question and ``total_s`` for one decision; with a budget of zero nothing
    is proved and nothing shared. ``statistics`` are known numbers of rows, by the names of tables and views. With
    ``exact`` no rewrite is chosen whose floating-point results may differ in their last digits.
    """

    workspace: Workspace
    budget_ms: int = 200
    total_s: float = 5.0
    statistics: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False
    index: ViewIndex = field(init=False)
    _indexed: dict[str, View] = field(default_factory=dict)
    _groupings: dict[Grouped, set[str]] = field(default_factory=dict)
    _saying: dict[str, set[str]] = field(default_factory=dict)
    # What the tables and streams were when verdicts were found.
    _tables: Mapping[str, Definition] = field(default_factory=dict)
    memory: Memory = field(default_factory=Memory)

    def __post_init__(self) -> None:
        self.index = ViewIndex(Facts(self.workspace))
        self.refresh()

    def refresh(self) -> None:
        """Takes in views that were added, replaced or dropped. Verdicts for the others stay, but for those that a
        replaced view may have had a part in as a synchronization stream; where a table was replaced, none does."""
        views = self.workspace.views
        tables = {n: d for n, d in self.workspace.definitions.items() if not isinstance(d, ViewDef)}
        if any(tables.get(n) is not d for n, d in self._tables.items()):
            self.memory.forget()
        self._tables = tables
        replaced = [n for n, v in self._indexed.items() if views.get(n) is not v]
        if replaced:
            self.memory.forget_events()
        for name in replaced:
            self.index.remove(name)
            old = self._indexed.pop(name)
            self._saying[old.says].discard(name)
            gone = grouped_by(old.query)
            if gone is not None:
                self._groupings[gone].discard(name)
        for name, view in views.items():
            if name not in self._indexed:
                self.index.add(view)
                self._indexed[name] = view
                self._saying.setdefault(view.says, set()).add(name)
                grouped = grouped_by(view.query)
                if grouped is not None:
                    self._groupings.setdefault(grouped, set()).add(name)

    def verdict(self, asked: Asked, view: View) -> Verdict:
        """The verdict for one view, whether it is among those of the workspace or not."""
        context = self._context()
        return self._verdict(asked.form, view, Rewriter(context, Insertions(self.workspace, context)))

    def decide(
        self, query: str | Statement | Asked, every: bool = False, evidence: bool = False,
        but_not: Collection[str] = (), also: Collection[View] = (),
    ) -> Decision:  # fmt: skip
        """The decision for a query. ``every`` gives a verdict for each view instead of for the likely ones,
        ``evidence`` looks for a counterexample where a view does not match. Views in ``but_not`` are left out; those in
        ``also`` get a verdict with ``every`` and are never used."""
        started = perf_counter()
        asked = query if isinstance(query, Asked) else self.workspace.query(query)
        if len(self._indexed) != len(self.workspace.views):
            self.refresh()
        barred = {name.lower() for name in but_not}
        context = self._context()
        candidates = [v for v in self.candidates(asked.form) if v.name.lower() not in barred]
        views = [v for n, v in self.workspace.views.items() if n not in barred] if every else candidates[:_MOST_TRIED]
        tried = self._tried(asked, views, every, context)
        verdicts = {view.name: verdict for view, verdict in tried}
        estimator = Estimator(self.workspace.views, self.statistics, self._groupings)
        chosen, cost = self._choice(asked, candidates, tried, estimator, context)
        if every:
            told = [v for v in also if v.name.lower() not in barred]
            verdicts |= {view.name: verdict for view, verdict in self._tried(asked, told, True, context)}
        if evidence:
            failed = [(n, v) for n, v in verdicts.items() if isinstance(v, NoMatch)]
            nearest = sorted(failed, key=lambda pair: -pair[1].reached)[:_MOST_EXPLAINED]
            verdicts |= {n: self.explained(asked, n, v) for n, v in nearest}
        rest = self._rests(asked, tried, context) if every and chosen is None else ()
        return Decision(
            text=asked.text,
            query=asked.form,
            names=asked.names,
            verdicts=tuple(verdicts.items()),
            chosen=chosen,
            cost=cost,
            unshared=estimator.cost(asked.form),
            rests=rest,
            views=len(self.workspace.views),
            considered=len(candidates),
            proofs=context.effort.questions,
            seconds=perf_counter() - started,
        )

    def candidates(self, query: Query) -> list[View]:
        """What the index gives, after the views that say the same: those have even the query's partial points."""
        same = [self._indexed[n] for n in sorted(self._saying.get(fingerprint(query), ()))]
        names = {view.name for view in same}
        return [*same, *(v for v in self.index.candidates(query, self._in_time) if v.name not in names)]

    def _context(self) -> Context:
        return Context(Facts(self.workspace), Effort(self.budget_ms, self.total_s), rows_of)

    def _in_time(self, due: Sync, view: Sync) -> bool:
        """Whether time may be contained; what cannot be told now is told later, by the verdict."""
        if self.budget_ms <= 0:
            return True
        contained = self.memory.in_time(due, view)
        if contained is None:
            context = self._context()
            insertions = Insertions(self.workspace, context)
            contained = bool(time_contained(due, view, context.effort, insertions))
            self.memory.keep_in_time(due, view, contained)
        return contained

    def _tried(self, asked: Asked, views: list[View], every: bool, context: Context) -> list[tuple[View, Verdict]]:
        rewriter = Rewriter(context, Insertions(self.workspace, context))
        found: list[tuple[View, Verdict]] = []
        matches = 0
        for view in views:
            verdict = self._verdict(asked.form, view, rewriter)
            found.append((view, verdict))
            matches += isinstance(verdict, Match) and verdict.partial is None
            if matches >= _ENOUGH and not every:
                break
        return found

    def _verdict(self, query: Query, view: View, rewriter: Rewriter) -> Verdict:
        found = self.memory.verdict(query, view)
        if found is not None:
            return found
        verdict: Verdict
        try:
            verdict = Unknown("no budget for proofs") if self.budget_ms <= 0 else rewriter.match(query, view)
        except z3.Z3Exception as error:
            # What the solver refuses to read is not modelled; a query must not fail for want of sharing.
            verdict = Unknown(f"not modelled: {error}")
        except RecursionError:
            verdict = Unknown("not modelled: the query is nested too deeply")
        except Exception as error:
            # A mistake in the matcher is no reason for a query not to run either; it is shown, and tests look for it.
            verdict = Unknown(f"{FAILED}: {type(error).__name__}: {error}")
        if not isinstance(verdict, Unknown):
            # What was unknown for want of time may be known another day.
            self.memory.keep(query, view, verdict)
        return verdict

    # -- choosing ----------------------------------------------------------------------------------------------------

    def _choice(
        self, asked: Asked, candidates: list[View], tried: list[tuple[View, Verdict]], estimator: Estimator,
        context: Context,
    ) -> tuple[Match | None, Cost | None]:  # fmt: skip
        """The cheapest match, then further views for what it still reads from the base, while that saves."""
        # Of equal costs the view that has the least too much is taken, as the index put them in order.
        places = {view.name: place for place, view in enumerate(candidates)}
        ranked = sorted(
            ((estimator.cost(v.rewrite), v) for _, v in tried if isinstance(v, Match) and (v.exact or not self.exact)),
            key=lambda pair: (round(pair[0].total, 6), places.get(pair[1].view, len(places)), pair[1].view),
        )
        base = estimator.cost(asked.form)
        if not ranked or ranked[0][0].total >= base.total:
            return None, None
        cost, chosen = ranked[0]
        rewriter = Rewriter(context, Insertions(self.workspace, context))
        for _ in range(_MOST_VIEWS - 1):
            if not any(s.kind != "view" for s in relations(chosen.rewrite)):
                break
            further = None
            for view in candidates[:_MOST_TRIED]:
                again = self._verdict(chosen.rewrite, view, rewriter)
                if isinstance(again, Match) and (again.exact or not self.exact):
                    new = estimator.cost(again.rewrite)
                    if new.total < cost.total and (further is None or new.total < further[0].total):
                        further = (new, again)
            if further is None:
                break
            cost = further[0]
            both = chosen.proof + further[1].proof
            chosen = Match(
                f"{chosen.view}, {further[1].view}", further[1].rewrite, both, chosen.exact and further[1].exact,
                chosen.partial,
            )  # fmt: skip
        return chosen, cost

    def _rests(self, asked: Asked, tried: list[tuple[View, Verdict]], context: Context) -> tuple[Match, ...]:
        """Views that have some of the query's rows, with the rest read from the base."""
        found = []
        rewriter = Rewriter(context, Insertions(self.workspace, context))
        for view, verdict in tried:
            if isinstance(verdict, NoMatch) and verdict.code == "ROWS.NOT_CONTAINED":
                block = as_block(asked.form)
                made = with_rest(block, view, context) if isinstance(block, Block) else None
                if made is not None and rewriter.late(made[1], view) is None:
                    found.append(Match(view.name, made[0], made[1].proof, True, "its rows, and the rest from the base"))
        return tuple(found)

    # -- explaining --------------------------------------------------------------------------------------------------

    def explained(self, asked: Asked, name: str, verdict: Verdict) -> Verdict:
        """A failure with a counterexample, where a search finds one; the counterexample is checked. Without one, a
        failure that may be owed to what is not modelled is not known to be one."""
        if not isinstance(verdict, NoMatch) or verdict.evidence is not None:
            return verdict
        found = None if verdict.code in _NO_SEARCH else self.counterexample(asked, name, verdict.values)
        if found is None and verdict.assumed:
            return Unknown(f"{verdict.reason}, as far as {' and '.join(verdict.assumed)} can be told: not modelled")
        return NoMatch(verdict.code, verdict.reason, found, verdict.hint, verdict.values)

    def counterexample(self, asked: Asked, name: str, values: Mapping[str, object]) -> Evidence | None:
        plan, count = self.workspace.plans[name.lower()]

        def inner(view: str) -> Node | None:
            found = self.workspace.plans.get(view.lower())
            return None if found is None else found[0]

        search = Search(self.workspace, inner, plan, asked.plan, count, len(asked.names))
        return search.find(name, [_seed(asked.form, values)] if values else [])


_NO_SEARCH = frozenset({"TABLES.DIFFERENT", "NONDETERMINISTIC", "TIME.NOT_CONTAINED", "TIME.PARTIAL_POINTS"})


def _seed(query: Query, values: Mapping[str, object]) -> World:
    """The row that refuted an implication, as one row of each table of the query."""
    world: World = {}
    for scan in relations(query, subqueries=False):
        row = {c.name.lower(): values[c.id] for c in scan.outputs if c.id in values}
        world.setdefault(scan.name.lower(), []).append(row)
    return world
