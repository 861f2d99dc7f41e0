"""Committing the results of a job: as Arrow while they are few, through Spark's Delta writer otherwise."""

from __future__ import annotations

from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import DataFrame

from syncsql.storage.sessions import SMALL_ROWS
from syncsql.storage.table import Table


def fetch(frame: DataFrame) -> pa.Table | None:
    """The rows of ``frame``, or None where they are too many to be held here."""
    rows = frame.limit(SMALL_ROWS + 1).toArrow()
    return rows if rows.num_rows <= SMALL_ROWS else None


def commit(table: Table, frame: DataFrame, number: int, small: bool, overwrite: bool = False) -> int:
    """Appends ``frame`` under ``number``, and nothing at all where it is empty; gives the number of rows.

    ``small`` says that few rows are expected, so that holding them here is worth a try."""
    if table.number() >= number:
        return 0
    rows = fetch(frame) if small else None
    if rows is None:
        before = 0 if overwrite else table.rows()
        table.write_frame(frame, number=number, overwrite=overwrite)
        return table.rows() - before
    if rows.num_rows:
        table.write(rows, number=number, overwrite=overwrite)
    return rows.num_rows


@dataclass
class Writes:
    """What the operators of one view want to be remembered, committed together before the view's own log."""

    items: list[tuple[Table, DataFrame, bool]] = field(default_factory=list)

    def add(self, table: Table, frame: DataFrame, overwrite: bool = False) -> None:
        self.items.append((table, frame, overwrite))
