"""Chains of comparisons: ``A < B <= C`` means ``A < B AND B <= C``, as the paper's windows are written.

sqlglot reads a chain as comparisons nested without parentheses, and by that it can be told from ``(a < b) = c``, which
stays a comparison of truth values. Where a chain could be taken either way the user is asked for parentheses.
"""

from __future__ import annotations

from functools import reduce

from sqlglot import exp

LINKS = (exp.EQ, exp.NEQ, exp.NullSafeEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
PREDICATES = (exp.Between, exp.In, exp.Is, exp.Like, exp.ILike, exp.RegexpLike)
# Below these an AND needs no parentheses.
_HOLDS_AND = (exp.And, exp.Where, exp.Having, exp.Join, exp.Paren)


class AmbiguousComparison(ValueError):
    """A comparison without parentheses that people and Spark would read differently."""

    def __init__(self, node: exp.Expr) -> None:
        super().__init__("this comparison can be read in two ways")
        self.node = node


def unchain(tree: exp.Expr) -> exp.Expr:
    """The tree with each chain of comparisons as the conjunction that it means."""
    chains = [node for node in tree.find_all(*LINKS) if not isinstance(node.parent, LINKS)]
    for node in reversed(chains):  # inner ones first: a chain's operands are copied
        operands, links = _flatten(node)
        if any(_is_predicate(operand) for operand in operands):
            raise AmbiguousComparison(node)
        if len(links) == 1:
            continue
        if any(isinstance(operand, exp.Boolean) for operand in operands):
            raise AmbiguousComparison(node)
        parts = [
            link(this=left.copy(), expression=right.copy())
            for left, link, right in zip(operands, links, operands[1:], strict=False)
        ]
        meaning: exp.Expr = reduce(lambda left, right: exp.And(this=left, expression=right), parts)
        if not isinstance(node.parent, _HOLDS_AND):
            meaning = exp.Paren(this=meaning)
        if node is tree:
            return meaning
        node.replace(meaning)
    return tree


def _flatten(node: exp.Expr) -> tuple[list[exp.Expr], list[type[exp.Expr]]]:
    """Operands and links in the order in which they are written, whatever sqlglot's precedence between them."""
    if not isinstance(node, LINKS):
        return [node], []
    left, left_links = _flatten(node.this)
    right, right_links = _flatten(node.expression)
    return left + right, [*left_links, type(node), *right_links]


def _is_predicate(node: exp.Expr) -> bool:
    """``b IN (…)`` and the like; the function call ``like(a, b)`` is no such thing, and has a place of its own."""
    inner = node.this if isinstance(node, exp.Not) else node
    return isinstance(inner, PREDICATES) and "start" not in inner.meta
