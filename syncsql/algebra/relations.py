"""Relational operators (section 4.2): immutable nodes that know their columns.

Every node's ``columns`` are new :class:`Column` values or those of an input passed through unchanged; ids are unique
within a query, so a self-join needs no renaming.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal as Choice

from syncsql.algebra.expressions import AggregateCall, Column, Expr, Name, Subquery, columns_in, has_now, own_name, show
from syncsql.algebra.expressions import walk as walk_expr
from syncsql.algebra.sync import Points, Sync

JoinKind = Choice["inner", "left", "right", "full", "semi", "anti"]
SetKind = Choice["union", "intersect", "except"]


class _Shown:
    """A node by itself; ``text`` writes the columns that it reads as ``name`` says."""

    def text(self, name: Name) -> str:
        raise NotImplementedError

    def __str__(self) -> str:
        return self.text(own_name)


@dataclass(frozen=True)
class Scan(_Shown):
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

    def text(self, name: Name) -> str:
        return f"R({self.name})" if self.sync.is_clock else f"R[{self.sync.name}]({self.name})"


@dataclass(frozen=True)
class Filter(_Shown):
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

    def text(self, name: Name) -> str:
        return f"{'Window' if has_now(self.predicate) else 'Filter'} {show(self.predicate, name)}"


@dataclass(frozen=True)
class Project(_Shown):
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

    def text(self, name: Name) -> str:
        parts = []
        for column, expression in zip(self.columns, self.expressions, strict=True):
            text = show(expression, name)
            parts.append(text if text == column.name else f"{text} AS {column.name}")
        return f"Project {', '.join(parts)}"


@dataclass(frozen=True)
class Join(_Shown):
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

    def text(self, name: Name) -> str:
        return f"{self.kind.capitalize()} join on {show(self.condition, name)}"


@dataclass(frozen=True)
class Aggregate(_Shown):
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

    def text(self, name: Name) -> str:
        by = f"by {', '.join(map(name, self.groups))}" if self.groups else ""
        calls = ", ".join(c.text(name) for c in self.calls)
        return " ".join(part for part in ("Aggregate", calls, by) if part)


@dataclass(frozen=True)
class Distinct(_Shown):
    """δ: each row once."""

    input: Node

    @property
    def columns(self) -> tuple[Column, ...]:
        return self.input.columns

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.input,)

    def text(self, name: Name) -> str:
        return "Distinct"


@dataclass(frozen=True)
class SetOperation(_Shown):
    """∪, ∩, −, of sets or (``all``) of bags; columns correspond by position."""

    kind: SetKind
    all: bool
    left: Node
    right: Node
    columns: tuple[Column, ...]

    @property
    def inputs(self) -> tuple[Node, ...]:
        return (self.left, self.right)

    def text(self, name: Name) -> str:
        return f"{self.kind.capitalize()}{' all' if self.all else ''}"


@dataclass(frozen=True)
class Windowed(_Shown):
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

    def text(self, name: Name) -> str:
        return f"Over {', '.join(show(e, name) for e in self.expressions)}"


@dataclass(frozen=True)
class Outer(_Shown):
    """The row of the query around a correlated subquery: one row with the columns that the subquery reads."""

    columns: tuple[Column, ...]

    @property
    def inputs(self) -> tuple[Node, ...]:
        return ()

    def text(self, name: Name) -> str:
        return f"Outer row {', '.join(c.name for c in self.columns)}"


@dataclass(frozen=True)
class OneRow(_Shown):
    """A relation of one row without columns: what a query without FROM reads."""

    @property
    def columns(self) -> tuple[Column, ...]:
        return ()

    @property
    def inputs(self) -> tuple[Node, ...]:
        return ()

    def text(self, name: Name) -> str:
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


def tree(plan: Node, note: dict[Node, str] | None = None) -> str:
    """The plan as an indented tree, one node a line, with a note behind a node that has one.

    A column is told with its relation where a node reads two of that name; a relation that is read twice has a number.
    """
    read = [n for n in walk(plan) if isinstance(n, Scan)]
    times = Counter(s.name for s in read)
    seen: Counter[str] = Counter()
    relations: dict[str, str] = {}
    numbers: dict[Node, str] = {}
    for scan in read:
        seen[scan.name] += 1
        numbers[scan] = f"#{seen[scan.name]}" if times[scan.name] > 1 else ""
        relations |= {c.id: scan.name + numbers[scan] for c in scan.columns}

    def lines(node: Node, indent: str) -> Iterator[str]:
        names = Counter(c.name for child in node.inputs for c in child.columns)

        def name(column: Column) -> str:
            known = relations.get(column.id) if names[column.name] > 1 else None
            return f"{known}.{column.name}" if known else column.name

        remark = f"   -- {note[node]}" if note and node in note else ""
        number = f" {numbers[node]}" if numbers.get(node) else ""
        yield f"{indent}{node.text(name)}{number}{remark}"
        for child in node.inputs:
            yield from lines(child, indent + "  ")

    return "\n".join(lines(plan, ""))
