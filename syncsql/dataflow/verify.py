"""VERIFY: a view's stored relation against its answer computed from nothing (:mod:`syncsql.dataflow.batch`).

Both are bags, compared row by row in Spark: NULL is equal to NULL, NaN to NaN, 0.0 to −0.0. Where doubles are added up
on the way, no order of addition is the right one: the engine rounds an exact sum, Spark rounds as it goes. There, and
only there, a FLOAT or DOUBLE of a row may differ by :data:`CLOSE` units in the last place, all else being equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql.types import DataType, DoubleType, FloatType, MapType, StructType

from syncsql.dataflow.batch import Batch
from syncsql.dataflow.diagnosis import spark_message
from syncsql.dataflow.engine import Engine
from syncsql.dataflow.registry import Stream, View
from syncsql.errors import EngineError
from syncsql.render import Report, Reported, counted
from syncsql.storage.scratch import Scratch
from syncsql.stream.names import WEIGHT
from syncsql.stream.text import Sql, listed, over, quoted, same

CLOSE = 4
# The distance of 1 from the next number.
_UNITS: dict[type[DataType], float] = {FloatType: 2.0**-23, DoubleType: 2.0**-52}
_SHOWN = 10


@dataclass(frozen=True, repr=False)
class Verified(Reported):
    """What came out for ``view`` at ``at``. ``rows`` are stored; ``missing`` ones the streams give and the view has
    not, ``extra`` ones it has and they do not give. ``differing`` has the first of both: which, how many times, row."""

    view: str
    at: int
    rows: int
    missing: int
    extra: int
    columns: tuple[str, ...]
    differing: tuple[tuple[str, int, tuple[Any, ...]], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.missing and not self.extra

    @property
    def report(self) -> Report:
        count = counted(self.rows, "row")
        if self.ok:
            return Report(f"{self.view} at {self.at}: {count}, as the streams give them", notes=self.notes)
        title = f"{self.view} at {self.at} is wrong: {self.missing} missing, {self.extra} extra, of {count}"
        rows = tuple((what, times, *row) for what, times, row in self.differing)
        more = self.missing + self.extra - sum(times for _, times, _ in self.differing)
        notes = (*([f"… and {more} more"] if more else []), *self.notes)
        return Report(title, ("row is", "times", *self.columns), rows, notes)

    def to_dict(self) -> dict[str, Any]:
        return {
            "view": self.view, "at": self.at, "ok": self.ok, "rows": self.rows, "missing": self.missing,
            "extra": self.extra, "differing": self.report.to_dict()["rows"], "notes": list(self.notes),
        }  # fmt: skip


def verify(engine: Engine, view: View, at: int) -> Verified:
    """``view`` is not made from the clock, and has an answer at ``at`` (or none yet, before its first point)."""
    feed = view.feed
    assert feed is not None
    for read in engine.registry.feeds.values():
        # What is stored counts, not what this process remembers of it.
        read.refresh()
    with engine.sessions.scratch(_size(engine, view, at)) as scratch:
        try:
            batch = Batch(engine.registry, scratch, engine.runner.first_point)
            texts = batch.answer(view, at), feed.at(scratch, at, ts=False)
            both = _Bags(scratch, feed.row, *texts, batch.adds_doubles)
            rows, missing, extra = both.totals()
            differing = both.first() if missing or extra else ()
        except PySparkException as error:
            raise EngineError(
                "VERIFY.FAILED", f"the answer of `{view.name}` at {at} cannot be computed: {spark_message(error)}"
            ) from error
    labels = tuple(feed.visible.get(c, c) for c in feed.row.names)
    return Verified(view.name, at, rows, missing, extra, labels, differing, tuple(batch.as_stored))


def _size(engine: Engine, view: View, at: int) -> int:
    """How many rows are read, at most: the view's, and the logs of all that it is made from."""
    seen: set[str] = set()
    todo = [view.name.lower(), *view.inputs]
    while todo:
        name = todo.pop()
        entry = engine.registry.get(name)
        if name not in seen and isinstance(entry, Stream | View):
            seen.add(name)
            todo += entry.needs
    return sum(f.lines(None, at) for n, f in engine.registry.feeds.items() if n in seen)


class _Bags:
    """Two relations with the columns of ``row``, as one: each row once, how often too few and how often stored."""

    def __init__(self, scratch: Scratch, row: StructType, wanted: Sql, stored: Sql, rounded: bool) -> None:
        self._scratch = scratch
        self._row = row
        self._cells = [f"_o{i}" for i in range(len(row))]
        named = listed(f"{quoted(n)} AS {c}" for n, c in zip(row.names, self._cells, strict=True))
        sides = f"SELECT {named}, 1L AS {WEIGHT} FROM ({wanted}) UNION ALL SELECT {named}, -1L FROM ({stored})"
        counts = f"sum({WEIGHT}) AS {WEIGHT}, count_if({WEIGHT} < 0) AS _stored"
        self._bag = f"SELECT {listed([*self._cells, counts])} FROM ({sides}) GROUP BY {listed(self._cells)}"
        self._units = {
            c: CLOSE * unit
            for c, f in zip(self._cells, row.fields, strict=True)
            if rounded and (unit := _UNITS.get(type(f.dataType))) is not None
        }

    def totals(self) -> tuple[int, int, int]:
        """The number of rows that are stored, missing and extra."""
        stored, missing, extra = self._total(self._bag)
        if (missing or extra) and self._units:
            _, missing, extra = self._total(self._apart)
        return stored, missing, extra

    def _total(self, bag: Sql) -> tuple[int, int, int]:
        sums = (f"coalesce(sum({t}), 0L) AS t{i}" for i, t in enumerate(("_stored", _MISSING, _EXTRA)))
        found = self._scratch.sql(f"SELECT {listed(sums)} FROM ({bag})").toArrow().to_pylist()[0]
        return found["t0"], found["t1"], found["t2"]

    def first(self) -> tuple[tuple[str, int, tuple[Any, ...]], ...]:
        types = zip(self._cells, self._row.fields, strict=True)
        order = [c for c, f in types if not isinstance(f.dataType, MapType)]
        bag = self._apart if self._units else self._bag
        cells = listed([WEIGHT, *self._cells])
        text = f"SELECT {cells} FROM ({bag}) WHERE {WEIGHT} <> 0 ORDER BY {listed([*order, f'{WEIGHT} DESC'])}"
        found = self._scratch.sql(f"{text} LIMIT {_SHOWN}").collect()
        return tuple(("missing" if r[0] > 0 else "extra", abs(r[0]), tuple(r)[1:]) for r in found)

    @property
    def _apart(self) -> Sql:
        """What differs even though each floating-point number may be a little off: of the rows that are equal in all
        else the n-th missing one and the n-th extra one, in order, are the same where their numbers are close."""
        plain = [c for c in self._cells if c not in self._units]
        each = f"SELECT *, explode(sequence(1L, abs({WEIGHT}))) FROM ({self._bag}) WHERE {WEIGHT} <> 0"
        nth = f"row_number() {over([*plain, f'sign({WEIGHT})'], listed(self._units))} AS _n"
        numbered = f"SELECT {listed([*self._cells, f'sign({WEIGHT}) AS {WEIGHT}', nth])} FROM ({each})"
        on = same([f"m.{c}" for c in (*plain, "_n")], [f"e.{c}" for c in (*plain, "_n")])
        close = " AND ".join(_close(f"m.{c}", f"e.{c}", unit) for c, unit in self._units.items())
        sides = [f"SELECT * FROM ({numbered}) WHERE {WEIGHT} {sign} 0" for sign in ("<", ">")]
        # Either is looked for among the other side; what is found there is no difference.
        parts = [
            f"SELECT {listed([*self._cells, f'CAST({WEIGHT} AS BIGINT) AS {WEIGHT}', '0L AS _stored'])} "
            f"FROM ({mine}) m LEFT ANTI JOIN ({other}) e ON {on} AND {close}"
            for mine, other in (sides, reversed(sides))
        ]
        return self._scratch.union(*parts)


_MISSING, _EXTRA = f"greatest({WEIGHT}, 0L)", f"greatest(-{WEIGHT}, 0L)"


def _close(a: str, b: str, unit: float) -> str:
    larger = f"greatest(abs({a}), abs({b}))"
    return f"(({a} <=> {b}) OR ({larger} < DOUBLE('Infinity') AND abs({a} - {b}) <= {unit!r}D * {larger}))"
