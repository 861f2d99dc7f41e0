"""Verdicts: what the matcher says of a query and a view, as values that explain themselves.

The codes are stable; a sentence names things as the user named them.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from matcher.block import Block, Query
from matcher.evidence import Evidence

# Code, and how far a candidate has come that fails with it: of several tries the one that came farthest is told.
CODES: dict[str, int] = {
    "TABLES.DIFFERENT": 0,
    "TABLES.EXTRA": 1,
    "TABLES.TIME": 2,
    "JOIN.KIND": 3,
    "ROWS.NOT_CONTAINED": 4,
    "GROUPING.MISSING_ROWS": 5,
    "GROUPING.FINER": 6,
    "GROUPING.HAVING": 6,
    "GROUPING.EMPTY": 6,
    "COLUMN.MISSING": 7,
    "AGGREGATE.MISSING": 8,
    "AGGREGATE.FLOAT": 8,
    "AGGREGATE.NOT_DIVISIBLE": 8,
    "SHAPE.DIFFERENT": 3,
    "TIME.NOT_CONTAINED": 9,
    "TIME.PARTIAL_POINTS": 9,
    "NONDETERMINISTIC": 1,
}


@dataclass(frozen=True)
class Step:
    """One thing that was proved on the way to a rewrite, and how."""

    claim: str
    how: str

    def __str__(self) -> str:
        return f"{self.claim}   [{self.how}]"


@dataclass(frozen=True)
class Match:
    """The query's answer can be had from the view: ``rewrite`` is equal to it at every point.

    ``exact`` is False where a floating-point result may differ in its last digits (variance from its parts).
    """

    view: str
    rewrite: Query
    proof: tuple[Step, ...] = ()
    exact: bool = True
    partial: str | None = None

    def __bool__(self) -> bool:
        return True

    def to_dict(self) -> dict[str, Any]:
        return {
            "verdict": "match", "view": self.view, "exact": self.exact, "part": self.partial,
            "proof": [{"claim": s.claim, "how": s.how} for s in self.proof],
        }  # fmt: skip


@dataclass(frozen=True)
class NoMatch:
    """The view does not answer the query, and why; ``evidence`` is a checked counterexample where one was found.

    ``assumed`` are expressions that are not modelled: without a counterexample the failure may be owed to those."""

    code: str
    reason: str
    evidence: Evidence | None = None
    hint: str | None = None
    values: dict[str, object] = field(default_factory=dict, compare=False, repr=False)
    assumed: tuple[str, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.code not in CODES:
            raise ValueError(f"unknown code {self.code}")

    def __bool__(self) -> bool:
        return False

    @property
    def reached(self) -> int:
        return CODES[self.code]

    def to_dict(self) -> dict[str, Any]:
        evidence = None if self.evidence is None else self.evidence.to_dict()
        return {"verdict": "no match", "code": self.code, "reason": self.reason, "hint": self.hint,
                "counterexample": evidence}  # fmt: skip


@dataclass(frozen=True)
class Unknown:
    """Neither proved nor refuted; such a view is never used."""

    why: str

    def __bool__(self) -> bool:
        return False

    def to_dict(self) -> dict[str, Any]:
        return {"verdict": "unknown", "why": self.why}


Verdict = Match | NoMatch | Unknown
Failure = NoMatch | Unknown


def better(one: Failure | None, other: Failure) -> Failure:
    """Of two failed tries the one that says more: the farther one, and of equals the first."""
    if one is None:
        return other
    if isinstance(one, Unknown):
        return one
    if isinstance(other, Unknown):
        return other
    return other if other.reached > one.reached else one


@dataclass(frozen=True)
class Found:
    """A block that is equal to the query's block, made over the view; ``always`` where that holds at every tick and
    not only where the view is up to date."""

    block: Block
    proof: tuple[Step, ...]
    exact: bool = True
    always: bool = False
