"""Functions of a date, where their value is exact: the calendar is the proleptic Gregorian one, as Spark has it.

Year and month are step functions of the day number d, so each is known by where its steps are::

    year(d) ≥ c                      ⇔  d ≥ day number of the 1st of January of c
    12·year(d) + month(d) − 1 ≥ k    ⇔  d ≥ day number of the first day of the month k
    trunc(d) ≥ b                     ⇔  d ≥ b, for b the first day of a month, a quarter, a year

The steps are stated for the years and months that constants of the formula speak of; for others nothing is claimed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

import z3

from syncsql.algebra.dates import TRUNCATED

_EPOCH = date(1970, 1, 1)
# Integers between these may be meant as years. More steps than this make proofs slow.
_YEARS = range(1900, 2200)
_MOST_YEARS = 12
FUNCTIONS = ("year", "month", "day", "quarter", *TRUNCATED)
_MONTHS = dict(zip(TRUNCATED, (12, 3, 1), strict=True))


@dataclass
class Calendar:
    """The functions of dates that a formula speaks of, and the constants next to them."""

    _days: dict[z3.ArithRef, set[str]] = field(default_factory=dict)
    _years: set[int] = field(default_factory=set)
    _dates: set[int] = field(default_factory=set)

    def integer(self, value: int) -> None:
        if value in _YEARS:
            self._years.add(value)

    def day(self, number: int) -> None:
        self._dates.add(number)

    def part(self, function: str, day: z3.ArithRef) -> z3.ArithRef:
        """``function`` of the day with this number."""
        needs = {"quarter": ("year", "month"), "day": ("year", "month", "day"), "month": ("year", "month")}
        self._days.setdefault(day, set()).update(needs.get(function, (function,)))
        if function == "quarter":
            return (_part("month", day) + 2) / 3
        return _part(function, day)

    def axioms(self) -> Iterator[z3.BoolRef]:
        known = [_EPOCH + timedelta(n) for n in sorted(self._dates) if 0 < n + 719_162 < 3_652_000]
        years = {y + more for y in (*sorted(self._years), *(d.year for d in known)) for more in (0, 1)}
        chosen = sorted(y for y in years if y <= 9999)[: 2 * _MOST_YEARS]
        for day, parts in self._days.items():
            year, month = _part("year", day), _part("month", day)
            for function in parts & _MONTHS.keys():
                first, step = _part(function, day), _MONTHS[function]
                yield from (first <= day, day < first + 31 * step)
                for k in (k for y in chosen for k in range(12 * y, 12 * y + 12, step)):
                    yield (first >= _first(k)) == (day >= _first(k))
                    yield z3.Implies(z3.And(first >= _first(k), first < _first(k + step)), first == _first(k))
            yield from ((year >= y) == (day >= _number(y, 1)) for y in chosen)
            if "month" in parts:
                yield from (month >= 1, month <= 12)
                months = sorted({12 * y + m for y in chosen for m in range(12)})
                yield from ((12 * year + month - 1 >= k) == (day >= _first(k)) for k in months)
            if "day" in parts:
                of_month = _part("day", day)
                yield from (of_month >= 1, of_month <= 31)
                for k in sorted({12 * d.year + d.month - 1 for d in known}):
                    here = z3.And(day >= _first(k), day < _first(k + 1))
                    yield z3.Implies(here, of_month == day - _first(k) + 1)


def _part(function: str, day: z3.ArithRef) -> z3.ArithRef:
    return z3.Function(f"{function} of a day", z3.IntSort(), z3.IntSort())(day)


def _number(year: int, month: int) -> int:
    # The year after the last that Python knows begins where the last one ends.
    return (date(year, month, 1) - _EPOCH).days if year <= 9999 else (date(9999, 12, 31) - _EPOCH).days + 1


def _first(month: int) -> int:
    return _number(month // 12, month % 12 + 1)
