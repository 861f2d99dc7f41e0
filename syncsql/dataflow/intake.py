"""What a push goes into, and what of it cannot be taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import pyarrow as pa
from pyspark.sql.types import StructField

from syncsql.dataflow.registry import Source, Stream


@dataclass(frozen=True)
class Into:
    """The push ``number`` into ``source``. ``keyed`` are the streams over it that have a key, ``closed`` is the time up
    to which no tuple may come any more, ``tick`` is as long as a tick in seconds, and ``zone`` names where a time is
    that says nothing of its zone."""

    source: Source
    keyed: tuple[Stream, ...]
    closed: int
    tick: Fraction
    zone: str
    number: int

    @property
    def fields(self) -> list[StructField]:
        found: list[StructField] = self.source.row.fields
        return found


@dataclass(frozen=True)
class Bad:
    """A row that cannot be taken by ``stream``, or by none without one."""

    pos: int
    reason: str
    detail: str
    row: str
    stream: str | None = None
    at: int | None = None


def counted_once(bad: Sequence[Bad]) -> Counter[str]:
    """How many rows there are of each reason. A row that several streams cannot take is one row."""
    return Counter(reason for _, reason in {(b.pos, b.reason) for b in bad})


@dataclass(frozen=True)
class Checked:
    """The rows of a push: those that are taken, as the source's table holds them, and those that are not."""

    good: pa.Table
    bad: list[Bad]
