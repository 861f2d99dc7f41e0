"""Finding a counterexample: two small databases that look the same through the view and not through the query.

The search tries databases of a few rows with values near the constants of both, within the declared constraints, and
changes one thing at a time. What the view does not read is the same in both, since a rewrite may read it. A pair that
is found is checked by the evaluator, made as small as it goes, and only then shown.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from time import perf_counter
from typing import Any

from matcher.evaluate import Evaluator
from matcher.evidence import Table, TwoDatabases
from matcher.samples import as_stored, fits, oddness, pools, shown
from matcher.values import NotComputable
from syncsql.algebra.catalog import Catalog, StreamDef, TableDef
from syncsql.algebra.expressions import Expr, Subquery, has_now, walk
from syncsql.algebra.relations import Node, expressions_of, scans
from syncsql.algebra.relations import walk as walk_plan
from syncsql.algebra.types import base

# A point of most synchronization streams that people think of, and of what is shown at this or a multiple of it.
NOW = 12
_LATEST = 10**6
# So many plainer values are tried in place of one.
_PLAINEST = 8
# The type of a hidden TS: a tick that has been.
_TICK = "TICK"
Rows = list[dict[str, Any]]
World = dict[str, Rows]


@dataclass
class Search:
    """A search for one view and one query; ``count`` is how many columns of each plan are seen."""

    catalog: Catalog
    plan_of: Callable[[str], Node | None]
    view: Node
    query: Node
    view_columns: int
    query_columns: int
    tries: int = 4000
    # Many tries are soon made; large plans and a loaded machine must not make a person wait.
    seconds: float = 3.0
    rng: random.Random = field(default_factory=lambda: random.Random(7))

    def __post_init__(self) -> None:
        names = {t.lower() for t in (*self._read(self.query), *self._read(self.view))}
        self._tables = [d for n in sorted(names) if isinstance(d := self.catalog.find(n), TableDef | StreamDef)]
        self._fixed = names - {t.lower() for t in self._read(self.view)}
        plans = [self.view, self.query, *self._inner()]
        self._pools = pools(plans)
        self._timed = any(map(_tells_time, plans))
        self._now = NOW
        self._pools[_TICK] = self._pools["BIGINT"]
        if self._timed:
            self._pools[_TICK] = self._ticks()

        self._fitting: dict[str, list[Any]] = {}

    def _read(self, plan: Node) -> Iterator[str]:
        for scan in scans(plan):
            inner = self.plan_of(scan.name)
            if inner is None:
                yield scan.name
            else:
                yield from self._read(inner)

    def _ticks(self) -> list[int]:
        """Ticks from the beginning to Now, which is so late that windows of the plans' lengths have begun and ended."""
        lengths = [c for c in self._pools["BIGINT"] if 0 <= c < _LATEST]
        self._now = NOW * (1 + max(lengths) // NOW)
        edges = {self._now - c + d for c in lengths for d in (-1, 0, 1)}
        return sorted(t for t in edges.union(lengths) if 0 <= t <= self._now)

    def _inner(self) -> list[Node]:
        return [p for plan in (self.view, self.query) for s in scans(plan) if (p := self.plan_of(s.name)) is not None]

    # -- searching ---------------------------------------------------------------------------------------------------

    def find(self, view_name: str, seeds: list[World]) -> TwoDatabases | None:
        deadline = perf_counter() + self.seconds
        for one, other in islice(self._candidates(seeds), self.tries):
            if perf_counter() > deadline:
                return None
            if self._parts(one, other):
                one, other = self._plainer(*self._smaller(one, other), deadline)
                return self._shown(one, other, view_name)
        return None

    def _candidates(self, seeds: list[World]) -> Iterator[tuple[World, World]]:
        for seed in seeds:
            filled = self._filled(seed)
            for name in filled:
                if name not in self._fixed and self._valid(filled):
                    yield filled, filled | {name: []}
                    yield filled, filled | {name: filled[name] * 2}
        while True:
            one = self._random()
            if self._valid(one):
                for _ in range(4):
                    other = self._changed(one)
                    if other != one and self._valid(other):
                        yield one, other

    def _parts(self, one: World, other: World) -> bool:
        try:
            views = [self._evaluator(w).answer(self.view, self.view_columns) for w in (one, other)]
            if views[0] != views[1]:
                return False
            answers = [self._evaluator(w).answer(self.query, self.query_columns) for w in (one, other)]
        except (NotComputable, TypeError, OverflowError, RecursionError):
            return False
        return answers[0] != answers[1]

    def _evaluator(self, world: World) -> Evaluator:
        return Evaluator(world, self.plan_of, self._now)

    def _smaller(self, one: World, other: World) -> tuple[World, World]:
        """Rows that are not needed are taken out of both."""
        shrunk = True
        while shrunk:
            shrunk = False
            for name in one:
                for row in list(one[name]):
                    tries = [(_without(one, name, row), _without(other, name, row)) if row in other[name] else None,
                             (_without(one, name, row), other) if name not in self._fixed else None]  # fmt: skip
                    for found in tries:
                        if found and self._valid(found[0]) and self._valid(found[1]) and self._parts(*found):
                            one, other = found
                            shrunk = True
                            break
        return one, other

    def _plainer(self, one: World, other: World, deadline: float) -> tuple[World, World]:
        """Values that say no more than plainer ones would are replaced by those, in both alike."""
        for table in self._tables:
            name = table.name.lower()
            for column, type_ in _columns(table):
                for value in dict.fromkeys(r[column] for r in (*one[name], *other[name])):
                    plain = sorted((v for v in self._fits(type_) if oddness(v) < oddness(value)), key=oddness)
                    for new in plain[:_PLAINEST]:
                        found = tuple(_with_value(w, name, column, value, new) for w in (one, other))
                        if perf_counter() > deadline:
                            return one, other
                        if all(map(self._valid, found)) and self._parts(*found):
                            one, other = found
                            break
        return one, other

    # -- databases ---------------------------------------------------------------------------------------------------

    def _filled(self, seed: World) -> World:
        world: World = {}
        for table in self._tables:
            name = table.name.lower()
            rows = []
            for given in seed.get(name, []):
                rows.append({k: self._given(given[k], t) if k in given else self._value(t) for k, t in _columns(table)})
            world[name] = rows
        return world

    def _given(self, value: Any, type_: str) -> Any:
        stored = as_stored(value, type_)
        possible = self._has_been(stored) if type_ == _TICK else fits(stored, type_)
        return stored if possible else self._value(type_)

    def _has_been(self, tick: Any) -> bool:
        """Whether a tuple can have come at ``tick``: a relation has none of the future."""
        return tick is not None and tick >= 0 and not (self._timed and tick > self._now)

    def _random(self) -> World:
        world: World = {}
        for table in self._tables:
            rows = [{k: self._value(t) for k, t in _columns(table)} for _ in range(self.rng.choice((0, 1, 1, 2, 2, 3)))]
            world[table.name.lower()] = rows
        for table in self._tables:
            for reference in table.foreign_keys if isinstance(table, TableDef) else ():
                targets = world.get(reference.references.lower())
                for row in world[table.name.lower()]:
                    if targets:
                        target = self.rng.choice(targets)
                        for column, to in zip(reference.columns, reference.to, strict=True):
                            row[column.lower()] = target[to.lower()]
        return world

    def _changed(self, world: World) -> World:
        names = [t.name.lower() for t in self._tables if t.name.lower() not in self._fixed]
        name = self.rng.choice(names)
        table = next(t for t in self._tables if t.name.lower() == name)
        rows = [dict(r) for r in world[name]]
        roll = self.rng.random()
        if roll < 0.3 and rows:
            rows.pop(self.rng.randrange(len(rows)))
        elif roll < 0.55 or not rows:
            rows.append({k: self._value(t) for k, t in _columns(table)})
        elif roll < 0.65:
            rows.append(dict(self.rng.choice(rows)))
        else:
            for _ in range(self.rng.choice((1, 1, 2))):
                column, type_ = self.rng.choice(_columns(table))
                self.rng.choice(rows)[column] = self._value(type_)
        return world | {name: rows}

    def _value(self, type_: str) -> Any:
        if self.rng.random() < 0.15:
            return None
        return self.rng.choice(self._fits(type_))

    def _fits(self, type_: str) -> list[Any]:
        """The values to try for a column of this type."""
        if type_ not in self._fitting:
            pool = (as_stored(v, type_) for v in self._pools.get(base(type_) or "", self._pools["STRING"]))
            self._fitting[type_] = [v for v in pool if fits(v, type_)] or [None]
        return self._fitting[type_]

    def _valid(self, world: World) -> bool:
        for table in self._tables:
            rows = world[table.name.lower()]
            keys = table.keys if isinstance(table, TableDef) else ((table.key,) if table.key else ())
            not_null = table.not_null if isinstance(table, TableDef) else (table.key or ())
            if any(r[c.lower()] is None for c in not_null for r in rows):
                return False
            for key in keys:
                values = [v for r in rows if None not in (v := tuple(r[c.lower()] for c in key))]
                if len(values) != len(set(values)):
                    return False
            for reference in table.foreign_keys if isinstance(table, TableDef) else ():
                there = {tuple(r[c.lower()] for c in reference.to) for r in world.get(reference.references.lower(), [])}
                for row in rows:
                    value = tuple(row[c.lower()] for c in reference.columns)
                    if None not in value and reference.references.lower() in world and value not in there:
                        return False
            if isinstance(table, StreamDef) and not all(self._has_been(r["ts"]) for r in rows):
                return False
        return True

    # -- showing -----------------------------------------------------------------------------------------------------

    def _shown(self, one: World, other: World, view_name: str) -> TwoDatabases:
        def tables(world: World) -> tuple[Table, ...]:
            return tuple(
                Table(t.name, tuple(k for k, _ in _named(t)), tuple(tuple(shown(r[k.lower()]) for k, _ in _named(t))
                                                                    for r in world[t.name.lower()]))
                for t in self._tables
            )  # fmt: skip

        def answer(plan: Node, count: int, world: World, name: str) -> Table:
            rows = self._evaluator(world).answer(plan, count)
            names = tuple(c.name for c in plan.columns[:count])
            found = (tuple(map(shown, row)) for row in rows.elements())
            return Table(name, names, tuple(sorted(found, key=str)))

        answers = tuple(answer(self.query, self.query_columns, world, "query") for world in (one, other))
        same = answer(self.view, self.view_columns, one, view_name)
        return TwoDatabases(
            tables(one), tables(other), same, (answers[0], answers[1]), self._now if self._timed else None
        )


def _tells_time(plan: Node) -> bool:
    return any(_is_timed(e) for node in walk_plan(plan) for e in expressions_of(node))


def _is_timed(expr: Expr) -> bool:
    inside = (e.plan for e in walk(expr) if isinstance(e, Subquery))
    return has_now(expr) or any(map(_tells_time, inside))


def _without(world: World, name: str, row: dict[str, Any]) -> World:
    rows = list(world[name])
    rows.remove(row)
    return world | {name: rows}


def _with_value(world: World, name: str, column: str, value: Any, new: Any) -> World:
    return world | {name: [r | {column: new} if r[column] == value else r for r in world[name]]}


def _named(table: TableDef | StreamDef) -> list[tuple[str, str]]:
    hidden = [("TS", _TICK)] if isinstance(table, StreamDef) else []
    return [*((f.name, f.type) for f in table.fields), *hidden]


def _columns(table: TableDef | StreamDef) -> list[tuple[str, str]]:
    return [(name.lower(), type_) for name, type_ in _named(table)]
