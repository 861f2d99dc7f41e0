"""The tagger of a stream with a key whose tuples are all upserts, as one pass over Arrow columns.

Tuples are grouped by key and ordered by arrival; then everything is a look at the row above. The same pass serves a
few rows in this process and the partitions of a large slice in Spark's workers, where it runs by its text and needs
Arrow and numpy alone. Spark's windows over the same 4 M tuples, and its writer, take three times as long.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from syncsql.stream.names import AT, BEFORE, CHANGE, FULL, INSERT, NET, SEQ, TS, UPDATE


@dataclass(frozen=True)
class Upserts:
    """``row`` and ``key`` are columns of the stream; rows with times up to ``start`` are those of the relation."""

    row: tuple[str, ...]
    key: tuple[str, ...]
    start: int

    def log(self, rows: pa.Table) -> pa.Table:
        """The lines of the log for ``rows``: (row…, ``_at``, ``_seq``), where a relation's row has its TS as time."""
        return self._tag(rows)[0]

    def log_and_relation(self, batches: Iterator[pa.RecordBatch]) -> Iterator[list[pa.Table]]:
        """Both for all keys of a task, whose rows of before are all among ``batches``."""
        held = list(batches)
        if held:
            yield list(self._tag(pa.Table.from_batches(held)))

    def log_alone(self, batches: Iterator[pa.RecordBatch]) -> Iterator[list[pa.Table]]:
        held = list(batches)
        if held:
            yield [self.log(pa.Table.from_batches(held))]

    def _tag(self, rows: pa.Table) -> tuple[pa.Table, pa.Table]:
        rows = rows.combine_chunks()
        codes = _codes([rows[k] for k in self.key])
        at, seq = rows[AT].to_numpy(), rows[SEQ].to_numpy()
        order = np.lexsort((seq, at, codes))
        codes, at = codes[order], at[order]
        place = np.arange(len(order))
        first = _starts(codes)
        point = first | _starts(at)
        # The line of the key above the first one of this point; there is none above the first line of a key.
        above = np.maximum.accumulate(np.where(point, place, 0))
        new = np.flatnonzero(at > self.start)
        was = pa.array(order[above[new] - 1], mask=first[above[new]])
        named = {c: rows[c].take(pa.array(order[new])) for c in (AT, SEQ, *self.row)}
        old = [rows[c].take(was).combine_chunks() for c in self.row]
        change = pa.array([INSERT, UPDATE]).take(pa.array(np.where(first[new], 0, 1)))
        always = pa.repeat(pa.scalar(True), len(new))
        net = pa.array(np.append(point[1:], True)[new] if len(order) else always)
        before = pa.StructArray.from_arrays(old, names=list(self.row), mask=pa.array(first[above[new]]))
        log = pa.table({
            AT: named[AT], CHANGE: change, SEQ: named[SEQ], NET: net, FULL: always,
            **{c: named[c] for c in self.row}, BEFORE: before,
        })  # fmt: skip
        last = pa.array(order[np.append(first[1:], True)[: len(order)]])
        relation = pa.table({TS: rows[AT].take(last), **{c: rows[c].take(last) for c in self.row}})
        return log, relation


def _starts(sorted_: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Where a value differs from the one above."""
    starts = np.ones(len(sorted_), dtype=bool)
    starts[1:] = sorted_[1:] != sorted_[:-1]
    return starts


def _codes(keys: list[pa.ChunkedArray]) -> np.ndarray[Any, Any]:
    """A number for each row, the same for equal keys."""
    combined, count = _numbered(keys[0])
    for key in keys[1:]:
        codes, distinct = _numbered(key)
        combined, count = combined * distinct + codes, count * distinct
        if count > 1 << 31:
            found, combined = np.unique(combined, return_inverse=True)
            count = len(found)
    return combined


def _numbered(column: pa.ChunkedArray) -> tuple[np.ndarray[Any, Any], int]:
    """The values as numbers from 0 on, and how many there are. As in Spark, all NaN are equal, and both zeros."""
    if pa.types.is_floating(column.type):
        column = pc.add(column, pa.scalar(0.0, column.type))
        column = pc.if_else(pc.is_nan(column), pa.scalar(float("nan"), column.type), column)
    try:
        encoded = column.combine_chunks().dictionary_encode()
    except pa.ArrowNotImplementedError:
        numbers: dict[Any, int] = {}
        codes = [numbers.setdefault(_hashable(v), len(numbers)) for v in column.to_pylist()]
        return np.array(codes, dtype=np.int64), len(numbers)
    return encoded.indices.to_numpy().astype(np.int64), len(encoded.dictionary)


def _hashable(value: Any) -> Any:
    """A nested value as one that Python can look up."""
    if isinstance(value, dict):
        return tuple(_hashable(v) for v in value.values())
    if isinstance(value, list):
        return tuple(_hashable(v) for v in value)
    return "NaN" if isinstance(value, float) and value != value else value
