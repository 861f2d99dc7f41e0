"""Arithmetic where it is exact: on integers, on decimals with digits enough, and on dates.

Spark's ANSI arithmetic raises an error where a result leaves its type, and an error is no answer. So integers are those
of mathematics here.
"""

from __future__ import annotations

import z3

from matcher.constants import Constant
from matcher.decimals import Digits, digits_after, digits_of, digits_of_literal
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
    made = result_digits(op, terms)
    if made is None or not made[1] or (op == "*" and all(t.constant is None for t in terms)):
        return None
    values = [as_real(t) for t in terms]
    if len(values) == 1:
        value = -values[0] if op == "NEG" else z3.If(values[0] < 0, -values[0], values[0])
    else:
        a, b = values
        value = a + b if op == "+" else a - b if op == "-" else a * b
    return Term("decimal", value, z3.BoolVal(False), str(made[0]))


def result_digits(op: str, terms: list[Term]) -> tuple[Digits, bool] | None:
    """The digits of a result, and whether it is exact; None where those of an operand are not known."""
    operands = [_digits(t) for t in terms]
    known = [d for d in operands if d is not None]
    return digits_after(op, known) if len(known) == len(operands) else None


def _digits(term: Term) -> Digits | None:
    # An integer that stands next to a DECIMAL as a literal has as many digits as are written.
    if term.kind == "int" and term.type == "INT" and term.constant is not None:
        return digits_of_literal(str(term.constant.value))
    return digits_of(term.type)


def type_of_constant(expr: Expr, constant: Constant) -> str | None:
    """The type of a constant, with the digits of a DECIMAL."""
    if isinstance(expr, Call) and expr.op == "NEG":
        return type_of_constant(expr.args[0], constant)
    if constant.kind == "decimal" and isinstance(expr, Literal):
        return str(digits_of_literal(expr.sql))
    return expr.type
