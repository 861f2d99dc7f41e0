"""What a literal is worth: the exact value of a constant expression, and of which kind it is.

A kind says what a solver may do with values: ``int`` is computed with exactly; ``decimal``, ``float`` and ``string``
are compared exactly and never computed with; ``date`` counts days; ``timestamp`` counts microseconds. CHAR is of no
kind: what it is padded with counts in LIKE and does not count in a comparison.
"""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from fractions import Fraction
from math import isinf, isnan
from struct import pack, unpack

from syncsql.algebra.dates import months_of
from syncsql.algebra.expressions import Call, Expr, Literal
from syncsql.algebra.types import INTEGERS, base, is_float

# Beyond every finite double, in Spark's order: NaN is larger than infinity and equal to itself.
INFINITY = Fraction(10**309)
NAN = Fraction(10**310)
_EPOCH = date(1970, 1, 1)


def kind_of(type_: str | None) -> str:
    name = base(type_)
    if name in INTEGERS:
        return "int"
    if is_float(type_):
        return "float"
    if name in ("STRING", "VARCHAR"):
        return "string"
    known = {"DECIMAL": "decimal", "BOOLEAN": "bool", "DATE": "date", "TIMESTAMP": "timestamp",
             "TIMESTAMP_NTZ": "timestamp_ntz", "VOID": "null"}  # fmt: skip
    return known.get(name or "", "other")


@dataclass(frozen=True)
class Constant:
    """``value`` is an int, Fraction, str or bool as the kind says; None is NULL."""

    kind: str
    value: int | Fraction | str | bool | None


def constant_of(expr: Expr) -> Constant | None:
    """The constant that a literal, a negated one or a cast of one is; None where it has to be computed."""
    if isinstance(expr, Literal):
        return _literal(expr)
    if isinstance(expr, Call) and len(expr.args) == 1 and expr.op.startswith("CAST AS "):
        inner = constant_of(expr.args[0])
        return None if inner is None else cast(inner, expr.op.removeprefix("CAST AS "))
    if isinstance(expr, Call) and expr.op == "NEG":
        inner = constant_of(expr.args[0])
        if inner is not None and inner.kind in ("int", "decimal") and not isinstance(inner.value, str | None):
            return Constant(inner.kind, -inner.value)
    return _moved(expr) if isinstance(expr, Call) and expr.op in ("+", "-", "add_months") else None


def _moved(call: Call) -> Constant | None:
    """A constant date, some days or months later; the last day of a month stands for days that it does not have."""
    start, by = constant_of(call.args[0]), constant_of(call.args[1])
    if start is None or start.kind != "date" or start.value is None:
        return None
    sign = -1 if call.op == "-" else 1
    months = months_of(call.args[1])
    if by is not None and by.kind == "int" and by.value is not None:
        if call.op != "add_months":
            return Constant("date", int(start.value) + sign * int(by.value))
        months = int(by.value)
    if months is None:
        return None
    try:
        day = _EPOCH + timedelta(int(start.value))
    except OverflowError:
        return None
    month = 12 * day.year + day.month - 1 + sign * months
    if not 12 <= month < 12 * 9999:
        return None
    year, month = divmod(month, 12)
    return Constant("date", days(date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))))


def _literal(expr: Literal) -> Constant | None:
    kind = kind_of(expr.type)
    if kind == "null":
        return Constant("null", None)
    if kind == "bool":
        return Constant("bool", expr.sql == "TRUE")
    if kind == "string":
        return Constant("string", unquoted(expr.sql))
    if kind == "int":
        return Constant("int", int(expr.sql.rstrip("L")))
    if kind == "decimal":
        return Constant("decimal", Fraction(expr.sql.rstrip("BD")))
    return Constant("float", from_float(float(expr.sql.rstrip("DF")))) if kind == "float" else None


def unquoted(text: str) -> str:
    """The string that a Spark string literal in single quotes stands for."""
    body, out, at = text[1:-1], [], 0
    escapes = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "b": "\b", "Z": "\x1a"}
    while at < len(body):
        if body[at] == "\\" and at + 1 < len(body):
            follower = body[at + 1]
            # Spark keeps the backslash before the wildcards of LIKE.
            out.append("\\" + follower if follower in "%_" else escapes.get(follower, follower))
            at += 2
        elif body.startswith("''", at):
            out.append("'")
            at += 2
        else:
            out.append(body[at])
            at += 1
    return "".join(out)


def from_float(value: float) -> Fraction:
    """A double as a point of Spark's order: its exact value, or a point beyond all of them."""
    if isnan(value):
        return NAN
    if isinf(value):
        return INFINITY if value > 0 else -INFINITY
    return Fraction(value)


def cast(value: Constant, type_: str) -> Constant | None:
    """The constant in another type, where the result is certain."""
    kind = kind_of(type_)
    if value.value is None:
        return Constant(kind, None)
    try:
        if base(type_) == "FLOAT":
            return _single(value)
        if kind == value.kind and kind != "decimal":
            return value
        if value.kind == "string":
            return _parsed(str(value.value).strip(), kind)
        if value.kind in ("int", "decimal") and kind == "float":
            return Constant("float", from_float(float(Fraction(value.value))))
    except (ValueError, OverflowError):
        return None
    return None


def _single(value: Constant) -> Constant | None:
    """The number as a FLOAT, where it is one exactly: to which of two neighbours it is rounded is not modelled."""
    if value.kind not in ("int", "decimal", "float"):
        return None
    exact = Fraction(value.value or 0)
    return Constant("float", exact) if Fraction(*unpack("f", pack("f", exact))) == exact else None


def _parsed(text: str, kind: str) -> Constant | None:
    if kind == "int":
        return Constant("int", int(text))
    if kind == "float":
        return Constant("float", from_float(float(text)))
    if kind == "date" and len(text) == 10:
        return Constant("date", days(date.fromisoformat(text)))
    if kind in ("timestamp", "timestamp_ntz") and len(text) in (10, 19):
        return Constant(kind, micros(datetime.fromisoformat(text)))
    return None


def days(day: date) -> int:
    return (day - _EPOCH).days


def micros(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1)) // timedelta(microseconds=1)
