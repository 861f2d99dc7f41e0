"""Plans as JSON, for the catalog: what a view is computed by must be the same when a database is opened again.

A node is an object with its class and its fields, a tuple is a list; nothing else occurs in a plan that the engine
runs.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from syncsql.algebra.expressions import AggregateCall, Column, Expr
from syncsql.algebra.relations import Node
from syncsql.algebra.sync import Points, Sync
from syncsql.algebra.timeset import TimeSet
from syncsql.algebra.timeset_pattern import Pattern
from syncsql.algebra.timeset_pieces import Piece

_CLASSES: dict[str, Any] = {
    c.__name__: c
    for c in (*get_args(Node), *get_args(Expr), *get_args(Points), Column, AggregateCall, Sync, TimeSet, Piece, Pattern)
}


def to_json(plan: Node) -> str:
    return json.dumps(_plain(plan), ensure_ascii=False, separators=(",", ":"))


def from_json(text: str) -> Node:
    plan: Node = _value(json.loads(text))
    return plan


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(v) for v in value]
    if is_dataclass(value):
        cells = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        return {"is": type(value).__name__, **cells}
    return value


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(v) for v in plain)
    if isinstance(plain, dict):
        cells = {name: _value(v) for name, v in plain.items() if name != "is"}
        return _CLASSES[plain["is"]](**cells)
    return plain
