"""The joined predicate of two: a condition that both imply, and not much wider than their disjunction.

1. a condition of one that the other implies stays as it is: of ``x > 80`` and ``x > 100`` the wider one, of two
   ranges the lower beginning and the higher end;
2. for a column that is not bounded so, what is left of both is joined by OR: ``x = 1`` and ``x = 5`` are
   ``x IN (1, 5)``; many values become the range that they are in, and make a range wider;
3. where nothing was found for any column, what is left of one is joined with what is left of the other.

What only says that a column is not NULL, and what would be long, is left out: a wider predicate is still one of both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matcher.block import columns_of
from matcher.constants import Constant, constant_of
from matcher.members import Conditions
from matcher.prover import Prover
from syncsql.algebra.expressions import Call, Column, Expr, conjunction, infix, walk

_MOST_VALUES = 24
_MOST_COMPARISONS = 4
_ORDERED = ("int", "decimal", "date")


@dataclass(frozen=True)
class Joiner:
    """``present`` is a prover to which no column is ever NULL."""

    prover: Prover
    present: Prover

    def __call__(self, one: Conditions, other: Conditions) -> Conditions:
        """Conditions that hold wherever all of ``one`` do, and wherever all of ``other`` do."""
        implies = self.prover.implies
        both = [c for c in one if implies(other, [c])]
        both += [c for c in other if c not in both and implies(one, [c]) and not implies(both, [c])]
        mine = [c for c in one if not implies(both, [c])]
        theirs = [c for c in other if not implies(both, [c])]
        if not mine or not theirs:
            return tuple(both)
        bounded = {c for part in both for c in columns_of(part)}
        found: list[Expr] = []
        for column in dict.fromkeys(c for part in mine for c in columns_of(part)):
            a, b = _about(column, mine), _about(column, theirs)
            if a and b and column in bounded:
                found += [c for c in _ends(column, a) if implies(other, [c])]
                found += [c for c in _ends(column, b) if implies(one, [c])]
            elif a and b:
                found += _one_column(column, a, b)
        if not found and not bounded:
            found = _either(mine, theirs)
        return (*both, *(part for part in found if not self.present.implies(both, [part])))


def _about(column: Column, parts: Sequence[Expr]) -> list[Expr]:
    return [p for p in parts if columns_of(p) == [column]]


def _one_column(column: Column, mine: list[Expr], theirs: list[Expr]) -> list[Expr]:
    a, b = _values(column, mine), _values(column, theirs)
    if a is None or b is None:
        return _either(mine, theirs)
    values = {**a, **b}
    if len(values) <= _MOST_VALUES:
        args = (column, *(values[v] for v in sorted(values, key=_order)))
        return [Call("IN", ("(", " IN (", *(", ",) * (len(args) - 2), "))"), args, "BOOLEAN")]
    if any(v.kind not in _ORDERED for v in values):
        return []
    return _between(column, values)


def _between(column: Column, values: dict[Constant, Expr]) -> list[Expr]:
    least, most = min(values, key=_order), max(values, key=_order)
    return [infix(">=", column, values[least], "BOOLEAN"), infix("<=", column, values[most], "BOOLEAN")]


def _ends(column: Column, parts: list[Expr]) -> list[Expr]:
    """The range that the values are in which ``parts`` name."""
    values = _values(column, parts)
    return [] if values is None or any(v.kind not in _ORDERED for v in values) else _between(column, values)


def _order(value: Constant) -> tuple[str, object]:
    return value.kind, value.value


def _values(column: Column, parts: list[Expr]) -> dict[Constant, Expr] | None:
    """The values that one condition ``column = c`` or ``column IN (c, …)`` names; all of one type, so that none is
    cast for another's sake."""
    if len(parts) != 1 or not isinstance(parts[0], Call) or parts[0].op not in ("=", "IN"):
        return None
    first, *choices = parts[0].args
    found = {}
    for choice in choices:
        value = constant_of(choice)
        if value is None or value.value is None or value.kind == "float":
            return None
        found[value] = choice
    return found if first == column and len({v.kind for v in found}) == 1 else None


def _either(mine: Sequence[Expr], theirs: Sequence[Expr]) -> list[Expr]:
    either = infix("OR", conjunction(list(mine)), conjunction(list(theirs)), "BOOLEAN")
    compared = sum(isinstance(e, Call) and e.op not in ("AND", "OR", "NOT") for e in walk(either))
    return [either] if compared <= _MOST_COMPARISONS else []
