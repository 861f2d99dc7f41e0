"""Sums and averages of whole numbers and decimals over accumulators, digit for digit what Spark gives for the rows.

On its way from one answer to the next a sum goes through values that no answer has: a row that is replaced may be in
it twice. So a BIGINT is added up in two halves, x = high · 2^32 + low, which leaves room for 2^31 rows, and only a sum
that really does not fit is an overflow; an average has no such end at all.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pyspark.sql.types import DataType, DecimalType, LongType

from syncsql.errors import UnsupportedError
from syncsql.operators.running import Accumulator
from syncsql.stream.names import WEIGHT
from syncsql.stream.type_text import type_text

_HALF, _LOW = "4294967296", "4294967295L"
# Up to so many digits of the sum, Spark's division has nine more than an average keeps: rounding twice is no matter.
_ROOMY = 25
# With more digits behind the point an average has no digit left before it.
_MOST_SCALE = 33


@dataclass(frozen=True)
class ExactSum:
    """``contributions`` of a line, and the SQL of the sum and of the average, where ``{p}`` stands before the name of
    an accumulator; ``count`` is the one of the rows that have a value."""

    contributions: Mapping[Accumulator, str]
    total: str
    average: str


def exact_sum(argument: str, number: int, count: Accumulator, types: Mapping[str, DataType]) -> ExactSum:
    """Of ``argument``; ``types`` are those that Spark gives to the argument, to its sum and to its average."""
    if isinstance(types["argument"], LongType):
        return _halves(argument, number, count)
    total = types["sum"]
    added = Accumulator(f"s{number}", "sum", total.simpleString())
    text = f"{{p}}{added.name}"
    rows = f"{{p}}{count.name}"
    average = types["average"]
    if isinstance(total, DecimalType) and isinstance(average, DecimalType) and total.precision > _ROOMY:
        mean = _average_of_decimals(text, rows, total.scale, average)
    else:
        mean = f"CAST({text} / {rows} AS {type_text(average)})"
    return ExactSum({added: _times_weight(argument, added.type)}, text, mean)


def _halves(argument: str, number: int, count: Accumulator) -> ExactSum:
    high, low = Accumulator(f"h{number}"), Accumulator(f"l{number}")
    parts = {high: f"shiftright({argument}, 32) * {WEIGHT}", low: f"(({argument}) & {_LOW}) * {WEIGHT}"}
    carried = f"({{p}}{high.name} + shiftright({{p}}{low.name}, 32))"
    rest = f"({{p}}{low.name} & {_LOW})"
    whole = f"CAST(CAST({carried} AS DECIMAL(20, 0)) * {_HALF}BD + {rest} AS DOUBLE)"
    return ExactSum(parts, f"({carried} * {_HALF}L + {rest})", f"{whole} / {{p}}{count.name}")


def _times_weight(argument: str, total: str) -> str:
    """w·x in the type of the sum. Nearly every weight is 1 or −1, for which no digit can get lost."""
    x = f"CAST({argument} AS {total})"
    return f"CASE {WEIGHT} WHEN 1 THEN {x} WHEN -1 THEN -{x} ELSE CAST({x} * {WEIGHT} AS {total}) END"


def _average_of_decimals(total: str, rows: str, scale: int, average: DecimalType) -> str:
    """total / rows, rounded once. Where a sum has so many digits, Spark's division cuts off some that an average has.
    So the part that divides without a rest at the scale of the sum goes apart: of the rest few digits are left."""
    if scale > _MOST_SCALE:
        raise UnsupportedError(
            "UNSUPPORTED.AGGREGATE", f"AVG of values with {scale} digits behind the point",
            hint=f"cast them to {_MOST_SCALE} digits behind the point, or fewer",
        )  # fmt: skip
    whole = f"CAST({total} AS DECIMAL(37, {scale}))"
    rest = f"({whole} % CAST(concat({rows}, 'E-{scale}') AS DECIMAL(38, {scale})))"
    parts = f"({whole} - {rest})", f"CAST({rest} AS DECIMAL({max(20, scale + 1)}, {scale}))"
    divided = " + ".join(f"CAST({part} / {rows} AS DECIMAL(37, {average.scale}))" for part in parts)
    return f"CAST({divided} AS {type_text(average)})"
