"""Many virtual views at once: those of one shape are one join with the table of their constants, as NiagaraCQ groups
continuous queries.

    σ_{x > c₁}(R), …, σ_{x > cₙ}(R)   =   R ⋈_{x > c} {(1, c₁), …, (n, cₙ)}

The changes of R are read once, and an equation (``RoomID = c``) is a hash join: the cost of a thousand queries is that
of one and of what they answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import pyarrow as pa

from syncsql.algebra.expressions import Column, Expr, Literal, conjunction, conjuncts, substitute, substitute_columns
from syncsql.algebra.relations import Filter, Node, Project, Scan
from syncsql.dataflow.compiler import compile_plan
from syncsql.dataflow.emit import emit
from syncsql.dataflow.registry import View
from syncsql.dataflow.run import Runner
from syncsql.dataflow.virtual import Virtual
from syncsql.operators.context import Slice
from syncsql.storage.scratch import Scratch
from syncsql.stream.flow import Flow, render
from syncsql.stream.kept import Part
from syncsql.stream.names import AT, WEIGHT
from syncsql.stream.text import Sql, listed

VIEW = "_view"


@dataclass(frozen=True)
class Shape:
    """π outputs (σ predicate (scan)), with a column for each constant, read over one slice of time."""

    scan: Scan
    predicate: Expr
    outputs: tuple[Expr, ...]
    key: tuple[int, ...] | None
    constants: tuple[Column, ...]
    span: Slice


@dataclass(frozen=True)
class Group:
    """Views of one shape: their places among those that were asked for, and the constants of each."""

    shape: Shape
    places: tuple[int, ...]
    constants: tuple[tuple[str, ...], ...]


def groups_of(views: Sequence[View | None], since: int | None, until: int) -> tuple[list[Group], list[int]]:
    """The groups of two or more, and the places of those that stand alone; None stands for what is no view."""
    found: dict[Shape, list[tuple[int, tuple[str, ...]]]] = {}
    alone: list[int] = []
    for place, view in enumerate(views):
        shaped = None if view is None else _shape(view, since, until)
        if shaped is None:
            alone.append(place)
        else:
            found.setdefault(shaped[0], []).append((place, shaped[1]))
    groups = []
    for shape, members in found.items():
        if len(members) == 1:
            alone.append(members[0][0])
        else:
            groups.append(Group(shape, tuple(p for p, _ in members), tuple(c for _, c in members)))
    return groups, sorted(alone)


def changes(group: Group, view: View, runner: Runner, scratch: Scratch) -> Sql:
    """The lines of all views of ``group``, with the place of the view in ``_view``. ``view`` is one of them."""
    shape = group.shape
    context = runner.passing(scratch, shape.span)
    base = compile_plan(shape.scan, context)
    rows = listed(f"({listed([f'{p}L', *c])})" for p, c in zip(group.places, group.constants, strict=True))
    names = listed([VIEW, *(c.id for c in shape.constants)])
    columns = tuple(Column(f"_out{n}", c.name, c.type) for n, c in enumerate(view.continuous.columns))
    cells = [f"{render(e)} AS {c.id}" for c, e in zip(columns, shape.outputs, strict=True)]
    selected = f"SELECT {listed([VIEW, *cells, WEIGHT, AT])} FROM ({base.lines})"
    text = f"{selected} JOIN (SELECT * FROM VALUES {rows} AS _c({names})) ON {render(shape.predicate)}"

    def before() -> Sql:
        raise AssertionError("nobody reads on from here")

    mark = Column(VIEW, VIEW, "BIGINT")
    key = None if shape.key is None else (mark, *(columns[k] for k in shape.key))
    flow = Flow((mark, *columns), lambda: text, None, before)
    log = emit(flow, (mark, *columns), [VIEW, *view.continuous.names], key, view.continuous.syncs, context)
    assert not isinstance(log, pa.Table)
    return log.sql if isinstance(log, Part) else log


def _shape(view: View, since: int | None, until: int) -> tuple[Shape, tuple[str, ...]] | None:
    """The shape of a virtual view that only filters and projects one relation, and its constants."""
    if not isinstance(view.feed, Virtual):
        return None
    span, flat = view.feed.span(since, until), _flat(view.execution.plan)
    if span is None or flat is None or (span.first is not None and span.first == since):
        return None
    scan, predicate, outputs = flat
    # Two queries call one column by different ids.
    ids: dict[str, Expr] = {c.id: replace(c, id=f"_in{n}") for n, c in enumerate(scan.columns)}
    constants: list[tuple[Column, str]] = []

    def parameter(expr: Expr) -> Expr | None:
        if isinstance(expr, Column):
            return ids[expr.id]
        if not isinstance(expr, Literal) or expr.type is None:
            return None
        column = Column(f"_const{len(constants)}", "", expr.type)
        constants.append((column, expr.sql))
        return column

    predicate = conjunction([substitute(p, parameter) for p in conjuncts(predicate)])
    outputs = tuple(substitute(e, parameter) for e in outputs)
    places = view.continuous.key_places
    key = None if places is None else tuple(places)
    shape = Shape(_renamed(scan, ids), predicate, outputs, key, tuple(c for c, _ in constants), span)
    return shape, tuple(text for _, text in constants)


def _flat(node: Node) -> tuple[Scan, Expr, tuple[Expr, ...]] | None:
    """A chain of filters and projections as one of each."""
    if isinstance(node, Scan):
        return (node, conjunction([]), node.columns) if node.kind != "clock" else None
    if not isinstance(node, Filter | Project):
        return None
    below = _flat(node.input)
    if below is None:
        return None
    scan, predicate, outputs = below
    by = {c.id: e for c, e in zip(node.input.columns, outputs, strict=True)}
    if isinstance(node, Project):
        return scan, predicate, tuple(substitute_columns(e, by) for e in node.expressions)
    more = [substitute_columns(p, by) for p in conjuncts(node.predicate)]
    return scan, conjunction([*conjuncts(predicate), *more]), outputs


def _renamed(scan: Scan, ids: dict[str, Expr]) -> Scan:
    def new(column: Column) -> Column:
        found = ids[column.id]
        assert isinstance(found, Column)
        return found

    key = None if scan.key is None else tuple(e.id for k in scan.key if isinstance(e := ids.get(k), Column))
    whole = scan.key is not None and key is not None and len(key) == len(scan.key)
    return replace(
        scan, outputs=tuple(new(c) for c in scan.outputs), ts=None if scan.ts is None else new(scan.ts),
        key=key if whole else None,
    )  # fmt: skip
