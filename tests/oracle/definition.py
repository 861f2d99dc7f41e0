"""The definition of an answer, evaluated tick by tick with DuckDB over small tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import duckdb

from tests.oracle.worlds import CLOCKS, LAST, Query, World

Row = tuple[Any, ...]
_TYPES = {"I": "BIGINT", "S": "VARCHAR", "F": "DOUBLE"}


class Definition:
    """``relation(name, t)``: the rows of a stream or view at t; for streams with TS as the last column."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._duckdb = duckdb.connect()
        self._views = {q.name: q for q in world.views}
        self._streams = {name: self._fold(name, key) for name, key in world.streams.items()}
        self._answers: dict[tuple[str, int], list[Row]] = {}
        hot = self._streams["Bag"][LAST]
        self._hot = {row[-1] for row in hot if row[2] is not None and row[2] > 6}

    def _fold(self, name: str, key: tuple[str, ...] | None) -> list[list[Row]]:
        """R[S(t)] for every t, by applying the tuples one after the other."""
        source = "Cdc" if name in ("Tagged", "Loose") else "Src"
        columns = ("k", "g", "v", "s")
        rows: dict[Any, list[Row]] = defaultdict(list)
        at_time: list[list[Row]] = []
        for t in range(LAST + 1):
            for pushed, row, at in self._world.pushes:
                if pushed != source or at != t:
                    continue
                values, op = row[:4], row[4] if source == "Cdc" else None
                identity = values if key is None else tuple(row[columns.index(k)] for k in key)
                there = rows[identity]
                if op is None:
                    if key is not None:
                        there.clear()
                    there.append((*values, t))
                elif op == "+" and (key is None or not there):
                    there.append((*values, t))
                elif op == "u" and key is not None and there:
                    there[:] = [(*values, t)]
                elif op == "-" and there:
                    there.pop(0)
            at_time.append([r for group in rows.values() for r in group])
        return at_time

    def _last_point(self, sync: str | None, t: int) -> int | None:
        if sync is None:
            return t
        rule = self._world.syncs[sync]
        for point in range(t, -1, -1):
            if point in self._hot if rule == "events" else eval(rule, {"t": point}):
                return point
        return None

    def relation(self, name: str, t: int) -> list[Row]:
        if name in self._streams:
            return self._streams[name][t]
        if (name, t) not in self._answers:
            self._answers[name, t] = self._evaluate(self._views[name], t)
        return self._answers[name, t]

    def _evaluate(self, query: Query, t: int) -> list[Row]:
        points = [self._last_point(i.sync, t) for i in query.inputs]
        if all(p is None for p in points):
            # Before its first point a view has no answer.
            return []
        tables = []
        for number, (input_, point) in enumerate(zip(query.inputs, points, strict=True)):
            rows = [] if point is None else self.relation(input_.relation, point)
            tables.append(self._table(f"t{number}", input_.relation, rows))
        now = self._last_point(CLOCKS.get(query.clock), t)
        # A view that tells the time has no row before its first point.
        return [] if now is None else self._duckdb.execute(query.duckdb(tables, now)).fetchall()

    def _table(self, name: str, relation: str, rows: list[Row]) -> str:
        if relation in self._streams:
            columns = [("k", "I"), ("g", "I"), ("v", "I"), ("s", "S"), ("TS", "I")]
        else:
            columns = list(self._views[relation].columns)
        spec = ", ".join(f"{c} {_TYPES[k]}" for c, k in columns)
        self._duckdb.execute(f"CREATE OR REPLACE TABLE {name} ({spec})")
        if rows:
            marks = ", ".join("?" for _ in columns)
            self._duckdb.executemany(f"INSERT INTO {name} VALUES ({marks})", [list(r) for r in rows])
        return name


def bag(rows: list[Row]) -> Counter[Row]:
    """Rows as they are compared: numbers by value, whatever type holds them."""
    return Counter(tuple(_plain(v) for v in row) for row in rows)


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, str):
        return value
    return round(float(value), 9)
