"""Taking raw tuples into a source: every row gets its timestamp, and what cannot be taken goes to quarantine.

The rows of a push that are quarantined commit first, the raw tuples last, both under the number of the push. A push
that died in between is void: its quarantined rows are taken out again when the database is opened.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pandas as pd
import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, StructField, TimestampNTZType, TimestampType

from syncsql.dataflow.registry import Source, Stream
from syncsql.errors import EngineError, did_you_mean
from syncsql.storage.scratch import fetch
from syncsql.stream.cells import WrongType, checker
from syncsql.stream.names import AT, POS, PUSH
from syncsql.stream.text import quoted

PUSHES = "syncsql.push"
_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


@dataclass(frozen=True)
class Pushed:
    """What became of a push: how many rows were taken, how many went to quarantine, and why."""

    source: str
    accepted: int
    quarantined: int
    reasons: Mapping[str, int] = field(default_factory=dict)

    def __str__(self) -> str:
        why = ", ".join(f"{n} {r}" for r, n in sorted(self.reasons.items()))
        return f"{self.source}: {self.accepted} taken, {self.quarantined} quarantined" + (f" ({why})" if why else "")


@dataclass(frozen=True)
class _Bad:
    pos: int
    reason: str
    detail: str
    row: str
    stream: str | None = None
    at: int | None = None


def ticks(value: int | dt.date, tick_seconds: Fraction) -> int:
    """A timestamp in ticks: integers are ticks already, dates and times count from 1970."""
    if isinstance(value, int):
        return value
    moment = value if isinstance(value, dt.datetime) else dt.datetime(value.year, value.month, value.day)
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=dt.UTC)
    past = moment - _EPOCH
    exact = Fraction(past.days * 86_400 + past.seconds) + Fraction(past.microseconds, 1_000_000)
    return int(exact / tick_seconds // 1)


class Ingest:
    """Pushes into one source. ``closed`` is the time up to which no tuple may come any more."""

    def __init__(self, source: Source, streams: list[Stream], closed: int, tick_seconds: Fraction) -> None:
        self._source = source
        self._streams = [s for s in streams if s.definition.key is not None]
        self._closed = closed
        self._tick = tick_seconds
        self._fields: list[StructField] = source.row.fields
        # A push that failed in this process may have left its number in the quarantine alone.
        used = [t.delta.transaction_version(PUSHES) or 0 for t in (source.raw, source.quarantine)]
        self._number = max(used) + 1

    def push(self, rows: Any, at: int | None) -> Pushed:
        time = self._source.definition.timestamp_by
        if time is not None and at is not None:
            raise EngineError(
                "PUSH.TIMESTAMP", f"source `{self._source.name}` takes its timestamps from column `{time}`",
                hint="leave `at` out",
            )  # fmt: skip
        at = max(self._closed, 0) + 1 if at is None else at
        if isinstance(rows, DataFrame):
            small = self._small_frame(rows)
            if small is None:
                return self._push_frame(rows, at)
            rows = small
        if isinstance(rows, pd.DataFrame):
            rows = pa.Table.from_pandas(rows, preserve_index=False)
        if isinstance(rows, pa.Table):
            self._check_columns(rows.column_names)
            rows = rows.to_pylist()
        return self._push_rows(rows, at)

    def _check_columns(self, names: Sequence[str]) -> None:
        have = {n.lower() for n in names}
        for field_ in self._fields:
            if field_.name.lower() not in have:
                raise EngineError(
                    "PUSH.MISSING_COLUMN", f"the rows have no column `{field_.name}` of source `{self._source.name}`",
                    hint=did_you_mean(field_.name, names),
                )  # fmt: skip
        known = {f.name.lower() for f in self._fields}
        for name in names:
            if name.lower() not in known:
                raise EngineError(
                    "PUSH.UNKNOWN_COLUMN", f"source `{self._source.name}` has no column `{name}`",
                    hint=did_you_mean(name, [f.name for f in self._fields]),
                )  # fmt: skip

    # Rows in this process

    def _push_rows(self, rows: Any, at: int) -> Pushed:
        if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
            raise EngineError(
                "PUSH.ROWS", f"rows expected, got {type(rows).__name__}",
                hint="give a list of tuples or dicts, a pandas DataFrame, an Arrow table or a Spark DataFrame",
            )  # fmt: skip
        checks = [checker(f.dataType) for f in self._fields]
        good: list[dict[str, Any]] = []
        bad: list[_Bad] = []
        total = 0
        for pos, row in enumerate(rows):
            total += 1
            try:
                cells = self._cells(row)
                values = {}
                for field_, cell, check in zip(self._fields, cells, checks, strict=True):
                    values[field_.name] = self._cell(field_.name, cell, check)
                values[AT] = self._time(values, at)
            except _Refused as refused:
                bad.append(_Bad(pos, refused.reason, refused.detail, _as_json(row), at=refused.at))
                continue
            good.append({**values, PUSH: self._number, POS: pos})
            bad += self._null_keys(values, pos, row)
        self._commit(bad, pa.Table.from_pylist(good, schema=self._source.raw.arrow_schema))
        reasons = Counter(b.reason for b in bad)
        return Pushed(self._source.name, len(good), sum(reasons.values()), reasons)

    def _cells(self, row: Any) -> list[Any]:
        """The row's values in the order of the columns."""
        if hasattr(row, "asDict"):
            row = row.asDict()
        if isinstance(row, Mapping):
            lower = {str(k).lower(): v for k, v in row.items()}
            names = [f.name.lower() for f in self._fields]
            missing = [f.name for f in self._fields if f.name.lower() not in lower]
            if missing:
                raise _Refused("MISSING_COLUMN", f"no value for `{missing[0]}`")
            unknown = [k for k in row if str(k).lower() not in names]
            if unknown:
                raise _Refused("UNKNOWN_COLUMN", f"`{unknown[0]}` is no column of `{self._source.name}`")
            return [lower[n] for n in names]
        if isinstance(row, str | bytes) or not isinstance(row, Sequence):
            raise _Refused("NOT_A_ROW", f"a tuple or dict expected, got {type(row).__name__}")
        if len(row) < len(self._fields):
            raise _Refused("MISSING_COLUMN", f"no value for `{self._fields[len(row)].name}`")
        if len(row) > len(self._fields):
            raise _Refused("UNKNOWN_COLUMN", f"{len(row)} values for {len(self._fields)} columns")
        return list(row)

    def _cell(self, name: str, value: Any, check: Any) -> Any:
        try:
            value = check(value)
        except WrongType as error:
            raise _Refused("WRONG_TYPE", f"`{name}`: {error}") from None
        if value is None and name in self._source.not_null:
            raise _Refused("NULL_VALUE", f"`{name}` is NOT NULL")
        return value

    def _time(self, values: Mapping[str, Any], at: int) -> int:
        column = self._source.definition.timestamp_by
        if column is not None:
            value = values[column]
            if value is None:
                raise _Refused("NO_TIMESTAMP", f"`{column}` is NULL")
            at = ticks(value, self._tick)
        if at < 0:
            raise _Refused("WRONG_TIMESTAMP", f"time begins at 0, got {at}")
        if at <= self._closed:
            raise _Refused("LATE", f"timestamp {at} is at or before {self._closed}, which is closed", at=at)
        return at

    def _null_keys(self, values: Mapping[str, Any], pos: int, row: Any) -> list[_Bad]:
        """A row without a key stays for the other streams over the source."""
        found = []
        for stream in self._streams:
            missing = [k for k in stream.definition.key or () if values[k] is None]
            if missing:
                text = f"key column `{missing[0]}` is NULL"
                found.append(_Bad(pos, "NULL_KEY", text, _as_json(row), stream.name, values[AT]))
        return found

    def _commit(self, bad: list[_Bad], good: pa.Table) -> None:
        if bad:
            lines = [
                {AT: b.at, PUSH: self._number, POS: b.pos, "stream": b.stream, "reason": b.reason, "detail": b.detail,
                 "row": b.row}
                for b in bad
            ]  # fmt: skip
            quarantine = self._source.quarantine
            table = pa.Table.from_pylist(lines, schema=quarantine.arrow_schema)
            quarantine.write(table, number=self._number, application=PUSHES)
        self._source.raw.write(good, number=self._number, application=PUSHES)

    # Rows in Spark

    def _small_frame(self, frame: DataFrame) -> pa.Table | None:
        self._check_columns(frame.columns)
        return fetch(frame)

    def _push_frame(self, frame: DataFrame, at: int) -> Pushed:
        given = {c.lower(): c for c in frame.columns}
        position = "shiftleft(CAST(spark_partition_id() AS BIGINT), 27) + (monotonically_increasing_id() & 8589934591)"
        cells = {f"_c{i}": F.col(quoted(given[f.name.lower()])) for i, f in enumerate(self._fields)}
        rows = frame.select(F.expr(position).alias(POS), *(c.alias(n) for n, c in cells.items()))
        typed = {
            f"_v{i}": F.expr(f"try_cast(_c{i} AS {f.dataType.simpleString()})") for i, f in enumerate(self._fields)
        }
        rows = rows.withColumns(typed).withColumn(AT, self._frame_time(at))
        reason, detail = F.lit(None).cast("string"), F.lit(None).cast("string")
        for value, why, text in reversed(self._frame_checks()):
            reason = F.when(value, F.lit(why)).otherwise(reason)
            detail = F.when(value, F.lit(text)).otherwise(detail)
        rows = rows.withColumns({"reason": reason, "detail": detail})
        original = F.to_json(
            F.struct(*(F.col(n).alias(f.name) for n, f in zip(cells, self._fields, strict=True))),
            {"ignoreNullFields": "false"},
        )
        number = F.lit(self._number).cast("bigint").alias(PUSH)
        for_all = F.lit(None).cast("string").alias("stream")
        bad = rows.filter("reason IS NOT NULL").select(
            AT, number, POS, for_all, "reason", "detail", original.alias("row")
        )
        taken = rows.filter("reason IS NULL")
        for stream in self._streams:
            names = [f.name for f in self._fields]
            missing = F.lit(False)
            for key in stream.definition.key or ():
                missing = missing | F.col(f"_v{names.index(key)}").isNull()
            without = taken.filter(missing).select(
                AT, number, POS, F.lit(stream.name).alias("stream"), F.lit("NULL_KEY").alias("reason"),
                F.lit("a key column is NULL").alias("detail"), original.alias("row"),
            )  # fmt: skip
            bad = bad.unionByName(without)
        reasons = {r["reason"]: int(r["count"]) for r in bad.groupBy("reason").count().toArrow().to_pylist()}
        if reasons:
            self._source.quarantine.write_frame(bad, number=self._number, application=PUSHES)
        before = self._source.raw.rows()
        good = taken.select(AT, number, POS, *(F.col(f"_v{i}").alias(f.name) for i, f in enumerate(self._fields)))
        self._source.raw.write_frame(good, number=self._number, application=PUSHES)
        return Pushed(self._source.name, self._source.raw.rows() - before, sum(reasons.values()), reasons)

    def _frame_time(self, at: int) -> Any:
        column = self._source.definition.timestamp_by
        if column is None:
            return F.lit(at).cast("bigint")
        number = [f.name for f in self._fields].index(column)
        value = F.col(f"_v{number}")
        if not isinstance(self._fields[number].dataType, TimestampType | TimestampNTZType | DateType):
            return value.cast("bigint")
        unit = self._tick * 1_000_000
        micros = f"unix_micros(CAST(_v{number} AS TIMESTAMP)) * {unit.denominator}L"
        return F.expr(f"CAST(floor({micros} / {unit.numerator}L) AS BIGINT)")

    def _frame_checks(self) -> list[tuple[Any, str, str]]:
        checks: list[tuple[Any, str, str]] = []
        for i, field_ in enumerate(self._fields):
            wrong = F.col(f"_c{i}").isNotNull() & F.col(f"_v{i}").isNull()
            text = f"`{field_.name}`: {field_.dataType.simpleString().upper()} expected"
            checks.append((wrong, "WRONG_TYPE", text))
            if field_.name in self._source.not_null:
                checks.append((F.col(f"_v{i}").isNull(), "NULL_VALUE", f"`{field_.name}` is NOT NULL"))
        column = self._source.definition.timestamp_by
        checks.append((F.col(AT).isNull(), "NO_TIMESTAMP", f"`{column}` is NULL"))
        checks.append((F.col(AT) < 0, "WRONG_TIMESTAMP", "time begins at 0"))
        late = f"the timestamp is at or before {self._closed}, which is closed"
        checks.append((F.col(AT) <= self._closed, "LATE", late))
        return checks


class _Refused(Exception):
    def __init__(self, reason: str, detail: str, at: int | None = None) -> None:
        super().__init__(detail)
        self.reason, self.detail, self.at = reason, detail, at


def _as_json(row: Any) -> str:
    if hasattr(row, "asDict"):
        row = row.asDict(recursive=True)
    plain = dict(row) if isinstance(row, Mapping) else list(row) if isinstance(row, tuple) else row
    return json.dumps(plain, default=str, ensure_ascii=False)


def void_unfinished_push(source: Source) -> None:
    """Takes out the quarantined rows of a push whose raw tuples were never committed, and gives its number back.

    The next push has the number again. So where a driver that outlived the process commits those tuples after all, one
    of the two is refused, and they are there once."""
    taken = source.raw.delta.transaction_version(PUSHES) or 0
    begun = source.quarantine.delta.transaction_version(PUSHES) or 0
    if begun > taken:
        DeltaTable(str(source.quarantine.path)).delete(
            f"{PUSH} > {taken} AND (stream IS NULL OR reason = 'NULL_KEY')",
            commit_properties=CommitProperties(app_transactions=[Transaction(PUSHES, taken)]),
        )
        source.quarantine.refresh()
