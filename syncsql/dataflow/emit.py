"""ξ (section 4.2.1): the net changes of an answer, as the operations of its stream.

With a key a change is one insert, update or delete per key and point; without one it is deleted and inserted rows.
"""

from __future__ import annotations

import pyarrow as pa

from syncsql.algebra.expressions import Column
from syncsql.algebra.keys import Key
from syncsql.algebra.sync import Sync, Ticks
from syncsql.operators.context import Context
from syncsql.stream.flow import Flow, consolidate
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, NEW, OLD, SEQ, UPDATE, WEIGHT
from syncsql.stream.text import Sql, listed, quoted, struct

_SHOWN = "_shown"


def emit(
    flow: Flow, columns: tuple[Column, ...], names: list[str], key: Key | None, syncs: list[Sync], context: Context
) -> Sql | pa.Table:
    """The lines of the stream's log; ``names`` are the columns' names in the log, in the order of ``columns``."""
    ids = [c.id for c in columns]
    if key is None:
        log = _bag(flow, ids)
    elif flow.carrying is not None:
        log = _with_full(_keyed(flow.carrying.pairs, ids, names, flow.carrying.columns), syncs, context)
        kept = context.scratch.once(log)
        flow.carrying.settle(kept)
        return kept.part(_written(names, BEFORE), _SHOWN)
    else:
        pairs = flow.pairs if flow.has_pairs else _paired(flow, [c.id for c in key])
        log = f"SELECT * FROM ({_keyed(pairs, ids, names)}) WHERE {_SHOWN}"
    written = _written(names) if key is None else _written(names, BEFORE)
    cells = listed(f"{column} AS {quoted(name)}" for name, column in written.items())
    return f"SELECT {cells} FROM ({_with_full(log, syncs, context)})"


def _written(names: list[str], *rest: str) -> dict[str, str]:
    """The columns of the log, and what each is called here: the user's names could be any of ours."""
    ours = (AT, CHANGE, SEQ, NET, FULL)
    return {c: c for c in ours} | {n: f"_o{i}" for i, n in enumerate(names)} | {c: c for c in rest}


def _bag(flow: Flow, ids: list[str]) -> Sql:
    """A line for each row that came or went, as many times as it did."""
    change = f"IF({WEIGHT} > 0, '{INSERT}', '{DELETE}') AS {CHANGE}"
    cells = [
        AT,
        change,
        f"TRUE AS {NET}",
        f"explode(sequence(1L, abs({WEIGHT}))) AS {SEQ}",
        *(f"{id_} AS _o{i}" for i, id_ in enumerate(ids)),
    ]
    return f"SELECT {listed(cells)} FROM ({consolidate(flow.lines, flow.ids)})"


def _paired(flow: Flow, key: list[str]) -> Sql:
    """Lines as pairs: of a key there is at most one row before a point, and one after."""
    row = struct(flow.ids)
    sides = [
        f"first(CASE WHEN {WEIGHT} {sign} 0 THEN {row} END, TRUE) AS {side}" for sign, side in (("<", OLD), (">", NEW))
    ]
    lines = consolidate(flow.lines, flow.ids)
    return f"SELECT {listed([*sides, AT])} FROM ({lines}) GROUP BY {listed([*key, AT])}"


def _keyed(pairs: Sql, ids: list[str], names: list[str], carried: tuple[str, ...] = ()) -> Sql:
    change = f"CASE WHEN {OLD} IS NULL THEN '{INSERT}' WHEN {NEW} IS NULL THEN '{DELETE}' ELSE '{UPDATE}' END"
    row = [f"coalesce({NEW}, {OLD}).{id_} AS _o{i}" for i, id_ in enumerate(ids)]
    cells = [f"{OLD}.{id_} AS {quoted(name)}" for id_, name in zip(ids, names, strict=True)]
    before = f"CASE WHEN {OLD} IS NOT NULL THEN {struct(cells)} END"
    cells = [AT, f"{change} AS {CHANGE}", f"0L AS {SEQ}", f"TRUE AS {NET}", *row, f"{before} AS {BEFORE}", *carried]
    return f"SELECT {listed(cells)}, NOT ({OLD} <=> {NEW}) AS {_SHOWN} FROM ({pairs})"


def _with_full(log: Sql, syncs: list[Sync], context: Context) -> Sql:
    """A point is full where every input is synchronized (Proposition 2)."""
    full, joins = [], []
    for number, sync in enumerate(syncs):
        text = sync.points.times.contains_sql(AT) if isinstance(sync.points, Ticks) else None
        if text is not None:
            full.append(text)
            continue
        points = context.points_between(sync.points, context.slice.start, context.slice.end)
        joins.append(f"LEFT JOIN (SELECT DISTINCT {AT} AS _p{number} FROM ({points})) ON {AT} = _p{number}")
        full.append(f"_p{number} IS NOT NULL")
    return f"SELECT *, {' AND '.join(full) or 'TRUE'} AS {FULL} FROM ({log}) {' '.join(joins)}"
