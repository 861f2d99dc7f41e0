"""Exact sums of floating point, which can be taken back.

A finite double is cut into digits of 32 bits: |v| = Σ digit_b · 2^(32·b). Digits are added up as integers per band b,
so a sum depends on the values alone, never on their order, and a retraction leaves no trace. NaN and the infinities
are counted beside them. Only the bands that the values of a slice and its state reach are computed with; one small
job finds out which.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import IntegerType, LongType, MapType, StructField, StructType

from syncsql.operators.context import Context, State
from syncsql.operators.running import Accumulator
from syncsql.stream.names import AT, WEIGHT

_BASE = "4294967296D"
_LOWEST, _HIGHEST = -34, 31
# Two bands more than any value reaches, for the carries of a sum.
_SPARE = 2
_NAN, _PLUS, _MINUS = 1000, 1001, 1002


@dataclass(frozen=True)
class FloatSum:
    """The sum of ``argument``, a DOUBLE. In a value's text it stands as ``mark`` until its bands are known."""

    name: str
    argument: str

    @property
    def mark(self) -> str:
        return f"<{self.name}>"

    def column(self, band: int) -> str:
        return f"{self.name}_{band}".replace("-", "m")


@dataclass(frozen=True)
class Banded:
    """The lines with a column per band, the accumulators for them, the state that holds them, and the sums' texts."""

    lines: DataFrame
    accumulators: list[Accumulator]
    state: State
    texts: dict[str, str]


def banded(lines: DataFrame, keys: list[str], plain: list[str], sums: list[FloatSum], context: Context) -> Banded:
    """``lines`` has the keys, the plain contributions, the value of each sum under its name, ``_w`` and ``_at``."""
    values = StructType(
        [*lines.select(*plain).schema.fields, *(StructField(s.name, MapType(IntegerType(), LongType())) for s in sums)]
    )
    state = context.state(lines.select(*keys).schema, values)
    if not sums:
        return Banded(lines.drop(WEIGHT), [], state, {})
    bands = _bands(lines, keys, sums, state, context)
    cells = {s.column(b): F.expr(_digit(s.name, b)) for s in sums for b in bands}
    accumulators = [Accumulator(s.column(b)) for s in sums for b in bands]
    names = [*keys, *plain, *(a.name for a in accumulators), AT]
    texts = {s.mark: _sum_text(s, bands) for s in sums}
    return Banded(lines.withColumns(cells).select(*names), accumulators, _BandState(state, sums, bands), texts)


def _bands(lines: DataFrame, keys: list[str], sums: list[FloatSum], state: State, context: Context) -> list[int]:
    """The bands in use: those of the slice's values and of the state of its groups."""
    if context.dry:
        return [0]
    size = F.array(*(F.abs(F.col(s.name)) for s in sums))
    sizes = lines.select(F.explode(size).alias("v")).filter("v > 0 AND v < DOUBLE('Infinity')")
    found = sizes.agg(F.min("v"), F.max("v")).select(
        F.array(
            *(F.floor((F.log2(c) + shift) / 32).cast("int") for c, shift in (("min(v)", -54), ("max(v)", 1)))
        ).alias("b")
    )
    old = state.current(context.session, lines.select(*keys).distinct() if keys else None)
    if old is not None:
        held = F.flatten(F.array(*(F.map_keys(F.col(s.name)) for s in sums)))
        found = found.unionByName(old.select(F.filter(held, lambda b: b < _NAN).alias("b")))
    ends = found.select(F.explode("b").alias("b")).agg(F.min("b"), F.max("b")).toArrow().to_pylist()[0]
    least, most = ends["min(b)"], ends["max(b)"]
    if least is None:
        return [0, _NAN, _PLUS, _MINUS]
    least, most = max(least, _LOWEST), min(most, _HIGHEST + _SPARE)
    return [*range(least, most + _SPARE + 1), _NAN, _PLUS, _MINUS]


def _scaled(value: str, band: int) -> str:
    """value · 2^(32·band), in two steps, because the factor itself may not be a double."""
    half = f"DOUBLE('{math.ldexp(1.0, 16 * band)!r}')"
    return f"({value} * {half} * {half})"


def _digit(value: str, band: int) -> str:
    if band == _NAN:
        return f"CASE WHEN isnan({value}) THEN {WEIGHT} END"
    if band in (_PLUS, _MINUS):
        return f"CASE WHEN {value} = DOUBLE('{'' if band == _PLUS else '-'}Infinity') THEN {WEIGHT} END"
    # From 2^86 on, the lowest 32 bits of what has 53 significant ones are zero.
    units = _scaled(f"abs({value})", -band)
    digit = f"CAST({units} % {_BASE} AS BIGINT) * CAST(signum({value}) AS BIGINT) * {WEIGHT}"
    return f"CASE WHEN {units} < {math.ldexp(1.0, 86)!r}D THEN {digit} END"


def _sum_text(sum_: FloatSum, bands: list[int]) -> str:
    """The double nearest to the digits: carries first, from below; then the digits, from above."""
    real = [b for b in bands if b < _NAN]
    digits = f"array({', '.join(f'{{p}}{sum_.column(b)}' for b in real)})"
    step = "named_struct('c', shiftright(a.c + x, 32), 'd', concat(a.d, array((a.c + x) & 4294967295L)))"
    start = "named_struct('c', 0L, 'd', CAST(array() AS ARRAY<BIGINT>))"
    carried = f"aggregate({{d}}, {start}, (a, x) -> {step})"
    positive = carried.format(d=digits)
    negative = carried.format(d=f"transform({digits}, x -> -x)")
    terms = [
        f"CASE g.d[{i}] WHEN 0L THEN 0D ELSE {_scaled(f'CAST(g.d[{i}] AS DOUBLE)', b)} END" for i, b in enumerate(real)
    ]
    fold = f"aggregate(array({', '.join(reversed(terms))}), 0D, (a, x) -> a + x)"
    finite = (
        f"element_at(transform(array({positive}), h -> element_at(transform("
        f"array(IF(h.c < 0, {negative}, h)), g -> IF(h.c < 0, -1D, 1D) * {fold}), 1)), 1)"
    )
    if _NAN not in bands:
        return finite
    nan, plus, minus = (f"{{p}}{sum_.column(b)} > 0" for b in (_NAN, _PLUS, _MINUS))
    return (
        f"CASE WHEN {nan} OR ({plus} AND {minus}) THEN DOUBLE('NaN') WHEN {plus} THEN DOUBLE('Infinity') "
        f"WHEN {minus} THEN DOUBLE('-Infinity') ELSE {finite} END"
    )


class _BandState:
    """The stored state has a map from band to digits for each sum; here it has a column for each band in use."""

    def __init__(self, state: State, sums: list[FloatSum], bands: list[int]) -> None:
        self._state, self._sums, self._bands = state, sums, bands

    def current(self, session: SparkSession, keys: DataFrame | None) -> DataFrame | None:
        rows = self._state.current(session, keys)
        if rows is None:
            return None
        cells = {
            s.column(b): F.coalesce(F.try_element_at(s.name, F.lit(b)), F.lit(0).cast("bigint"))
            for s in self._sums
            for b in self._bands
        }
        return rows.withColumns(cells).drop(*(s.name for s in self._sums))

    def save(self, rows: DataFrame) -> None:
        for s in self._sums:
            entries = F.array(
                *(
                    F.struct(F.lit(b).alias("k"), F.coalesce(F.col(s.column(b)), F.lit(0).cast("bigint")).alias("v"))
                    for b in self._bands
                )
            )
            rows = rows.withColumn(s.name, F.map_from_entries(F.filter(entries, lambda e: e["v"] != 0)))
        self._state.save(rows)
