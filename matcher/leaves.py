"""Columns and constants as terms, and what is known of them: the bounds of types, the order of texts and moments, the
calendar."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction

import z3

from matcher.calendar import Calendar
from matcher.constants import INFINITY, NAN, Constant, kind_of
from matcher.likeness import after_prefix, is_prefix, literal_of, prefix_of
from matcher.term import Term, real, sort_of, zero
from matcher.text_order import TextOrder
from matcher.zeros import sign_of_column
from syncsql.algebra.expressions import Column
from syncsql.algebra.types import BITS, base

_DAY = 86_400_000_000


@dataclass
class Leaves:
    """``facts`` are true of every row; ``not_null`` are the ids of columns that never are."""

    not_null: frozenset[str] = frozenset()
    facts: list[z3.BoolRef] = field(default_factory=list)
    text: TextOrder = field(default_factory=TextOrder)
    calendar: Calendar = field(default_factory=Calendar)
    _moments: dict[int, z3.ArithRef] = field(default_factory=dict)

    def axioms(self) -> Iterator[z3.BoolRef]:
        yield from self.facts
        yield from self.text.axioms()
        yield from self._moment_order()
        yield from self.calendar.axioms()

    def column(self, column: Column) -> Term:
        kind = kind_of(column.type)
        value = z3.Const(f"{column.id}|{kind}", sort_of(kind))
        null = z3.BoolVal(False) if column.id in self.not_null else z3.Bool(f"{column.id}|null")
        bits = BITS.get(base(column.type) or "")
        if bits:
            self.facts += [value >= -(2 ** (bits - 1)), value < 2 ** (bits - 1)]
        if kind == "float":
            self.facts += [value >= real(-INFINITY), value <= real(NAN)]
        return Term(kind, value, null, column.type, minus=sign_of_column(column))

    def constant(self, constant: Constant) -> Term:
        kind, value = constant.kind, constant.value
        if value is None:
            return Term(kind, zero(kind), z3.BoolVal(True), None, constant)
        term: z3.ExprRef
        if kind == "string":
            term = self.text.constant(str(value))
        elif kind == "bool":
            term = z3.BoolVal(bool(value))
        elif kind in ("decimal", "float"):
            term = real(Fraction(value))
        elif kind == "timestamp":
            term = self._moments.setdefault(int(value), z3.Int(f"moment {value}"))
        else:
            term = z3.IntVal(int(value))
            if kind == "int":
                self.calendar.integer(int(value))
            elif kind == "date":
                self.calendar.day(int(value))
        return Term(kind, term, z3.BoolVal(False), None, constant)

    def like(self, text: z3.ExprRef, pattern: str) -> z3.BoolRef:
        """Whether ``text`` is in the set of texts that LIKE makes of a pattern."""
        literal = literal_of(pattern)
        if literal is not None:
            return text == self.text.constant(literal)
        prefix = prefix_of(pattern)
        low, above = self.text.constant(prefix), after_prefix(prefix)
        within = z3.And(text >= low, text < self.text.constant(above)) if above else text >= low
        atom = self.text.matching(text, pattern)
        self.facts.append(atom == within if is_prefix(pattern) else z3.Implies(atom, within))
        return atom

    def _moment_order(self) -> Iterable[z3.BoolRef]:
        """A TIMESTAMP literal is a local time: which instant it is depends on the session's time zone, whose offset
        changes. Instants more than a day apart are in the order of their local times in every zone."""
        moments = sorted(self._moments)
        for i, one in enumerate(moments):
            for other in moments[i + 1 :]:
                if other - one > _DAY + _DAY // 12:
                    yield self._moments[one] < self._moments[other]
