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
from time import perf_counter

from matcher.advice import Advice, Answered, Proposal, cost_of, listed, sources_of
from matcher.block import relations
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
from matcher.verdict import Failure, Match, Unknown
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
    scratch: Scratch
    labels: list[str]
    asked: list[Asked]
    until: float
    before: list[Decision] = field(init=False)
    costs: list[float] = field(init=False)
    trials: list[_Trial] = field(init=False)
    taken: list[Proposal] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.estimator = Estimator(self.scratch.workspace.views, self.scratch.statistics)
        self.before = [self.scratch.decide(a) for a in self.asked]
        self.costs = [cost_of(d) for d in self.before]
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
        at_first = sum(cost_of(self.before[q]) for q, after in trial.after.items() if after < self.costs[q])
        return self._saving(trial) - LEAST * at_first

    def _saving(self, trial: _Trial) -> float:
        """What the trial's view saves; before it was checked at this stage, what it might save at most."""
        if trial.unsaid:
            return 0.0
        saved = sum(max(self.costs[q] - after, 0.0) for q, after in trial.after.items())
        return saved - (trial.cost if trial.stage == len(self.taken) else self._least_cost(trial))

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
        trial.cost, trial.stage = made.cost, len(self.taken)
        if not trial.checked:
            trial.checked = True
            view = self.scratch.workspace.views[made.name.lower()]
            for number in sorted(trial.after):
                verdict = self.scratch.matcher.verdict(self.asked[number], view)
                if isinstance(verdict, Match):
                    trial.after[number] = self.estimator.cost(verdict.rewrite).total
                else:
                    del trial.after[number]
                    trial.failures[number] = verdict
        self.scratch.drop(made)

    def _take(self, trial: _Trial) -> None:
        made = self.scratch.make(trial.candidate)
        assert made is not None
        self.taken.append(replace(made, saving=self._saving(trial)))
        for number, after in trial.after.items():
            self.costs[number] = min(self.costs[number], after)

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
