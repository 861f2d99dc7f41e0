"""Values to try in the search for a counterexample: those near the constants of the plans, and those that refuted it.

A value is as the evaluator has it: a DATE is a date, a DOUBLE a float, a DECIMAL a fraction with as many digits behind
the point as its type has.
"""

from __future__ import annotations

from contextlib import suppress
from datetime import date
from decimal import Decimal
from fractions import Fraction
from math import isfinite
from struct import pack, unpack
from sys import float_info
from typing import Any

from matcher.constants import INFINITY, NAN, constant_of, kind_of
from matcher.decimals import digits_of
from syncsql.algebra.expressions import Column, walk
from syncsql.algebra.relations import Node, expressions_of
from syncsql.algebra.relations import walk as walk_plan
from syncsql.algebra.types import BITS, base

_EPOCH = date(1970, 1, 1)
_TYPICAL = date(2024, 1, 1)
_LARGEST = Fraction(float_info.max)


def as_stored(value: Any, type_: str) -> Any:
    """A value of the solver, or of a pool, as a column of this type has it."""
    kind = kind_of(type_)
    if kind == "date" and isinstance(value, int):
        return _day(value)
    if kind == "float" and isinstance(value, float | Fraction):
        return _single(_double(value)) if base(type_) == "FLOAT" else _double(value)
    if kind == "decimal" and isinstance(value, Fraction):
        digits = digits_of(type_)
        return value if digits is None else Fraction(round(value * 10**digits.scale), 10**digits.scale)
    return value


def fits(value: Any, type_: str) -> bool:
    """Whether a column of this type can have the value."""
    if value is None:
        return True
    name = base(type_) or ""
    if name in BITS and isinstance(value, int):
        return -(1 << BITS[name] - 1) <= value < 1 << BITS[name] - 1
    digits = digits_of(type_) if kind_of(type_) == "decimal" else None
    if digits is not None and isinstance(value, Fraction):
        return abs(value) < 10**digits.whole
    length = type_.partition("(")[2].rstrip(") ")
    return not (name in ("VARCHAR", "CHAR") and length.isdigit()) or len(str(value)) <= int(length)


def _day(number: int) -> date:
    """The date with this number, or the first or last that there is."""
    return date.fromordinal(min(max(number + _EPOCH.toordinal(), 1), date.max.toordinal()))


def _around(number: int) -> set[date]:
    return {_day(number + d) for d in (-1, 0, 1)}


def _double(value: float | Fraction) -> float:
    if isinstance(value, float):
        return value
    beyond = {NAN: float("nan"), INFINITY: float("inf"), -INFINITY: float("-inf")}
    return beyond[value] if value in beyond else float(min(max(value, -_LARGEST), _LARGEST))


def _single(value: float) -> float:
    try:
        return float(unpack("f", pack("f", value))[0])
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")


def shown(value: Any) -> Any:
    """A value as a person reads it."""
    return Decimal(value.numerator) / Decimal(value.denominator) if isinstance(value, Fraction) else value


def oddness(value: Any) -> tuple[Any, ...]:
    """What makes a value harder to read than another one of its type; a NULL says the least."""
    if value is None:
        return (1,)
    if isinstance(value, str):
        return (0, len(value), value != value.lower(), value)
    if isinstance(value, date):
        return (0, abs((value - _TYPICAL).days), value < _TYPICAL)
    if isinstance(value, float) and not isfinite(value):
        return (0, INFINITY)
    return (0, abs(value), value < 0)


def pools(plans: list[Node]) -> dict[str, list[Any]]:
    """Values near the constants of the plans, by type."""
    ints: set[int] = {0, 1}
    texts: set[str] = {"a", "b"}
    days: set[date] = {_TYPICAL, date(2024, 1, 2)}
    floats: set[float] = {0.0, 1.5}
    for plan in plans:
        for expr in (e for node in walk_plan(plan) for top in expressions_of(node) for e in walk(top)):
            constant = constant_of(expr) if not isinstance(expr, Column) else None
            if constant is None or constant.value is None:
                continue
            if constant.kind == "int":
                ints |= {int(constant.value) + d for d in (-1, 0, 1)}
                floats.add(float(int(constant.value)))
            elif constant.kind == "date":
                days |= _around(int(constant.value))
            elif constant.kind in ("decimal", "float") and abs(Fraction(constant.value)) < 10**300:
                middle = float(Fraction(constant.value))
                floats |= {middle, middle + 0.5, middle - 0.5}
                ints |= {int(middle), int(middle) + 1}
            elif constant.kind == "string":
                text = str(constant.value)
                texts |= {text, text.replace("%", "").replace("_", "x"), text.replace("%", "zz").replace("_", "y")}
                with suppress(ValueError):
                    days |= _around((date.fromisoformat(text) - _EPOCH).days)
    # Of arithmetic the constants tell where it turns only together.
    near = sorted(i for i in ints if 1 < abs(i) < 1000)[:6]
    ints |= {a * b for a in near for b in near}
    texts |= {t.upper() for t in texts} | {t.lower() for t in texts}
    whole = sorted(ints)
    found: dict[str, list[Any]] = dict.fromkeys(("INT", "BIGINT", "SMALLINT", "TINYINT"), whole)
    found |= {"STRING": sorted(texts), "DATE": sorted(days), "BOOLEAN": [True, False]}
    found |= {t: [*sorted(floats), float("nan")] for t in ("DOUBLE", "FLOAT")}
    found["DECIMAL"] = [Fraction(f) for f in sorted(floats)]
    return found
