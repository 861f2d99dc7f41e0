"""The rules of :mod:`syncsql.dataflow.intake_rows` for rows in Spark, as Spark expressions.

Cells of strings are read as what their column holds: that is how the cells of a CSV file come.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import DateType, StructType, TimestampNTZType, TimestampType

from syncsql.dataflow.intake import Bad, Checked, Into
from syncsql.stream.casts import in_utc, read_as, wrong_cell
from syncsql.stream.names import AT, POS, PUSH
from syncsql.stream.text import quoted

_POSITION = "shiftleft(CAST(spark_partition_id() AS BIGINT), 27) + (monotonically_increasing_id() & 8589934591)"


class FrameCheck:
    """``rows`` are those of ``frame`` with what was found: their time, the values as the source's table holds them
    (``_v0`` …), the reason where a row is not taken, and why a stream has no key for it (``_k0`` …)."""

    def __init__(self, into: Into, frame: DataFrame, at: int) -> None:
        self._into = into
        self._fields = into.fields
        self._values = [f"_v{i}" for i in range(len(self._fields))]
        self._keyless = [f"_k{n}" for n in range(len(into.keyed))]
        self.rows = self._checked(frame, at)

    def _checked(self, frame: DataFrame, at: int) -> DataFrame:
        given = {c.lower(): c for c in frame.columns}
        cells = {f"_c{i}": F.col(quoted(given[f.name.lower()])) for i, f in enumerate(self._fields)}
        rows = frame.select(F.expr(_POSITION).alias(POS), *(c.alias(n) for n, c in cells.items()))
        kinds = (rows.schema[c].dataType for c in cells)
        typed = (
            read_as(c, kind, f.dataType, self._into.zone) for c, kind, f in zip(cells, kinds, self._fields, strict=True)
        )
        rows = rows.withColumns(dict(zip(self._values, typed, strict=True))).withColumn(AT, self._time(at))
        reason, detail = F.lit(None).cast("string"), F.lit(None).cast("string")
        for value, why, text in reversed(self._checks(rows.schema)):
            reason = F.when(value, F.lit(why)).otherwise(reason)
            detail = F.when(value, text).otherwise(detail)
        rows = rows.withColumns({"reason": reason, "detail": detail}).withColumns(self._null_keys())
        names = (f.name for f in self._fields)
        original = F.to_json(
            F.struct(*(F.col(c).alias(n) for c, n in zip(cells, names, strict=True))), {"ignoreNullFields": "false"}
        )
        rejected = F.coalesce("reason", *self._keyless).isNotNull()
        row = F.when(rejected, original).alias("row")
        return rows.select(AT, POS, "reason", "detail", row, *self._keyless, *self._values)

    def _null_keys(self) -> dict[str, Column]:
        """A row without a key stays for the other streams over the source."""
        values = {f.name: value for f, value in zip(self._fields, self._values, strict=True)}
        found = {}
        for name, stream in zip(self._keyless, self._into.keyed, strict=True):
            missing = [
                F.when(F.col(values[k]).isNull(), F.lit(f"key column `{k}` is NULL"))
                for k in stream.definition.key or ()
            ]
            found[name] = F.when(F.col("reason").isNull(), F.coalesce(*missing))
        return found

    def collected(self, rows: pa.Table) -> Checked:
        """``rows`` as Spark has computed them, in the order in which they came, which is their position from here."""
        bad: list[Bad] = []
        for pos, line in enumerate(rows.select([AT, "reason", "detail", "row", *self._keyless]).to_pylist()):
            if line["reason"] is not None:
                at = line[AT] if line["reason"] == "LATE" else None
                bad.append(Bad(pos, line["reason"], line["detail"], line["row"], at=at))
            for name, stream in zip(self._keyless, self._into.keyed, strict=True):
                if line[name] is not None:
                    bad.append(Bad(pos, "NULL_KEY", line[name], line["row"], stream.name, line[AT]))
        rows = rows.set_column(rows.column_names.index(POS), POS, pa.array(range(rows.num_rows), pa.int64()))
        rows = rows.append_column(PUSH, pa.array([self._into.number] * rows.num_rows, pa.int64()))
        good = rows.filter(pc.is_null(rows["reason"])).select([AT, PUSH, POS, *self._values])
        return Checked(good.rename_columns(self._into.source.raw.arrow_schema.names), bad)

    def reasons(self) -> dict[str, int]:
        """How many rows there are of each reason."""
        rejected = self.rows.filter("row IS NOT NULL").groupBy(F.coalesce("reason", F.lit("NULL_KEY")).alias("reason"))
        return {r["reason"]: int(r["count"]) for r in rejected.count().toArrow().to_pylist()}

    def good(self) -> DataFrame:
        cells = [F.col(v).alias(f.name) for v, f in zip(self._values, self._fields, strict=True)]
        return self.rows.filter("reason IS NULL").select(AT, self._number, POS, *cells)

    def bad(self) -> DataFrame:
        """As the source's quarantine holds them."""
        at = F.when(F.col("reason") == "LATE", F.col(AT)).alias(AT)
        for_all = F.lit(None).cast("string").alias("stream")
        found = self.rows.filter("reason IS NOT NULL").select(at, self._number, POS, for_all, "reason", "detail", "row")
        for name, stream in zip(self._keyless, self._into.keyed, strict=True):
            found = found.unionByName(self.rows.filter(f"{name} IS NOT NULL").select(
                AT, self._number, POS, F.lit(stream.name).alias("stream"), F.lit("NULL_KEY").alias("reason"),
                F.col(name).alias("detail"), "row",
            ))  # fmt: skip
        return found

    @property
    def _number(self) -> Column:
        return F.lit(self._into.number).cast("bigint").alias(PUSH)

    def _time(self, at: int) -> Any:
        column = self._into.source.definition.timestamp_by
        if column is None:
            return F.lit(at).cast("bigint")
        number = [f.name for f in self._fields].index(column)
        value, type_ = f"_v{number}", self._fields[number].dataType
        if isinstance(type_, TimestampType):
            micros = f"unix_micros({value})"
        elif isinstance(type_, TimestampNTZType):
            # A time of no zone is that of UTC.
            micros = f"unix_micros({in_utc(value)})"
        elif isinstance(type_, DateType):
            micros = f"unix_date({value}) * 86400000000L"
        else:
            return F.col(value).cast("bigint")
        unit = self._into.tick * 1_000_000
        # Not /, which is a division of doubles, and not div alone, which rounds towards zero.
        exact = micros if unit.denominator == 1 else f"CAST({micros} AS DECIMAL(20, 0)) * {unit.denominator}BD"
        return F.expr(f"({exact} - pmod({exact}, {unit.numerator})) div {unit.numerator}")

    def _checks(self, given: StructType) -> list[tuple[Column, str, Column]]:
        checks: list[tuple[Column, str, Column]] = []
        for i, field_ in enumerate(self._fields):
            wrong = F.col(f"_c{i}").isNotNull() & F.col(f"_v{i}").isNull()
            text = wrong_cell(f"_c{i}", given[f"_c{i}"].dataType, field_.dataType)
            checks.append((wrong, "WRONG_TYPE", F.concat(F.lit(f"`{field_.name}`: "), text)))
            if field_.name in self._into.source.not_null:
                checks.append((F.col(f"_v{i}").isNull(), "NULL_VALUE", F.lit(f"`{field_.name}` is NOT NULL")))
        column = self._into.source.definition.timestamp_by
        checks.append((F.col(AT).isNull(), "NO_TIMESTAMP", F.lit(f"`{column}` is NULL")))
        at = F.col(AT).cast("string")
        checks.append((F.col(AT) < 0, "WRONG_TIMESTAMP", F.concat(F.lit("time begins at 0, got "), at)))
        late = F.concat(F.lit("timestamp "), at, F.lit(f" is at or before {self._into.closed}, which is closed"))
        checks.append((F.col(AT) <= self._into.closed, "LATE", late))
        return checks
