"""What one decision carries with it: the facts, the solver's budget, fresh column ids, and names for subqueries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from matcher.block import Query, Source
from matcher.facts import Facts
from matcher.fingerprint import subquery_name
from matcher.prover import Effort, Prover
from syncsql.algebra.expressions import Column, Expr, Subquery, infix


@dataclass(frozen=True)
class SameRows:
    """A nested query as another one that has the same rows: its columns over those of ``source``, of which only the
    rows with ``where`` are meant."""

    source: Source
    columns: dict[str, Expr]
    where: tuple[Expr, ...] = ()


@dataclass
class Context:
    facts: Facts
    effort: Effort
    # Set by the matcher of blocks, which both uses and is used by the alignment of nested queries.
    rows_of: Callable[[Query, Query, Context], SameRows | None] = lambda q, v, c: None
    _numbers: list[int] = field(default_factory=lambda: [0])
    _same: dict[tuple[Query, Query], SameRows | None] = field(default_factory=dict)

    def number(self) -> int:
        self._numbers[0] += 1
        return self._numbers[0]

    def name(self, subquery: Subquery) -> str:
        return subquery_name(subquery)

    def same_rows(self, query: Query, view: Query) -> SameRows | None:
        if (query, view) not in self._same:
            self._same[query, view] = self.rows_of(query, view, self)
        return self._same[query, view]

    def prover(self, not_null: frozenset[str]) -> Prover:
        return Prover(self.effort, not_null, self.name)

    @staticmethod
    def equation(a: Column, b: Column) -> Expr:
        return infix("=", a, b, "BOOLEAN")
