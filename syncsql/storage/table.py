"""One Delta table of a database, on a local path.

Rows that are held here are written through Arrow, large results by Spark's tasks (:mod:`syncsql.storage.bulk`); both
are committed by :mod:`syncsql.storage.deltalog`. What there is in a table is read from its log once and kept up with
one's own commits, since a database has one writer. Reading hands the Parquet files to Spark or Arrow: that saves
Spark's reconstruction of a snapshot after every commit (above 1 s), and is exact because these tables never have
deletion vectors or mapped columns.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from deltalake import DeltaTable
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from syncsql.storage import bulk
from syncsql.storage.deltalog import NewFile, commit, commit_text, forget_before, is_committed

# What a commit of an advance is known by.
APPLICATION = "syncsql"
# After so many commits the log gets a checkpoint, so that nobody has to read it from the beginning.
_CHECKPOINT = 100
# For how long Delta keeps the log of versions, and files that the newest one does not have.
_RETENTIONS = ("delta.logRetentionDuration", "delta.deletedFileRetentionDuration")
_FOR_EVER = "interval 36500 days"
_A_WEEK = 7 * 24


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


@dataclass(frozen=True)
class _Contents:
    """What a table has at a version: its files, and the last number of each application that was asked for. It is
    never changed, since somebody may be reading from it."""

    delta: DeltaTable
    version: int
    files: list[DataFile]
    numbers: dict[str, int] = field(default_factory=dict)

    def number(self, application: str) -> int:
        if application not in self.numbers:
            self.numbers[application] = self.delta.transaction_version(application) or 0
        return self.numbers[application]


class Table:
    """An append-only or overwritten Delta table. ``time`` is the column by whose statistics files are left out."""

    def __init__(
        self, path: Path, schema: StructType, time: str | None = None, version: int | None = None,
        keeps_versions: bool = False,
    ) -> None:  # fmt: skip
        """With a ``version`` it is the table as it was then, for reading. One that ``keeps_versions`` can be read as it
        ever was, until :meth:`forget_before`."""
        self.path = path
        self.schema = schema
        self.arrow_schema: pa.Schema = to_arrow_schema(schema, timezone="UTC")
        self.time = time
        self._at = version
        self._keeps_versions = keeps_versions
        self._known: _Contents | None = None
        # Two streams that are tagged at the same time write to the quarantine of one source.
        self._writing = Lock()

    @property
    def exists(self) -> bool:
        return bool(DeltaTable.is_deltatable(str(self.path)))

    def create(self) -> Table:
        """Makes the table where it does not exist yet."""
        if not self.exists:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            kept = dict.fromkeys(_RETENTIONS, _FOR_EVER) if self._keeps_versions else None
            DeltaTable.create(str(self.path), self.arrow_schema, mode="ignore", configuration=kept)
        return self

    def drop(self) -> None:
        self._known = None
        if self.path.exists():
            # Renaming first: a reader never sees half a table, and a crash leaves a name that nobody looks for.
            doomed = self.path.with_name(f".dropped-{self.path.name}-{os.getpid()}")
            self.path.rename(doomed)
            shutil.rmtree(doomed, ignore_errors=True)

    @property
    def delta(self) -> DeltaTable:
        """The table as ``deltalake`` reads it now, for what is asked rarely."""
        return DeltaTable(str(self.path), version=self._at)

    # What is there

    @property
    def _contents(self) -> _Contents:
        if self._known is None:
            delta = self.delta
            self._known = _Contents(delta, delta.version(), _files(delta, self.path, self.time))
        return self._known

    @property
    def version(self) -> int:
        return self._contents.version

    def files(self, after: int | None = None, until: int | None = None) -> list[DataFile]:
        """The files that may hold times in (after, until]."""
        return [f for f in self._contents.files if f.within(after, until)]

    def rows(self, after: int | None = None, until: int | None = None) -> int:
        """An upper bound of the number of rows in (after, until], from statistics alone."""
        return sum(f.rows for f in self.files(after, until))

    def number(self, application: str = APPLICATION) -> int:
        """The number of the last advance that committed here; 0 for none."""
        return self._contents.number(application)

    def history(self) -> list[dict[str, Any]]:
        """What is told of the commits that are known here, the newest first."""
        return DeltaTable(str(self.path), version=self.version).history()

    def refresh(self) -> bool:
        """Lets what others have committed be seen; gives whether there was anything."""
        if self._known is None or not is_committed(self.path, self._known.version + 1):
            return False
        self._known = None
        return True

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
        if not self._has(number, application):
            files = bulk.write_here(data, self.place)
            self.add(files, number=number, overwrite=overwrite, note=note, application=application)

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
        files: Sequence[NewFile],
        *,
        number: int | None = None,
        overwrite: bool = False,
        note: Mapping[str, str] | None = None,
        application: str = APPLICATION,
    ) -> None:
        """Commits files that were written already."""
        with self._writing:
            while not self._has(number, application):
                gone = self._contents.files if overwrite else []
                if self._commit(files, gone, note or {}, {} if number is None else {application: number}):
                    return

    def exchange(self, gone: Sequence[DataFile], files: Sequence[NewFile], marks: Mapping[str, int]) -> None:
        """Takes the files ``gone`` out and puts ``files`` in, which hold those of their rows that are kept; not where
        somebody else has just done something to the table. ``marks`` are numbers of applications that are set with it.
        What else reads the table has a week to end."""
        with self._writing:
            if self._commit(files, gone, {}, marks, data_change=False) and self.delta.vacuum(dry_run=False):
                self.refresh()

    def forget_before(self, version: int, but: Sequence[int]) -> None:
        """Gives up what only versions before ``version`` had, and of those after it what none of ``but`` has. What else
        reads the table has a week to end."""
        with self._writing:
            self.delta.vacuum(_A_WEEK, dry_run=False, enforce_retention_duration=False, keep_versions=list(but))
            forget_before(self.path, version)
            self.refresh()

    def _commit(
        self, files: Sequence[NewFile], gone: Sequence[DataFile], note: Mapping[str, str], numbers: Mapping[str, int],
        data_change: bool = True,
    ) -> bool:  # fmt: skip
        """Whether the commit took place. It does not where somebody else has made one, as a user may who compacts a
        table; what there is now is then read anew."""
        known = self._contents
        removed = [os.path.relpath(f.path, self.path) for f in gone]
        if not commit(self.path, known.version + 1, commit_text(files, removed, note, numbers, data_change)):
            self._known = None
            return False
        out = set(gone)
        now = [*(f for f in known.files if f not in out), *(self._data_file(f) for f in files)]
        self._known = replace(known, version=known.version + 1, files=now, numbers={**known.numbers, **numbers})
        if self._known.version % _CHECKPOINT == 0:
            self.delta.create_checkpoint()
            self.delta.cleanup_metadata()
        return True

    def _data_file(self, file: NewFile) -> DataFile:
        stats = json.loads(file.stats)
        low, high = (stats[ends].get(self.time) for ends in ("minValues", "maxValues"))
        return DataFile(str(self.path / file.name), stats["numRecords"], low, high)

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
        table = self
        while table.number() >= number:
            # Others may have compacted it since.
            table = self.at_version(table.version - 1)
        return table

    def at_version(self, version: int) -> Table:
        """The table as it is or was at a version, for reading; what is committed later is not seen in it."""
        table = Table(self.path, self.schema, self.time, version)
        if self._known is not None and self._known.version == version:
            table._known = self._known
        return table


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
