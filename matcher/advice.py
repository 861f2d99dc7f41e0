"""Advice for a set of queries as a value: views to create, what each query is answered from, and what that saves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from matcher.block import relations
from matcher.decision import Decision
from syncsql.render import Report, Reported


@dataclass(frozen=True)
class Proposal:
    """A covering view under the stream ``sync``. ``statements`` create it, a stream that is not yet there first;
    ``decision`` says what it is itself computed from, and ``saving`` is what it saved when it was chosen."""

    name: str
    sync: str | None
    statements: tuple[str, ...]
    serves: tuple[str, ...]
    decision: Decision
    saving: float

    @property
    def cost(self) -> float:
        return cost_of(self.decision)

    def to_dict(self) -> dict[str, Any]:
        return {
            "name": self.name, "statements": list(self.statements), "serves": list(self.serves),
            "computed_from": sources_of(self.decision), "cost": self.cost, "saving": self.saving,
        }  # fmt: skip


@dataclass(frozen=True)
class Answered:
    """A query of the set: the decisions without and with the proposed views, and ``why`` it is in none of them."""

    label: str
    before: Decision
    after: Decision
    why: str | None

    def to_dict(self) -> dict[str, Any]:
        return {
            "label": self.label, "query": self.after.text, "answered_from": sources_of(self.after),
            "rewrite": self.after.sql(), "plain_rewrite": self.after.sql(plain=True),
            "cost_before": cost_of(self.before), "cost_after": cost_of(self.after), "unshared_because": self.why,
        }  # fmt: skip


@dataclass(frozen=True, repr=False)
class Advice(Reported):
    """``tried`` covering views were made and checked by the matcher; ``before`` and ``after`` are the costs of all."""

    proposals: tuple[Proposal, ...]
    queries: tuple[Answered, ...]
    tried: int = 0
    seconds: float = field(default=0.0, compare=False)

    @property
    def before(self) -> float:
        return sum(cost_of(q.before) for q in self.queries)

    @property
    def after(self) -> float:
        """What all queries cost with the proposed views, and what these cost themselves."""
        return sum(cost_of(q.after) for q in self.queries) + sum(p.cost for p in self.proposals)

    @property
    def saving(self) -> float:
        return self.before - self.after

    @property
    def statements(self) -> tuple[str, ...]:
        """What creates the proposed views, in order."""
        return tuple(s for p in self.proposals for s in p.statements)

    @property
    def report(self) -> Report:
        columns = ("query", "answered from", "cost before", "cost after", "why not shared")
        rows = tuple(
            (q.label, ", ".join(sources_of(q.after)), _number(cost_of(q.before)), _number(cost_of(q.after)), q.why)
            for q in self.queries
        )
        return Report(self._title(), columns, rows, tuple(self._notes()))

    def to_dict(self) -> dict[str, Any]:
        return {
            "views": [p.to_dict() for p in self.proposals],
            "queries": [q.to_dict() for q in self.queries],
            "cost_before": self.before,
            "cost_after": self.after,
            "saving": self.saving,
            "tried": self.tried,
            "seconds": round(self.seconds, 6),
        }

    def _title(self) -> str:
        count = len(self.queries)
        if not self.proposals:
            return f"no view would lower the cost of {_plural(count, 'query', 'queries')}: {_number(self.before)}"
        labels = {label for p in self.proposals for label in p.serves}
        served = sum(q.label in labels for q in self.queries)
        views = _plural(len(self.proposals), "view answers", "views answer")
        share = 100 * self.saving / self.before
        return (
            f"{views} {served} of {_plural(count, 'query', 'queries')}: "
            f"cost {_number(self.after)} instead of {_number(self.before)}, {share:.0f} % less"
        )

    def _notes(self) -> list[str]:
        notes: list[str] = []
        for made in self.proposals:
            notes += ["", *(f"{s};" for s in made.statements)]
            notes.append(f"  serves {', '.join(made.serves)}")
            notes.append(
                f"  computed from {', '.join(sources_of(made.decision))} for {_number(made.cost)}, "
                f"saves {_number(made.saving)}"
            )
        names = {p.name.lower() for p in self.proposals}
        for query in self.queries:
            if {s.lower() for s in sources_of(query.after)} & names:
                notes += ["", f"{query.label}: {query.after.text}", f"  = {query.after.sql()}"]
        return notes


def cost_of(decision: Decision) -> float:
    cost = decision.cost or decision.unshared
    assert cost is not None
    return cost.total


def sources_of(decision: Decision) -> list[str]:
    """The relations that a query is computed from after the decision."""
    form = decision.query if decision.chosen is None else decision.chosen.rewrite
    return list(dict.fromkeys(s.name for s in relations(form)))


def listed(labels: Sequence[str]) -> str:
    """A few labels, and how many more there are."""
    return ", ".join(labels[:3]) + (f" and {len(labels) - 3} more" if len(labels) > 3 else "")


def _plural(count: int, one: str, many: str) -> str:
    return f"{count} {one if count == 1 else many}"


def _number(cost: float) -> str:
    """With a decimal where it would hide a saving."""
    return f"{cost:,.0f}" if cost >= 10 else f"{cost:.1f}".removesuffix(".0")
