"""A dumb evaluator of the algebra: rows in lists, loops over them, nothing clever.

It answers a plan over a small database at one point in time, and is what counterexamples are checked with. Bags are
lists; a group's key and a row are compared with NULL equal to NULL, as GROUP BY, DISTINCT and the set operations do.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

from matcher.values import NotComputable, Row, order, value_of, within
from syncsql.algebra.expressions import AggregateCall, Expr, Subquery
from syncsql.algebra.relations import (
    Aggregate,
    Distinct,
    Filter,
    Join,
    Node,
    OneRow,
    Outer,
    Project,
    Scan,
    SetOperation,
)

# A table's rows by column name in lower case; the hidden TS of a stream is ``ts``.
Tables = Mapping[str, list[dict[str, Any]]]


@dataclass(frozen=True)
class Evaluator:
    """``view`` gives the plan of a view that is read by name, None for a table."""

    tables: Tables
    view: Callable[[str], Node | None] = lambda name: None
    now: int = 0

    def answer(self, plan: Node, columns: int | None = None) -> Counter[tuple[Any, ...]]:
        """The bag of rows of ``plan``, of which the first ``columns`` count."""
        shown = plan.columns[:columns]
        return Counter(tuple(key_of_value(row[c.id]) for c in shown) for row in self.rows(plan, {}))

    def rows(self, plan: Node, outer: Row) -> list[Row]:
        if isinstance(plan, Scan):
            return self._scan(plan)
        if isinstance(plan, OneRow):
            return [{}]
        if isinstance(plan, Outer):
            return [{c.id: outer[c.id] for c in plan.columns}]
        if isinstance(plan, Filter):
            return [r for r in self.rows(plan.input, outer) if self._value(plan.predicate, r, outer) is True]
        if isinstance(plan, Project):
            pairs = list(zip(plan.columns, plan.expressions, strict=True))
            return [{c.id: self._value(e, r, outer) for c, e in pairs} for r in self.rows(plan.input, outer)]
        if isinstance(plan, Join):
            return self._join(plan, outer)
        if isinstance(plan, Aggregate):
            return self._aggregate(plan, outer)
        if isinstance(plan, Distinct):
            seen = {_key(r, plan): r for r in self.rows(plan.input, outer)}
            return list(seen.values())
        if isinstance(plan, SetOperation):
            return self._set_operation(plan, outer)
        raise NotComputable("OVER")

    def _value(self, expr: Expr, row: Row, outer: Row) -> Any:
        return value_of(expr, outer | row, self.now, self._subquery)

    def _subquery(self, subquery: Subquery, row: Row) -> Any:
        given = subquery.args[len(subquery.args) - len(subquery.params) :]
        inside = {p.id: value_of(a, row, self.now, self._subquery) for p, a in zip(subquery.params, given, strict=True)}
        rows = self.rows(subquery.plan, inside)
        if subquery.kind == "exists":
            return bool(rows)
        values = [r[subquery.plan.columns[0].id] for r in rows]
        if subquery.kind == "scalar":
            if len(values) > 1:
                raise NotComputable("a scalar subquery with several rows")
            return values[0] if values else None
        operand = value_of(subquery.args[0], row, self.now, self._subquery)
        if not values:
            return False
        if operand is None:
            return None
        if any(v is not None and order(v, operand) == 0 for v in values):
            return True
        return None if None in values else False

    def _scan(self, scan: Scan) -> list[Row]:
        inner = self.view(scan.name)
        if inner is not None:
            names = [c.id for c in inner.columns]
            return [{c.id: r[n] for c, n in zip(scan.outputs, names, strict=False)} for r in self.rows(inner, {})]
        rows = self.tables.get(scan.name.lower(), [])
        found = [{c.id: r[c.name.lower()] for c in scan.outputs} for r in rows]
        if scan.ts is not None:
            for made, row in zip(found, rows, strict=True):
                made[scan.ts.id] = row.get("ts")
        return found

    def _join(self, join: Join, outer: Row) -> list[Row]:
        left, right = self.rows(join.left, outer), self.rows(join.right, outer)
        nothing_left = dict.fromkeys(c.id for c in join.left.columns)
        nothing_right = dict.fromkeys(c.id for c in join.right.columns)
        found: list[Row] = []
        matched: set[int] = set()
        for one in left:
            partners = [n for n, r in enumerate(right) if self._value(join.condition, one | r, outer) is True]
            matched.update(partners)
            if join.kind in ("semi", "anti"):
                if bool(partners) == (join.kind == "semi"):
                    found.append(one)
                continue
            found += [one | right[n] for n in partners]
            if not partners and join.kind in ("left", "full"):
                found.append(one | nothing_right)
        if join.kind in ("right", "full"):
            found += [nothing_left | r for n, r in enumerate(right) if n not in matched]
        return found

    def _aggregate(self, node: Aggregate, outer: Row) -> list[Row]:
        groups: dict[tuple[Any, ...], list[Row]] = {}
        for row in self.rows(node.input, outer):
            groups.setdefault(tuple(key_of_value(row[g.id]) for g in node.groups), []).append(row)
        if not node.groups and not groups:
            groups[()] = []
        found = []
        for rows in groups.values():
            made: Row = {g.id: rows[0][g.id] for g in node.groups}
            for column, call in zip(node.outputs, node.calls, strict=True):
                values: list[Any] = [1] * len(rows)
                if call.argument is not None:
                    values = [v for r in rows if (v := self._value(call.argument, r, outer)) is not None]
                made[column.id] = aggregate(call, values)
            found.append(made)
        return found

    def _set_operation(self, node: SetOperation, outer: Row) -> list[Row]:
        sides = []
        for side in (node.left, node.right):
            rows = [tuple(r[c.id] for c in side.columns) for r in self.rows(side, outer)]
            sides.append(rows)
        by_key = {tuple(key_of_value(v) for v in row): row for rows in sides for row in rows}
        left, right = (Counter(tuple(key_of_value(v) for v in row) for row in rows) for rows in sides)
        if node.kind == "union":
            counts = left + right
        else:
            counts = left & right if node.kind == "intersect" else left - right
            if node.kind == "except" and not node.all:
                counts = Counter({k: 1 for k in left if k not in right})
        if not node.all:
            counts = Counter(dict.fromkeys(counts, 1))
        ids = [c.id for c in node.columns]
        return [dict(zip(ids, by_key[k], strict=True)) for k, n in counts.items() for _ in range(n)]


def aggregate(call: AggregateCall, values: list[Any]) -> Any:
    """The aggregate of the values that are not NULL."""
    if call.distinct:
        values = list({key_of_value(v): v for v in values}.values())
    name = call.function
    if name == "count":
        return len(values)
    if not values:
        return None
    if name in ("min", "max"):
        return (min if name == "min" else max)(values, key=cmp_to_key(order))
    if name in ("sum", "avg") and all(isinstance(v, int | float) for v in values):
        # Added up exactly, as the engine does, so that the order of the rows does not matter.
        finite = all(math.isfinite(v) for v in values)
        total = sum(values) if all(isinstance(v, int) for v in values) else math.fsum(values) if finite else sum(values)
        return within(total, "BIGINT") if name == "sum" else total / len(values)
    raise NotComputable(name)


def key_of_value(value: Any) -> Any:
    """A value for comparing rows: NaN is equal to itself, 1 to 1.0, and -0.0 to 0.0."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value + 0.0
    return value


def _key(row: Row, plan: Node) -> tuple[Any, ...]:
    return tuple(key_of_value(row[c.id]) for c in plan.columns)
