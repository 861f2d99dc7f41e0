"""Points of time as callers and rows give them, in ticks."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Any

from syncsql.errors import EngineError

# Far enough that what is computed with a time, such as a window's end, fits into 64 bits.
_END = 2**61
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def a_tick(name: str, value: Any) -> int:
    """The argument ``name`` of a call, which must be a tick."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= _END:
        raise EngineError("TIME.NOT_A_TICK", f"{name}={value}: time ends before 2^61", hint="choose longer ticks")
    if isinstance(value, bool) or not isinstance(value, int):
        raise EngineError(
            "TIME.NOT_A_TICK",
            f"{name}={value!r}: time is counted in ticks, which are integers",
            hint="a source with TIMESTAMP BY takes dates and times from a column",
        )
    return value


def ticks(value: int | dt.date, tick_seconds: Fraction) -> int:
    """A timestamp in ticks: integers are ticks already, dates and times count from 1970."""
    if isinstance(value, int):
        return value
    moment = value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)
    past = moment - _EPOCH
    exact = Fraction(past.days * 86_400 + past.seconds) + Fraction(past.microseconds, 1_000_000)
    return int(exact / tick_seconds // 1)
