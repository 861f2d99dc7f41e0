"""One Delta table of a database, on a local path.

Commits go through ``deltalake`` (one of a few rows takes some 10 ms, Spark's writer 300 ms); the files of large ones
are written by Spark's tasks (:mod:`syncsql.storage.bulk`). Reading takes the table's file list from its Delta log and
hands the Parquet files to Spark or Arrow: that saves Spark's reconstruction of a snapshot after every commit (above
1 s), and is exact because these tables never have deletion vectors or mapped columns.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import CommitProperties, DeltaTable, Transaction, write_deltalake
from deltalake.transaction import AddAction, RemoveAction
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from syncsql.storage import bulk

# What a commit of an advance is known by: Delta itself keeps the last number per application.
APPLICATION = "syncsql"


@dataclass(frozen=True)
class DataFile:
    """A file of a table: how many rows, and the least and greatest value of the table's time column in it."""

    path: str
    rows: int
    low: int | None
    high: int | None

    def within(self, after: int | None, until: int | None) -> bool:
        """Whether the file may hold times in (after, until]."""
        if self.low is None or self.high is None:
            return True
        return (after is None or self.high > after) and (until is None or self.low <= until)


class Table:
    """An append-only or overwritten Delta table. ``time`` is the column by whose statistics files are left out."""

    def __init__(self, path: Path, schema: StructType, time: str | None = None) -> None:
        self.path = path
        self.schema = schema
        self.arrow_schema: pa.Schema = to_arrow_schema(schema, timezone="UTC")
        self.time = time
        self._delta: DeltaTable | None = None
        self._files: list[DataFile] | None = None
        self._numbers: dict[str, int] = {}
        # Two streams that are tagged at the same time write to the quarantine of one source.
        self._writing = Lock()

    def create(self) -> Table:
        """Makes the table where it does not exist yet."""
        if not DeltaTable.is_deltatable(str(self.path)):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            DeltaTable.create(str(self.path), self.arrow_schema, mode="ignore")
        return self

    def drop(self) -> None:
        self._delta = self._files = None
        if self.path.exists():
            # Renaming first: a reader never sees half a table, and a crash leaves a name that nobody looks for.
            doomed = self.path.with_name(f".dropped-{self.path.name}-{os.getpid()}")
            self.path.rename(doomed)
            shutil.rmtree(doomed, ignore_errors=True)

    @property
    def delta(self) -> DeltaTable:
        if self._delta is None:
            self._delta = DeltaTable(str(self.path))
        return self._delta

    # What is there

    def files(self, after: int | None = None, until: int | None = None) -> list[DataFile]:
        """The files that may hold times in (after, until]."""
        if self._files is None:
            self._files = _files(self.delta, self.path, self.time)
        return [f for f in self._files if f.within(after, until)]

    def rows(self, after: int | None = None, until: int | None = None) -> int:
        """An upper bound of the number of rows in (after, until], from statistics alone."""
        return sum(f.rows for f in self.files(after, until))

    def number(self, application: str = APPLICATION) -> int:
        """The number of the last advance that committed here; 0 for none."""
        if application not in self._numbers:
            self._numbers[application] = self.delta.transaction_version(application) or 0
        return self._numbers[application]

    def refresh(self) -> None:
        self.delta.update_incremental()
        self._forget()

    def _forget(self) -> None:
        """What was known of the table before a commit."""
        self._files = None
        self._numbers = {}

    # Writing

    def write(
        self,
        data: pa.Table,
        *,
        number: int | None = None,
        overwrite: bool = False,
        note: Mapping[str, str] | None = None,
        application: str = APPLICATION,
    ) -> None:
        """Commits rows through Arrow. With a ``number`` the commit happens at most once for that number."""
        with self._writing:
            if self._has(number, application):
                return
            write_deltalake(
                self.delta,
                data.cast(self.arrow_schema),
                mode="overwrite" if overwrite else "append",
                commit_properties=self._properties(number, note, application),
            )
            self._forget()

    def write_frame(
        self,
        frame: DataFrame,
        *,
        number: int | None = None,
        overwrite: bool = False,
        note: Mapping[str, str] | None = None,
        application: str = APPLICATION,
    ) -> None:
        """Commits rows that Spark's tasks write, under the same rule for ``number``."""
        if not self._has(number, application):
            [files] = bulk.write(frame, [self.place])
            self.add(files, number=number, overwrite=overwrite, note=note, application=application)

    @property
    def place(self) -> bulk.Place:
        """Where and how its files are written."""
        return str(self.path), self.arrow_schema

    def add(
        self,
        files: Sequence[AddAction],
        *,
        number: int | None = None,
        overwrite: bool = False,
        note: Mapping[str, str] | None = None,
        application: str = APPLICATION,
    ) -> None:
        """Commits files that were written already."""
        with self._writing:
            if self._has(number, application):
                return
            self.delta.create_write_transaction(
                [*files],
                "overwrite" if overwrite else "append",
                self.arrow_schema,
                commit_properties=self._properties(number, note, application),
            )
            self.refresh()

    def exchange(self, gone: Sequence[DataFile], files: Sequence[AddAction], marks: Mapping[str, int]) -> None:
        """Takes the files ``gone`` out and puts ``files`` in, which hold those of their rows that are kept. ``marks``
        are numbers of applications that are set with it. What else reads the table has a week to end."""
        now = int(1000 * time.time())
        removed = [RemoveAction(Path(f.path).name, False, now, None, {}) for f in gone]
        with self._writing:
            self.delta.create_write_transaction(
                [*(replace(f, data_change=False) for f in files), *removed], "append", self.arrow_schema,
                commit_properties=CommitProperties(app_transactions=[Transaction(n, v) for n, v in marks.items()]),
            )  # fmt: skip
            self.refresh()
            if self.delta.vacuum(dry_run=False):
                self.refresh()

    @staticmethod
    def _properties(number: int | None, note: Mapping[str, str] | None, application: str) -> CommitProperties:
        transactions = None if number is None else [Transaction(application, number)]
        return CommitProperties(custom_metadata=dict(note or {}), app_transactions=transactions)

    def _has(self, number: int | None, application: str) -> bool:
        return number is not None and self.number(application) >= number

    # Reading

    def arrow(self, after: int | None = None, until: int | None = None, columns: list[str] | None = None) -> pa.Table:
        """The rows with times in (after, until] in this process; for tables that are known to be small."""
        files = self.files(after, until)
        wanted = columns or self.arrow_schema.names
        read = list(wanted) if self.time is None or self.time in wanted else [*wanted, self.time]
        table = self.held_in(files, read)
        if self.time is not None:
            if after is not None:
                table = table.filter(pc.greater(table[self.time], after))
            if until is not None:
                table = table.filter(pc.less_equal(table[self.time], until))
        return table.select(wanted)

    def held_in(self, files: Sequence[DataFile], columns: list[str]) -> pa.Table:
        """All rows of these files."""
        # What a deletion by ``deltalake`` has written anew holds its strings as views.
        schema = pa.schema([self.arrow_schema.field(c) for c in columns])
        if not files:
            return schema.empty_table()
        return pa.concat_tables(
            [pq.ParquetFile(f.path).read(columns=columns).select(columns).cast(schema) for f in files]
        )

    def frame(self, session: SparkSession, after: int | None = None, until: int | None = None) -> DataFrame:
        """The rows with times in (after, until] as a DataFrame over the table's files."""
        files = [f.path for f in self.files(after, until)]
        if not files:
            return session.createDataFrame([], self.schema)
        frame = session.read.schema(self.schema).parquet(*files)
        if self.time is not None:
            if after is not None:
                frame = frame.filter(f"`{self.time}` > {after}L")
            if until is not None:
                frame = frame.filter(f"`{self.time}` <= {until}L")
        return frame

    def before(self, number: int) -> Table:
        """The table as it was before the advance ``number``, which commits at most once."""
        return self if self.number() < number else self.at_version(self.delta.version() - 1)

    def at_version(self, version: int) -> Table:
        """The table as it was at an earlier version, for reading."""
        past = Table(self.path, self.schema, self.time)
        past._delta = DeltaTable(str(self.path), version=version)
        return past


def _files(delta: DeltaTable, path: Path, time: str | None) -> list[DataFile]:
    actions = pa.table(delta.get_add_actions(flatten=True))
    count = actions.num_rows
    low, high = f"min.{time}", f"max.{time}"
    known = time is not None and low in actions.column_names
    lows = actions[low].to_pylist() if known else [None] * count
    highs = actions[high].to_pylist() if known else [None] * count
    names = actions["path"].to_pylist()
    rows = actions["num_records"].to_pylist()
    return [DataFile(str(path / n), r or 0, lo, hi) for n, r, lo, hi in zip(names, rows, lows, highs, strict=True)]
