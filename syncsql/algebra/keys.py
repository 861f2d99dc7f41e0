"""Keys: columns whose values identify a row of an answer, so that a change of it is one ``+``, ``u`` or ``-``.

A key comes from the key of a stream, from grouping, from DISTINCT and the set operations, and through joins; nothing
is assumed from data. The empty key says that there is at most one row.
"""

from __future__ import annotations

from syncsql.algebra.expressions import Call, Column, conjuncts
from syncsql.algebra.relations import Aggregate, Distinct, Filter, Join, Node, Project, Scan, SetOperation, Windowed
from syncsql.algebra.types import is_integer

Key = tuple[Column, ...]


def key_of(node: Node) -> Key | None:
    """A key of ``node`` in terms of its columns, or None where rows may be duplicates."""
    if isinstance(node, Scan):
        if node.key is None:
            return None
        by_id = {c.id: c for c in node.outputs}
        return tuple(by_id[k] for k in node.key) if set(node.key) <= by_id.keys() else None
    if isinstance(node, Filter | Windowed):
        return key_of(node.input)
    if isinstance(node, Project):
        key = key_of(node.input)
        place = {e.id: c for c, e in zip(node.columns, node.expressions, strict=True) if isinstance(e, Column)}
        return None if key is None or not {c.id for c in key} <= place.keys() else tuple(place[c.id] for c in key)
    if isinstance(node, Aggregate):
        return node.groups
    if isinstance(node, Distinct):
        return node.columns
    if isinstance(node, SetOperation):
        return None if node.all else node.columns
    if isinstance(node, Join):
        return _join_key(node)
    return ()


def _join_key(node: Join) -> Key | None:
    left = key_of(node.left)
    if node.kind in ("semi", "anti"):
        return left
    right = key_of(node.right)
    if left is None or right is None or node.kind != "inner":
        return None
    pairs = equal_columns(node)
    if {c.id for c in right} <= {r.id for _, r in pairs}:
        return left
    if {c.id for c in left} <= {lft.id for lft, _ in pairs}:
        return right
    return left + right


def equal_columns(node: Join) -> list[tuple[Column, Column]]:
    """The pairs (left column, right column) that the join condition requires to be equal, and of which each value is
    equal to one value of the other at most. Between types it may be equal to many: 1 is equal to '1' and to '01'."""
    left, right = {c.id for c in node.left.columns}, {c.id for c in node.right.columns}
    found = []
    for part in conjuncts(node.condition):
        if isinstance(part, Call) and part.op in ("=", "<=>"):
            a, b = part.args
            if isinstance(a, Column) and isinstance(b, Column) and _one_to_one(a, b):
                if a.id in left and b.id in right:
                    found.append((a, b))
                elif b.id in left and a.id in right:
                    found.append((b, a))
    return found


def _one_to_one(a: Column, b: Column) -> bool:
    return (a.type is not None and a.type == b.type) or (is_integer(a.type) and is_integer(b.type))
