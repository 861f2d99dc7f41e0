"""Tagging the raw tuples of a slice: the stream's log gets the operations, the quarantine what was rejected."""

from __future__ import annotations

from collections import Counter

import pyarrow.compute as pc
from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from syncsql.dataflow.registry import Stream
from syncsql.storage.fetch import fetch
from syncsql.storage.sessions import Sessions
from syncsql.storage.stored import read
from syncsql.stream.names import AT, POS, PUSH, quoted
from syncsql.stream.tagger import REASON, tag

_DETAILS = {
    "NULL_KEY": "a key column is NULL",
    "UNKNOWN_OPERATION": "the operation is none of +, u, -",
    "KEY_EXISTS": "+ for a key that is there already",
    "NO_SUCH_KEY": "u or - for a key that is not there",
    "NO_SUCH_ROW": "- for a row that is not there",
    "UPDATE_WITHOUT_KEY": "u needs a stream with a key",
}


def tag_slice(
    stream: Stream, start: int, end: int, number: int, sessions: Sessions, history: bool = False
) -> Counter[str]:
    """Tags the tuples in (start, end] under ``number`` and gives how many were rejected, by reason.

    A NULL key was quarantined when it was pushed, unless the stream is new and goes through the source's history."""
    stored, raw_table = stream.stored, stream.source.raw
    if stored.log.number() >= number or not raw_table.rows(start, end):
        return Counter()
    definition = stream.definition
    remembers = definition.key is not None or definition.operation_by is not None
    count = raw_table.rows(start, end)
    session = sessions.pick(count + (stored.relation.rows() if remembers else 0))
    raw = read(raw_table, session, start, end)
    before = None
    if remembers and stored.log.rows(None, start):
        columns = definition.key if definition.key is not None else tuple(stored.columns)
        touched = raw.select(*(F.col(quoted(c)) for c in columns)).distinct()
        before = stored.at(session, start, touched)
    tagged = tag(raw, stored.columns, definition.key, definition.operation_by, before)
    log_columns = stored.log.schema.names
    may_reject = definition.operation_by is not None or (history and definition.key is not None)
    small = fetch(tagged) if session is sessions.small else None
    if small is not None:
        taken = small.filter(pc.is_null(small[REASON]))
        rejects = may_reject and taken.num_rows < small.num_rows
        reasons = _quarantine(stream, raw, tagged, number, history) if rejects else Counter()
        if taken.num_rows:
            stored.log.write(taken.select(log_columns), number=number)
        return reasons
    reasons = _quarantine(stream, raw, tagged, number, history) if may_reject else Counter()
    good = tagged.filter(F.col(REASON).isNull()).select(*(quoted(c) for c in log_columns))
    stored.log.write_frame(good, number=number)
    return reasons


def _quarantine(stream: Stream, raw: DataFrame, tagged: DataFrame, number: int, history: bool) -> Counter[str]:
    """Rejected tuples with the row as it was pushed; a source's quarantine commits once per stream and number."""
    quarantine, source = stream.source.quarantine, stream.source
    rejected = tagged.filter(F.col(REASON).isNotNull())
    if not history:
        rejected = rejected.filter(F.col(REASON) != "NULL_KEY")
    original = F.to_json(F.struct(*(F.col(quoted(c)) for c in source.row.names)), {"ignoreNullFields": "false"})
    rows = raw.select(PUSH, POS, original.alias("row")).join(rejected.select(AT, PUSH, POS, REASON), [PUSH, POS])
    details = F.create_map(*(F.lit(x) for pair in _DETAILS.items() for x in pair))
    lines = rows.select(
        AT, PUSH, POS, F.lit(stream.name).alias("stream"), F.col(REASON).alias("reason"),
        F.element_at(details, F.col(REASON)).alias("detail"), "row",
    )  # fmt: skip
    counted: Counter[str] = Counter()
    for row in lines.groupBy("reason").agg(F.count(F.lit(1)).alias("n")).toArrow().to_pylist():
        counted[row["reason"]] = row["n"]
    if counted:
        application = f"syncsql.{stream.directory}"
        fetched = fetch(lines)
        # Two commits at once would leave the table's handle at the version of the first.
        with source.quarantining:
            if fetched is not None:
                quarantine.write(fetched, number=number, application=application)
            else:
                quarantine.write_frame(lines, number=number, application=application)
    return counted
