"""A decision as a value: text for a terminal, HTML for a notebook, plain data for a program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from matcher.block import Query, visible
from matcher.cost import Cost
from matcher.sqltext import to_sql
from matcher.verdict import Match, NoMatch, Verdict
from syncsql.render import Report, Reported


@dataclass(frozen=True, repr=False)
class Decision(Reported):
    """``verdicts`` are those that were reached, by view; ``chosen`` is the rewrite that is used, if any.

    ``views`` is how many views there are, ``considered`` how many passed the index, ``proofs`` how many questions the
    solver was asked. ``rests`` are views that have some of the rows, where no view has all.
    """

    text: str
    query: Query
    names: tuple[str, ...]
    verdicts: tuple[tuple[str, Verdict], ...]
    chosen: Match | None = None
    cost: Cost | None = None
    unshared: Cost | None = None
    rests: tuple[Match, ...] = ()
    views: int = 0
    considered: int = 0
    proofs: int = 0
    seconds: float = field(default=0.0, compare=False)

    def sql(self, match: Match | None = None, plain: bool = False) -> str | None:
        """A match, the chosen one by default, as SQL over the view's name; ``plain`` leaves out R(…)."""
        match = match or self.chosen
        return None if match is None else to_sql(visible(match.rewrite, len(self.names)), plain, self.names)

    @property
    def report(self) -> Report:
        rows = tuple((name, _word(v), _code(v), _sentence(v)) for name, v in self.verdicts)
        return Report(self._title(), ("view", "verdict", "code", "why"), rows, tuple(self._notes()))

    def to_dict(self) -> dict[str, Any]:
        verdicts = []
        for name, verdict in self.verdicts:
            shown = {"view": name, **verdict.to_dict()}
            if isinstance(verdict, Match):
                shown |= {"rewrite": self.sql(verdict), "plain_rewrite": self.sql(verdict, plain=True)}
            verdicts.append(shown)
        return {
            "query": self.text,
            "verdicts": verdicts,
            "chosen": None if self.chosen is None else self.chosen.view,
            "rewrite": self.sql(),
            "cost": None if self.cost is None else self.cost.total,
            "unshared_cost": None if self.unshared is None else self.unshared.total,
            "with_rest": [{"view": m.view, "rewrite": self.sql(m)} for m in self.rests],
            "views": self.views,
            "considered": self.considered,
            "proofs": self.proofs,
            "seconds": round(self.seconds, 6),
        }

    def _title(self) -> str:
        if self.chosen is None:
            return "not shared: the query is answered from the base"
        exact = "" if self.chosen.exact else ", equal up to floating-point rounding"
        return f"shared: answered from {self.chosen.view}{exact}"

    def _notes(self) -> list[str]:
        notes: list[str] = []
        if self.chosen is not None:
            notes += ["", f"rewritten: {self.sql()}"]
            notes += [f"  {step}" for step in self.chosen.proof]
            notes.append(f"cost: {self.cost} instead of {self.unshared}")
        for name, verdict in self.verdicts:
            if isinstance(verdict, Match) and (self.chosen is None or self.chosen.view != name):
                notes += ["", f"{name} too, but not cheaper: {self.sql(verdict)}"]
            if isinstance(verdict, NoMatch) and verdict.hint:
                notes += ["", f"{name}: to share, {verdict.hint}"]
            if isinstance(verdict, NoMatch) and verdict.evidence is not None:
                notes += [f"{name}: no query over it can give this answer, since", _indented(str(verdict.evidence))]
        for match in self.rests:
            notes += ["", f"{match.view} has some of the rows: {self.sql(match)}"]
        return notes


def _indented(text: str) -> str:
    return "\n".join("  " + line for line in text.split("\n"))


def _word(verdict: Verdict) -> str:
    if isinstance(verdict, Match):
        return "match" if verdict.partial is None else "match of a part"
    return "no match" if isinstance(verdict, NoMatch) else "unknown"


def _code(verdict: Verdict) -> str | None:
    return verdict.code if isinstance(verdict, NoMatch) else None


def _sentence(verdict: Verdict) -> str:
    if isinstance(verdict, Match):
        return verdict.partial or "the whole query"
    return verdict.reason if isinstance(verdict, NoMatch) else verdict.why
