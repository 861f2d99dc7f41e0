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

from pyspark.sql.types import BooleanType, LongType, StringType, StructField, StructType

from syncsql.storage import limits
from syncsql.storage.scratch import Scratch
from syncsql.storage.table import Table
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, SEQ, TS
from syncsql.stream.text import Sql, among, listed, over, quoted

_POINT = "syncsql.point"


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
        """The stored name of a column that users know as ``label``; a hidden one has no other name."""
        return next((c for c, known in self.visible.items() if known == label), label)

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

    def at(self, scratch: Scratch, point: int, keys: Sql | None = None) -> Sql:
        """R[S(point)] with the ``_ts`` of each row: the newest fold at or before the point, and the log after it.

        ``keys`` restricts the answer to those keys (for a stream without a key: to those rows)."""
        base, since = self._fold_before(scratch, point)
        tail = scratch.read(self.log, since, point)
        row = [quoted(c) for c in self.columns]
        if self.key is None:
            return self._bag_at(scratch, base, tail, row, keys)
        key = [quoted(k) for k in self.key]
        if keys is not None:
            base, tail = among(base, key, keys, key), among(tail, key, keys, key)
        if not self.log.files(since, point):
            return base
        newest = f"row_number() {over(key, f'{AT} DESC, {SEQ} DESC')} AS _n"
        last = f"SELECT * FROM (SELECT *, {newest} FROM ({tail}) WHERE {NET}) WHERE _n = 1"
        alive = f"SELECT {listed([f'{AT} AS {TS}', *row])} FROM ({last}) WHERE {CHANGE} <> '{DELETE}'"
        if since is None:
            return alive
        kept = f"SELECT {listed([TS, *row])} FROM ({among(base, key, last, key, anti=True)})"
        return scratch.union(kept, alive)

    def _bag_at(self, scratch: Scratch, base: Sql, tail: Sql, row: list[str], keys: Sql | None) -> Sql:
        """A bag: a deletion takes out the oldest of the equal rows (first in, first out)."""
        inserted = f"SELECT {listed([f'{AT} AS {TS}', *row])} FROM ({tail}) WHERE {CHANGE} = '{INSERT}'"
        rows = scratch.union(f"SELECT {listed([TS, *row])} FROM ({base})", inserted)
        if keys is not None:
            rows = among(rows, row, keys, row)
        if self.append_only:
            return rows
        gone = f"SELECT CAST(NULL AS BIGINT), {listed(row)}, 1 FROM ({tail}) WHERE {CHANGE} = '{DELETE}'"
        both = scratch.union(f"SELECT {listed([TS, *row])}, 0 AS _d FROM ({rows})", gone)
        counted = f"SELECT *, sum(_d) {over(row)} AS _gone FROM ({both})"
        numbered = f"SELECT *, row_number() {over(row, TS)} AS _n FROM ({counted}) WHERE _d = 0"
        return f"SELECT {listed([TS, *row])} FROM ({numbered}) WHERE _n > _gone"

    def _fold_before(self, scratch: Scratch, point: int) -> tuple[Sql, int | None]:
        usable = [f for f in self.folds() if f[0] <= point]
        if not usable:
            return scratch.empty(self.relation.schema), None
        folded, version = usable[-1]
        newest = version == self.folds()[-1][1]
        return scratch.read(self.relation if newest else self.relation.at_version(version)), folded

    def folded_to(self) -> int | None:
        return self.folds()[-1][0] if self.folds() else None

    def fold(self, scratch: Scratch, point: int, number: int) -> None:
        """Writes the relation as of ``point`` under ``number``; what it holds is then found without the log before."""
        rows = scratch.session.sql(self.at(scratch, point))
        bound = self.relation.rows() + self.log.rows(self.folded_to(), point)
        if bound <= limits.SMALL_ROWS:
            self.relation.write(rows.toArrow(), number=number, overwrite=True, note={_POINT: str(point)})
        else:
            self.relation.write_frame(rows, number=number, overwrite=True, note=json.dumps({_POINT: point}))
        self._folds = None
