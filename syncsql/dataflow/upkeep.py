"""What is done for the tables of a database after an advance, so that the next one does not take longer.

Opening a table and reading it takes the longer the more files it has, so files of about one size become one when they
are many: each row is written anew a few times at most, and a file holds what came at about one time. Of history as much
is kept as the setting says (all, without it): what is dropped is dropped by whole files, and never what somebody has
still to take in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from syncsql.algebra.normalize import syncs_of
from syncsql.algebra.relations import Node, scans
from syncsql.algebra.sync import events_in
from syncsql.dataflow.registry import Registry, Stream, View
from syncsql.dataflow.run import Runner
from syncsql.storage import bulk, limits
from syncsql.storage.sessions import Sessions
from syncsql.storage.stored import Stored
from syncsql.storage.table import DataFile, Table

MANY_FILES = 32
# Files of which the larger has up to so many times as many rows, as a power of two, are of about one size.
_ONE_SIZE = 4


def merge(registry: Registry, others: Iterable[Table], closed: int) -> None:
    """Small files of the tables of ``registry``, and of ``others``, become one where they are many. No advance may be
    under way: a table is then as it was before its last commit."""
    for source in registry.sources():
        others = [*others, source.raw, source.quarantine]
    for table in [*others, *(s.log for s in _stored(registry))]:
        _merge(table, table.files())
    for view in registry.computed():
        for path, table in view.memory.tables.items():
            if path.parent.parent.name == "pending":
                _drop(table, closed)
            else:
                # The oldest rows of a state are its base, of which each key is there once.
                oldest = min((f.low or 0 for f in table.files()), default=0)
                _merge(table, [f for f in table.files() if f.low != oldest])


def _merge(table: Table, files: list[DataFile]) -> None:
    by_size: dict[int, list[DataFile]] = {}
    for file in files:
        if file.rows < limits.SMALL_ROWS:
            by_size.setdefault(file.rows.bit_length() // _ONE_SIZE, []).append(file)
    for small in by_size.values():
        if len(small) > MANY_FILES:
            held = table.held_in(small, table.arrow_schema.names)
            table.exchange(small, bulk.write_here(held, table.place), {})


def _drop(table: Table, until: int) -> None:
    """Lines that waited for a point at or before ``until`` have been taken in."""
    gone = [f for f in table.files() if f.high is not None and f.high <= until]
    if len(gone) > MANY_FILES:
        table.exchange(gone, [], {})


def drop_history(registry: Registry, runner: Runner, sessions: Sessions, closed: int, number: int, ticks: int) -> None:
    """Keeps the last ``ticks`` of history: raw tuples, changes, and relations as of times in it."""
    horizon = closed - ticks
    if horizon <= 0:
        return
    for source in registry.sources():
        gone = [f for f in source.raw.files() if f.high is not None and f.high <= horizon]
        if gone:
            source.raw.exchange(gone, [], {})
    needed = _needed(registry, runner, closed, horizon)
    for stored in _stored(registry):
        least = needed.get(stored.name.lower(), horizon)
        # Of what only grows the log is the relation.
        if stored.append_only or least < 0:
            continue
        if (stored.folded_to() or 0) <= horizon and stored.log.rows(stored.folded_to(), closed):
            with sessions.scratch(stored.size(closed)) as scratch:
                stored.fold(scratch, closed, number)
        stored.drop_before(horizon, least)


def _needed(registry: Registry, runner: Runner, closed: int, horizon: int) -> dict[str, int]:
    """By lower-case name, from which time on somebody reads a stream; −1 where it is from the beginning."""
    needed: dict[str, int] = {}

    def need(name: str, time: int) -> None:
        entry = registry.get(name)
        if needed.get(name, horizon + 1) <= time:
            return
        needed[name] = time
        if isinstance(entry, View) and entry.execution.virtual:
            # It is derived for any time that is asked for, and so may need what came before.
            read(entry.execution.plan, time)

    def read(plan: Node, time: int) -> None:
        for scan in scans(plan):
            if scan.kind != "clock":
                point = runner.last_point(scan.sync.points, time)
                begun = registry.get(scan.name)
                # When a row of a virtual view came in, its stream tells from the beginning.
                since_ever = scan.ts is not None and isinstance(begun, View) and begun.execution.virtual
                need(scan.name.lower(), -1 if point is None or since_ever else min(point, horizon))

    for view in registry.computed():
        plan, syncs = view.execution.plan, [*syncs_of(view.execution.plan), *view.continuous.syncs]
        points = [s.points for s in syncs] + [s.points for s in scans(plan) if s.points is not None]
        for name in {name.lower() for p in points for name in events_in(p)}:
            need(name, -1)
        read(plan, horizon if view.execution.virtual else closed)
    return needed


def _stored(registry: Registry) -> Iterator[Stored]:
    for entry in registry:
        if isinstance(entry, Stream | View) and entry.stored is not None:
            yield entry.stored
