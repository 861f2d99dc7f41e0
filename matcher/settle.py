"""The views that were chosen one by one, looked at together.

The whole set is decided as a database would decide it. A view may turn out to be had from one that was chosen after
it; it then goes behind it. A view whose queries went over to others no longer pays, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from matcher.advice import Proposal, cost_of, sources_of
from matcher.decision import Decision
from matcher.scratch import Scratch
from matcher.workspace import Asked

# A view that saves less than this part of what its queries cost is not worth a name.
LEAST = 0.04


@dataclass
class Settlement:
    """``before`` and ``after`` are the decisions for the queries without and with the views that are ``taken``."""

    scratch: Scratch
    asked: Sequence[Asked]
    before: Sequence[Decision]
    taken: list[Proposal]
    after: list[Decision] = field(init=False)

    def __post_init__(self) -> None:
        self.after = [self.scratch.decide(a) for a in self.asked]
        for name in [p.name for p in self.taken]:
            self._compute_from_later(name)
        for name in [p.name for p in reversed(self.taken)]:
            self._weigh(name)
        if sum(map(cost_of, self.after)) + sum(p.cost for p in self.taken) >= sum(map(cost_of, self.before)):
            # Each pays with the others around, and all of them together do not.
            self.taken, self.after = [], list(self.before)

    def queries_of(self, name: str) -> list[int]:
        return [n for n, decision in enumerate(self.after) if name in sources_of(decision)]

    def views_of(self, name: str) -> list[int]:
        return [n for n, proposal in enumerate(self.taken) if name in sources_of(proposal.decision)]

    def _compute_from_later(self, name: str) -> None:
        """Takes a cheaper way to a view over views that are not themselves computed from it."""
        proposal = next(p for p in self.taken if p.name == name)
        decision = self.scratch.decide(self.scratch.asked(proposal), self._over(name))
        if cost_of(decision) < proposal.cost:
            cheaper = replace(proposal, decision=decision)
            self.taken = _sources_first([cheaper if p is proposal else p for p in self.taken])

    def _over(self, name: str) -> list[Proposal]:
        """The view of this name, and all that are computed from it, be it through others."""
        found = {name}
        while more := {p.name for p in self.taken if found & set(sources_of(p.decision))} - found:
            found |= more
        return [p for p in self.taken if p.name in found]

    def _weigh(self, name: str) -> None:
        """Leaves a view out where what is computed from it costs hardly more without it than with it and its cost."""
        proposal = next(p for p in self.taken if p.name == name)
        queries, views = self.queries_of(proposal.name), self.views_of(proposal.name)
        others = [self.taken[n] for n in views]
        decided = [self.scratch.decide(self.asked[n], [proposal]) for n in queries]
        # A view is computed from those before it.
        again = [self.scratch.decide(self.scratch.asked(self.taken[n]), [proposal, *self.taken[n:]]) for n in views]
        with_it = proposal.cost + sum(cost_of(self.after[n]) for n in queries) + sum(p.cost for p in others)
        at_first = sum(cost_of(self.before[n]) for n in queries) + sum(map(_unshared, others))
        if sum(map(cost_of, [*decided, *again])) - with_it > LEAST * at_first:
            return
        for n, decision in zip(queries, decided, strict=True):
            self.after[n] = decision
        for n, decision in zip(views, again, strict=True):
            self.taken[n] = replace(self.taken[n], decision=decision)
        self.taken = [p for p in self.taken if p.name != proposal.name]
        self.scratch.drop(proposal)


def _sources_first(proposals: list[Proposal]) -> list[Proposal]:
    """In the same order, but each view after those that it is computed from."""
    todo, done = list(proposals), []
    while todo:
        names = {p.name for p in todo}
        done.append(next(p for p in todo if not names & set(sources_of(p.decision))))
        todo.remove(done[-1])
    return done


def _unshared(proposal: Proposal) -> float:
    cost = proposal.decision.unshared
    assert cost is not None
    return cost.total
