"""Parts: what the plans of several views have in common, computed once and read by all of them.

A part is stored like a view, under a name of its own that begins with an underscore. It is made when a second view
needs it, begins with what it has then, and goes with the last view that reads it.
"""

from __future__ import annotations

from syncsql.algebra.common import replaced, scan_over
from syncsql.algebra.expressions import Column
from syncsql.algebra.keys import key_of
from syncsql.algebra.relations import Node, Project, Scan
from syncsql.algebra.sync import CLOCK
from syncsql.dataflow.registry import View


def part_plan(node: Node) -> Node:
    """The plan of a part: ``node`` under plain names, since those of a sub-plan can be any text."""
    columns = tuple(Column(f"_c{i}", f"c{i}", c.type) for i, c in enumerate(node.columns))
    return Project(node, columns, node.columns)


def what_it_computes(part: View) -> Node:
    plan = part.execution.plan
    assert isinstance(plan, Project)
    return plan.input


def over_part(plan: Node, part: View) -> Node:
    """``plan`` with ``part`` read instead of computed. Its changes come at its own points, so it is read at every
    tick."""
    labels = part.continuous.labels
    scan = Scan(part.name, "view", CLOCK, (), None, None, part.continuous.append_only)
    return replaced(plan, what_it_computes(part), lambda node: scan_over(node, scan, labels, key_of(node)))
