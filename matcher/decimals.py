"""DECIMAL arithmetic, where it is exact: Spark gives a sum, a difference and a product enough digits for every value.

::

    DECIMAL(p1, s1) ± DECIMAL(p2, s2)   is   DECIMAL(max(p1 − s1, p2 − s2) + max(s1, s2) + 1, max(s1, s2))
    DECIMAL(p1, s1) · DECIMAL(p2, s2)   is   DECIMAL(p1 + p2 + 1, s1 + s2)

Up to 38 digits nothing is rounded and nothing can overflow. Above, Spark gives up digits of the fraction: then the
result is some function of the operands. So is a quotient.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from syncsql.algebra.types import base

_MOST_DIGITS = 38
_INTEGER_DIGITS = {"TINYINT": 3, "SMALLINT": 5, "INT": 10, "BIGINT": 20}
_PARAMETERS = re.compile(r"\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\)")


@dataclass(frozen=True)
class Digits:
    """So many digits at most, so many of them behind the point."""

    precision: int
    scale: int

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


def digits_after(op: str, operands: list[Digits]) -> Digits | None:
    """The digits of an exact result; None where Spark may round or overflow."""
    if op in ("NEG", "abs"):
        return operands[0]
    if op not in ("+", "-", "*"):
        return None
    a, b = operands
    scale = a.scale + b.scale if op == "*" else max(a.scale, b.scale)
    whole = a.precision - a.scale + b.precision - b.scale if op == "*" else max(
        a.precision - a.scale, b.precision - b.scale
    )  # fmt: skip
    made = Digits(whole + scale + 1, scale)
    return made if made.precision <= _MOST_DIGITS else None
