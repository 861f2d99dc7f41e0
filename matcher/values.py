"""The value of an expression for one row, as Spark has it: three-valued logic, NaN largest, division by zero an error.

This is the dumb side of every comparison: it knows no algebra and no solver, and what it cannot compute it refuses.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction
from functools import cmp_to_key
from typing import Any

from matcher.constants import constant_of, unquoted
from matcher.likeness import matches
from syncsql.algebra.dates import TRUNCATED
from syncsql.algebra.expressions import Call, Column, Expr, Literal, Now, Subquery
from syncsql.algebra.types import BITS, base, is_integer

Row = dict[str, Any]
Nested = Callable[[Subquery, Row], Any]


class NotComputable(Exception):
    """This expression has no value here: an error in Spark, or something that is not modelled."""


def value_of(expr: Expr, row: Row, now: int, nested: Nested) -> Any:
    """None is NULL, and the truth value *unknown*."""

    def inner(part: Expr) -> Any:
        return value_of(part, row, now, nested)

    if isinstance(expr, Column):
        if expr.id not in row:
            # When a row of a view came out is no function of its inputs at one point.
            raise NotComputable(expr.name)
        return row[expr.id]
    if isinstance(expr, Now):
        return now
    if isinstance(expr, Literal):
        return _literal(expr)
    if isinstance(expr, Subquery):
        return nested(expr, row)
    return _call(expr, inner)


def _literal(expr: Literal) -> Any:
    if expr.type == "STRING":
        return unquoted(expr.sql)
    if expr.type == "DOUBLE":
        return float(expr.sql)
    constant = constant_of(expr)
    if constant is None:
        raise NotComputable(expr.sql)
    return constant.value


def _call(call: Call, inner: Callable[[Expr], Any]) -> Any:
    op = call.op
    if op in ("AND", "OR"):
        return _junction(op, [inner(a) for a in call.args])
    if op == "NOT":
        value = inner(call.args[0])
        return None if value is None else not value
    if op == "IS NULL":
        return inner(call.args[0]) is None
    if op in ("=", "<>", "<", "<=", ">", ">="):
        return _compare(op, inner(call.args[0]), inner(call.args[1]))
    if op == "<=>":
        a, b = inner(call.args[0]), inner(call.args[1])
        return (a is None and b is None) if a is None or b is None else order(a, b) == 0
    if op == "IN":
        operand = inner(call.args[0])
        return _junction("OR", [_compare("=", operand, inner(a)) for a in call.args[1:]])
    if op in ("CASE", "CASE OF"):
        return _case(call, inner)
    if op == "coalesce":
        return next((v for a in call.args if (v := inner(a)) is not None), None)
    args = [inner(a) for a in call.args]
    if op in ("greatest", "least"):
        present = [a for a in args if a is not None]
        pick = max if op == "greatest" else min
        return pick(present, key=cmp_to_key(order)) if present else None
    if op == "isnan":
        return isinstance(args[0], float) and math.isnan(args[0])
    if op == "nullif":
        return None if _compare("=", args[0], args[1]) else args[0]
    if any(a is None for a in args):
        return None
    return _strict(call, args)


def _strict(call: Call, args: list[Any]) -> Any:
    """Functions that are NULL where an argument is."""
    op = call.op
    if op in ("+", "-", "*", "/", "%", "DIV"):
        return within(_arithmetic(op, args[0], args[1]), call.type)
    if op == "NEG":
        return within(-args[0], call.type)
    if op == "abs":
        return within(abs(args[0]), call.type)
    if op == "LIKE":
        return matches(args[0], args[1])
    if op in ("upper", "lower"):
        return getattr(args[0], op)()
    if op == "length":
        return len(args[0])
    if op in ("year", "month", "day") and isinstance(args[0], date):
        return getattr(args[0], op)
    if op == "quarter" and isinstance(args[0], date):
        return (args[0].month + 2) // 3
    if op == "datediff" and isinstance(args[0], date) and isinstance(args[1], date):
        return (args[0] - args[1]).days
    if op in TRUNCATED and isinstance(args[0], date):
        months = (12, 3, 1)[TRUNCATED.index(op)]
        return args[0].replace(month=(args[0].month - 1) // months * months + 1, day=1)
    if op.startswith("CAST AS "):
        return _cast(args[0], call.type)
    raise NotComputable(op)


def _junction(op: str, values: list[Any]) -> bool | None:
    decisive = op == "OR"
    if any(v is not None and bool(v) == decisive for v in values):
        return decisive
    return None if any(v is None for v in values) else not decisive


def _compare(op: str, a: Any, b: Any) -> bool | None:
    if a is None or b is None:
        return None
    found = order(a, b)
    return {"=": found == 0, "<>": found != 0, "<": found < 0, "<=": found <= 0, ">": found > 0, ">=": found >= 0}[op]


def order(a: Any, b: Any) -> int:
    """-1, 0 or 1; NaN is equal to itself and above every number. A string next to a date or number is read as one."""
    if isinstance(a, str) != isinstance(b, str):
        a, b = _alike(a, b), _alike(b, a)
    if isinstance(a, float) or isinstance(b, float):
        # A comparison with a double is one of doubles.
        a, b = float(a), float(b)
        if math.isnan(a) or math.isnan(b):
            return int(math.isnan(a)) - int(math.isnan(b))
    if isinstance(a, date) != isinstance(b, date):
        raise NotComputable("values of different types")
    return (a > b) - (a < b)


def _alike(value: Any, other: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        if isinstance(other, date):
            return date.fromisoformat(value.strip())
        return float(value) if isinstance(other, float) else int(value)
    except ValueError:
        raise NotComputable(f"{value!r} in a comparison") from None


def _case(call: Call, inner: Callable[[Expr], Any]) -> Any:
    args = list(call.args)
    operand = args.pop(0) if call.op == "CASE OF" else None
    default = args.pop() if len(args) % 2 else None
    for condition, result in zip(args[::2], args[1::2], strict=True):
        found = inner(condition) if operand is None else _compare("=", inner(operand), inner(condition))
        if found:
            return inner(result)
    return None if default is None else inner(default)


def _arithmetic(op: str, a: Any, b: Any) -> Any:
    whole = isinstance(a, int) and isinstance(b, int)
    if op in ("/", "%", "DIV") and b == 0:
        raise NotComputable("division by zero")
    if op in ("+", "-", "*") and all(isinstance(v, int | Fraction) for v in (a, b)):
        return a + b if op == "+" else a - b if op == "-" else a * b
    if op in ("+", "-") and isinstance(a, date) and isinstance(b, int):
        return a + timedelta(days=b if op == "+" else -b)
    if whole and op == "/":
        return a / b
    if not whole and not (isinstance(a, float) or isinstance(b, float)):
        raise NotComputable(f"{type(a).__name__} {op} {type(b).__name__}")
    if not whole:
        a, b = float(a), float(b)
    if op in ("+", "-", "*"):
        return a + b if op == "+" else a - b if op == "-" else a * b
    if not whole:
        return a / b if op == "/" else math.fmod(a, b)
    size = abs(a) // abs(b)
    quotient = size if (a < 0) == (b < 0) else -size
    return quotient if op == "DIV" else a - b * quotient


def within(value: Any, type_: str | None) -> Any:
    """An integer that its type holds; where arithmetic leaves it, Spark has an error for an answer."""
    if isinstance(value, int) and not isinstance(value, bool):
        bound = 1 << BITS.get(base(type_) or "", 64) - 1
        if not -bound <= value < bound:
            raise NotComputable(f"{value} is no {type_ or 'integer'}")
    return value


def _cast(value: Any, type_: str | None) -> Any:
    try:
        if is_integer(type_) and isinstance(value, int | str | bool):
            return within(int(value), type_)
        if base(type_) == "DOUBLE" and isinstance(value, int | float | str | Fraction):
            return float(value)
        if base(type_) == "STRING" and isinstance(value, int | str) and not isinstance(value, bool):
            return str(value)
        if base(type_) == "DATE" and isinstance(value, str):
            return date.fromisoformat(value.strip())
    except ValueError:
        pass
    if base(type_) == "DATE" and isinstance(value, date):
        return value
    raise NotComputable(f"CAST AS {type_}")
