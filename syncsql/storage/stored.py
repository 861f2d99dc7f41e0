"""A stored stream: its log of changes and its synchronized relation, both Delta tables.

The log has one line a change, appended in time order: ``_change_type``, the row (for a deletion the row that went),
``_before`` (the row that the key had at the point before), ``_at``, and ``_net``: whether the line is the last of its
key at that point. So the net change of a key at a point is the one line with ``_net``, from ``_before`` to the row,
and no reader has to pair lines up again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

from syncsql.storage import limits
from syncsql.storage.deltalog import NewFile
from syncsql.storage.feed import Feed, not_kept
from syncsql.storage.scratch import Scratch
from syncsql.storage.table import DataFile, Table
from syncsql.stream.names import AT, CHANGE, DELETE, INSERT, TS
from syncsql.stream.text import Sql, listed, quoted

_POINT = "syncsql.point"
# Marks of the log: up to which point its lines were given up, and from which time on everything is still known.
_DROPPED, _KEPT = "syncsql.dropped", "syncsql.kept"


@dataclass
class Stored(Feed):
    """The tables of one stream or view: one object each, since a table writes one commit at a time."""

    root: Path
    directory: str
    log: Table = field(init=False, repr=False)
    relation: Table = field(init=False, repr=False)
    _folds: list[tuple[int, int]] | None = field(default=None, repr=False)
    # What the files of the log's tail add to the relation, as far as somebody asked.
    _nets: dict[str, int] = field(default_factory=dict, repr=False)
    # The relation may hold a fold that is not in the list yet.
    _folding: bool = field(default=False, repr=False)

    def __post_init__(self) -> None:
        self.log = Table(self.root / "streams" / self.directory, self.log_schema, AT)
        self.relation = Table(self.root / "relations" / self.directory, self.relation_schema, keeps_versions=True)

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
        if self.relation.refresh():
            self._folds = None

    # Changes

    def changes(self, scratch: Scratch, after: int | None, until: int | None) -> Sql:
        self._check(after)
        return scratch.read(self.log, after, until)

    def lines(self, after: int | None, until: int | None) -> int:
        return self.log.rows(after, until)

    # The relation as of a point

    def folds(self) -> list[tuple[int, int]]:
        """(point, version) of the relation table, ascending: the points up to which it holds the log."""
        if self._folds is None:
            found = []
            for entry in self.relation.history():
                note = entry.get(_POINT)
                if note is not None:
                    found.append((int(note), int(entry["version"])))
            self._folds = sorted(found)
        return self._folds

    def at(self, scratch: Scratch, point: int, keys: Sql | None = None, ts: bool = True) -> Sql:
        """The newest fold at or before the point, and the log after it."""
        self._check(point)
        base, since = self._fold_before(scratch, point)
        if not self.log.files(since, point):
            return self.among_keys(base, keys)
        return self.folded(scratch, base if since is not None else None, scratch.read(self.log, since, point), keys)

    def count(self) -> int:
        """How many rows the relation has now: those of the newest fold, and what came and went since."""
        tail = self.log.files(self.folded_to(), None)
        self._nets = {f.path: self._nets[f.path] if f.path in self._nets else _net_rows(f) for f in tail}
        return (self.relation.rows() if self.folds() else 0) + sum(self._nets.values())

    def size(self, point: int | None) -> int:
        return self.relation.rows() + self.log.rows(self.folded_to(), point)

    def _fold_before(self, scratch: Scratch, point: int) -> tuple[Sql, int | None]:
        usable = [f for f in self.folds() if f[0] <= point]
        if not usable:
            if self.dropped is not None:
                # The log alone does not have it, and an answer without it would be a wrong one.
                raise not_kept(self.name, point, self.kept or self.dropped)
            return scratch.empty(self.relation.schema), None
        folded, version = usable[-1]
        # As it is first, and then whether that is still this fold: an advance may make the next one meanwhile.
        present = self.relation.at_version(self.relation.version)
        if version == self.folds()[-1][1] and not self._folding:
            return scratch.read(present), folded
        return scratch.read(self.relation.at_version(version)), folded

    def folded_to(self) -> int | None:
        return self.folds()[-1][0] if self.folds() else None

    def fold(self, scratch: Scratch, point: int, number: int) -> None:
        """Writes the relation as of ``point`` under ``number``; what it holds is then found without the log before."""
        self._hold(scratch, self.at(scratch, point), self.size(point), point, number)

    def begin(self, scratch: Scratch, feed: Feed, time: int, number: int) -> None:
        """Holds what ``feed`` has at ``time``, and knows of nothing before: when a row came that was there already is
        not known any more, and counts as ``time``."""
        rows = f"SELECT {time}L AS {TS}, {listed(map(quoted, self.columns))} FROM ({feed.at(scratch, time, ts=False)})"
        self._hold(scratch, rows, feed.size(time), time, number)
        self.log.exchange([], [], {_DROPPED: time, _KEPT: time})

    def _hold(self, scratch: Scratch, rows: Sql, size: int, point: int, number: int) -> None:
        """Writes ``rows`` as the relation as of ``point``; there are ``size`` of them at most."""
        self._folding = True
        frame, note = scratch.sql(rows), {_POINT: str(point)}
        if size <= limits.SMALL_ROWS:
            self.relation.write(frame.toArrow(), number=number, overwrite=True, note=note)
        else:
            self.relation.write_frame(frame, number=number, overwrite=True, note=note)
        self._folded(point)

    def fold_is(self, files: list[NewFile], point: int, number: int) -> None:
        """These files hold the relation as of ``point``."""
        self._folding = True
        self.relation.add(files, number=number, overwrite=True, note={_POINT: str(point)})
        self._folded(point)

    def _folded(self, point: int) -> None:
        made = (point, self.relation.version)
        if self._folds is not None and made not in self._folds:
            self._folds.append(made)
        self._folding = False

    # What is kept

    @property
    def kept(self) -> int | None:
        return self.log.number(_KEPT) or None

    @property
    def dropped(self) -> int | None:
        """The point of a fold of which the log before was given up."""
        return self.log.number(_DROPPED) or None

    def _check(self, time: int | None) -> None:
        if self.dropped is not None and (time is None or time < self.dropped):
            raise not_kept(self.name, time, self.kept or self.dropped)

    def drop_before(self, time: int, needed: int) -> None:
        """Gives up what is only needed for times before ``time``: the files of the log, whole ones, up to the newest
        fold at or before it. ``needed`` is what some reader has still to take in, and ``time`` at most."""
        points = [point for point, _ in self.folds() if point <= needed]
        if not points or points[-1] <= (self.dropped or 0):
            return
        gone = [f for f in self.log.files() if f.high is not None and f.high <= points[-1]]
        if gone:
            self.log.exchange(gone, [], {_DROPPED: points[-1], _KEPT: time})
            self._folds = [(point, version) for point, version in self.folds() if point >= points[-1]]
            versions = [version for _, version in self._folds]
            self.relation.forget_before(versions[0], versions)


def _net_rows(file: DataFile) -> int:
    """How many more rows are put in by the lines of ``file`` than taken out: each + is one more, each - one less."""
    net = 0
    for batch in pq.ParquetFile(file.path).iter_batches(columns=[CHANGE]):
        for value, count in zip(*pc.value_counts(batch[CHANGE]).flatten(), strict=True):
            net += count.as_py() * {INSERT: 1, DELETE: -1}.get(value.as_py(), 0)
    return net
