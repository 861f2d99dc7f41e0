"""Scalar and aggregate expressions: our own small tree, printed as Spark SQL.

A :class:`Column` is a definite column of a definite relation of a definite query: its ``id`` is unique within a bound
query, so an expression never needs a scope to be understood. Whatever Spark has and this tree has no word for is a
:class:`Call` with the Spark text around its arguments; its meaning is then "some function of the arguments".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING
from typing import Literal as Choice

from syncsql.algebra.sync import Sync

if TYPE_CHECKING:
    from syncsql.algebra.relations import Node


@dataclass(frozen=True)
class Column:
    """A column of a relation. ``type`` is Spark's DDL name of its type where it is known without Spark."""

    id: str
    name: str
    type: str | None = None


@dataclass(frozen=True)
class Literal:
    """A constant, as Spark SQL writes it."""

    sql: str
    type: str | None = None


@dataclass(frozen=True)
class Now:
    """The last point of ``sync`` at or before the present; the built-in ``Now`` has the clock as its sync stream."""

    sync: Sync
    type: str = "BIGINT"


@dataclass(frozen=True)
class Call:
    """``op`` applied to ``args``; ``pieces`` is the Spark SQL text around them (one piece more than arguments)."""

    op: str
    pieces: tuple[str, ...]
    args: tuple[Expr, ...]
    type: str | None = None

    def __post_init__(self) -> None:
        if len(self.pieces) != len(self.args) + 1:
            raise ValueError(f"{self.op}: {len(self.pieces)} pieces for {len(self.args)} arguments")


@dataclass(frozen=True)
class Subquery:
    """EXISTS (plan), operand IN (plan), or the single value of plan, for one row of the query around it.

    A correlated plan reads ``params``, the columns of its :class:`~syncsql.algebra.relations.Outer` leaf; the last
    ``len(params)`` of ``args`` are what they stand for, and the operand of IN comes before them.
    """

    kind: Choice["exists", "in", "scalar"]
    plan: Node
    params: tuple[Column, ...]
    args: tuple[Expr, ...]
    text: str
    type: str | None = None

    def __post_init__(self) -> None:
        if len(self.args) != len(self.params) + (self.kind == "in"):
            raise ValueError(f"{self.kind}: {len(self.args)} arguments for {len(self.params)} outer columns")


Expr = Column | Literal | Now | Call | Subquery


@dataclass(frozen=True)
class AggregateCall:
    """An aggregate function of a group; ``argument`` is None for COUNT(*)."""

    function: str
    argument: Expr | None
    type: str | None = None
    distinct: bool = False

    def text(self, name: Name) -> str:
        distinct = "DISTINCT " if self.distinct else ""
        return f"{self.function}({distinct}{'*' if self.argument is None else sql(self.argument, name)})"

    def __str__(self) -> str:
        return self.text(own_name)


def infix(op: str, left: Expr, right: Expr, type: str | None = None) -> Call:
    return Call(op, ("(", f" {op} ", ")"), (left, right), type)


def function(name: str, *args: Expr, type: str | None = None) -> Call:
    middle = (", ",) * (len(args) - 1)
    pieces = (f"{name}(", *middle, ")") if args else (f"{name}()",)
    return Call(name.lower(), pieces, args, type)


def conjunction(parts: list[Expr]) -> Expr:
    """The AND of ``parts``; TRUE for none."""
    if not parts:
        return Literal("TRUE", "BOOLEAN")
    result = parts[0]
    for part in parts[1:]:
        result = infix("AND", result, part, "BOOLEAN")
    return result


def conjuncts(expr: Expr) -> list[Expr]:
    if isinstance(expr, Call) and expr.op == "AND":
        return [c for arg in expr.args for c in conjuncts(arg)]
    if expr == Literal("TRUE", "BOOLEAN"):
        return []
    return [expr]


Name = Callable[[Column], str]


def own_name(column: Column) -> str:
    """As the user knows it."""
    return column.name


def sql(expr: Expr, name: Name = own_name) -> str:
    """``expr`` as Spark SQL, with each column written as ``name`` says (the user's name by default)."""
    if isinstance(expr, Column):
        return name(expr)
    if isinstance(expr, Literal):
        return expr.sql
    if isinstance(expr, Now):
        return "Now" if expr.sync.is_clock else f"Now[{expr.sync.name}]"
    if isinstance(expr, Subquery):
        operand = f"{sql(expr.args[0], name)} IN " if expr.kind == "in" else ""
        return f"({operand}{'EXISTS ' if expr.kind == 'exists' else ''}({expr.text}))"
    out = [expr.pieces[0]]
    for arg, piece in zip(expr.args, expr.pieces[1:], strict=True):
        out += [sql(arg, name), piece]
    return "".join(out)


def show(expr: Expr, name: Name = own_name) -> str:
    """``expr`` for people: without the outermost parentheses."""
    text = sql(expr, name)
    if isinstance(expr, Call) and expr.pieces[0] == "(" and expr.pieces[-1] == ")":
        return text[1:-1]
    return text


def walk(expr: Expr) -> Iterator[Expr]:
    yield expr
    if isinstance(expr, Call | Subquery):
        for arg in expr.args:
            yield from walk(arg)


def columns_in(expr: Expr | None) -> set[str]:
    """The ids of the columns that ``expr`` reads."""
    return set() if expr is None else {e.id for e in walk(expr) if isinstance(e, Column)}


def has_now(expr: Expr) -> bool:
    return any(isinstance(e, Now) for e in walk(expr))


def has_subquery(expr: Expr | None) -> bool:
    return expr is not None and any(isinstance(e, Subquery) for e in walk(expr))


def substitute(expr: Expr, by: Callable[[Expr], Expr | None]) -> Expr:
    """``expr`` with every part for which ``by`` gives a replacement replaced, outermost first."""
    found = by(expr)
    if found is not None:
        return found
    if isinstance(expr, Call | Subquery):
        return replace(expr, args=tuple(substitute(a, by) for a in expr.args))
    return expr


def substitute_columns(expr: Expr, by: dict[str, Expr]) -> Expr:
    return substitute(expr, lambda e: by.get(e.id) if isinstance(e, Column) else None)
