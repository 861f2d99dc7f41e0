"""What operators remember between two advances, as Delta tables of their view.

Both kinds commit at most once for the number of an advance, before the view's own log does. An advance that is run
again after a crash reads them as they were before that number, and does not commit a second time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
from pyspark.sql.types import DataType

from syncsql.storage.scratch import Scratch, Write
from syncsql.storage.table import Table
from syncsql.stream.kept import Kept, Part
from syncsql.stream.names import AT
from syncsql.stream.text import Sql, among, listed, over

NUMBER = "_n"
# Superseded rows are written out of a state once they are more than half of it, and it has this many files.
_MANY_FILES = 8


@dataclass
class Memory:
    """What is known of a view's memory while the database is open: its tables, and types that Spark has told."""

    tables: dict[Path, Table] = field(default_factory=dict)
    types: dict[str, DataType] = field(default_factory=dict)


@dataclass
class Writes:
    """What the operators of one view want to be remembered, committed together before the view's own log."""

    items: list[Write] = field(default_factory=list)

    def add(self, table: Table, rows: Sql | Part | pa.Table, overwrite: bool = False) -> None:
        self.items.append(Write(table, rows, overwrite))


class StateTable:
    """A row per key, the newest counts: each advance appends the rows that it touched, under its number.

    In the table keys are ``k0, k1, …`` and values ``v0, v1, …``."""

    def __init__(
        self, table: Table, keys: list[str], values: list[str], number: int, scratch: Scratch, writes: Writes
    ) -> None:
        self._table = table
        self._keys = {name: f"k{i}" for i, name in enumerate(keys)}
        self._values = {name: f"v{i}" for i, name in enumerate(values)}
        self._number, self._scratch, self._writes = number, scratch, writes
        self._before = table.before(number)

    def current(self, keys: Sql | None = None, by: Sequence[str] = ()) -> Sql | None:
        """The rows whose key columns ``by`` are among ``keys`` (all rows without) before this advance; None where
        nothing was saved."""
        if not self._before.files():
            return None
        cells = [f"{stored} AS {name}" for name, stored in (*self._keys.items(), *self._values.items())]
        return f"SELECT {listed(cells)} FROM ({self._newest(keys, by)})"

    def _newest(self, keys: Sql | None, by: Sequence[str]) -> Sql:
        """The newest row of each key, as it is stored."""
        rows = self._scratch.read(self._before)
        if keys is not None and by:
            rows = among(rows, [self._keys[k] for k in by], keys, by)
        files = self._before.files()
        if len(files) == 1 and files[0].low is not None and files[0].low == files[0].high:
            # What one advance wrote has each key once; a user may have made one file of several.
            return rows
        newest = f"row_number() {over(list(self._keys.values()), f'{NUMBER} DESC')} AS _newest"
        return f"SELECT * FROM (SELECT *, {newest} FROM ({rows})) WHERE _newest = 1"

    def save(self, rows: Kept, flag: str, values: Mapping[str, str], counts: Sequence[str]) -> None:
        """The flagged rows are the new ones of the touched keys, to be committed with the advance. A value is an
        expression, or a column where the rows are held here. A key whose ``counts`` are all 0 need not be kept."""
        cells = {stored: name for name, stored in self._keys.items()}
        cells |= {stored: values[name] for name, stored in self._values.items()}
        if not self._worn():
            numbered = Part(rows.text, {NUMBER: f"{self._number}L", **cells}, flag)
            self._writes.add(self._table, numbered if rows.rows is None else self._numbered(rows.part(cells, flag)))
            return
        stored = list(self._keys.values())
        part = Part(rows.text, cells, flag).sql
        others = among(self._newest(None, ()), stored, part, stored, anti=True)
        everything = self._scratch.union(f"SELECT {listed(cells)} FROM ({others})", part)
        alive = " OR ".join(f"{self._values[c]} <> 0" for c in counts) if self._keys and counts else "TRUE"
        kept = f"SELECT {self._number}L AS {NUMBER}, * FROM ({everything}) WHERE {alive}"
        self._writes.add(self._table, kept, overwrite=True)

    def _numbered(self, rows: pa.Table) -> pa.Table:
        return rows.add_column(0, NUMBER, pa.array([self._number] * rows.num_rows, pa.int64()))

    def _worn(self) -> bool:
        """Whether so many rows were superseded that writing the state anew pays."""
        files = self._before.files()
        oldest = min((f.low or 0 for f in files), default=0)
        base = sum(f.rows for f in files if f.low == oldest)
        return len(files) > _MANY_FILES and 2 * (self._before.rows() - base) > base


class PendingTable:
    """Lines whose point is still to come, found again by that point. In the table columns are ``c0, c1, …``."""

    def __init__(self, table: Table, names: list[str], span: tuple[int, int], scratch: Scratch, writes: Writes) -> None:
        self._table = table
        self._names = {name: f"c{i}" for i, name in enumerate(names)}
        self._start, self._end = span
        self._scratch, self._writes = scratch, writes

    def due(self) -> Sql | None:
        """The lines with points in the slice that earlier slices left."""
        if not self._table.rows(self._start, self._end):
            return None
        cells = [AT, *(f"{stored} AS {name}" for name, stored in self._names.items())]
        return f"SELECT {listed(cells)} FROM ({self._scratch.read(self._table, self._start, self._end)})"

    def keep(self, lines: Sql) -> None:
        """Lines with points after the slice."""
        cells = [AT, *(f"{name} AS {stored}" for name, stored in self._names.items())]
        self._writes.add(self._table, f"SELECT {listed(cells)} FROM ({lines})")
