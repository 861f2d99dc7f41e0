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

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from deltalake import CommitProperties, DeltaTable, Transaction
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, StructField, StructType, TimestampNTZType, TimestampType

from syncsql.dataflow.registry import Source, Stream
from syncsql.dataflow.ticks import a_tick, ticks
from syncsql.errors import EngineError, did_you_mean
from syncsql.storage import limits
from syncsql.storage.scratch import fetch
from syncsql.storage.sessions import as_it_was
from syncsql.stream.casts import read_as, wrong_cell
from syncsql.stream.cells import WrongType, checker
from syncsql.stream.names import AT, POS, PUSH
from syncsql.stream.text import quoted

PUSHES = "syncsql.push"


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

    __repr__ = __str__


@dataclass(frozen=True)
class _Bad:
    pos: int
    reason: str
    detail: str
    row: str
    stream: str | None = None
    at: int | None = None


class Ingest:
    """Pushes into one source. ``closed`` is the time up to which no tuple may come any more; ``zone`` is where a time
    is that says nothing of its zone."""

    def __init__(
        self, source: Source, streams: list[Stream], closed: int, tick_seconds: Fraction, zone: dt.tzinfo
    ) -> None:
        self._source = source
        self._streams = [s for s in streams if s.definition.key is not None]
        self._closed = closed
        self._tick = tick_seconds
        self._zone = zone
        self._fields: list[StructField] = source.row.fields
        # A push that failed in this process may have left its number in the quarantine alone.
        self._number = max(t.number(PUSHES) for t in (source.raw, source.quarantine)) + 1

    def push(self, rows: Any, at: int | None) -> Pushed:
        time = self._source.definition.timestamp_by
        if time is not None and at is not None:
            raise EngineError(
                "PUSH.TIMESTAMP", f"source `{self._source.name}` takes its timestamps from column `{time}`",
                hint="leave `at` out",
            )  # fmt: skip
        at = max(self._closed, 0) + 1 if at is None else a_tick("at", at)
        if isinstance(rows, DataFrame):
            self._check_columns(rows.columns)
            return self._push_frame(rows, at)
        if isinstance(rows, pd.DataFrame):
            self._check_columns([str(c) for c in rows.columns])
            rows = _records(rows)
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
        if len(have) < len(names):
            twice = next(n for i, n in enumerate(names) if n.lower() in [x.lower() for x in names[:i]])
            raise EngineError("PUSH.DUPLICATE_COLUMN", f"the rows have two columns `{twice}`", hint="drop one of them")
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
        if isinstance(rows, tuple) and rows and not any(isinstance(r, tuple | list | Mapping) for r in rows):
            raise EngineError("PUSH.ROWS", "rows expected, got one tuple", hint="put it into a list: [(…)]")
        checks = [checker(f.dataType, self._zone) for f in self._fields]
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

    def _push_frame(self, frame: DataFrame, at: int) -> Pushed:
        """The same rules as for rows in this process, as Spark expressions. Cells of strings are read as what their
        column holds: that is how the cells of a CSV file come."""
        given = {c.lower(): c for c in frame.columns}
        position = "shiftleft(CAST(spark_partition_id() AS BIGINT), 27) + (monotonically_increasing_id() & 8589934591)"
        cells = {f"_c{i}": F.col(quoted(given[f.name.lower()])) for i, f in enumerate(self._fields)}
        rows = frame.select(F.expr(position).alias(POS), *(c.alias(n) for n, c in cells.items()))
        typed = {f"_v{i}": read_as(f"_c{i}", rows.schema[f"_c{i}"].dataType, f.dataType)
                 for i, f in enumerate(self._fields)}  # fmt: skip
        rows = rows.withColumns(typed).withColumn(AT, self._frame_time(at))
        reason, detail = F.lit(None).cast("string"), F.lit(None).cast("string")
        for value, why, text in reversed(self._frame_checks(rows.schema)):
            reason = F.when(value, F.lit(why)).otherwise(reason)
            detail = F.when(value, text).otherwise(detail)
        rows = rows.withColumns({"reason": reason, "detail": detail})
        names = [f.name for f in self._fields]
        without = {
            f"_k{n}": F.when(F.col("reason").isNull(), F.coalesce(*(
                F.when(F.col(f"_v{names.index(k)}").isNull(), F.lit(f"key column `{k}` is NULL"))
                for k in stream.definition.key or ()
            ))) for n, stream in enumerate(self._streams)
        }  # fmt: skip
        rows = rows.withColumns(without)
        original = F.to_json(
            F.struct(*(F.col(n).alias(f.name) for n, f in zip(cells, self._fields, strict=True))),
            {"ignoreNullFields": "false"},
        )
        rejected = F.coalesce("reason", *without).isNotNull()
        rows = rows.select(AT, POS, "reason", "detail", F.when(rejected, original).alias("row"), *without, *typed)
        small = fetch(rows.limit(limits.SMALL_ROWS + 1))
        if small is not None:
            return self._commit_small(small)
        with as_it_was(frame.sparkSession):
            return self._commit_frame(rows, list(without))

    def _commit_small(self, rows: pa.Table) -> Pushed:
        """The rows that Spark has read and checked; their position is the order in which they came."""
        bad: list[_Bad] = []
        marks = ["reason", *(f"_k{n}" for n in range(len(self._streams)))]
        for pos, line in enumerate(rows.select([AT, "detail", "row", *marks]).to_pylist()):
            if line["reason"] is not None:
                at = line[AT] if line["reason"] == "LATE" else None
                bad.append(_Bad(pos, line["reason"], line["detail"], line["row"], at=at))
            for n, stream in enumerate(self._streams):
                if line[f"_k{n}"] is not None:
                    bad.append(_Bad(pos, "NULL_KEY", line[f"_k{n}"], line["row"], stream.name, line[AT]))
        rows = rows.set_column(rows.column_names.index(POS), POS, pa.array(range(rows.num_rows), pa.int64()))
        rows = rows.append_column(PUSH, pa.array([self._number] * rows.num_rows, pa.int64()))
        good = rows.filter(pc.is_null(rows["reason"])).select(
            [AT, PUSH, POS, *(f"_v{i}" for i in range(len(self._fields)))]
        )
        self._commit(bad, good.rename_columns(self._source.raw.arrow_schema.names))
        reasons = Counter(b.reason for b in bad)
        return Pushed(self._source.name, good.num_rows, sum(reasons.values()), reasons)

    def _commit_frame(self, rows: DataFrame, without: list[str]) -> Pushed:
        number = F.lit(self._number).cast("bigint").alias(PUSH)
        at = F.when(F.col("reason") == "LATE", F.col(AT)).alias(AT)
        for_all = F.lit(None).cast("string").alias("stream")
        bad = rows.filter("reason IS NOT NULL").select(at, number, POS, for_all, "reason", "detail", "row")
        for name, stream in zip(without, self._streams, strict=True):
            bad = bad.unionByName(rows.filter(f"{name} IS NOT NULL").select(
                AT, number, POS, F.lit(stream.name).alias("stream"), F.lit("NULL_KEY").alias("reason"),
                F.col(name).alias("detail"), "row",
            ))  # fmt: skip
        reasons = {r["reason"]: int(r["count"]) for r in bad.groupBy("reason").count().toArrow().to_pylist()}
        if reasons:
            self._source.quarantine.write_frame(bad, number=self._number, application=PUSHES)
        before = self._source.raw.rows()
        cells = [F.col(f"_v{i}").alias(f.name) for i, f in enumerate(self._fields)]
        good = rows.filter("reason IS NULL").select(AT, number, POS, *cells)
        self._source.raw.write_frame(good, number=self._number, application=PUSHES)
        return Pushed(self._source.name, self._source.raw.rows() - before, sum(reasons.values()), reasons)

    def _frame_time(self, at: int) -> Any:
        column = self._source.definition.timestamp_by
        if column is None:
            return F.lit(at).cast("bigint")
        number = [f.name for f in self._fields].index(column)
        value, type_ = f"_v{number}", self._fields[number].dataType
        if isinstance(type_, TimestampType):
            micros = f"unix_micros({value})"
        elif isinstance(type_, TimestampNTZType):
            # A time of no zone is that of UTC, whatever zone the session has.
            micros = f"unix_micros(CAST(concat(CAST({value} AS STRING), 'Z') AS TIMESTAMP))"
        elif isinstance(type_, DateType):
            micros = f"unix_date({value}) * 86400000000L"
        else:
            return F.col(value).cast("bigint")
        unit = self._tick * 1_000_000
        return F.expr(f"CAST(floor({micros} * {unit.denominator}L / {unit.numerator}L) AS BIGINT)")

    def _frame_checks(self, given: StructType) -> list[tuple[Column, str, Column]]:
        checks: list[tuple[Column, str, Column]] = []
        for i, field_ in enumerate(self._fields):
            wrong = F.col(f"_c{i}").isNotNull() & F.col(f"_v{i}").isNull()
            text = wrong_cell(f"_c{i}", given[f"_c{i}"].dataType, field_.dataType)
            checks.append((wrong, "WRONG_TYPE", F.concat(F.lit(f"`{field_.name}`: "), text)))
            if field_.name in self._source.not_null:
                checks.append((F.col(f"_v{i}").isNull(), "NULL_VALUE", F.lit(f"`{field_.name}` is NOT NULL")))
        column = self._source.definition.timestamp_by
        checks.append((F.col(AT).isNull(), "NO_TIMESTAMP", F.lit(f"`{column}` is NULL")))
        at = F.col(AT).cast("string")
        checks.append((F.col(AT) < 0, "WRONG_TIMESTAMP", F.concat(F.lit("time begins at 0, got "), at)))
        late = F.concat(F.lit("timestamp "), at, F.lit(f" is at or before {self._closed}, which is closed"))
        checks.append((F.col(AT) <= self._closed, "LATE", late))
        return checks


def _records(rows: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of pandas as Python has them; pandas' many kinds of nothing are NULL."""
    columns = [str(c) for c in rows.columns]
    cells = [[x.tolist() if isinstance(x, np.ndarray) else x for x in rows.iloc[:, i].astype(object)]
             for i in range(len(columns))]  # fmt: skip
    there = [rows.iloc[:, i].notna() for i in range(len(columns))]
    known = [[x if t else None for x, t in zip(*pair, strict=True)] for pair in zip(cells, there, strict=True)]
    return [dict(zip(columns, row, strict=True)) for row in zip(*known, strict=True)]


class _Refused(Exception):
    def __init__(self, reason: str, detail: str, at: int | None = None) -> None:
        super().__init__(detail)
        self.reason, self.detail, self.at = reason, detail, at


def _as_json(row: Any) -> str:
    if hasattr(row, "asDict"):
        row = row.asDict(recursive=True)
    plain = dict(row) if isinstance(row, Mapping) else list(row) if isinstance(row, tuple) else row
    return json.dumps(plain, default=str, ensure_ascii=False, separators=(",", ":"))


def void_unfinished_push(source: Source) -> None:
    """Takes out the quarantined rows of a push whose raw tuples were never committed, and gives its number back.

    So both tables name the same last push again."""
    taken = source.raw.number(PUSHES)
    begun = source.quarantine.number(PUSHES)
    if begun > taken:
        DeltaTable(str(source.quarantine.path)).delete(
            f"{PUSH} > {taken} AND (stream IS NULL OR reason = 'NULL_KEY')",
            commit_properties=CommitProperties(app_transactions=[Transaction(PUSHES, taken)]),
        )
        source.quarantine.refresh()
