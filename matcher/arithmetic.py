"""Arithmetic where it is exact: on integers, on decimals with digits enough, and on dates.

Spark's ANSI arithmetic raises an error where a result leaves its type, and an error is no answer. So integers are those
of mathematics here.
"""

from __future__ import annotations

import z3

from matcher.constants import Constant
from matcher.decimals import digits_after, digits_of, digits_of_literal
from matcher.term import Term, as_real
from syncsql.algebra.expressions import Call, Expr, Literal


def integers(op: str, terms: list[Term]) -> z3.ExprRef | None:
    values = [t.value for t in terms]
    if op == "NEG":
        return -values[0]
    if op == "abs":
        return z3.If(values[0] < 0, -values[0], values[0])
    a, b = values
    if op in ("+", "-", "*"):
        return a + b if op == "+" else a - b if op == "-" else a * b
    divisor = terms[1].constant
    if divisor is None or not divisor.value:
        return None
    # Z3 rounds towards the divisor's sign; Spark towards zero, and the remainder has the dividend's sign.
    size = z3.IntVal(abs(int(divisor.value)))
    if op == "%":
        return z3.If(a >= 0, a % size, -((-a) % size))
    quotient = z3.If(a >= 0, a / size, -((-a) / size))
    return quotient if int(divisor.value) > 0 else -quotient


def decimals(op: str, terms: list[Term]) -> Term | None:
    """The exact result of DECIMAL arithmetic, where it is one. A product of two columns stays a function of them: what
    Z3 knows of those is seldom worth its time."""
    operands = [digits_of(t.type) for t in terms]
    if None in operands or (op == "*" and all(t.constant is None for t in terms)):
        return None
    made = digits_after(op, [d for d in operands if d is not None])
    if made is None:
        return None
    values = [as_real(t) for t in terms]
    if len(values) == 1:
        value = -values[0] if op == "NEG" else z3.If(values[0] < 0, -values[0], values[0])
    else:
        a, b = values
        value = a + b if op == "+" else a - b if op == "-" else a * b
    return Term("decimal", value, z3.BoolVal(False), str(made))


def type_of_constant(expr: Expr, constant: Constant) -> str | None:
    """The type of a constant, with the digits of a DECIMAL."""
    if constant.kind == "decimal" and isinstance(expr, Literal):
        return str(digits_of_literal(expr.sql))
    return expr.type if constant.kind == "int" and isinstance(expr, Literal | Call) else None
