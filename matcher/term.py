"""A value as Z3 has it: a pair (value, is-null) of a kind, and what can be said of such pairs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import z3

from matcher.constants import Constant

OTHER = z3.DeclareSort("value")
_SORTS: dict[str, Callable[[], z3.SortRef]] = {
    "int": z3.IntSort, "date": z3.IntSort, "timestamp": z3.IntSort, "timestamp_ntz": z3.IntSort,
    "decimal": z3.RealSort, "float": z3.RealSort, "string": z3.RealSort, "bool": z3.BoolSort, "other": lambda: OTHER,
    "null": lambda: OTHER,
}  # fmt: skip


@dataclass(frozen=True)
class Term:
    kind: str
    value: z3.ExprRef
    null: z3.BoolRef
    type: str | None = None
    constant: Constant | None = None
    # Of a double that is 0, whether it is -0.0; None where it never is.
    minus: z3.BoolRef | None = None


def sort_of(kind: str) -> z3.SortRef:
    return _SORTS[kind]()


def zero(kind: str) -> z3.ExprRef:
    if kind in ("other", "null"):
        return z3.Const("no_value", OTHER)
    if kind == "bool":
        return z3.BoolVal(False)
    return z3.IntVal(0) if sort_of(kind) == z3.IntSort() else z3.RealVal(0)


def is_true(term: Term) -> z3.BoolRef:
    return z3.And(z3.Not(term.null), term.value) if not z3.is_false(term.null) else term.value


def same(a: Term, b: Term) -> z3.BoolRef:
    """Both NULL, or equal: what ``<=>`` says."""
    return z3.And(a.null == b.null, z3.Or(a.null, a.value == b.value))


def real(value: Fraction) -> z3.RatNumRef:
    return z3.RealVal(f"{value.numerator}/{value.denominator}")


def as_real(term: Term) -> z3.ExprRef:
    return z3.ToReal(term.value) if term.value.sort() == z3.IntSort() else term.value


def in_kind(term: Term, kind: str) -> z3.ExprRef:
    return as_real(term) if kind == "decimal" else term.value


def as_bool(term: Term) -> z3.BoolRef:
    return z3.Function(f"truth of {term.kind}", term.value.sort(), z3.BoolSort())(term.value)


def either(a: z3.BoolRef, b: z3.BoolRef) -> z3.BoolRef:
    if z3.is_false(a):
        return b
    return a if z3.is_false(b) else z3.Or(a, b)


def settled(term: Term) -> z3.ExprRef:
    """The value with every NULL made the same, so that a function of a NULL is one value."""
    if z3.is_false(term.null):
        return term.value
    return z3.If(term.null, zero(term.kind), term.value)
