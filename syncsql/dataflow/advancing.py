"""Carrying out an advance: every stream and view over one slice of time, each after those that it reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from graphlib import TopologicalSorter
from time import perf_counter
from typing import Any

from syncsql.dataflow.diagnosis import said
from syncsql.dataflow.registry import Entry, Stream, View
from syncsql.dataflow.run import Runner
from syncsql.dataflow.tagging import tag_slice
from syncsql.errors import EngineError
from syncsql.storage import limits
from syncsql.storage.journal import Advance
from syncsql.storage.sessions import Sessions
from syncsql.storage.stored import Stored

Progress = Callable[[int, int, str], None]
# How many views and streams of one advance are computed at the same time.
_WORKERS = 2
_TAIL_FILES = 32


@dataclass(frozen=True)
class Advanced:
    """What an advance did: the time it closed, the lines that each stream got, the seconds that each of those that
    were touched took, what it rejected. ``undone`` is what could not be done for the tables afterwards, and why: it is
    tried again after the next advance."""

    number: int
    start: int
    end: int
    lines: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict, compare=False)
    quarantined: dict[str, int] = field(default_factory=dict)
    undone: str | None = None

    def __str__(self) -> str:
        touched = ", ".join(f"{name} {n}" for name, n in self.lines.items() if n)
        text = f"advanced to {self.end}, " + (f"changes: {touched}" if touched else "no changes")
        why = ", ".join(f"{n} {r}" for r, n in sorted(self.quarantined.items()))
        text += f"; quarantined: {why}" if why else ""
        return text + (f"; left undone: {self.undone}" if self.undone else "")

    __repr__ = __str__


def carry_out(
    advance: Advance, registry: Iterable[Entry], runner: Runner, sessions: Sessions, progress: Progress | None
) -> Advanced:
    """Computes everything over the time of ``advance`` and commits it under its number, where that is not there yet."""
    lines: dict[str, int] = {}
    seconds: dict[str, float] = {}
    rejected: Counter[str] = Counter()

    def compute(entry: Stream | View) -> None:
        started = perf_counter()
        stored = entry.stored
        assert stored is not None
        if isinstance(entry, Stream):
            before = stored.log.rows()
            rejected.update(tag_slice(entry, advance.start, advance.end, advance.number, sessions))
            lines[entry.name] = stored.log.rows() - before
        else:
            lines[entry.name] = runner.run(entry, advance.start, advance.end, advance.number)
        _fold(entry, stored, advance, sessions)
        seconds[entry.name] = perf_counter() - started

    entries = [e for e in registry if isinstance(e, Stream | View)]
    _in_order(entries, compute, progress)
    lines = {e.name: lines[e.name] for e in entries if e.name in lines}
    return Advanced(advance.number, advance.start, advance.end, lines, seconds, dict(rejected))


def _fold(entry: Stream | View, stored: Stored, advance: Advance, sessions: Sessions) -> None:
    """COMPLETE views are folded at every advance, others when reading the tail of the log would cost more."""
    folded = stored.folded_to()
    rows = stored.log.rows(folded, None)
    complete = isinstance(entry, View) and entry.definition.mode == "COMPLETE"
    if not rows or (stored.append_only and not complete):
        return
    base = stored.relation.rows()
    long = rows > max(limits.SMALL_ROWS, base // 2)
    many = len(stored.log.files(folded, None)) > _TAIL_FILES and base <= 10 * limits.SMALL_ROWS
    if complete or long or many:
        with sessions.scratch(rows + base) as scratch:
            stored.fold(scratch, advance.end, advance.number)


def _in_order(entries: list[Stream | View], compute: Callable[[Any], None], progress: Progress | None) -> None:
    """Computes each entry that has tables after those that it reads; independent ones at the same time."""
    by_name = {e.name.lower(): e for e in entries}
    order = TopologicalSorter({n: {i for i in e.needs if i in by_name} for n, e in by_name.items()})
    order.prepare()
    running: dict[Future[None], str] = {}
    total, finished = sum(e.stored is not None for e in entries), 0
    if progress is not None:
        progress(0, total, "")
    with ThreadPoolExecutor(_WORKERS) as pool:
        while order.is_active():
            for name in order.get_ready():
                if by_name[name].stored is None:
                    order.done(name)
                else:
                    running[pool.submit(compute, by_name[name])] = name
            done, _ = wait(running, return_when=FIRST_COMPLETED) if running else ((), ())
            for future in done:
                name = running.pop(future)
                try:
                    future.result()
                except Exception as error:
                    # Whatever it is, the database must open again, so that the view can be replaced or dropped.
                    raise _failed(by_name[name], error) from error
                finished += 1
                if progress is not None:
                    progress(finished, total, by_name[name].name)
                order.done(name)


def _failed(entry: Stream | View, error: Exception) -> EngineError:
    kind = type(entry).__name__.lower()
    return EngineError(
        "ADVANCE.FAILED", f"{kind} `{entry.name}`: {said(error)}",
        hint=f"replace or drop {kind} `{entry.name}` and advance again; nothing is lost",
    )  # fmt: skip
