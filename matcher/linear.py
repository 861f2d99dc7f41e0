"""Integer columns from integer outputs: ``deptno + 10`` from a view's ``deptno - 10`` is ``o + 20``.

An integer expression that is a sum of columns with whole coefficients is a vector. A target is derivable where it is a
combination of the outputs' vectors, plus a constant; with whole coefficients it can be computed without division.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from matcher.constants import constant_of
from syncsql.algebra.expressions import Call, Column, Expr, Literal, infix
from syncsql.algebra.types import call_type, is_integer

Vector = dict[str, Fraction]
_ONE = ""


def vector_of(expr: Expr) -> Vector | None:
    """Coefficients by column id, the constant under the empty id; None where ``expr`` is not linear."""
    constant = constant_of(expr)
    if constant is not None:
        return {_ONE: Fraction(constant.value)} if constant.kind == "int" and constant.value is not None else None
    if isinstance(expr, Column):
        return {expr.id: Fraction(1)} if is_integer(expr.type) else None
    if not isinstance(expr, Call) or expr.op not in ("+", "-", "*", "NEG"):
        return None
    parts = [vector_of(a) for a in expr.args]
    if any(p is None for p in parts):
        return None
    first = parts[0] or {}
    if expr.op == "NEG":
        return _scaled(first, Fraction(-1))
    second = parts[1] or {}
    if expr.op == "*":
        for a, b in ((first, second), (second, first)):
            if set(a) <= {_ONE}:
                return _scaled(b, a.get(_ONE, Fraction(0)))
        return None
    return _added(first, second, Fraction(1 if expr.op == "+" else -1))


def _scaled(vector: Vector, by: Fraction) -> Vector:
    return {k: v * by for k, v in vector.items() if v * by}


def _added(a: Vector, b: Vector, by: Fraction) -> Vector:
    result = {k: a.get(k, Fraction(0)) + by * b.get(k, Fraction(0)) for k in a.keys() | b.keys()}
    return {k: v for k, v in result.items() if v}


def combination(target: Expr, outputs: Sequence[tuple[Column, Expr]]) -> Expr | None:
    """``target`` as a whole-numbered combination of the outputs, by elimination; None where there is none."""
    wanted = vector_of(target)
    if wanted is None:
        return None
    rows: list[tuple[Vector, dict[int, Fraction]]] = []
    for number, (_, expr) in enumerate(outputs):
        vector = vector_of(expr)
        if vector is not None and set(vector) - {_ONE}:
            rows.append((vector, {number: Fraction(1)}))
    made: dict[int, Fraction] = {}
    rest = wanted
    while True:
        columns = sorted(set(rest) - {_ONE})
        if not columns:
            break
        pivot = columns[0]
        found = next((row for row in rows if pivot in row[0]), None)
        if found is None:
            return None
        vector, parts = found
        rows.remove(found)
        rows = [_eliminated(row, found, pivot) for row in rows]
        factor = rest[pivot] / vector[pivot]
        rest = _added(rest, vector, -factor)
        for number, weight in parts.items():
            made[number] = made.get(number, Fraction(0)) + factor * weight
    if any(weight.denominator != 1 for weight in made.values()) or rest.get(_ONE, Fraction(0)).denominator != 1:
        return None
    return _written(made, rest.get(_ONE, Fraction(0)), outputs)


def _eliminated(
    row: tuple[Vector, dict[int, Fraction]], by: tuple[Vector, dict[int, Fraction]], pivot: str
) -> tuple[Vector, dict[int, Fraction]]:
    factor = row[0].get(pivot, Fraction(0)) / by[0][pivot]
    parts = {k: row[1].get(k, Fraction(0)) - factor * by[1].get(k, Fraction(0)) for k in row[1].keys() | by[1].keys()}
    return _added(row[0], by[0], -factor), {k: v for k, v in parts.items() if v}


def _written(made: dict[int, Fraction], constant: Fraction, outputs: Sequence[tuple[Column, Expr]]) -> Expr | None:
    terms = [(weight, outputs[number][0]) for number, weight in sorted(made.items()) if weight]
    if not terms:
        return None
    terms.sort(key=lambda t: t[0] < 0)
    # A sum that fits into its type may have parts that do not.
    steps = len(terms) - 1 + sum(abs(weight) != 1 for weight, _ in terms) + bool(constant)
    if steps > 1 and any(column.type == "BIGINT" for _, column in terms):
        return None
    parts = [(weight, _wide(column) if steps > 1 else column) for weight, column in terms]
    weight, first = parts[0]
    result = first if weight == 1 else _infix("*", Literal(str(weight), "INT"), first)
    for weight, part in parts[1:]:
        size = abs(weight)
        result = _infix(
            "+" if weight > 0 else "-", result, part if size == 1 else _infix("*", Literal(str(size), "INT"), part)
        )
    if constant:
        result = _infix("+" if constant > 0 else "-", result, Literal(str(abs(constant)), "INT"))
    return result


def _wide(column: Column) -> Expr:
    return Call("CAST AS BIGINT", ("CAST(", " AS BIGINT)"), (column,), "BIGINT")


def _infix(op: str, left: Expr, right: Expr) -> Expr:
    return infix(op, left, right, call_type(op, [left.type, right.type]))
