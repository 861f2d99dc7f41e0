"""``Timepoint op c`` and ``(a·Timepoint + b) mod p op c``, solved for the tick.

``op`` is one of ``= <> < <= > >=``. Ticks and remainders are whole numbers and never NULL, so every comparison either
holds or fails, and a constant that is not whole only decides how it is rounded: ``t < 2.5`` is ``t ≤ 2``.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from math import ceil, floor, gcd

from syncsql.algebra.timeset_pattern import EMPTY, FULL, MAX_PERIOD, Pattern, too_long

Number = int | float | Decimal | Fraction

MIRRORED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""``x op y  ⇔  y MIRRORED[op] x``, and also ``-x MIRRORED[op] -y``."""

NEGATED = {"=": "<>", "<>": "=", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""``NOT (x op y)  ⇔  x NEGATED[op] y``."""

_BEYOND = Fraction(10**40)


def exact(constant: Number) -> Fraction:
    """The constant as it is. Infinities and NaN, which Spark orders last, become numbers beyond every SQL integer."""
    try:
        return Fraction(constant)
    except (OverflowError, ValueError):
        return -_BEYOND if constant == float("-inf") else _BEYOND


def satisfying(op: str, c: Fraction, low: int, high: int) -> tuple[int, int]:
    """The first and last v in ``low..high`` with ``v op c`` (for ``<>``: with ``v = c``); first > last if none."""
    if op not in NEGATED:
        raise ValueError(f"not a comparison: {op!r}, use one of {', '.join(NEGATED)}")
    if op in ("<", "<="):
        return low, min(high, ceil(c) - 1 if op == "<" else floor(c))
    if op in (">", ">="):
        return max(low, floor(c) + 1 if op == ">" else ceil(c)), high
    return max(low, ceil(c)), min(high, floor(c))


def solutions(a: int, b: int, p: int, op: str, c: Fraction) -> Pattern:
    """``{t ∈ ℤ : (a·t + b) mod p op c}`` with the mathematical ``mod``, for ``p > 0``."""
    low, high = satisfying(op, c, 0, p - 1)
    if op == "<>":
        return _between(a, b, p, low, high).complement
    if high - low + 1 == p:
        return FULL
    if 2 * (high - low + 1) > p:
        # The values that fail are fewer to solve for.
        return solutions(a, b, p, NEGATED[op], c).complement
    return _between(a, b, p, low, high)


def _between(a: int, b: int, p: int, low: int, high: int) -> Pattern:
    """``{t ∈ ℤ : low ≤ (a·t + b) mod p ≤ high}``, for ``0 ≤ low`` and ``high < p``."""
    if low > high:
        return EMPTY
    # The two directions in which neighbours stay neighbours: one run, however long.
    if a % p == 1 % p:
        return Pattern.of(p, [(low - b, high - b)])
    if -a % p == 1:
        return Pattern.of(p, [(b - high, b - low)])
    # a·t ≡ v - b (mod p) has a solution iff g = gcd(a, p) divides v - b, and then exactly one modulo p/g.
    g = gcd(a, p)
    values = range(low + (b - low) % g, high + 1, g)
    if len(values) > MAX_PERIOD:
        raise too_long(p // g)
    inverse = pow(a // g, -1, p // g)
    solved = ((v - b) // g * inverse for v in values)
    return Pattern.of(p // g, [(t, t) for t in solved])
