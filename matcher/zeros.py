"""Which zero a double is: 0.0 and -0.0 are equal in every comparison, and not the same to show.

So a double is a point on the line together with a sign that counts at the point 0 alone. The sign is known of literals
and of numbers cast from exact ones; a choice has that of the value chosen, and what is computed has some function of
the operands, signs included. Of a column either may be.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3

from matcher.constants import Constant, kind_of
from matcher.term import Term
from syncsql.algebra.expressions import Call, Column, Expr, Literal, sql


def sign_of_column(column: Column) -> z3.BoolRef | None:
    return z3.Bool(f"{column.id} is -0.0") if kind_of(column.type) == "float" else None


def sign_of_constant(expr: Expr, constant: Constant) -> z3.BoolRef | None:
    if constant.kind != "float" or constant.value != 0:
        return None
    inner = expr
    while isinstance(inner, Call) and inner.op.startswith("CAST AS "):
        inner = inner.args[0]
    if isinstance(inner, Literal) and kind_of(inner.type) in ("float", "string"):
        return z3.BoolVal("-" in inner.sql.lower().partition("e")[0])
    # An exact number has one zero, and that is cast to 0.0.
    return z3.BoolVal(False) if isinstance(inner, Literal) else z3.Bool(f"{sql(expr)} is -0.0")


def is_minus_zero(term: Term) -> z3.BoolRef:
    """``term`` is -0.0; its sign where it is another number or NULL does not matter."""
    return z3.And(z3.Not(term.null), term.value == 0, _sign(term))


def sign_of_choice(branches: Sequence[tuple[z3.BoolRef, Term]], default: Term) -> z3.BoolRef:
    sign = _sign(default)
    for condition, term in reversed(branches):
        sign = z3.If(condition, _sign(term), sign)
    return sign


def alike_at_zero(a: Term, b: Term) -> z3.BoolRef:
    """Two doubles that are both NULL or equal are also the same zero, where they are one."""
    return is_minus_zero(a) == is_minus_zero(b)


def _sign(term: Term) -> z3.BoolRef:
    return z3.BoolVal(False) if term.minus is None else term.minus
