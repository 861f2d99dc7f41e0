"""What a task of Spark does with its rows: it writes them into files of tables.

This runs in Spark's Python workers, by its text: they need Arrow, and nothing of this package.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

# From the rows of a task to the rows of each table, piece by piece.
Kernel = Callable[[Iterator[pa.RecordBatch]], Iterator[list[pa.Table]]]
# A table's directory, and the columns of its files.
Place = tuple[str, pa.Schema]
# What a task tells of each file: which table it belongs to, its name and size, and its statistics as Delta has them.
FILES = "place INT, name STRING, size BIGINT, stats STRING"

_ROW_GROUP = 1 << 18


class _File:
    """A file that is made once there is a row for it."""

    def __init__(self, place: Place) -> None:
        self._directory, self._schema = place
        self._name = f"part-{uuid.uuid4()}.parquet"
        self._held: list[pa.Table] = []
        self._writer: pq.ParquetWriter | None = None

    def add(self, rows: pa.Table) -> None:
        if rows.num_rows:
            self._held.append(rows.cast(self._schema))
        if sum(t.num_rows for t in self._held) >= _ROW_GROUP:
            self._flush()

    def _flush(self) -> None:
        if self._writer is None:
            # Where numbers rarely repeat, looking them up in a dictionary is half of the time of writing.
            self._writer = pq.ParquetWriter(self._path, self._schema, use_dictionary=list(_texts(self._schema)))
        self._writer.write_table(pa.concat_tables(self._held), row_group_size=_ROW_GROUP)
        self._held = []

    @property
    def _path(self) -> str:
        return os.path.join(self._directory, self._name)

    def close(self) -> dict[str, Any] | None:
        if self._held:
            self._flush()
        if self._writer is None:
            return None
        self._writer.close()
        metadata = pq.read_metadata(self._path)
        stats = {"numRecords": metadata.num_rows, **self._ends(metadata)}
        size = os.path.getsize(self._path)
        return {"name": self._name, "size": size, "stats": json.dumps(stats)}

    def _ends(self, metadata: pq.FileMetaData) -> dict[str, dict[str, int]]:
        """The least and greatest value of the whole numbers, from the file's own statistics."""
        least: dict[str, int] = {}
        most: dict[str, int] = {}
        whole = {f.name for f in self._schema if pa.types.is_integer(f.type)}
        groups = [metadata.row_group(n) for n in range(metadata.num_row_groups)]
        for n in range(metadata.num_columns):
            columns = [g.column(n) for g in groups]
            name = columns[0].path_in_schema
            ends = [c.statistics for c in columns if c.statistics is not None and c.statistics.has_min_max]
            if name in whole and len(ends) == len(columns):
                least[name], most[name] = min(s.min for s in ends), max(s.max for s in ends)
        return {"minValues": least, "maxValues": most}


def _texts(fields: pa.Schema | pa.StructType, prefix: str = "") -> Iterator[str]:
    """The columns of strings, those in structs too."""
    for field in fields:
        if pa.types.is_struct(field.type):
            yield from _texts(field.type, f"{prefix}{field.name}.")
        elif pa.types.is_string(field.type):
            yield f"{prefix}{field.name}"


def write_file(rows: pa.Table, place: Place) -> dict[str, Any] | None:
    """Writes rows that are held here, and tells which file there is; none for no rows."""
    file = _File(place)
    file.add(rows)
    return file.close()


def write_files(batches: Iterator[pa.RecordBatch], kernel: Kernel, places: Sequence[Place]) -> Iterator[pa.RecordBatch]:
    """Writes what ``kernel`` makes of ``batches``, and tells which files there are."""
    files = [_File(place) for place in places]
    for parts in kernel(batches):
        for file, part in zip(files, parts, strict=True):
            file.add(part)
    told = [(n, file.close()) for n, file in enumerate(files)]
    rows = [{"place": n, **made} for n, made in told if made is not None]
    columns = [("place", pa.int32()), ("name", pa.string()), ("size", pa.int64()), ("stats", pa.string())]
    yield pa.RecordBatch.from_pylist(rows, schema=pa.schema(columns))


@dataclass(frozen=True)
class Share:
    """What one table gets of a task's rows: those whose ``flag`` is true (all without), for each of its columns the one
    that it comes from, or the value that all its rows have."""

    columns: dict[str, str | pa.Scalar]
    flag: str | None = None

    def of(self, rows: pa.Table) -> pa.Table:
        if self.flag is not None:
            rows = rows.filter(rows[self.flag])
        cells = {n: rows[c] if isinstance(c, str) else pa.repeat(c, rows.num_rows) for n, c in self.columns.items()}
        return pa.table(cells)


def split(batches: Iterator[pa.RecordBatch], shares: Sequence[Share]) -> Iterator[list[pa.Table]]:
    for batch in batches:
        rows = pa.Table.from_batches([batch])
        yield [share.of(rows) for share in shares]
