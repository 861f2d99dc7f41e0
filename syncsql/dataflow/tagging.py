"""Tagging the raw tuples of a slice: the stream's log gets the operations, the quarantine what was rejected."""

from __future__ import annotations

from collections import Counter

from deltalake import CommitProperties, DeltaTable, Transaction

from syncsql.dataflow.registry import Source, Stream
from syncsql.storage.scratch import Scratch, commit
from syncsql.storage.sessions import Sessions
from syncsql.stream.kept import Kept
from syncsql.stream.names import AT, POS, PUSH
from syncsql.stream.tagger import REASON, tag
from syncsql.stream.text import Sql, listed, quoted, text_literal

_DETAILS = {
    "NULL_KEY": "a key column is NULL",
    "UNKNOWN_OPERATION": "the operation is none of +, u, -",
    "KEY_EXISTS": "+ for a key that is there already",
    "NO_SUCH_KEY": "u or - for a key that is not there",
    "NO_SUCH_ROW": "- for a row that is not there",
    "UPDATE_WITHOUT_KEY": "u needs a stream with a key",
}
_TAKEN, _REJECTED = "_taken", "_rejected"


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
    may_reject = definition.operation_by is not None or (history and definition.key is not None)
    changes = raw_table.rows(start, end)
    with sessions.scratch(changes + (stored.relation.rows() if remembers else 0), changes) as scratch:
        raw = scratch.read(raw_table, start, end)
        before = None
        if remembers and stored.log.rows(None, start):
            columns = definition.key if definition.key is not None else tuple(stored.columns)
            before = stored.at(scratch, start, f"SELECT DISTINCT {listed(map(quoted, columns))} FROM ({raw})")
        tagged = tag(raw, stored.columns, definition.key, definition.operation_by, before, scratch.union)
        rejected = f"{REASON} IS NOT NULL" + ("" if history else f" AND {REASON} <> 'NULL_KEY'")
        flagged = f"SELECT *, {REASON} IS NULL AS {_TAKEN}, {rejected} AS {_REJECTED} FROM ({tagged})"
        kept = scratch.once(flagged) if may_reject else Kept(flagged, None)
        reasons = _quarantine(stream, raw, kept, number, scratch) if may_reject else Counter()
        commit(stored.log, kept.part({c: c for c in stored.log.schema.names}, _TAKEN), number, scratch)
        return reasons


def _quarantine(stream: Stream, raw: Sql, tagged: Kept, number: int, scratch: Scratch) -> Counter[str]:
    """Rejected tuples with the row as it was pushed; a source's quarantine commits once per stream and number."""
    rejected = tagged.part({c: c for c in (AT, PUSH, POS, REASON)}, _REJECTED)
    if not isinstance(rejected, str):
        counted = Counter(rejected[REASON].to_pylist())
    else:
        by_reason = f"SELECT {REASON} AS reason, count(1) AS n FROM ({rejected}) GROUP BY {REASON}"
        rows = scratch.sql(by_reason).toArrow().to_pylist()
        counted = Counter({row["reason"]: row["n"] for row in rows})
    if counted:
        columns = listed(quoted(c) for c in stream.source.row.names)
        original = f"to_json(struct({columns}), map('ignoreNullFields', 'false')) AS row"
        words = listed(f"{text_literal(k)}, {text_literal(v)}" for k, v in _DETAILS.items())
        cells = listed([
            f"q.{AT}", f"q.{PUSH}", f"q.{POS}", f"{text_literal(stream.name)} AS stream", f"{REASON} AS reason",
            f"element_at(map({words}), {REASON}) AS detail", "row",
        ])  # fmt: skip
        flagged = f"SELECT * FROM ({tagged.text}) WHERE {_REJECTED}"
        lines = (
            f"SELECT {cells} FROM (SELECT {PUSH}, {POS}, {original} FROM ({raw})) r "
            f"JOIN ({flagged}) q ON r.{PUSH} = q.{PUSH} AND r.{POS} = q.{POS}"
        )
        commit(stream.source.quarantine, lines, number, scratch, application=_application(stream.name))
    return counted


def _application(stream: str) -> str:
    # Apart from the application of pushes, whatever the name.
    return f"syncsql.stream.{stream.lower()}"


def void_rejected(source: Source, known: set[str]) -> None:
    """Takes out what was quarantined for streams that are none of ``known`` (lower case): dropped, or never finished.
    A new stream of that name goes through the source's history and quarantines it again, from number 0 on."""
    names = source.quarantine.arrow(columns=["stream"])["stream"].unique().drop_null().to_pylist()
    for name in names:
        if name.lower() not in known:
            text = name.replace("'", "''")
            DeltaTable(str(source.quarantine.path)).delete(
                f"stream = '{text}'",
                commit_properties=CommitProperties(app_transactions=[Transaction(_application(name), 0)]),
            )
            source.quarantine.refresh()
