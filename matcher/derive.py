"""An expression of the query, computed from what a view shows.

The ways are tried from the plainest to the most laborious: the expression itself is shown; an equal column is; it is a
constant; its parts can be derived; it is a combination of integers that are shown; or Z3 finds it equal to something
shown. Whatever comes out is proved equal once more by whoever uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from matcher.block import Item
from matcher.constants import constant_of, kind_of
from matcher.facts import equalities
from matcher.linear import combination
from matcher.prover import Prover
from syncsql.algebra.expressions import Call, Column, Expr, Literal, Now, Subquery, columns_in, substitute_columns, walk
from syncsql.algebra.scalars import OVER_ANY_ORDER
from syncsql.algebra.types import base, equal_is_same, is_integer

_MOST_TRIES = 12
_CONSTANTS = ("int", "string", "date", "bool")


@dataclass
class Deriver:
    """``shown`` are the columns at hand, each with what it is in the query's rows, for which ``given`` holds.

    ``folded`` are columns that were grouped by, and of whose values that are equal and not the same, as 0.0 and -0.0,
    one stands for all."""

    shown: Sequence[Item]
    given: Sequence[Expr]
    prover: Prover
    folded: frozenset[str] = frozenset()
    missing: list[Column] = field(default_factory=list)
    _direct: dict[Expr, Column] = field(default_factory=dict)
    _classes: dict[str, set[Column]] = field(default_factory=dict)
    _done: dict[Expr, Expr | None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for column, expr in self.shown:
            self._direct.setdefault(expr, column)
        for a, b in equalities(self.given):
            # Equal doubles may be 0.0 and -0.0, equal decimals 1.0 and 1.00: they are not the same to show. What
            # equality means for arrays and the like is theirs to know.
            if kind_of(a.type) == kind_of(b.type) and kind_of(a.type) not in ("float", "decimal", "other"):
                group = self._classes.get(a.id, {a}) | self._classes.get(b.id, {b})
                for column in group:
                    self._classes[column.id] = group

    def __call__(self, expr: Expr) -> Expr | None:
        """``expr`` over the columns at hand, or None; then ``missing`` has the columns that are not to be had."""
        if expr not in self._done:
            self._done[expr] = self._derive(expr)
        return self._done[expr]

    def _derive(self, expr: Expr) -> Expr | None:
        if isinstance(expr, Literal | Now):
            return expr
        if expr in self._direct:
            return self._direct[expr]
        if isinstance(expr, Column):
            return self._column(expr)
        if isinstance(expr, Call) and expr.op == OVER_ANY_ORDER:
            return None
        if self.folded & columns_in(expr) and self.prover.tells_zeros_apart(expr):
            return None
        before = len(self.missing)
        args = [self(a) for a in expr.args]
        if all(a is not None for a in args):
            return replace(expr, args=tuple(a for a in args if a is not None))
        found = self._combined(expr) or self._proved(expr)
        if found is not None:
            del self.missing[before:]
        return found

    def _column(self, column: Column) -> Expr | None:
        equal = sorted(self._classes.get(column.id, ()), key=lambda c: c.id)
        for other in equal:
            if other in self._direct:
                return as_type(self._direct[other], column.type)
        constant = self._constant({column, *equal}, column.type)
        if constant is not None:
            return constant
        for target in (column, *equal):
            found = self._combined(target) if is_integer(target.type) else None
            if found is not None:
                return as_type(found, column.type)
        found = self._proved(column)
        if found is None and column not in self.missing:
            self.missing.append(column)
        return found

    def _combined(self, expr: Expr) -> Expr | None:
        """A combination of integers that are shown; a NULL among them would hide the value, so that is proved too."""
        found = combination(expr, self.shown)
        if found is None or isinstance(found, Column):
            return found
        meaning = {c.id: e for c, e in self.shown}
        proved = self.prover.equal(self.given, [(expr, substitute_columns(found, meaning))])
        return as_type(found, expr.type) if proved else None

    def _constant(self, columns: set[Column], type_: str | None) -> Expr | None:
        """The constant that the predicates fix one of the columns to."""
        for part in self.given:
            if isinstance(part, Call) and part.op == "=":
                for one, other in (part.args, part.args[::-1]):
                    constant = constant_of(other)
                    if one in columns and constant is not None and constant.kind == kind_of(type_) in _CONSTANTS:
                        return as_type(other, type_)
        return None

    def _proved(self, expr: Expr) -> Expr | None:
        kind = kind_of(expr.type)
        mine = columns_in(expr)
        tries = 0
        for column, shown in self.shown:
            alike = kind_of(shown.type) == kind and base(shown.type) == base(expr.type)
            if not alike or isinstance(shown, Column) or not (mine & columns_in(shown)) or tries >= _MOST_TRIES:
                continue
            tries += 1
            if self.prover.equal(self.given, [(expr, shown)]):
                return column
        return None


def as_type(expr: Expr, type_: str | None) -> Expr:
    """``expr`` with the type that was asked for, so that the answer's columns keep their types."""
    if type_ is None or expr.type is None or base(expr.type) == base(type_):
        return expr
    return Call(f"CAST AS {type_}", ("CAST(", f" AS {type_})"), (expr,), type_)


def folded(keys: Sequence[Item]) -> frozenset[str]:
    """The columns of which grouping by ``keys`` keeps values no more apart that are equal, as 0.0 and -0.0 are."""
    return frozenset().union(*(columns_in(e) for _, e in keys if _folds(e)))


def _folds(key: Expr) -> bool:
    """Of a call whose type only Spark knows, what it is computed from has to tell."""
    if key.type is None and isinstance(key, Call):
        return any(_folds(a) for a in key.args)
    return not isinstance(key, Literal) and not equal_is_same(key.type)


def subqueries(parts: Sequence[Expr]) -> list[Subquery]:
    return [e for part in parts for e in walk(part) if isinstance(e, Subquery)]
