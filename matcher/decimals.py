"""DECIMAL arithmetic: the digits of a result, and whether it is exact.

::

    DECIMAL(p1, s1) ± DECIMAL(p2, s2)   is   DECIMAL(max(p1 − s1, p2 − s2) + max(s1, s2) + 1, max(s1, s2))
    DECIMAL(p1, s1) · DECIMAL(p2, s2)   is   DECIMAL(p1 + p2 + 1, s1 + s2)
    DECIMAL(p1, s1) / DECIMAL(p2, s2)   is   DECIMAL(p1 − s1 + s2 + s, s) with s = max(6, s1 + p2 + 1)

Up to 38 digits nothing is rounded and nothing can overflow. Above, Spark gives up digits of the fraction: then the
result is some function of the operands. So is a quotient.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce

from syncsql.algebra.types import base

_MOST_DIGITS = 38
# So many digits behind the point are kept, if there are so many, before digits are given up in front of it.
_LEAST_SCALE = 6
_INTEGER_DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INT": 10, "BIGINT": 20}
_PARAMETERS = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")


@dataclass(frozen=True)
class Digits:
    """So many digits at most, so many of them behind the point."""

    precision: int
    scale: int

    @property
    def whole(self) -> int:
        return self.precision - self.scale

    def __str__(self) -> str:
        return f"DECIMAL({self.precision},{self.scale})"


def digits_of(type_: str | None) -> Digits | None:
    """The digits of a DECIMAL or an integer type; None where they are not known."""
    name = base(type_)
    if name in _INTEGER_DIGITS:
        return Digits(_INTEGER_DIGITS[name], 0)
    found = _PARAMETERS.search(type_ or "")
    if name not in ("DECIMAL", "NUMERIC", "DEC") or found is None:
        return None
    return Digits(int(found.group(1)), int(found.group(2) or 0))


def digits_of_literal(text: str) -> Digits:
    """Those of a number as it is written: 2.50 has two behind the point."""
    whole, _, fraction = text.lstrip("+-").rstrip("BD").partition(".")
    return Digits(max(len(whole.lstrip("0")) + len(fraction), 1), len(fraction))


def digits_after(op: str, operands: Sequence[Digits]) -> tuple[Digits, bool] | None:
    """The digits of a result, and whether it is exact; None where there are no rules for ``op``."""
    if op in ("NEG", "abs"):
        return operands[0], True
    a, b = operands
    scale = max(a.scale, b.scale)
    if op in ("+", "-"):
        made = Digits(max(a.whole, b.whole) + scale + 1, scale)
    elif op == "*":
        made = Digits(a.precision + b.precision + 1, a.scale + b.scale)
    elif op == "/":
        scale = max(_LEAST_SCALE, a.scale + b.precision + 1)
        made = Digits(a.whole + b.scale + scale, scale)
    elif op == "%":
        made = Digits(min(a.whole, b.whole) + scale, scale)
    else:
        return None
    if made.precision > _MOST_DIGITS:
        scale = max(_MOST_DIGITS - made.whole, min(made.scale, _LEAST_SCALE))
        return Digits(_MOST_DIGITS, scale), False
    return made, op in ("+", "-", "*")


def common_digits(a: Digits | None, b: Digits | None) -> Digits | None:
    """The digits that both are cast to for a comparison or a CASE; None where that would drop some."""
    if a is None or b is None:
        return None
    scale = max(a.scale, b.scale)
    made = Digits(max(a.whole, b.whole) + scale, scale)
    return made if made.precision <= _MOST_DIGITS else None


def common_type(types: Sequence[str | None]) -> str | None:
    """The DECIMAL that values of these types have together; None where it is not known."""
    made = reduce(common_digits, map(digits_of, types))
    return None if made is None else str(made)
