"""A stored stream: its log of changes and its synchronized relation, both Delta tables.

The log has one line a change, appended in time order: ``_change_type``, the row (for a deletion the row that went),
``_before`` (the row that the key had at the point before), ``_at``, and ``_net``: whether the line is the last of its
key at that point. So the net change of a key at a point is the one line with ``_net``, from ``_before`` to the row,
and no reader has to pair lines up again.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F
from pyspark.sql.types import BooleanType, LongType, StringType, StructField, StructType

from syncsql.storage.sessions import SMALL_ROWS, from_arrow
from syncsql.storage.table import Table
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, SEQ, TS, quoted

_POINT = "syncsql.point"


def read(table: Table, session: SparkSession, after: int | None = None, until: int | None = None) -> DataFrame:
    """The rows with times in (after, until]: held in memory while they are few, else over the files."""
    if table.rows(after, until) <= SMALL_ROWS:
        return from_arrow(session, table.arrow(after, until), table.schema)
    return table.frame(session, after, until)


@dataclass
class Stored:
    """The tables of one stream or view. ``row`` has the visible columns and then hidden key columns, if any.

    ``labels`` has, for each visible column, the name that users know it by; without it these are the columns."""

    name: str
    root: Path
    directory: str
    row: StructType
    key: tuple[str, ...] | None
    append_only: bool
    labels: dict[str, str] = field(default_factory=dict)
    _folds: list[tuple[int, int]] | None = field(default=None, repr=False)

    @cached_property
    def log(self) -> Table:
        # The engine's columns come first: statistics are kept for the first 32 columns of a table only.
        head = [
            StructField(AT, LongType()),
            StructField(CHANGE, StringType()),
            StructField(SEQ, LongType()),
            StructField(NET, BooleanType()),
            StructField(FULL, BooleanType()),
        ]
        before = [] if self.key is None else [StructField(BEFORE, self.row)]
        return Table(self.root / "streams" / self.directory, StructType([*head, *self.row.fields, *before]), AT)

    @cached_property
    def relation(self) -> Table:
        schema = StructType([StructField(TS, LongType()), *self.row.fields])
        return Table(self.root / "relations" / self.directory, schema)

    def create(self) -> Stored:
        self.log.create()
        self.relation.create()
        return self

    def drop(self) -> None:
        self.log.drop()
        self.relation.drop()

    def refresh(self) -> None:
        """Lets a reader see what was committed since."""
        self.log.refresh()
        self.relation.refresh()
        self._folds = None

    @property
    def columns(self) -> list[str]:
        return self.row.names

    @cached_property
    def visible(self) -> dict[str, str]:
        """The columns that users see, with the names that they know."""
        return self.labels or {c: c for c in self.columns}

    def column(self, label: str) -> str:
        """The stored name of a column that users know as ``label``."""
        return next(c for c, known in self.visible.items() if known == label)

    # The relation as of a point

    def folds(self) -> list[tuple[int, int]]:
        """(point, version) of the relation table, ascending: the points up to which it holds the log."""
        if self._folds is None:
            found = []
            for entry in self.relation.delta.history():
                note = entry.get(_POINT)
                if note is None and entry.get("userMetadata"):
                    note = json.loads(entry["userMetadata"]).get(_POINT)
                if note is not None:
                    found.append((int(note), int(entry["version"])))
            self._folds = sorted(found)
        return self._folds

    def at(self, session: SparkSession, point: int, keys: DataFrame | None = None) -> DataFrame:
        """R[S(point)] with the ``_ts`` of each row: the newest fold at or before the point, and the log after it.

        ``keys`` restricts the answer to those keys (for a stream without a key: to those rows)."""
        base, since = self._fold_before(session, point)
        tail = read(self.log, session, since, point)
        if self.key is None:
            return self._bag_at(base, tail, keys)
        if keys is not None:
            base = among(base, keys, list(self.key))
            tail = among(tail, keys, list(self.key))
        if not self.log.files(since, point):
            return base
        order = Window.partitionBy(*(F.col(quoted(k)) for k in self.key)).orderBy(F.desc(AT), F.desc(SEQ))
        last = tail.filter(F.col(NET)).withColumn("_n", F.row_number().over(order)).filter("_n = 1")
        alive = last.filter(F.col(CHANGE) != DELETE).select(F.col(AT).alias(TS), *self._row())
        gone = last.select(*(F.col(f"`{k}`").alias(f"_k{i}") for i, k in enumerate(self.key)))
        same = [F.col(f"`{k}`").eqNullSafe(F.col(f"_k{i}")) for i, k in enumerate(self.key)]
        kept = base.join(gone, _all(same), "left_anti") if base is not None else base
        return kept.unionByName(alive)

    def _row(self) -> list[Column]:
        return [F.col(f"`{c}`") for c in self.columns]

    def _bag_at(self, base: DataFrame, tail: DataFrame, keys: DataFrame | None) -> DataFrame:
        """A bag: a deletion takes out the oldest of the equal rows (first in, first out)."""
        rows = base.unionByName(tail.filter(F.col(CHANGE) == INSERT).select(F.col(AT).alias(TS), *self._row()))
        if keys is not None:
            rows = among(rows, keys, self.columns)
        if self.append_only:
            return rows
        gone = tail.filter(F.col(CHANGE) == DELETE).select(F.lit(None).cast("bigint").alias(TS), *self._row())
        both = rows.withColumn("_d", F.lit(0)).unionByName(gone.withColumn("_d", F.lit(1)))
        equal = Window.partitionBy(*self._row())
        numbered = both.withColumn("_gone", F.sum("_d").over(equal)).filter("_d = 0")
        numbered = numbered.withColumn("_n", F.row_number().over(equal.orderBy(TS)))
        return numbered.filter("_n > _gone").select(TS, *self._row())

    def _fold_before(self, session: SparkSession, point: int) -> tuple[DataFrame, int | None]:
        usable = [f for f in self.folds() if f[0] <= point]
        if not usable:
            return session.createDataFrame([], self.relation.schema), None
        folded, version = usable[-1]
        newest = version == self.folds()[-1][1]
        table = self.relation if newest else self.relation.at_version(version)
        return read(table, session), folded

    def folded_to(self) -> int | None:
        return self.folds()[-1][0] if self.folds() else None

    def fold(self, session: SparkSession, point: int, number: int) -> None:
        """Writes the relation as of ``point`` under ``number``; what it holds is then found without the log before."""
        rows = self.at(session, point)
        bound = self.relation.rows() + self.log.rows(self.folded_to(), point)
        if bound <= SMALL_ROWS:
            self.relation.write(rows.toArrow(), number=number, overwrite=True, note={_POINT: str(point)})
        else:
            self.relation.write_frame(rows, number=number, overwrite=True, note=json.dumps({_POINT: point}))
        self._folds = None


def among(frame: DataFrame, keys: DataFrame, columns: list[str]) -> DataFrame:
    """The rows of ``frame`` whose ``columns`` are one of ``keys``; NULL is equal to NULL."""
    renamed = keys.select(*(F.col(f"`{k}`").alias(f"_k{i}") for i, k in enumerate(columns)))
    same = [F.col(f"`{k}`").eqNullSafe(F.col(f"_k{i}")) for i, k in enumerate(columns)]
    return frame.join(renamed, _all(same), "left_semi")


def _all(conditions: list[Column]) -> Column:
    result = F.lit(True)
    for condition in conditions:
        result = result & condition
    return result
