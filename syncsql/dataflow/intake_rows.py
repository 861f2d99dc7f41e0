"""The rules for rows of this process: tuples, dicts, pandas. Which are taken, and why the others are not."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa

from syncsql.dataflow.intake import Bad, Checked, Into
from syncsql.dataflow.ticks import ticks
from syncsql.errors import EngineError
from syncsql.storage.settings import zone_of
from syncsql.stream.cells import WrongType, checker
from syncsql.stream.names import AT, POS, PUSH


class RowCheck:
    def __init__(self, into: Into) -> None:
        self._into = into
        self._fields = into.fields

    def check(self, rows: Any, at: int) -> Checked:
        """``at`` is the timestamp where the source has no column for it."""
        if isinstance(rows, str | bytes | Mapping) or not isinstance(rows, Iterable):
            raise EngineError(
                "PUSH.ROWS", f"rows expected, got {type(rows).__name__}",
                hint="give a list of tuples or dicts, a pandas DataFrame, an Arrow table or a Spark DataFrame",
            )  # fmt: skip
        if isinstance(rows, tuple) and rows and not any(isinstance(r, tuple | list | Mapping) for r in rows):
            raise EngineError("PUSH.ROWS", "rows expected, got one tuple", hint="put it into a list: [(…)]")
        zone = zone_of(self._into.zone)
        checks = [checker(f.dataType, zone) for f in self._fields]
        good: list[dict[str, Any]] = []
        bad: list[Bad] = []
        for pos, row in enumerate(rows):
            try:
                cells = self._cells(row)
                values = {}
                for field, cell, check in zip(self._fields, cells, checks, strict=True):
                    values[field.name] = self._cell(field.name, cell, check)
                values[AT] = self._time(values, at)
            except _Refused as refused:
                bad.append(Bad(pos, refused.reason, refused.detail, _as_json(row), at=refused.at))
                continue
            good.append({**values, PUSH: self._into.number, POS: pos})
            bad += self._null_keys(values, pos, row)
        return Checked(pa.Table.from_pylist(good, schema=self._into.source.raw.arrow_schema), bad)

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
                raise _Refused("UNKNOWN_COLUMN", f"`{unknown[0]}` is no column of `{self._into.source.name}`")
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
        if value is None and name in self._into.source.not_null:
            raise _Refused("NULL_VALUE", f"`{name}` is NOT NULL")
        return value

    def _time(self, values: Mapping[str, Any], at: int) -> int:
        column = self._into.source.definition.timestamp_by
        if column is not None:
            value = values[column]
            if value is None:
                raise _Refused("NO_TIMESTAMP", f"`{column}` is NULL")
            at = ticks(value, self._into.tick)
        if at < 0:
            raise _Refused("WRONG_TIMESTAMP", f"time begins at 0, got {at}")
        if at <= self._into.closed:
            raise _Refused("LATE", f"timestamp {at} is at or before {self._into.closed}, which is closed", at=at)
        return at

    def _null_keys(self, values: Mapping[str, Any], pos: int, row: Any) -> list[Bad]:
        """A row without a key stays for the other streams over the source."""
        found = []
        for stream in self._into.keyed:
            missing = [k for k in stream.definition.key or () if values[k] is None]
            if missing:
                text = f"key column `{missing[0]}` is NULL"
                found.append(Bad(pos, "NULL_KEY", text, _as_json(row), stream.name, values[AT]))
        return found


def records(rows: pd.DataFrame) -> list[dict[str, Any]]:
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
    return json.dumps(_plain(row), default=str, ensure_ascii=False, separators=(",", ":"))


def _plain(value: Any) -> Any:
    """``value`` with what JSON has, as far as it consists of rows, maps and lists."""
    if hasattr(value, "asDict"):
        value = value.asDict()
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value
