"""What operators remember between two advances, as Delta tables of their view.

Both kinds commit at most once for the number of an advance, before the view's own log does. An advance that is run
again after a crash reads them as they were before that number, and its second commit is skipped by Delta itself.
"""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import LongType, StructField, StructType

from syncsql.storage.fetch import Writes
from syncsql.storage.stored import among, read
from syncsql.storage.table import Table
from syncsql.stream.flow import same
from syncsql.stream.names import AT

NUMBER = "_n"
# Superseded rows are written out of a state once they are more than half of it, and it has this many files.
_MANY_FILES = 8


def _table(path: Path, schema: StructType, time: str, tables: dict[Path, Table]) -> Table:
    """The table at ``path``, made where there is none; ``tables`` are those that are open already."""
    if path not in tables:
        tables[path] = Table(path, schema, time).create()
    return tables[path]


class StateTable:
    """A row per key, the newest counts: each advance appends the rows that it touched, under its number."""

    def __init__(
        self,
        path: Path,
        keys: StructType,
        values: StructType,
        number: int,
        writes: Writes,
        tables: dict[Path, Table],
    ) -> None:
        self._keys, self._values = keys, values
        self._number = number
        self._writes = writes
        stored = [StructField(f"k{i}", f.dataType) for i, f in enumerate(keys.fields)]
        stored += [StructField(f"v{i}", f.dataType) for i, f in enumerate(values.fields)]
        self.table = _table(path, StructType([StructField(NUMBER, LongType()), *stored]), NUMBER, tables)
        self._before = self.table.before(number)

    def current(self, session: SparkSession, keys: DataFrame | None) -> DataFrame | None:
        """The rows whose keys begin with ``keys`` (all without) before this advance; None where nothing was saved."""
        if not self._before.files():
            return None
        stored = [f"k{i}" for i in range(len(self._keys))]
        rows = read(self._before, session)
        if keys is not None:
            prefix = stored[: len(keys.columns)]
            rows = among(rows, keys.toDF(*prefix), prefix)
        newest = Window.partitionBy(*stored).orderBy(F.desc(NUMBER))
        rows = rows.withColumn("_newest", F.row_number().over(newest)).filter("_newest = 1")
        names = [*self._keys.names, *self._values.names]
        return rows.select(*stored, *(f"v{i}" for i in range(len(self._values)))).toDF(*names)

    def save(self, rows: DataFrame) -> None:
        """New rows of the touched keys, to be committed with the advance."""
        named = [F.col(f"`{c}`").alias(f"k{i}") for i, c in enumerate(self._keys.names)]
        named += [F.col(f"`{c}`").alias(f"v{i}") for i, c in enumerate(self._values.names)]
        number = F.lit(self._number).cast("bigint").alias(NUMBER)
        touched = rows.select(number, *named)
        if not self._worn():
            self._writes.add(self.table, touched)
            return
        stored = [f"k{i}" for i in range(len(self._keys))]
        everything = self.current(rows.sparkSession, None)
        assert everything is not None
        others = everything.toDF(*stored, *(f"v{i}" for i in range(len(self._values))))
        gone = touched.select(*(F.col(k).alias(f"_t{i}") for i, k in enumerate(stored)))
        condition = same([F.col(k) for k in stored], [F.col(f"_t{i}") for i in range(len(stored))])
        kept = others.join(gone, condition, "left_anti").select(number, *others.columns)
        self._writes.add(self.table, kept.union(touched), overwrite=True)

    def _worn(self) -> bool:
        """Whether so many rows were superseded that writing the state anew pays."""
        files = self._before.files()
        oldest = min((f.low or 0 for f in files), default=0)
        base = sum(f.rows for f in files if f.low == oldest)
        return len(files) > _MANY_FILES and 2 * (self._before.rows() - base) > base


class PendingTable:
    """Lines whose point is still to come, found again by that point."""

    def __init__(
        self, path: Path, row: StructType, start: int, end: int, writes: Writes, tables: dict[Path, Table]
    ) -> None:
        stored = [StructField(f"c{i}", f.dataType) for i, f in enumerate(row.fields)]
        self.table = _table(path, StructType([StructField(AT, LongType()), *stored]), AT, tables)
        self._names = row.names
        self._start, self._end = start, end
        self._writes = writes

    def is_due(self) -> bool:
        """Whether lines may be due in the slice, told from statistics."""
        return self.table.rows(self._start, self._end) > 0

    def due(self, session: SparkSession) -> DataFrame | None:
        """The lines with points in the slice that earlier slices left."""
        if not self.is_due():
            return None
        return read(self.table, session, self._start, self._end).toDF(AT, *self._names)

    def keep(self, lines: DataFrame) -> None:
        """Lines with points after the slice."""
        cells = [F.col(f"`{c}`").alias(f"c{i}") for i, c in enumerate(self._names)]
        self._writes.add(self.table, lines.select(AT, *cells))
