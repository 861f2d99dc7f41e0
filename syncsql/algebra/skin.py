"""The skinned form of a query (section 5.1): what is computed, over finest-grain relations, and when it is wanted.

Theorem 2 by Corollaries 2 and 3, one rewrite step at a time::

    Θ(ℜ_Sync(S))                  =  ℜ_Sync(ξ(Θ(ℜ(S))))                      Corollary 2, unary Θ
    ℜ_Sync1(S1) Θ ℜ_Sync2(S2)     =  ℜ_Sync1∩Sync2(ξ(ℜ(S1) Θ ℜ(S2)))         Corollary 3, binary Θ

at the full points. Between those, a query over inputs with different synchronization streams shows partial states,
which its skinned form does not have; ``partial`` says whether there are such points.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from syncsql.algebra.normalize import at_points, syncs_of, times_in
from syncsql.algebra.relations import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Node,
    Project,
    Scan,
    SetOperation,
    expressions_of,
    tree,
)
from syncsql.algebra.sync import CLOCK, Sync, intersection
from syncsql.render import Report

_SIGNS = {"union": "∪", "intersect": "∩", "except": "−"}
_JOINS = {"inner": "⋈", "left": "⟕", "right": "⟖", "full": "⟗", "semi": "⋉", "anti": "▷"}


@dataclass(frozen=True)
class SkinStep:
    """One application of a corollary: what was done, and the whole expression after it."""

    rule: str
    expression: str

    def __str__(self) -> str:
        return f"{self.rule}:  {self.expression}"


@dataclass(frozen=True)
class Skinned:
    """``data`` reads every relation at the finest grain; ``sync`` are the full points, all if not ``partial``."""

    data: Node
    sync: Sync
    partial: bool
    start: str
    steps: tuple[SkinStep, ...]

    @property
    def normal_form(self) -> str:
        return _regulated(self.sync, expression(self.data))

    @property
    def report(self) -> Report:
        rows = tuple((step.rule, step.expression) for step in self.steps)
        notes = [
            f"data: {expression(self.data)}",
            f"time: {self.sync.name}" + ("" if self.sync.is_clock else f"   ({self.sync.points})"),
            tree(self.data),
        ]
        if self.partial:
            notes.append(
                "the inputs have different synchronization streams: between these points it shows partial states"
            )
        return Report(f"Q = {self.start}", ("by", "Q ="), rows, tuple(notes))

    def __str__(self) -> str:
        return str(self.report)


def skin(plan: Node) -> Skinned:
    """The skinned form of ``plan``, pulling synchronization out of one operator after the other, innermost first."""
    steps: list[SkinStep] = []
    start = _bare(expression(plan))
    _pulled(plan, steps, lambda text: text)
    syncs = syncs_of(plan)
    data = _finest(plan)
    return Skinned(data, intersection(syncs), len(set(syncs)) > 1, start, tuple(steps))


def _pulled(node: Node, steps: list[SkinStep], around: Callable[[str], str]) -> Sync:
    """The synchronization stream that comes out above ``node``; each step shows the whole, which is ``around`` it."""
    if isinstance(node, Scan):
        return node.sync
    if len(node.inputs) == 1:
        below = _pulled(node.inputs[0], steps, lambda text: around(_unary(node, text)))
        sync = intersection([below, *_own_times(node)])
        if not sync.is_clock and not _passes_on(node):
            steps.append(SkinStep("Corollary 2", around(_regulated(sync, expression(_finest(node))))))
        return sync
    if len(node.inputs) == 2:
        left, right = node.inputs
        one = _pulled(left, steps, lambda text: around(_binary(node, text, expression(right))))
        shown = (
            expression(left) if one.is_clock or isinstance(left, Scan) else _regulated(one, expression(_finest(left)))
        )
        other = _pulled(right, steps, lambda text: around(_binary(node, shown, text)))
        sync = intersection([one, other, *_own_times(node)])
        if not sync.is_clock:
            steps.append(SkinStep("Corollary 3", around(_regulated(sync, expression(_finest(node))))))
        return sync
    return CLOCK


def _own_times(node: Node) -> list[Sync]:
    return [s for expr in expressions_of(node) for s in times_in(expr)]


def _finest(node: Node) -> Node:
    """``node`` over relations at every tick, and the time likewise."""
    return at_points(node, CLOCK)


def _bare(text: str) -> str:
    return text[1:-1] if text.startswith("(") and text.endswith(")") else text


def _passes_on(node: Node) -> bool:
    return isinstance(node, Project) and all(e in node.input.columns for e in node.expressions)


def _regulated(sync: Sync, inside: str) -> str:
    inside = _bare(inside)
    return f"ξ({inside})" if sync.is_clock else f"ℜ_{{{sync.name}}}(ξ({inside}))"


def expression(node: Node) -> str:
    """The plan as the paper writes it; a projection that only passes columns on is left out."""
    if isinstance(node, Scan):
        return f"ℜ({node.name})" if node.sync.is_clock else f"ℜ_{{{node.sync.name}}}({node.name})"
    if len(node.inputs) == 1:
        return _unary(node, expression(node.inputs[0]))
    if len(node.inputs) == 2:
        return _binary(node, expression(node.inputs[0]), expression(node.inputs[1]))
    return "1"


def _unary(node: Node, inside: str) -> str:
    bare = _bare(inside)
    if isinstance(node, Filter):
        return f"σ({bare})"
    if isinstance(node, Aggregate):
        return f"γ({bare})"
    if isinstance(node, Distinct):
        return f"δ({bare})"
    if isinstance(node, Project):
        return inside if _passes_on(node) else f"π({bare})"
    return f"ω({bare})"


def _binary(node: Node, left: str, right: str) -> str:
    sign = "×"
    if isinstance(node, Join):
        sign = _JOINS[node.kind]
    elif isinstance(node, SetOperation):
        sign = _SIGNS[node.kind]
    return f"({left} {sign} {right})"
