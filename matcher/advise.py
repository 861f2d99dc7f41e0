"""Advice for a set of queries known in advance (the end of section 5.2): which covering views would lower their cost?

1. :mod:`~matcher.members` finds what the queries could share, :mod:`~matcher.clusters` which of them to try together,
   :mod:`~matcher.joined`, :mod:`~matcher.common_sync` and :mod:`~matcher.cover` make a covering view of each cluster;
2. the view that is expected to save most is put next to the views that there are, and the matcher is asked for every
   query of its cluster; only what it proves counts;
3. the view that then saves most is taken, and so on until none saves any more. A view may be computed from one that
   was taken before it;
4. the whole set is decided once more, by the same decision that a database makes for a new query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import count
from time import perf_counter

from matcher.advice import Advice, Answered, Proposal, cost_of, listed, sources_of
from matcher.block import relations, with_sync
from matcher.candidates import Candidate, candidates
from matcher.common_sync import covering, stream_for
from matcher.context import Context
from matcher.cost import READY, Estimator
from matcher.decide import Matcher
from matcher.decision import Decision
from matcher.facts import Facts
from matcher.insertions import Insertions
from matcher.nested import rows_of
from matcher.prover import Effort
from matcher.rewrite import nondeterministic
from matcher.sqltext import quoted, to_sql, unique
from matcher.time import time_contained
from matcher.verdict import Failure, Match, Unknown
from matcher.workspace import Asked, Workspace
from syncsql.algebra.sync import Sync
from syncsql.errors import SyncSQLError
from syncsql.language import CreateView, parse_statement
from syncsql.language import Query as Statement

# A view that saves less than this part of what its queries cost is not worth a name.
_LEAST = 0.02


def advise(
    workspace: Workspace,
    queries: Sequence[str | Statement | CreateView],
    statistics: Mapping[str, float] | None = None,
    budget_ms: int = 200,
    total_s: float = 60.0,
) -> Advice:
    """Advice for ``queries`` over the relations and views of ``workspace``, which stays as it is.

    ``statistics`` are known numbers of rows, by the names of tables and views; ``budget_ms`` is the solver's time for
    one question, and no new covering view is tried after ``total_s``."""
    started = perf_counter()
    search = _Search(workspace, queries, statistics or {}, budget_ms, started + total_s)
    search.run()
    return replace(search.advice(), seconds=perf_counter() - started)


@dataclass
class _Trial:
    """A candidate with what is known of it. ``after`` is the cost of each query that it would answer, expected until
    ``checked``; ``cost`` is its own, from the views that were taken up to ``stage``."""

    candidate: Candidate
    after: dict[int, float]
    cost: float
    checked: bool = False
    stage: int = -1
    failures: dict[int, Failure] = field(default_factory=dict)
    unsaid: bool = False


@dataclass
class _Search:
    workspace: Workspace
    queries: Sequence[str | Statement | CreateView]
    statistics: Mapping[str, float]
    budget_ms: int
    until: float
    labels: list[str] = field(init=False)
    asked: list[Asked] = field(init=False)
    before: list[Decision] = field(init=False)
    costs: list[float] = field(init=False)
    trials: list[_Trial] = field(init=False)
    taken: list[Proposal] = field(default_factory=list)
    # The synchronization streams that were made for covering views, with their statements.
    streams: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        own = self.workspace
        self.workspace = replace(own, definitions=dict(own.definitions), views=dict(own.views), plans=dict(own.plans))
        self.matcher = Matcher(self.workspace, self.budget_ms, statistics=self.statistics)
        self.estimator = Estimator(self.workspace.views, self.statistics)
        named = [q.name if isinstance(q, CreateView) else f"q{n}" for n, q in enumerate(self.queries, 1)]
        self.labels = unique(named)
        self.asked = [self.workspace.query(q) for q in self.queries]
        self.before = [self.matcher.decide(a) for a in self.asked]
        self.costs = [cost_of(d) for d in self.before]
        context = Context(Facts(self.workspace), Effort(self.budget_ms, self.until - perf_counter()), rows_of)
        self.contained = _contained(self.workspace, context)
        base = [self.estimator.cost(a.form).total for a in self.asked]
        self.trials = [
            _Trial(c, {q: base[q] - drop for q, drop in c.drops.items()}, self.estimator.cost(c.query).total)
            for c in candidates([a.form for a in self.asked], self.estimator, context)
        ]

    # -- choosing ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        while self.trials and perf_counter() < self.until:
            best = max(self.trials, key=self._saving)
            helped = sum(self.costs[q] for q, after in best.after.items() if after < self.costs[q])
            if self._saving(best) <= _LEAST * helped:
                break
            if best.stage < len(self.taken):
                self._check(best)
            else:
                self._take(best)

    def _saving(self, trial: _Trial) -> float:
        """What the trial's view saves; before it was checked at this stage, what it might save at most."""
        if trial.unsaid:
            return 0.0
        saved = sum(max(self.costs[q] - after, 0.0) for q, after in trial.after.items())
        return saved - (trial.cost if trial.stage == len(self.taken) else self._least_cost(trial))

    def _least_cost(self, trial: _Trial) -> float:
        """The view's own cost, were it computed from one of the views that were taken."""
        tables = {t.lower() for t in trial.candidate.tables}
        taken = [p.name for p in self.taken if self.workspace.views[p.name.lower()].tables <= tables]
        return min([trial.cost, *(READY * self.estimator.rows(name) for name in taken)])

    def _check(self, trial: _Trial) -> None:
        """Asks the matcher for the queries that the view is for, with the view among the others."""
        made = self._make(trial.candidate)
        if made is None:
            trial.unsaid = True
            return
        trial.cost, trial.stage = cost_of(made.decision), len(self.taken)
        if not trial.checked:
            trial.checked = True
            view = self.workspace.views[made.name.lower()]
            for number in sorted(trial.after):
                verdict = self.matcher.verdict(self.asked[number], view)
                if isinstance(verdict, Match):
                    trial.after[number] = self.estimator.cost(verdict.rewrite).total
                else:
                    del trial.after[number]
                    trial.failures[number] = verdict
        self.workspace.drop_view(made.name)

    def _take(self, trial: _Trial) -> None:
        made = self._make(trial.candidate)
        assert made is not None
        self.taken.append(replace(made, saving=self._saving(trial)))
        self.matcher.refresh()
        for number, after in trial.after.items():
            self.costs[number] = min(self.costs[number], after)

    def _make(self, candidate: Candidate) -> Proposal | None:
        """The candidate as a view of the workspace; None where it cannot be said in SQL."""
        query, stream = candidate.query, None
        name = self._numbered("_".join(dict.fromkeys(("cover", *candidate.tables))))
        try:
            if candidate.syncs:
                stream = stream_for(covering(candidate.syncs, self.contained), self.workspace, self._free)
                if stream is None:
                    return None
                query = with_sync(query, stream[0])
                if stream[1] is not None:
                    self.workspace.read(stream[1])
                    self.streams[stream[0].name] = stream[1]
            columns = tuple(unique([c.name for c in query.columns]))
            statement = f"CREATE STREAMED VIEW {quoted(name)} AS {to_sql(query, names=columns)}"
            decision = self.matcher.decide(self._asked(statement))
            self.workspace.read(statement)
        except SyncSQLError:
            return None
        return Proposal(name, None if stream is None else stream[0].name, (statement,), (), decision, 0.0)

    def _asked(self, statement: str) -> Asked:
        return self.workspace.query(parse_statement(statement))  # type: ignore[arg-type]

    def _free(self, wish: str) -> str:
        return wish if self._is_free(wish) else self._numbered(wish)

    def _numbered(self, wish: str) -> str:
        return next(n for n in (f"{wish}_{i}" for i in count(1)) if self._is_free(n))

    def _is_free(self, name: str) -> bool:
        return self.workspace.find(name) is None and name.lower() not in map(str.lower, self.labels)

    # -- telling -----------------------------------------------------------------------------------------------------

    def advice(self) -> Advice:
        """The whole set decided with the views that were taken, without those that do not pay in the end."""
        after = [self.matcher.decide(a) for a in self.asked]
        for made in reversed(self.taken[:]):
            self._weigh(made, after)
        if sum(map(cost_of, after)) + sum(p.cost for p in self.taken) >= sum(map(cost_of, self.before)):
            # Each pays with the others around, and all of them together do not.
            self.taken, after = [], self.before
        streams = dict(self.streams)
        proposals = tuple(
            replace(
                p,
                statements=(*([streams.pop(p.sync)] if p.sync in streams else []), *p.statements),
                serves=self._users(p, after),
            )
            for p in self.taken
        )
        answered = tuple(
            Answered(label, before, now, self._why(number, now))
            for number, (label, before, now) in enumerate(zip(self.labels, self.before, after, strict=True))
        )
        return Advice(proposals, answered, sum(t.checked for t in self.trials))

    def _users(self, made: Proposal, after: list[Decision]) -> tuple[str, ...]:
        users = [*zip(self.labels, after, strict=True), *((p.name, p.decision) for p in self.taken)]
        return tuple(label for label, decision in users if made.name in sources_of(decision))

    def _weigh(self, made: Proposal, after: list[Decision]) -> None:
        """Leaves a view out where what is computed from it would cost no more without it than with it and its cost."""
        users = self._users(made, after)
        queries = [n for n, label in enumerate(self.labels) if label in users]
        others = [n for n, p in enumerate(self.taken) if p.name in users]
        with_it = made.cost + sum(cost_of(after[n]) for n in queries) + sum(self.taken[n].cost for n in others)
        with self._hidden([made]):
            decided = [self.matcher.decide(self.asked[n]) for n in queries]
        again = [self._without(made, n) for n in others]
        if sum(map(cost_of, [*decided, *again])) > (1 + _LEAST) * with_it:
            return
        for n, decision in zip(queries, decided, strict=True):
            after[n] = decision
        for n, decision in zip(others, again, strict=True):
            self.taken[n] = replace(self.taken[n], decision=decision)
        self.taken.remove(made)
        self.workspace.drop_view(made.name)
        self.matcher.refresh()

    def _without(self, made: Proposal, number: int) -> Decision:
        """The decision for a view that was taken, from the ones before it except ``made``."""
        with self._hidden([made, *self.taken[number:]]):
            return self.matcher.decide(self._asked(self.taken[number].statements[-1]))

    @contextmanager
    def _hidden(self, proposals: Sequence[Proposal]) -> Iterator[None]:
        views = self.workspace.views
        kept = dict(views)
        for made in proposals:
            views.pop(made.name.lower(), None)
        self.matcher.refresh()
        yield
        views.clear()
        views.update(kept)
        self.matcher.refresh()

    def _why(self, number: int, decision: Decision) -> str | None:
        """Why a query is in none of the proposed views."""
        names = {p.name for p in self.taken}
        sources = sources_of(decision)
        if names & set(sources):
            return None
        if decision.chosen is not None:
            return f"{listed(sources)} answers it already"
        asked = self.asked[number]
        if nondeterministic(asked.form):
            return "it has a value that another run would not have"
        trials = [t for t in self.trials if number in t.candidate.drops]
        if not trials:
            tables = " and ".join(dict.fromkeys(s.name for s in relations(asked.form)))
            return f"no other query reads {tables or 'its relations'} in the same way"
        best = max(trials, key=self._saving)
        if number in best.failures:
            failure = best.failures[number]
            return failure.why if isinstance(failure, Unknown) else f"{failure.code}: {failure.reason}"
        others = [self.labels[n] for n in sorted(best.candidate.drops) if n != number]
        return f"a view for it and {listed(others)} would save nothing"


def _contained(workspace: Workspace, context: Context) -> Callable[[Sync, Sync], bool]:
    insertions = Insertions(workspace, context)
    return lambda one, other: bool(time_contained(one, other, context.effort, insertions))
