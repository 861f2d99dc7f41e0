"""Tagging the raw tuples of a slice: the stream's log gets the operations, the quarantine what was rejected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from deltalake import CommitProperties, DeltaTable, Transaction

from syncsql.dataflow.registry import Source, Stream
from syncsql.storage import bulk
from syncsql.storage.scratch import Scratch, commit
from syncsql.storage.sessions import Sessions
from syncsql.stream.kept import Kept, Part
from syncsql.stream.names import AT, POS, PUSH, TS
from syncsql.stream.tagger import REASON, SEQUENCE, tag
from syncsql.stream.text import Sql, listed, quoted, text_literal
from syncsql.stream.upserts import Upserts

_DETAILS = {
    "NULL_KEY": "a key column is NULL",
    "UNKNOWN_OPERATION": "the operation is none of +, u, -",
    "KEY_EXISTS": "+ for a key that is there already",
    "NO_SUCH_KEY": "u or - for a key that is not there",
    "NO_SUCH_ROW": "- for a row that is not there",
    "UPDATE_WITHOUT_KEY": "u needs a stream with a key",
}
# A task holds its tuples in memory.
_TUPLES_PER_TASK = 1 << 20
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
    changes = raw_table.rows(start, end)
    remembered = stored.relation.rows() if definition.key is not None or definition.operation_by is not None else 0
    with sessions.scratch(changes + remembered, changes) as scratch:
        raw = scratch.read(raw_table, start, end)
        if definition.key is not None and definition.operation_by is None:
            return _upserts(stream, definition.key, raw, _Span(start, end, number, changes, history), scratch)
        before = None
        if definition.operation_by is not None and stored.size(start):
            before = stored.at(scratch, start, _keys(raw, definition.key or stored.columns))
        tagged = tag(raw, stored.columns, definition.key, definition.operation_by, before, scratch.union)
        rejected = f"{REASON} IS NOT NULL" + ("" if history else f" AND {REASON} <> 'NULL_KEY'")
        flagged = f"SELECT *, {REASON} IS NULL AS {_TAKEN}, {rejected} AS {_REJECTED} FROM ({tagged})"
        may_reject = definition.operation_by is not None
        kept = scratch.once(flagged) if may_reject else Kept(flagged, None)
        reasons = _quarantine(stream, raw, kept, number, scratch) if may_reject else Counter()
        commit(stored.log, kept.part({c: c for c in stored.log.schema.names}, _TAKEN), number, scratch)
        return reasons


@dataclass(frozen=True)
class _Span:
    """The time (start, end] with so many tuples, under ``number``."""

    start: int
    end: int
    number: int
    changes: int
    history: bool


def _keys(raw: Sql, columns: Iterable[str]) -> Sql:
    return f"SELECT DISTINCT {listed(map(quoted, columns))} FROM ({raw})"


def _upserts(stream: Stream, key: tuple[str, ...], raw: Sql, span: _Span, scratch: Scratch) -> Counter[str]:
    """A few tuples are tagged in this process, many in Spark's tasks, a share of the keys in each.

    Where the tuples are many against the relation, each task gets all rows of its keys, and so can write the relation
    anew from the same pass; else it gets the rows of the keys that are touched."""
    stored, missing = stream.stored, " OR ".join(f"{quoted(k)} IS NULL" for k in key)
    reasons: Counter[str] = Counter()
    if span.history:
        without = f"SELECT {listed([AT, PUSH, POS])}, 'NULL_KEY' AS {REASON}, TRUE AS {_REJECTED} FROM ({raw})"
        without = f"{without} WHERE {missing}"
        reasons = _quarantine(stream, raw, scratch.once(without), span.number, scratch)
    row = listed(map(quoted, stored.columns))
    lines = f"SELECT {row}, {AT}, {SEQUENCE} FROM ({raw}) WHERE NOT ({missing})"
    kernel = Upserts(tuple(stored.columns), key, span.start)
    anew = not scratch.few and 2 * span.changes > stored.relation.rows() and stored.relation.number() < span.number
    if stored.size(span.start):
        before = stored.at(scratch, span.start, None if anew else _keys(raw, key))
        lines = scratch.union(lines, f"SELECT {row}, {TS}, 0L FROM ({before})")
    if scratch.few:
        commit(stored.log, kernel.log(scratch.sql(lines).toArrow()), span.number, scratch)
        return reasons
    places = [stored.log.place, stored.relation.place] if anew else [stored.log.place]
    usual = int(scratch.session.conf.get("spark.sql.shuffle.partitions") or 1)
    tasks = max(usual, span.changes // _TUPLES_PER_TASK)
    shared = f"SELECT /*+ REPARTITION({tasks}, {listed(map(quoted, key))}) */ * FROM ({lines})"
    made = bulk.write(scratch.sql(shared), places, kernel.log_and_relation if anew else kernel.log_alone)
    if made[0]:
        stored.log.add(made[0], number=span.number)
    if anew:
        stored.fold_is(made[1], span.end, span.number)
    return reasons


def _quarantine(stream: Stream, raw: Sql, tagged: Kept, number: int, scratch: Scratch) -> Counter[str]:
    """Rejected tuples with the row as it was pushed; a source's quarantine commits once per stream and number."""
    rejected = tagged.part({c: c for c in (AT, PUSH, POS, REASON)}, _REJECTED)
    if isinstance(rejected, Part):
        by_reason = f"SELECT {REASON} AS reason, count(1) AS n FROM ({rejected.sql}) GROUP BY {REASON}"
        rows = scratch.sql(by_reason).toArrow().to_pylist()
        counted = Counter({row["reason"]: row["n"] for row in rows})
    else:
        counted = Counter(rejected[REASON].to_pylist())
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
