"""Named relations of one Spark session for the time of one piece of work: what SQL text can refer to."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from syncsql.storage import bulk, limits
from syncsql.storage.connect import NAME, bound, is_connect
from syncsql.storage.deltalog import NewFile
from syncsql.storage.parquet import Share, split
from syncsql.storage.table import APPLICATION, Table
from syncsql.stream.kept import Kept, Part
from syncsql.stream.text import Sql, listed, quoted
from syncsql.stream.type_text import type_text

_NUMBERS = itertools.count(1)


class Scratch:
    """``small`` says that few rows are read: then everything is one partition, and a job a single task. ``few`` says
    that results are expected to be small enough to be held here. ``user`` is the session of which ``session`` is a
    child."""

    def __init__(
        self, session: SparkSession, small: bool = False, few: bool = False, dry: bool = False,
        user: SparkSession | None = None,
    ) -> None:  # fmt: skip
        self.session = session
        self._user = user
        self.small = small
        self.few = few
        self._dry = dry
        self._names: list[str] = []
        # In a session of Spark Connect, what the names stand for; there none is made in the session.
        self._frames: dict[str, DataFrame] | None = {} if is_connect(session) else None
        self._persisted: list[DataFrame] = []
        self._read: dict[tuple[Path, int, int | None, int | None], Sql] = {}

    def add(self, frame: DataFrame) -> Sql:
        """``frame`` under a name of its own."""
        name = f"{NAME}{next(_NUMBERS)}"
        if self._frames is None:
            frame.createOrReplaceTempView(name)
            self._names.append(name)
        else:
            self._frames[name] = frame
        return f"SELECT * FROM {name}"

    def sql(self, text: Sql) -> DataFrame:
        """``text``, which may refer to what was added here."""
        return self.session.sql(text) if self._frames is None else bound(self.session, text, self._frames)

    def local(self, rows: pa.Table | list[tuple[Any, ...]], schema: StructType) -> DataFrame:
        """A DataFrame of rows that are held here."""
        frame = self.session.createDataFrame(rows, schema)
        if self._user is not None and self._frames is None:
            _make_active(self._user)
        return frame

    def rows(self, table: pa.Table, schema: StructType) -> Sql:
        """Rows that are held here. An empty relation is said in SQL alone."""
        if not table.num_rows:
            return self.empty(schema)
        frame = self.local(table, schema)
        return self.add(frame.coalesce(1) if self.small else frame)

    def empty(self, schema: StructType) -> Sql:
        cells = (f"CAST(NULL AS {type_text(f.dataType)}) AS {quoted(f.name)}" for f in schema.fields)
        return f"SELECT {listed(cells)} WHERE FALSE"

    def read(self, table: Table, after: int | None = None, until: int | None = None) -> Sql:
        """The rows with times in (after, until]: held in memory while they are few, else over the files."""
        if not table.files(after, until):
            return self.empty(table.schema)
        wanted = (table.path, table.version, after, until)
        if wanted not in self._read:
            few = table.rows(after, until) <= limits.SMALL_ROWS
            self._read[wanted] = (
                self.rows(table.arrow(after, until), table.schema)
                if few
                else self.add(table.frame(self.session, after, until))
            )
        return self._read[wanted]

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
        frame = self.sql(text)
        if not self._dry:
            self._persisted.append(frame.persist())
        return Kept(self.add(frame), None)

    def fetch(self, text: Sql) -> pa.Table | None:
        """The rows of ``text``, or None where they are not expected to be few, or are not."""
        return fetch(self._bounded(text)) if self.few else None

    def _bounded(self, text: Sql) -> DataFrame:
        return self.sql(f"SELECT * FROM ({text}) LIMIT {limits.SMALL_ROWS + 1}")

    def frame(self, text: Sql) -> DataFrame:
        """``text`` as a DataFrame that outlives the names in it."""
        frame = self.sql(text)
        self.drop()
        return frame

    def drop(self) -> None:
        for name in self._names:
            self.session.catalog.dropTempView(name)
        for frame in self._persisted:
            frame.unpersist()
        self._names, self._persisted, self._read = [], [], {}

    def __enter__(self) -> Scratch:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.drop()


def _make_active(session: Any) -> None:
    """``createDataFrame`` of a classic session makes it the active one, which is to stay the user's."""
    SparkSession._activeSession = session
    SparkSession._get_j_spark_session_class(session._jvm).setActiveSession(session._jsparkSession)


def fetch(frame: DataFrame) -> pa.Table | None:
    """The rows of ``frame``, which has a limit, or None where they are too many to be held here."""
    rows = frame.toArrow()
    return rows if rows.num_rows <= limits.SMALL_ROWS else None


@dataclass(frozen=True)
class Write:
    """Rows for a table."""

    table: Table
    rows: Sql | Part | pa.Table
    overwrite: bool = False


def commit(
    table: Table, rows: Sql | Part | pa.Table, number: int, scratch: Scratch, application: str = APPLICATION
) -> int:
    """Appends ``rows`` under ``number``, and nothing at all where there are none; gives how many."""
    return commit_all([Write(table, rows)], number, scratch, application)


def commit_all(writes: list[Write], number: int, scratch: Scratch, application: str = APPLICATION) -> int:
    """Commits in this order under ``number``; gives the number of rows of the last one.

    Parts of one text that are too large to be held here are computed and written by one job."""
    writes = [w for w in writes if w.table.number(application) < number]
    made = {} if scratch.few else _written(writes, scratch)
    count = 0
    for n, write in enumerate(writes):
        rows = write.rows if isinstance(write.rows, pa.Table) else None
        if rows is None and n not in made:
            text = write.rows.sql if isinstance(write.rows, Part) else str(write.rows)
            rows = scratch.fetch(text)
            if rows is None:
                [made[n]] = bulk.write(scratch.sql(text), [write.table.place])
        before = 0 if write.overwrite else write.table.rows()
        if rows is None:
            if made[n] or write.overwrite:
                write.table.add(made[n], number=number, overwrite=write.overwrite, application=application)
        elif rows.num_rows:
            write.table.write(rows, number=number, overwrite=write.overwrite, application=application)
        count = write.table.rows() - before
    return count


def _written(writes: list[Write], scratch: Scratch) -> dict[int, list[NewFile]]:
    """The files of the parts among ``writes``, by their place: a job for each text."""
    made: dict[int, list[NewFile]] = {}
    texts: dict[Sql, list[tuple[int, Table, Part]]] = {}
    for n, write in enumerate(writes):
        if isinstance(write.rows, Part):
            texts.setdefault(write.rows.text, []).append((n, write.table, write.rows))
    for text, parts in texts.items():
        # A cell that several parts have is carried once, and a constant not at all.
        cells = dict.fromkeys(c for _, _, part in parts for c in (*part.cells.values(), part.flag))
        constants = {cell: _constant(cell) for cell in cells}
        names = {cell: f"_x{n}" if constants[cell] is None else constants[cell] for n, cell in enumerate(cells)}
        wanted = " OR ".join(dict.fromkeys(part.flag for _, _, part in parts))
        selected = listed(f"{cell} AS {name}" for cell, name in names.items() if isinstance(name, str))
        sql = f"SELECT {selected} FROM ({text}) WHERE {wanted}"
        shares = [Share({n: names[c] for n, c in p.cells.items()}, str(names[p.flag])) for _, _, p in parts]
        files = bulk.write(scratch.sql(sql), [t.place for _, t, _ in parts], partial(split, shares=shares))
        made |= {n: found for (n, _, _), found in zip(parts, files, strict=True)}
    return made


def _constant(cell: str) -> pa.Scalar | None:
    if cell == "TRUE":
        return pa.scalar(True)
    return pa.scalar(int(cell[:-1])) if cell.endswith("L") and cell[:-1].isdigit() else None
