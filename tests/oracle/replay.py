"""Replaying a stream: what its lines make of the relation, and whether each line says a change that happened."""

from __future__ import annotations

from collections import Counter
from typing import Any

from syncsql.storage.stored import Stored
from syncsql.stream.names import AT, CHANGE, DELETE, INSERT

Row = tuple[Any, ...]


def replay(stored: Stored, visible: list[str], last: int) -> list[list[Row]]:
    """The relation at every tick; raises where a line contradicts the lines before it."""
    lines = stored.log.arrow().to_pylist()
    by_point: dict[int, list[dict[str, Any]]] = {}
    for line in lines:
        by_point.setdefault(line[AT], []).append(line)
    return _keyed(stored, by_point, visible, last) if stored.key is not None else _bag(stored, by_point, visible, last)


def _keyed(stored: Stored, by_point: dict[int, list[dict[str, Any]]], visible: list[str], last: int) -> list[list[Row]]:
    rows: dict[Row, dict[str, Any]] = {}
    relations = []
    for t in range(last + 1):
        touched = Counter(tuple(line[k] for k in stored.key or ()) for line in by_point.get(t, []))
        for line in by_point.get(t, []):
            key = tuple(line[k] for k in stored.key or ())
            assert touched[key] == 1, f"two operations for one key at {t}: {line}"
            row = {c: line[c] for c in stored.columns}
            if line[CHANGE] == INSERT:
                assert key not in rows, f"inserted twice: {line}"
                rows[key] = row
            elif line[CHANGE] == DELETE:
                assert rows.pop(key, None) == row, f"deleted what is not there: {line}"
            else:
                assert key in rows, f"updated what is not there: {line}"
                assert rows[key] != row, f"updated without a change: {line}"
                rows[key] = row
        relations.append([tuple(r[c] for c in visible) for r in rows.values()])
    return relations


def _bag(stored: Stored, by_point: dict[int, list[dict[str, Any]]], visible: list[str], last: int) -> list[list[Row]]:
    rows: Counter[Row] = Counter()
    relations = []
    for t in range(last + 1):
        came: Counter[Row] = Counter()
        went: Counter[Row] = Counter()
        for line in by_point.get(t, []):
            row = tuple(line[c] for c in visible)
            (came if line[CHANGE] == INSERT else went)[row] += 1
        assert not set(came) & set(went), f"inserted and deleted at {t}: {set(came) & set(went)}"
        rows = rows + came
        rows.subtract(went)
        assert min(rows.values(), default=0) >= 0, f"deleted what is not there at {t}"
        relations.append(list(rows.elements()))
    return relations
