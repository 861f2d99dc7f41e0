"""Plans as JSON, for the catalog: what a view is computed by must be the same when a database is opened again.

A node is an object with its class and its fields, a tuple is a list; nothing else occurs in a plan that the engine
runs.
"""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from typing import Any, get_args

from syncsql.algebra.expressions import AggregateCall, Column, Expr, Literal
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
    return json.dumps(plain(plan), ensure_ascii=False, separators=(",", ":"))


def shape(plan: Node) -> str:
    """``plan`` without its constants, of which only the types are told: plans of one shape have the same types."""
    return json.dumps(plain(plan, constants=False), ensure_ascii=False)


def from_json(text: str) -> Node:
    plan: Node = _value(json.loads(text))
    return plan


def plain(value: Any, constants: bool = True) -> Any:
    """Dicts and lists; without ``constants`` only the types of those are told."""
    if isinstance(value, tuple):
        return [plain(v, constants) for v in value]
    if isinstance(value, Literal) and value.type is not None and not constants:
        return {"is": "Literal", "type": value.type}
    if is_dataclass(value):
        cells = {f.name: plain(getattr(value, f.name), constants) for f in fields(value)}
        return {"is": type(value).__name__, **cells}
    return value


def _value(plain: Any) -> Any:
    if isinstance(plain, list):
        return tuple(_value(v) for v in plain)
    if isinstance(plain, dict):
        cells = {name: _value(v) for name, v in plain.items() if name != "is"}
        return _CLASSES[plain["is"]](**cells)
    return plain
