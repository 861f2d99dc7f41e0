"""Named relations of one Spark session for the time of one piece of work: what SQL text can refer to."""

from __future__ import annotations

import itertools
from types import TracebackType

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from syncsql.storage import limits
from syncsql.storage.table import APPLICATION, Table
from syncsql.stream.kept import Kept
from syncsql.stream.text import Sql, listed

_NUMBERS = itertools.count(1)


class Scratch:
    """``small`` says that few rows are read: then everything is one partition, and a job a single task. ``few`` says
    that results are expected to be small enough to be held here."""

    def __init__(self, session: SparkSession, small: bool = False, few: bool = False, dry: bool = False) -> None:
        self.session = session
        self.small = small
        self.few = few
        self._dry = dry
        self._names: list[str] = []
        self._persisted: list[DataFrame] = []

    def add(self, frame: DataFrame) -> Sql:
        """``frame`` under a name of its own."""
        name = f"_syncsql_{next(_NUMBERS)}"
        frame.createOrReplaceTempView(name)
        self._names.append(name)
        return f"SELECT * FROM {name}"

    def rows(self, table: pa.Table, schema: StructType) -> Sql:
        """Rows that are held here. An empty relation is said in SQL alone."""
        if not table.num_rows:
            return self.empty(schema)
        frame = self.session.createDataFrame(table, schema)
        return self.add(frame.coalesce(1) if self.small else frame)

    def empty(self, schema: StructType) -> Sql:
        cells = (f"CAST(NULL AS {f.dataType.simpleString()}) AS `{f.name}`" for f in schema.fields)
        return f"SELECT {listed(cells)} WHERE FALSE"

    def read(self, table: Table, after: int | None = None, until: int | None = None) -> Sql:
        """The rows with times in (after, until]: held in memory while they are few, else over the files."""
        if not table.files(after, until):
            return self.empty(table.schema)
        if table.rows(after, until) <= limits.SMALL_ROWS:
            return self.rows(table.arrow(after, until), table.schema)
        return self.add(table.frame(self.session, after, until))

    def union(self, *parts: Sql) -> Sql:
        """All rows of ``parts``, whose columns correspond by position."""
        if len(parts) == 1:
            return parts[0]
        both = " UNION ALL ".join(f"({p})" for p in parts)
        return f"SELECT /*+ COALESCE(1) */ * FROM ({both})" if self.small else both

    def once(self, text: Sql) -> Kept:
        """``text`` computed once, for those who read it several times."""
        if self.few and not self._dry:
            frame = self._bounded(text)
            found = fetch(frame)
            if found is not None:
                return Kept(self.rows(found, frame.schema), found)
        frame = self.session.sql(text)
        if not self._dry:
            self._persisted.append(frame.persist())
        return Kept(self.add(frame), None)

    def fetch(self, text: Sql) -> pa.Table | None:
        """The rows of ``text``, or None where they are not expected to be few, or are not."""
        return fetch(self._bounded(text)) if self.few else None

    def _bounded(self, text: Sql) -> DataFrame:
        return self.session.sql(f"SELECT * FROM ({text}) LIMIT {limits.SMALL_ROWS + 1}")

    def frame(self, text: Sql) -> DataFrame:
        """``text`` as a DataFrame that outlives the names in it."""
        frame = self.session.sql(text)
        self.drop()
        return frame

    def drop(self) -> None:
        for name in self._names:
            self.session.catalog.dropTempView(name)
        for frame in self._persisted:
            frame.unpersist()
        self._names, self._persisted = [], []

    def __enter__(self) -> Scratch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop()


def fetch(frame: DataFrame) -> pa.Table | None:
    """The rows of ``frame``, which has a limit, or None where they are too many to be held here."""
    rows = frame.toArrow()
    return rows if rows.num_rows <= limits.SMALL_ROWS else None


def commit(
    table: Table,
    part: Sql | pa.Table,
    number: int,
    scratch: Scratch,
    overwrite: bool = False,
    application: str = APPLICATION,
) -> int:
    """Appends ``part`` under ``number``, and nothing at all where it is empty; gives the number of rows."""
    if table.number(application) >= number:
        return 0
    rows = part if isinstance(part, pa.Table) else scratch.fetch(part)
    if rows is None:
        before = 0 if overwrite else table.rows()
        table.write_frame(scratch.session.sql(str(part)), number=number, overwrite=overwrite, application=application)
        return table.rows() - before
    if rows.num_rows:
        table.write(rows, number=number, overwrite=overwrite, application=application)
    return rows.num_rows
