"""Taking raw tuples into a source: every row gets its timestamp, and what cannot be taken goes to quarantine.

The rows of a push that are quarantined commit first, the raw tuples last, both under the number of the push. A push
that failed or died in between is void: its quarantined rows are taken out again before the next one, and when the
database is opened.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import pandas as pd
import pyarrow as pa
from deltalake import CommitProperties, DeltaTable, Transaction
from pyspark.sql import DataFrame

from syncsql.dataflow.intake import Bad, Checked, Into, counted_once
from syncsql.dataflow.intake_frame import FrameCheck
from syncsql.dataflow.intake_rows import RowCheck, records
from syncsql.dataflow.registry import Source, Stream
from syncsql.dataflow.ticks import a_tick
from syncsql.errors import EngineError, did_you_mean
from syncsql.storage import limits
from syncsql.storage.scratch import fetch
from syncsql.stream.names import AT, POS, PUSH

PUSHES = "syncsql.push"


@dataclass(frozen=True)
class Pushed:
    """What became of a push: how many rows were taken by all streams, how many are in quarantine (for all streams or
    for some), and why. Each row counts once."""

    source: str
    accepted: int
    quarantined: int
    reasons: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, source: Source, taken: int, reasons: Mapping[str, int]) -> Pushed:
        """``taken`` rows are in the source's table; one whose key is NULL is there for the streams without that key."""
        return cls(source.name, taken - reasons.get("NULL_KEY", 0), sum(reasons.values()), dict(reasons))

    def __str__(self) -> str:
        why = ", ".join(f"{n} {r}" for r, n in sorted(self.reasons.items()))
        return f"{self.source}: {self.accepted} taken, {self.quarantined} quarantined" + (f" ({why})" if why else "")

    __repr__ = __str__


class Ingest:
    """Pushes into one source."""

    def __init__(self, source: Source, streams: list[Stream], closed: int, tick_seconds: Fraction, zone: str) -> None:
        keyed = tuple(s for s in streams if s.definition.key is not None)
        self._source = source
        self._into = Into(source, keyed, closed, tick_seconds, zone, source.raw.number(PUSHES) + 1)

    def push(self, rows: Any, at: int | None) -> Pushed:
        time = self._source.definition.timestamp_by
        if time is not None and at is not None:
            raise EngineError(
                "PUSH.TIMESTAMP", f"source `{self._source.name}` takes its timestamps from column `{time}`",
                hint="leave `at` out",
            )  # fmt: skip
        at = max(self._into.closed, 0) + 1 if at is None else a_tick("at", at)
        if isinstance(rows, DataFrame):
            self._check_columns(rows.columns)
            return self._push_frame(rows, at)
        if isinstance(rows, pd.DataFrame):
            self._check_columns([str(c) for c in rows.columns])
            rows = records(rows)
        if isinstance(rows, pa.Table):
            self._check_columns(rows.column_names)
            rows = rows.to_pylist()
        return self._commit(RowCheck(self._into).check(rows, at))

    def _check_columns(self, names: Sequence[str]) -> None:
        have = {n.lower() for n in names}
        for field_ in self._into.fields:
            if field_.name.lower() not in have:
                raise EngineError(
                    "PUSH.MISSING_COLUMN", f"the rows have no column `{field_.name}` of source `{self._source.name}`",
                    hint=did_you_mean(field_.name, names),
                )  # fmt: skip
        known = {f.name.lower() for f in self._into.fields}
        if len(have) < len(names):
            twice = next(n for i, n in enumerate(names) if n.lower() in [x.lower() for x in names[:i]])
            raise EngineError("PUSH.DUPLICATE_COLUMN", f"the rows have two columns `{twice}`", hint="drop one of them")
        for name in names:
            if name.lower() not in known:
                raise EngineError(
                    "PUSH.UNKNOWN_COLUMN", f"source `{self._source.name}` has no column `{name}`",
                    hint=did_you_mean(name, [f.name for f in self._into.fields]),
                )  # fmt: skip

    def _push_frame(self, frame: DataFrame, at: int) -> Pushed:
        check = FrameCheck(self._into, frame, at)
        small = fetch(check.rows.limit(limits.SMALL_ROWS + 1))
        if small is not None:
            return self._commit(check.collected(small))
        source, reasons = self._source, check.reasons()
        if reasons:
            source.quarantine.write_frame(check.bad(), number=self._into.number, application=PUSHES)
        before = source.raw.rows()
        source.raw.write_frame(check.good(), number=self._into.number, application=PUSHES)
        return Pushed.of(source, source.raw.rows() - before, reasons)

    def _commit(self, checked: Checked) -> Pushed:
        number, source = self._into.number, self._source
        if checked.bad:
            lines = pa.Table.from_pylist([self._line(b) for b in checked.bad], schema=source.quarantine.arrow_schema)
            source.quarantine.write(lines, number=number, application=PUSHES)
        source.raw.write(checked.good, number=number, application=PUSHES)
        return Pushed.of(source, checked.good.num_rows, counted_once(checked.bad))

    def _line(self, bad: Bad) -> dict[str, Any]:
        return {
            AT: bad.at, PUSH: self._into.number, POS: bad.pos, "stream": bad.stream, "reason": bad.reason,
            "detail": bad.detail, "row": bad.row,
        }  # fmt: skip


def void_unfinished_push(source: Source) -> None:
    """Takes out the quarantined rows of a push whose raw tuples were never committed, and gives its number back.

    So both tables name the same last push again."""
    taken = source.raw.number(PUSHES)
    begun = source.quarantine.number(PUSHES)
    if begun > taken:
        DeltaTable(str(source.quarantine.path)).delete(
            f"{PUSH} > {taken} AND (stream IS NULL OR reason = 'NULL_KEY')",
            commit_properties=CommitProperties(app_transactions=[Transaction(PUSHES, taken)]),
        )
        source.quarantine.refresh()
