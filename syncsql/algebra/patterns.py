"""Update patterns (Golab and Özsu): how the rows of a relation go away again, and what must be remembered for it.

- *monotonic*: rows never go away;
- *weakest*: they go away in the order in which they came (a window on an append-only stream);
- *weak*: when a row goes away is known when it comes, or when its successor comes (joins and groups over windows);
- *strict*: rows go away at times that nobody can foresee (updates, deletions, difference).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from syncsql.algebra.expressions import has_now
from syncsql.algebra.keys import key_of
from syncsql.algebra.relations import Aggregate, Distinct, Filter, Join, Node, Project, Scan, SetOperation, Windowed


class Pattern(IntEnum):
    """Ordered: a later one is harder to maintain than an earlier one."""

    MONOTONIC = 0
    WEAKEST = 1
    WEAK = 2
    STRICT = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True)
class Memory:
    """What a node must remember between two advances, and whether that stays bounded on an endless stream."""

    what: str
    bounded: bool

    def __str__(self) -> str:
        return f"{self.what} ({'bounded' if self.bounded else 'grows with the input'})"


NOTHING = Memory("nothing", True)


def pattern_of(node: Node) -> Pattern:
    if isinstance(node, Scan):
        return Pattern.MONOTONIC if node.append_only else Pattern.STRICT
    if isinstance(node, Filter) and has_now(node.predicate):
        return max(Pattern.WEAKEST, pattern_of(node.input))
    if isinstance(node, Filter | Project):
        return pattern_of(node.input)
    if isinstance(node, Aggregate):
        return max(Pattern.WEAK, pattern_of(node.input))
    if isinstance(node, Distinct):
        inner = pattern_of(node.input)
        return inner if inner in (Pattern.MONOTONIC, Pattern.STRICT) else Pattern.WEAK
    if isinstance(node, SetOperation):
        both = max(pattern_of(node.left), pattern_of(node.right))
        if node.kind == "except":
            # A right side that never shrinks and never grows would be needed for anything better.
            return Pattern.STRICT
        if node.kind == "union" and node.all:
            return both
        return Pattern.WEAK if both == Pattern.WEAKEST else both
    if isinstance(node, Join):
        both = max(pattern_of(node.left), pattern_of(node.right))
        if node.kind in ("left", "right", "full", "anti"):
            return Pattern.STRICT
        return Pattern.WEAK if both == Pattern.WEAKEST else both
    # An OVER value of an old row may change with every new one.
    return Pattern.STRICT if isinstance(node, Windowed) else Pattern.MONOTONIC


def _bounded_rows(node: Node) -> bool:
    """Whether the relation itself stays bounded: by the number of keys, or by a window on time."""
    if isinstance(node, Filter) and has_now(node.predicate):
        return True
    if isinstance(node, Join | SetOperation):
        return all(_bounded_rows(i) for i in node.inputs)
    if isinstance(node, Scan):
        return node.key is not None
    if key_of(node) is not None and not isinstance(node, Distinct):
        return True
    return all(_bounded_rows(i) for i in node.inputs)


def memory_of(node: Node) -> Memory:
    """What ``node`` itself must remember, its inputs apart."""
    if isinstance(node, Filter) and has_now(node.predicate):
        return Memory("rows with their leave point", _bounded_rows(node))
    if isinstance(node, Aggregate):
        extremes = any(c.function in ("min", "max") for c in node.calls) and pattern_of(node.input) != 0
        what = "accumulators per group" + (" and counted values for MIN and MAX" if extremes else "")
        return Memory(what, not extremes or _bounded_rows(node.input))
    if isinstance(node, Distinct):
        return Memory("a count per row", _bounded_rows(node.input))
    if isinstance(node, SetOperation) and not (node.kind == "union" and node.all):
        return Memory("counts per row", all(_bounded_rows(i) for i in node.inputs))
    if isinstance(node, Join):
        return Memory("both inputs' relations", all(_bounded_rows(i) for i in node.inputs))
    return NOTHING
