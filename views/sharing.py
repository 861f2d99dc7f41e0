"""Shared execution: every view and query is answered from what already runs, where the matcher has proved it equal.

A match whose compensation keeps nothing (filter, projection, coarser synchronization) makes a virtual view, and so
does a roll-up of a view that is small: nothing is done at an advance, and what is read is derived. Other matches read
the changes of the view instead of those of the base.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from matcher.advice import Advice
from matcher.advise import advise
from matcher.decision import Decision
from syncsql.algebra.common import signature
from syncsql.algebra.expressions import has_now
from syncsql.algebra.relations import Filter, Join, Node, Scan, scans, walk
from syncsql.algebra.sync import Points
from syncsql.dataflow.advancing import Advanced
from syncsql.dataflow.engine import Engine
from syncsql.dataflow.parts import over_part, what_it_computes
from syncsql.dataflow.planning import Planned, Wanted
from syncsql.dataflow.registry import View
from syncsql.dataflow.view import Execution
from syncsql.render import Report
from syncsql.storage import limits
from syncsql.storage.sessions import Sessions
from syncsql.storage.settings import ANSI
from syncsql.storage.table import Table
from views.candidates import Candidates, StoredRows, answered_from
from views.decisions import Decided, DecisionTables, Saved, unused

# Up to so many views a decision that finds no match tells why of each.
_TOLD = 16


@dataclass(frozen=True)
class _Why:
    decision: Decision
    note: str | None


class Sharing:
    """The planner of a database that shares. It decides alone: whether a plan is right is not its business but the
    matcher's, and whether Spark computes it with the same types is the engine's."""

    def __init__(self, host: Engine, candidates: Candidates, tables: DecisionTables) -> None:
        self._host, self.candidates, self._tables = host, candidates, tables

    # Planning

    def plan(self, wanted: Wanted) -> Planned:
        original = Execution(wanted.continuous.plan, "")
        self.candidates.budget_ms = budget_of(self._host.sessions)
        decision = self.candidates.decide(wanted.continuous, but_not=wanted.but_not)
        if decision.chosen is None:
            # A person will ask for the reason: of every view while they are few, else of those that come near.
            every = len(self.candidates.workspace.views) <= _TOLD
            decision = self.candidates.decide(wanted.continuous, every, True, wanted.but_not)
        if decision.chosen is None:
            alone = Planned(original.plan, wanted.keeping == "VIRTUAL", why=_Why(decision, None))
            return self._with_part(alone, wanted)
        types = [f.dataType.simpleString() for f in wanted.row.fields]
        plan = answered_from(wanted.continuous, decision.chosen, types)
        late = self._not_begun(plan, wanted)
        if late is not None:
            why = _Why(decision, unused(late))
            return self._with_part(Planned(original.plan, wanted.keeping == "VIRTUAL", why=why), wanted)
        virtual = wanted.keeping == "VIRTUAL" or (wanted.keeping is None and self._is_light(plan, wanted))
        return self._with_part(Planned(plan, virtual, why=_Why(decision, self._start(plan, original.plan))), wanted)

    def _with_part(self, planned: Planned, wanted: Wanted) -> Planned:
        """A part that is there already is read; one that another view computes too is to be made."""
        if planned.virtual:
            return planned
        mine = Execution(planned.plan, "").parts
        avoid = {n.lower() for n in wanted.but_not}
        for part in self._host.registry.parts():
            usable = part.name.lower() not in avoid and part.created <= wanted.created
            if usable and signature(what_it_computes(part)) in mine:
                return replace(planned, plan=over_part(planned.plan, part))
        views = [v for v in self._host.registry.views() if v.stored is not None and v.name.lower() not in avoid]
        for found, node in mine.items():
            # A view whose whole answer it is would have been found by the matcher, if it can be read at all.
            users = tuple(v for v in views if found in v.execution.parts and found != v.execution.root)
            if users and wanted.created == self._host.closed:
                return replace(planned, part=node, users=users)
        return planned

    def _not_begun(self, plan: Node, wanted: Wanted) -> str | None:
        """A view knows its answer from its first point on. It is read at points of the scan's own stream: at the last
        one until now, or at the first to come where that is also the first point of what is wanted."""
        now = self._host.closed
        alone = len(set(wanted.continuous.syncs)) == 1 and wanted.created == now
        for scan in scans(plan):
            view = self._view(scan)
            if view is None:
                continue
            if view.created > wanted.created:
                return f"`{view.name}` is younger than what is wanted"
            if alone and scan.sync == wanted.continuous.syncs[0]:
                continue
            last = self._host.runner.last_point(scan.sync.points, now)
            if last is not None and last < view.created:
                return f"`{view.name}` has no answer yet at {last}, the last point of {scan.sync.name}"
        return None

    def _is_light(self, plan: Node, wanted: Wanted) -> bool:
        """Whether deriving the answer when it is read costs less than keeping it."""
        read = scans(plan)
        views = [self._view(s) for s in read]
        if wanted.query.mode == "COMPLETE" or not all(views):
            return False
        if Execution(plan, "").stateless:
            return True
        if any(isinstance(n, Join) or (isinstance(n, Filter) and has_now(n.predicate)) for n in walk(plan)):
            return False
        return all(self._host.runner.feed(s).size(self._host.closed) <= limits.SMALL_ROWS for s in read)

    def _start(self, plan: Node, original: Node) -> str | None:
        """Where the first answer comes from."""
        now = self._host.closed
        if now < 0:
            return None

        def told(node: Node) -> str:
            parts = []
            for scan in scans(node):
                if scan.kind != "clock":
                    parts.append(f"{self._host.runner.feed(scan).size(now):,} rows of {scan.name}")
            return " and ".join(dict.fromkeys(parts))

        return f"starts from at most {told(plan)} instead of {told(original)}"

    def _view(self, scan: Scan) -> View | None:
        entry = self._host.registry.get(scan.name)
        return entry if isinstance(entry, View) and scan.kind == "view" else None

    # What became of it

    def made(self, view: View, planned: Planned, how: str) -> None:
        decided = self._decided(view, planned, self._tables.count(), how)
        if decided is not None:
            self._tables.decided(decided)

    def why(self, query: View, planned: Planned) -> Decided | None:
        decided = self._decided(query, planned, -1, "asked")
        return None if decided is None else replace(decided, view="query", runs=" ".join(query.name.split()))

    def _decided(self, view: View, planned: Planned, seq: int, how: str) -> Decided | None:
        if view.feed is None or not isinstance(planned.why, _Why):
            return None
        note = planned.why.note
        if planned.why.decision.chosen is not None and planned.plan == view.continuous.plan and note is None:
            note = unused("Spark gives it other types")
        if note is None and any(p.name.lower() in view.execution.inputs for p in self._host.registry.parts()):
            note = "a part of it is computed once, for other views too"
        runs = "virtual" if view.execution.virtual else "materialized"
        sql, decision = view.definition.sql, planned.why.decision
        return Decided.of(decision, seq, self._host.closed, view.name, how, sql, runs, note)

    def dropped(self, view: View) -> None:
        """The decisions about it stay: they tell what was."""

    def advanced(self, advanced: Advanced) -> None:
        self._tables.saved(advanced.number, self._saved(advanced))

    # Telling

    def advise(self, queries: Sequence[str]) -> Advice:
        self.candidates.refresh()
        return advise(
            self.candidates.workspace, queries, StoredRows(self._host.registry), max(self.candidates.budget_ms, 1)
        )

    def tables(self) -> Sequence[Table]:
        return self._tables.decisions, self._tables.savings

    def decision(self, view: str) -> Decided | None:
        self._tables.decisions.refresh()
        return self._tables.newest().get(view.lower())

    def report(self) -> Report:
        self._tables.decisions.refresh()
        self._tables.savings.refresh()
        newest, saved = self._tables.newest(), self._tables.totals()
        rows = []
        for view in self._host.registry.views():
            if view.feed is None:
                continue
            kept = "virtual" if view.execution.virtual else "materialized"
            decided = newest.get(view.name.lower())
            from_, rewrite = (None, None) if decided is None else (decided.answered_from, decided.rewrite)
            from_ = from_ or self._host.registry.told_parts(view)
            count, seconds = saved.get(view.name.lower(), (0, 0.0))
            rows.append((view.name, kept, from_, rewrite, count or None, f"{seconds:.2f}" if count else None))
        columns = ("view", "runs", "answered from", "rewritten", "rows saved", "seconds saved")
        return Report("sharing", columns, tuple(rows))

    def _saved(self, advanced: Advanced) -> Iterator[Saved]:
        known: dict[tuple[str, Points], int] = {}

        def rows(plan: Node) -> int:
            total = 0
            for scan in scans(plan):
                if (scan.name, scan.sync.points) not in known:
                    known[scan.name, scan.sync.points] = self._host.runner.coming(scan, advanced.start, advanced.end)
                total += known[scan.name, scan.sync.points]
            return total

        for view in self._host.registry.views():
            if view.feed is None or (view.execution.plan == view.continuous.plan and not view.execution.virtual):
                continue
            unshared = rows(view.continuous.plan)
            read = 0 if view.execution.virtual else rows(view.execution.plan)
            if unshared:
                own = advanced.seconds.get(view.name, 0.0)
                # Unshared it would have been a job like that of the views that it is answered from.
                like = max((advanced.seconds.get(s.name, 0.0) for s in scans(view.execution.plan)), default=0.0)
                seconds = like if view.execution.virtual else own * (unshared - read) / max(read, 1)
                yield Saved(advanced.number, advanced.end, view.name, unshared, read, round(max(seconds, 0.0), 6))


def budget_of(sessions: Sessions) -> int:
    """The solver's time for one question, in milliseconds; with zero nothing is proved and nothing shared. Proofs take
    an overflow for an error, so there are none where the database's settings make it another number."""
    if sessions.kept[ANSI] != "true":
        return 0
    return sessions.setting("spark.syncsql.matcher.budgetMs", 200)


def sharing_planner(engine: Engine) -> Sharing:
    """The planner of a database that is opened with sharing."""
    tables = DecisionTables(engine.root)
    if not engine.read_only:
        tables.create()
    return Sharing(engine, Candidates(engine.registry, engine.tick_seconds), tables)
