"""Relational operators (section 4.2): immutable nodes that know their columns.

Every node's ``columns`` are new :class:`Column` values or those of an input passed through unchanged; ids are unique
within a query, so a self-join needs no renaming.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal as Choice

from syncsql.algebra.expressions import AggregateCall, Column, Expr, Subquery, columns_in, has_now, show
from syncsql.algebra.expressions import walk as walk_expr
from syncsql.algebra.sync import Points, Sync

JoinKind = Choice["inner", "left", "right", "full", "semi", "anti"]
SetKind = Choice["union", "intersect", "except"]


@dataclass(frozen=True)
class Scan:
    """ℜ_sync(name): the synchronized relation of a stored stream or view, or of a stream of time points.

    ``ts`` is the hidden TS column while the query reads it. ``key`` is the stream's key, as ids of its columns.
    A stream of time points (``clockStr`` and what is made from it) has its ``points`` and is never stored.
    """

    name: str
    kind: Choice["stream", "view", "clock"]
    sync: Sync
    outputs: tuple[Column, ...]
    ts: Column | None
    key: tuple[str, ...] | None
    append_only: bool
    points: Points | None = None

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.outputs if self.ts is None else (*self.outputs, self.ts)

    @property
    def inputs(self) -> tuple[Node, ...]:
        return ()

    def __str__(self) -> str:
        return f"R({self.name})" if self.sync.is_clock else f"R[{self.sync.name}]({self.name})"


@dataclass(frozen=True)
class Filter:
    """σ: the rows for which ``predicate`` is true. It may compare with Now: then it is a window on time."""

    input: Node
    predicate: Expr

    def __post_init__(self) -> None:
        _check_columns(self, columns_in(self.predicate), self.input)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.input.columns

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)

    def __str__(self) -> str:
        return f"{'Window' if has_now(self.predicate) else 'Filter'} {show(self.predicate)}"


@dataclass(frozen=True)
class Project:
    """π: each row mapped to ``expressions``; duplicates stay."""

    input: Node
    columns: tuple[Column, ...]
    expressions: tuple[Expr, ...]

    def __post_init__(self) -> None:
        for expression in self.expressions:
            _check_columns(self, columns_in(expression), self.input)

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)

    def __str__(self) -> str:
        parts = []
        for column, expression in zip(self.columns, self.expressions, strict=True):
            text = show(expression)
            parts.append(text if text == column.name else f"{text} AS {column.name}")
        return f"Project {', '.join(parts)}"


@dataclass(frozen=True)
class Join:
    """⋈: pairs of rows for which ``condition`` is true; outer, semi and anti kinds as in SQL."""

    kind: JoinKind
    left: Node
    right: Node
    condition: Expr

    def __post_init__(self) -> None:
        _check_columns(self, columns_in(self.condition), self.left, self.right)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.left.columns if self.kind in ("semi", "anti") else self.left.columns + self.right.columns

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"{self.kind.capitalize()} join on {show(self.condition)}"


@dataclass(frozen=True)
class Aggregate:
    """γ: one row per group of equal ``groups``; exactly one row where there are no grouping columns."""

    input: Node
    groups: tuple[Column, ...]
    outputs: tuple[Column, ...]
    calls: tuple[AggregateCall, ...]

    def __post_init__(self) -> None:
        _check_columns(self, {g.id for g in self.groups}, self.input)
        for call in self.calls:
            _check_columns(self, columns_in(call.argument), self.input)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.groups + self.outputs

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)

    def __str__(self) -> str:
        by = f" by {', '.join(g.name for g in self.groups)}" if self.groups else ""
        return f"Aggregate {', '.join(str(c) for c in self.calls)}{by}"


@dataclass(frozen=True)
class Distinct:
    """δ: each row once."""

    input: Node

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.input.columns

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)

    def __str__(self) -> str:
        return "Distinct"


@dataclass(frozen=True)
class SetOperation:
    """∪, ∩, −, of sets or (``all``) of bags; columns correspond by position."""

    kind: SetKind
    all: bool
    left: Node
    right: Node
    columns: tuple[Column, ...]

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def __str__(self) -> str:
        return f"{self.kind.capitalize()}{' all' if self.all else ''}"


@dataclass(frozen=True)
class Windowed:
    """The input with one more column per OVER expression, each a function of the row and of the whole input."""

    input: Node
    outputs: tuple[Column, ...]
    expressions: tuple[Expr, ...]

    def __post_init__(self) -> None:
        for expression in self.expressions:
            _check_columns(self, columns_in(expression), self.input)

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.input.columns + self.outputs

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)

    def __str__(self) -> str:
        return f"Over {', '.join(show(e) for e in self.expressions)}"


@dataclass(frozen=True)
class Outer:
    """The row of the query around a correlated subquery: one row with the columns that the subquery reads."""

    columns: tuple[Column, ...]

    @property
    def inputs(self) -> tuple[Node, ...]:
        return ()

    def __str__(self) -> str:
        return f"Outer row {', '.join(c.name for c in self.columns)}"


@dataclass(frozen=True)
class OneRow:
    """A relation of one row without columns: what a query without FROM reads."""

    @property
    def columns(self) -> tuple[Column, ...]:
        return ()

    @property
    def inputs(self) -> tuple[Node, ...]:
        return ()

    def __str__(self) -> str:
        return "One row"


Node = Scan | Filter | Project | Join | Aggregate | Distinct | SetOperation | Windowed | Outer | OneRow


def _check_columns(node: object, wanted: set[str], *inputs: Node) -> None:
    have = {c.id for i in inputs for c in i.columns}
    if not wanted <= have:
        raise ValueError(f"{type(node).__name__}: columns {sorted(wanted - have)} are not in its input")


def walk(node: Node) -> Iterator[Node]:
    yield node
    for child in node.inputs:
        yield from walk(child)


def with_inputs(node: Node, inputs: tuple[Node, ...]) -> Node:
    """``node`` over other inputs, which must have the columns that it reads."""
    if isinstance(node, Filter | Project | Aggregate | Distinct | Windowed):
        return replace(node, input=inputs[0])
    if isinstance(node, Join | SetOperation):
        return replace(node, left=inputs[0], right=inputs[1])
    return node


def expressions_of(node: Node) -> list[Expr]:
    """The expressions that ``node`` itself evaluates."""
    if isinstance(node, Filter):
        return [node.predicate]
    if isinstance(node, Join):
        return [node.condition]
    if isinstance(node, Project | Windowed):
        return list(node.expressions)
    if isinstance(node, Aggregate):
        return [c.argument for c in node.calls if c.argument is not None]
    return []


def scans(node: Node) -> list[Scan]:
    """Every relation that ``node`` reads, those of subqueries in its expressions included."""
    found: list[Scan] = []
    for inner in walk(node):
        if isinstance(inner, Scan):
            found.append(inner)
        for expr in expressions_of(inner):
            found += [s for part in walk_expr(expr) if isinstance(part, Subquery) for s in scans(part.plan)]
    return found


def tree(node: Node, note: dict[Node, str] | None = None, indent: str = "") -> str:
    """The plan as an indented tree, one node a line, with a note behind a node that has one."""
    remark = f"   -- {note[node]}" if note and node in note else ""
    lines = [f"{indent}{node}{remark}"]
    lines += [tree(child, note, indent + "  ") for child in node.inputs]
    return "\n".join(lines)
