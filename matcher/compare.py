"""Two values on one line, as Spark casts them before it compares or computes; None where that is not modelled.

Values that are equal in a comparison may be told apart otherwise: 0.0 from -0.0, 1.0 from 1.00, the INT 1 from the
BIGINT 1. So a function of equal values is known to be equal only for arguments of one :func:`exact_type`.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from matcher.constants import cast
from matcher.decimals import common_digits, digits_of
from matcher.leaves import Leaves
from matcher.term import Term, as_real
from syncsql.algebra.types import BITS, base, equal_is_same

_READ_AS = {"date": "DATE", "timestamp": "TIMESTAMP", "timestamp_ntz": "TIMESTAMP_NTZ", "int": "BIGINT"}
_NUMBERS = {"int", "decimal", "float"}


def aligned(a: Term, b: Term, leaves: Leaves) -> tuple[z3.ExprRef, z3.ExprRef] | None:
    """The values of ``a`` and ``b`` for a comparison."""
    kinds = {a.kind, b.kind}
    if kinds == {"other"} and (a.type != b.type or not equal_is_same(a.type)):
        return None
    if kinds <= {"int", "decimal"} and "decimal" in kinds:
        return (as_real(a), as_real(b)) if common_digits(digits_of(a.type), digits_of(b.type)) else None
    if a.kind == b.kind:
        return a.value, b.value
    if kinds <= _NUMBERS:
        x, y = as_float(a, leaves), as_float(b, leaves)
        return None if x is None or y is None else (x, y)
    for one, other in ((a, b), (b, a)):
        # A string literal next to a date or a number is read as one.
        if one.constant is not None and one.kind == "string" and other.kind in _READ_AS:
            read = cast(one.constant, _READ_AS[other.kind])
            if read is None:
                return None
            term = leaves.constant(read)
            return (term.value, b.value) if one is a else (a.value, term.value)
    return None


def choices(terms: Sequence[Term], leaves: Leaves) -> list[Term] | None:
    """The operand and the values of an IN list, such that each pair can be compared: all are cast to one type."""
    kinds = {t.kind for t in terms} - {"null"}
    if "float" in kinds and kinds <= _NUMBERS:
        values = [None if t.kind == "null" else as_float(t, leaves) for t in terms]
        if any(v is None and t.kind != "null" for t, v in zip(terms, values, strict=True)):
            return None
        return [t if v is None else Term("float", v, t.null, "DOUBLE") for t, v in zip(terms, values, strict=True)]
    operand = terms[0].kind
    read = operand in _READ_AS and all(t.kind != "string" or t.constant is not None for t in terms)
    if len(kinds) < 2 or kinds == {"int", "decimal"} or (read and kinds == {operand, "string"}):
        return list(terms)
    return None


def as_float(term: Term, leaves: Leaves) -> z3.ExprRef | None:
    """The double that a number is cast to."""
    if term.kind == "float":
        return term.value
    if term.constant is not None:
        read = cast(term.constant, "DOUBLE")
        return None if read is None else leaves.constant(read).value
    if term.kind == "int" and BITS.get(base(term.type) or "", 64) <= 32:
        return z3.ToReal(term.value)
    # A BIGINT or a DECIMAL may have more digits than a double: its nearest double is some function of it.
    return z3.Function(f"double of {term.kind}", term.value.sort(), z3.RealSort())(term.value)


def exact_type(term: Term) -> str | None:
    """What tells values apart that are equal on the line; None where that is not known."""
    if term.kind in ("int", "float", "date"):
        # A TIMESTAMP at the beginning of a day is on the line of the dates.
        return base(term.type)
    if term.kind == "decimal":
        digits = digits_of(term.type)
        return None if digits is None else str(digits)
    return term.type if term.kind == "other" else term.kind
