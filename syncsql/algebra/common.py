"""Equal sub-plans: parts of two plans that compute the same, whatever their columns are called.

Two parts are equal where they are the same tree over the same relations under the same synchronization; ids and names
of columns are told apart by the order in which they occur, except for the names in a scan, which say what is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from syncsql.algebra.expressions import Column
from syncsql.algebra.relations import Aggregate, Distinct, Join, Node, Project, Scan, SetOperation, walk, with_inputs
from syncsql.algebra.serial import plain


def parts_of(plan: Node) -> Iterator[Node]:
    """The sub-plans that are worth computing once: those that must remember something or read more than once. From
    the root, so that the largest comes first."""
    for node in walk(plan):
        if isinstance(node, Join | Aggregate | Distinct) or (
            isinstance(node, SetOperation) and not (node.kind == "union" and node.all)
        ):
            yield node


def signature(node: Node) -> object:
    """Equal for equal sub-plans. The order of the columns that come out belongs to it."""
    numbers: dict[str, int] = {}

    def number(id_: str) -> int:
        return numbers.setdefault(id_, len(numbers))

    def visit(value: Any, read: bool = False) -> object:
        if isinstance(value, list):
            return tuple(visit(v, read) for v in value)
        if not isinstance(value, dict):
            return value
        kind = value["is"]
        if kind == "Column":
            return (number(value["id"]), value["name"].lower() if read else None)
        cells = []
        for name, cell in value.items():
            if kind == "Scan" and name == "name":
                cells.append(cell.lower())
            elif kind == "Scan" and name == "key":
                cells.append(None if cell is None else tuple(number(k) for k in cell))
            elif kind == "Sync" and name == "name":
                continue
            else:
                cells.append(visit(cell, kind == "Scan" and name in ("outputs", "ts")))
        return tuple(cells)

    # The columns come last: by then those of the inputs are numbered.
    return visit(plain(node)), tuple(number(c.id) for c in node.columns)


def replaced(plan: Node, part: Node, scan_of: Callable[[Node], Scan]) -> Node:
    """``plan`` with every sub-plan that is equal to ``part`` read by the scan that ``scan_of`` gives for it."""
    wanted = signature(part)

    def visit(node: Node) -> Node:
        if type(node) is type(part) and signature(node) == wanted:
            scan = scan_of(node)
            return Project(scan, node.columns, scan.outputs)
        return with_inputs(node, tuple(visit(i) for i in node.inputs))

    return visit(plan)


def scan_over(node: Node, scan: Scan, labels: list[str], key: tuple[Column, ...] | None) -> Scan:
    """``scan`` with a column for each of ``node``, known to its relation by ``labels``."""
    outputs = tuple(replace(c, id=f"_of_{c.id}", name=label) for c, label in zip(node.columns, labels, strict=True))
    place = {c.id: o.id for c, o in zip(node.columns, outputs, strict=True)}
    return replace(scan, outputs=outputs, key=None if key is None else tuple(place[c.id] for c in key))
