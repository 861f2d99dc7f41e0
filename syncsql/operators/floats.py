"""Exact sums of floating point, which can be taken back.

A finite double is cut into digits of 32 bits: |v| = Σ digit_b · 2^(32·b). Digits are added up as integers per band b,
so a sum depends on the values alone, never on their order, and a retraction leaves no trace. NaN and the infinities
are counted beside them. Only the bands that the values of a slice and its state reach are computed with; one small
job finds out which.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from syncsql.operators.context import Context, State
from syncsql.operators.running import Accumulator
from syncsql.stream.kept import Kept
from syncsql.stream.names import AT, WEIGHT
from syncsql.stream.text import Sql, listed

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

    lines: Sql
    accumulators: list[Accumulator]
    state: State
    texts: dict[str, str]


def banded(lines: Sql, keys: list[str], plain: list[Accumulator], sums: list[FloatSum], context: Context) -> Banded:
    """``lines`` has the keys, the plain contributions, the value of each sum under its name, ``_w`` and ``_at``."""
    names = [a.name for a in plain]
    cells = [*keys, *(f"CAST({a.name} AS {a.type}) AS {a.name}" for a in plain)]
    maps = [f"CAST(NULL AS MAP<INT, BIGINT>) AS {s.name}" for s in sums]
    state = context.state(keys, [*names, *(s.name for s in sums)], f"SELECT {listed([*cells, *maps])} FROM ({lines})")
    if not sums:
        return Banded(lines, [], state, {})
    bands = _bands(lines, keys, sums, state, context)
    digits = [f"{_digit(s.name, b)} AS {s.column(b)}" for s in sums for b in bands]
    accumulators = [Accumulator(s.column(b)) for s in sums for b in bands]
    texts = {s.mark: _sum_text(s, bands) for s in sums}
    text = f"SELECT {listed([*keys, *names, *digits, AT])} FROM ({lines})"
    return Banded(text, accumulators, _BandState(state, keys, names, sums, bands), texts)


def _bands(lines: Sql, keys: list[str], sums: list[FloatSum], state: State, context: Context) -> list[int]:
    """The bands in use: those of the slice's values and of the state of its groups."""
    if context.dry:
        return [0]
    sizes = f"SELECT explode(array({listed(f'abs({s.name})' for s in sums)})) AS v FROM ({lines})"
    ends = listed(f"CAST(floor((log2({f}(v)) + {shift}) / 32) AS INT)" for f, shift in (("min", -54), ("max", 1)))
    found = f"SELECT array({ends}) AS b FROM ({sizes}) WHERE v > 0 AND v < DOUBLE('Infinity')"
    old = state.current(f"SELECT DISTINCT {listed(keys)} FROM ({lines})" if keys else None, keys)
    if old is not None:
        held = f"flatten(array({listed(f'map_keys({s.name})' for s in sums)}))"
        found = context.scratch.union(found, f"SELECT filter({held}, b -> b < {_NAN}) AS b FROM ({old})")
    both = f"SELECT min(b) AS least, max(b) AS most FROM (SELECT explode(b) AS b FROM ({found}))"
    row = context.scratch.sql(both).toArrow().to_pylist()[0]
    least, most = row["least"], row["most"]
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

    def __init__(self, state: State, keys: list[str], plain: list[str], sums: list[FloatSum], bands: list[int]) -> None:
        self._state, self._keys, self._plain, self._sums, self._bands = state, keys, plain, sums, bands

    def current(self, keys: Sql | None = None, by: Sequence[str] = ()) -> Sql | None:
        rows = self._state.current(keys, by)
        if rows is None:
            return None
        cells = [
            f"coalesce(try_element_at({s.name}, {b}), 0L) AS {s.column(b)}" for s in self._sums for b in self._bands
        ]
        return f"SELECT {listed([*self._keys, *self._plain, *cells])} FROM ({rows})"

    def save(self, rows: Kept, flag: str, values: Mapping[str, str], counts: Sequence[str]) -> None:
        maps = {}
        for s in self._sums:
            entries = listed(f"struct({b} AS k, coalesce({values[s.column(b)]}, 0L) AS v)" for b in self._bands)
            maps[s.name] = f"map_from_entries(filter(array({entries}), e -> e.v <> 0))"
        cells = {n: values[n] for n in self._plain} | maps
        if rows.rows is not None:
            named = listed([*self._keys, *(f"{text} AS {name}" for name, text in cells.items()), flag])
            rows, cells = Kept(f"SELECT {named} FROM ({rows.text})", None), {n: n for n in cells}
        self._state.save(rows, flag, cells, [c for c in counts if c in self._plain])
