"""Intervals of columns that plain conditions imply: what can be compared without a solver.

A condition ``column op number`` bounds a column; so do IN and OR of such. Columns that any other condition speaks of
are not bounded: there a solver must tell. Bounds are taken wide, so a comparison may let a view pass that fails later,
and never keeps one out that would do.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import inf

from matcher.constants import constant_of
from syncsql.algebra.expressions import Call, Column, Expr, walk

Interval = tuple[float, float]
_MIRROR = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": "="}
_NUMERIC = ("int", "decimal", "float", "date")


def bounds(where: Sequence[Expr], place: Callable[[Column], str]) -> tuple[dict[str, Interval], set[str]]:
    """The interval of each bounded column by its place, and the places of columns that other conditions read too."""
    found: dict[str, Interval] = {}
    others: set[str] = set()
    for part in where:
        simple = _simple(part)
        if simple is None:
            others |= {place(e) for e in walk(part) if isinstance(e, Column)}
            continue
        column, (low, high) = simple
        old = found.get(place(column), (-inf, inf))
        found[place(column)] = (max(old[0], low), min(old[1], high))
    return found, others


def _simple(part: Expr) -> tuple[Column, Interval] | None:
    if not isinstance(part, Call):
        return None
    if part.op in ("OR", "AND"):
        left, right = _simple(part.args[0]), _simple(part.args[1])
        if left is None or right is None or left[0] != right[0]:
            return None
        (a, b), (c, d) = left[1], right[1]
        return left[0], ((min(a, c), max(b, d)) if part.op == "OR" else (max(a, c), min(b, d)))
    if part.op == "IN" and isinstance(part.args[0], Column):
        values = [_number(a) for a in part.args[1:]]
        numbers = [v for v in values if v is not None]
        return (part.args[0], (min(numbers), max(numbers))) if numbers and len(numbers) == len(values) else None
    if part.op not in _MIRROR:
        return None
    op, (a_, b_) = part.op, (part.args[0], part.args[1])
    if not isinstance(a_, Column):
        op, a_, b_ = _MIRROR[op], b_, a_
    value = _number(b_)
    if not isinstance(a_, Column) or value is None:
        return None
    return a_, (value if op in (">", ">=", "=") else -inf, value if op in ("<", "<=", "=") else inf)


def _number(expr: Expr) -> float | None:
    constant = constant_of(expr)
    if constant is None or constant.kind not in _NUMERIC or constant.value is None:
        return None
    try:
        return float(constant.value)
    except OverflowError:
        return None
