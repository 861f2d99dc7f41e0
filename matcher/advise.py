"""Advice for a set of queries known in advance (the end of section 5.2): which covering views would lower their cost?

1. :mod:`~matcher.members` finds what the queries could share, :mod:`~matcher.clusters` which of them to try together,
   :mod:`~matcher.joined`, :mod:`~matcher.common_sync` and :mod:`~matcher.cover` make a covering view of each cluster;
2. the view that is expected to save most is put next to the views that there are, and the matcher is asked for every
   query of its cluster; only what it proves counts;
3. the view that then saves most is taken, and so on until none saves any more. A view may be computed from one that
   was taken before it;
4. :mod:`~matcher.settle` decides the whole set once more, as a database would, and leaves out what no longer pays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf
from time import perf_counter

from matcher.advice import Advice, Answered, Proposal, cost_of, listed, sources_of
from matcher.block import Query, relations
from matcher.candidates import Candidate, candidates
from matcher.context import Context
from matcher.cost import READY, Estimator
from matcher.decision import Decision
from matcher.facts import Facts
from matcher.nested import rows_of
from matcher.prover import Effort
from matcher.rewrite import nondeterministic
from matcher.scratch import Scratch
from matcher.settle import LEAST, Settlement
from matcher.sqltext import unique
from matcher.verdict import Failure, Match, Unknown, Verdict
from matcher.view import View
from matcher.workspace import Asked, Workspace
from syncsql.language import CreateView, parse_statement
from syncsql.language import Query as Statement


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
    parsed = [parse_statement(q) if isinstance(q, str) else q for q in queries]
    labels = unique([q.name if isinstance(q, CreateView) else f"q{n}" for n, q in enumerate(parsed, 1)])
    asked = [workspace.query(q) for q in parsed]
    context = Context(Facts(workspace), Effort(budget_ms, total_s), rows_of)
    scratch = Scratch(workspace, frozenset(map(str.lower, labels)), context, budget_ms, statistics or {})
    search = _Search(scratch, labels, asked, started + total_s)
    search.run()
    return replace(search.advice(), seconds=perf_counter() - started)


@dataclass
class _Trial:
    """A candidate with what is known of it.

    ``alone`` is the cost of each query with its view alone, expected until ``checked``. With the views that were taken
    up to ``stage``, ``on_top`` is that of queries of which these answer another part, and ``cost`` is the view's own.
    """

    candidate: Candidate
    alone: dict[int, float]
    cost: float
    on_top: dict[int, float] = field(default_factory=dict)
    checked: bool = False
    stage: int = -1
    failures: dict[int, Failure] = field(default_factory=dict)
    unsaid: bool = False


@dataclass
class _Search:
    scratch: Scratch
    labels: list[str]
    asked: list[Asked]
    until: float
    before: list[Decision] = field(init=False)
    costs: list[float] = field(init=False)
    # What each query is over the views that were taken, and the relations that it still reads besides.
    forms: list[Query] = field(init=False)
    rest: list[frozenset[str]] = field(init=False)
    trials: list[_Trial] = field(init=False)
    taken: list[Proposal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.estimator = Estimator(self.scratch.workspace.views, self.scratch.statistics)
        self.before = [self.scratch.decide(a) for a in self.asked]
        self.costs = [cost_of(d) for d in self.before]
        self.forms = [a.form if d.chosen is None else d.chosen.rewrite
                      for a, d in zip(self.asked, self.before, strict=True)]  # fmt: skip
        self.rest = [_rest(form) for form in self.forms]
        base = [self.estimator.cost(a.form).total for a in self.asked]
        self.trials = [
            _Trial(c, {q: base[q] - drop for q, drop in c.drops.items()}, self.estimator.cost(c.query).total)
            for c in candidates([a.form for a in self.asked], self.estimator, self.scratch.context)
        ]

    # -- choosing ----------------------------------------------------------------------------------------------------

    def run(self) -> None:
        while self.trials and perf_counter() < self.until:
            best = max(self.trials, key=self._worth)
            if self._worth(best) <= 0:
                break
            if best.stage < len(self.taken):
                self._check(best)
            else:
                self._take(best)

    def _worth(self, trial: _Trial) -> float:
        """What the trial's view saves beyond the least that it must save for the queries that it makes cheaper."""
        helped = [q for q in trial.candidate.drops if self._after(trial, q) < self.costs[q]]
        return self._saving(trial) - LEAST * sum(cost_of(self.before[q]) for q in helped)

    def _saving(self, trial: _Trial) -> float:
        """What the trial's view saves; before it was checked at this stage, what it might save at most."""
        if trial.unsaid:
            return 0.0
        saved = sum(max(self.costs[q] - self._after(trial, q), 0.0) for q in trial.candidate.drops)
        return saved - (trial.cost if trial.stage == len(self.taken) else self._least_cost(trial))

    def _after(self, trial: _Trial, query: int) -> float:
        """What a query would cost with the trial's view."""
        alone = trial.alone.get(query, inf)
        if trial.stage == len(self.taken):
            return min(alone, trial.on_top.get(query, inf))
        return min(alone, self.costs[query] - trial.candidate.drops[query]) if self._further(trial, query) else alone

    def _further(self, trial: _Trial, query: int) -> bool:
        """Whether views that were taken answer a part of the query, and the trial's may answer another."""
        is_new = self.forms[query] is not self.asked[query].form
        return is_new and {t.lower() for t in trial.candidate.tables} <= self.rest[query]

    def _least_cost(self, trial: _Trial) -> float:
        """The view's own cost, were it computed from one of the views that were taken."""
        tables = {t.lower() for t in trial.candidate.tables}
        taken = [p.name for p in self.taken if self.scratch.workspace.views[p.name.lower()].tables <= tables]
        return min([trial.cost, *(READY * self.estimator.rows(name) for name in taken)])

    def _check(self, trial: _Trial) -> None:
        """Asks the matcher for the queries that the view is for, with the view among the others."""
        made = self.scratch.make(trial.candidate)
        if made is None:
            trial.unsaid = True
            return
        view = self.scratch.workspace.views[made.name.lower()]
        trial.on_top = {}
        for query in trial.candidate.drops:
            if not trial.checked:
                verdict = self.scratch.matcher.verdict(self.asked[query], view)
                trial.alone.pop(query, None)
                if isinstance(verdict, Match):
                    trial.alone[query] = self.estimator.cost(verdict.rewrite).total
                else:
                    trial.failures[query] = verdict
            if self._further(trial, query):
                verdict = self._on_top(query, view)
                if isinstance(verdict, Match):
                    trial.on_top[query] = self.estimator.cost(verdict.rewrite).total
        trial.cost, trial.stage, trial.checked = made.cost, len(self.taken), True
        self.scratch.drop(made)

    def _on_top(self, query: int, view: View) -> Verdict:
        return self.scratch.matcher.verdict(replace(self.asked[query], form=self.forms[query]), view)

    def _take(self, trial: _Trial) -> None:
        made = self.scratch.make(trial.candidate)
        assert made is not None
        view = self.scratch.workspace.views[made.name.lower()]
        after = {q: self._after(trial, q) for q in trial.candidate.drops}
        made = replace(made, saving=self._saving(trial))
        for query in [q for q in after if after[q] < self.costs[q]]:
            by_itself = trial.alone.get(query) == after[query]
            verdict = self.scratch.matcher.verdict(self.asked[query], view) if by_itself else self._on_top(query, view)
            if isinstance(verdict, Match):
                self.forms[query], self.rest[query] = verdict.rewrite, _rest(verdict.rewrite)
            self.costs[query] = after[query]
        self.taken.append(made)

    # -- telling -----------------------------------------------------------------------------------------------------

    def advice(self) -> Advice:
        settled = Settlement(self.scratch, self.asked, self.before, self.taken)
        self.taken = settled.taken
        names = {p.name for p in settled.taken}
        proposals = tuple(
            replace(
                p,
                serves=(
                    *(self.labels[n] for n in settled.queries_of(p.name)),
                    *(settled.taken[n].name for n in settled.views_of(p.name)),
                ),
            )
            for p in self.scratch.with_streams(settled.taken)
        )
        answered = tuple(
            Answered(label, before, after, self._why(number, after, names))
            for number, (label, before, after) in enumerate(zip(self.labels, self.before, settled.after, strict=True))
        )
        return Advice(proposals, answered, sum(t.checked for t in self.trials))

    def _why(self, number: int, decision: Decision, proposed: set[str]) -> str | None:
        """Why a query is in none of the proposed views."""
        sources = sources_of(decision)
        if proposed & set(sources):
            return None
        if decision.chosen is not None:
            return f"{listed(sources)} answers it already"
        if self.scratch.budget_ms <= 0:
            return "no budget for proofs"
        asked = self.asked[number]
        if nondeterministic(asked.form):
            return "it has a value that another run would not have"
        trials = sorted((t for t in self.trials if number in t.candidate.drops), key=self._worth, reverse=True)
        if not trials:
            tables = " and ".join(dict.fromkeys(s.name for s in relations(asked.form)))
            return f"no other query reads {tables or 'its relations'} in the same way"
        failure = next((t.failures[number] for t in trials if number in t.failures), None)
        if failure is not None:
            return failure.why if isinstance(failure, Unknown) else f"{failure.code}: {failure.reason}"
        others = [self.labels[n] for n in sorted(trials[0].candidate.drops) if n != number]
        return f"a view for it and {listed(others)} would save nothing"


def _rest(form: Query) -> frozenset[str]:
    return frozenset(s.name.lower() for s in relations(form) if s.kind != "view")
