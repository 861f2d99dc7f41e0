"""ξ (section 4.2.1): the net changes of an answer, as the operations of its stream.

With a key a change is one insert, update or delete per key and point; without one it is deleted and inserted rows.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from syncsql.algebra.expressions import Column
from syncsql.algebra.keys import Key
from syncsql.algebra.sync import Sync, Ticks
from syncsql.operators.context import Context
from syncsql.stream.flow import Flow, consolidate
from syncsql.stream.kept import Kept, Part
from syncsql.stream.names import AT, BEFORE, CHANGE, DELETE, FULL, INSERT, NET, NEW, OLD, SEQ, UPDATE, WEIGHT
from syncsql.stream.text import Sql, listed, over, quoted, struct

_SHOWN = "_shown"
# What every line of a keyed answer has.
_ALWAYS = {SEQ: "0L", NET: "TRUE"}


def emit(
    flow: Flow, columns: tuple[Column, ...], names: list[str], key: Key | None, syncs: list[Sync], context: Context
) -> Sql | Part | pa.Table:
    """The lines of the stream's log; ``names`` are the columns' names in the log, in the order of ``columns``."""
    ids = [c.id for c in columns]
    if key is None:
        cells = listed(f"{column} AS {quoted(name)}" for name, column in _written(names).items())
        return f"SELECT {cells} FROM ({_with_full(_bag(flow, ids), syncs, context)})"
    if flow.carrying is None:
        pairs = flow.pairs if flow.has_pairs else _paired(flow, [c.id for c in key])
        kept = Kept(_with_full(_keyed(pairs, ids, names), syncs, context), None)
    else:
        log = _with_full(_keyed(flow.carrying.pairs, ids, names, flow.carrying.columns), syncs, context)
        kept = context.scratch.once(log) if context.scratch.few else Kept(log, None)
        flow.carrying.settle(kept)
    part = kept.part(_written(names, BEFORE), _SHOWN)
    return replace(part, cells={**part.cells, **_ALWAYS}) if isinstance(part, Part) else part


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
    """Lines as pairs: of a key there is at most one row before a point, and one after, which is the next line then. A
    window that looks one line ahead, because an aggregate that holds rows would sort twice."""
    order = over([*key, AT], WEIGHT)
    ahead = [f"lead({id_}) {order} AS _n{i}" for i, id_ in enumerate(flow.ids)]
    looked = f"lead({WEIGHT}) {order} AS _more, row_number() {order} AS _nth"
    stepped = f"SELECT {listed(['*', *ahead, looked])} FROM ({consolidate(flow.lines, flow.ids)})"
    next_ = struct([f"_n{i} AS {id_}" for i, id_ in enumerate(flow.ids)])
    old = f"CASE WHEN {WEIGHT} < 0 THEN {struct(flow.ids)} END AS {OLD}"
    new = f"CASE WHEN {WEIGHT} > 0 THEN {struct(flow.ids)} WHEN _more > 0 THEN {next_} END AS {NEW}"
    return f"SELECT {old}, {new}, {AT} FROM ({stepped}) WHERE _nth = 1"


def _keyed(pairs: Sql, ids: list[str], names: list[str], carried: tuple[str, ...] = ()) -> Sql:
    change = f"CASE WHEN {OLD} IS NULL THEN '{INSERT}' WHEN {NEW} IS NULL THEN '{DELETE}' ELSE '{UPDATE}' END"
    row = [f"coalesce({NEW}, {OLD}).{id_} AS _o{i}" for i, id_ in enumerate(ids)]
    cells = [f"{OLD}.{id_} AS {quoted(name)}" for id_, name in zip(ids, names, strict=True)]
    before = f"CASE WHEN {OLD} IS NOT NULL THEN {struct(cells)} END"
    always = [f"{text} AS {name}" for name, text in _ALWAYS.items()]
    cells = [AT, f"{change} AS {CHANGE}", *always, *row, f"{before} AS {BEFORE}", *carried]
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
