"""From a parsed query to relational algebra: every name resolved, every construct either given its meaning or refused.

One SELECT is bound in SQL's own order: FROM, WHERE, GROUP BY with HAVING, the SELECT list, DISTINCT. Nothing here
needs Spark.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sqlglot import exp

from syncsql.algebra.catalog import Catalog
from syncsql.algebra.clock import sync_named
from syncsql.algebra.expressions import Call, Column, Expr, Now, Subquery, conjunction, show, substitute, walk
from syncsql.algebra.from_clause import FromBinder
from syncsql.algebra.grouping import Grouping, is_aggregate
from syncsql.algebra.refusals import Refusals, unsupported
from syncsql.algebra.relations import Distinct, Filter, Join, Node, Outer, Project, SetOperation, Windowed, scans
from syncsql.algebra.scalars import OVER, OVER_ANY_ORDER, ScalarBinder
from syncsql.algebra.scope import Ids, Scope
from syncsql.errors import BindError, SyncSQLError
from syncsql.language import Query
from syncsql.language.reading import too_deep

_SELECT_PARTS = {"kind", "expressions", "from_", "joins", "where", "group", "having", "distinct", "with_"}


@dataclass(frozen=True)
class Bound:
    """A bound query: its plan and the names of its answer's columns. ``hidden`` are key columns that the user did not
    select: grouping columns are carried along so that a change of a group stays one update. ``places`` are the parts
    of the parsed query that expressions and joins of the plan come from, to say where an error is."""

    plan: Node
    columns: tuple[Column, ...]
    hidden: tuple[Column, ...] = ()
    places: Mapping[object, exp.Expr] = field(default_factory=dict, compare=False, repr=False)


def bind(query: Query, catalog: Catalog, tick_seconds: Fraction = Fraction(1)) -> Bound:
    """The algebra of ``query``; raises with the place in the user's text where it has no meaning."""
    binder = _Binder(query, catalog, tick_seconds)
    try:
        plan = binder.query(query.tree, {})
    except RecursionError:
        raise too_deep(query.text, query.span) from None
    if not scans(plan):
        error = BindError(
            "BIND.NO_STREAM", "the query reads no stream", hint="name a stream or view in FROM; the time alone is none"
        )
        raise error.at(query.text, query.span)
    columns: tuple[Column, ...] = plan.columns
    hidden: tuple[Column, ...] = ()
    if isinstance(plan, Project) and (extra := binder.grouping_columns.get(plan)):
        hidden = tuple(binder.ids.column(f"_key_{c.name}", c.type) for c in extra)
        plan = Project(plan.input, (*columns, *hidden), (*plan.expressions, *extra))
    return Bound(plan, columns, hidden, binder.places)


class _Binder:
    def __init__(self, query: Query, catalog: Catalog, tick_seconds: Fraction) -> None:
        self._catalog = catalog
        self._refusals = Refusals(query)
        self._tick_seconds = tick_seconds
        self.ids = Ids()
        self.places: dict[object, exp.Expr] = {}
        # For a SELECT that groups without selecting all grouping columns: those that it leaves out.
        self.grouping_columns: dict[Node, tuple[Column, ...]] = {}
        self._from = FromBinder(catalog, self._refusals, self.ids, self.places, self.query, self._predicate)

    def query(self, node: exp.Expr, ctes: dict[str, exp.Expr], scope: Scope | None = None) -> Node:
        """The plan of a query; a subquery that may read columns of the query around it brings its own ``scope``."""
        if node.args.get("with_") is not None:
            ctes = self._with(node.args["with_"], ctes)
        if isinstance(node, exp.Subquery):
            return self.query(node.this, ctes, scope)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, ctes)
        if not isinstance(node, exp.Select):
            raise self._refusals.placed(unsupported(f"{node.key.upper()} as a query"), node)
        for part, value in node.args.items():
            if value and part not in _SELECT_PARTS:
                raise self._refusals.without(part, value, node)
        return self._select(node, ctes, scope or Scope())

    def _with(self, node: exp.Expr, ctes: dict[str, exp.Expr]) -> dict[str, exp.Expr]:
        if node.args.get("recursive"):
            raise self._refusals.placed(unsupported("WITH RECURSIVE"), node)
        result = dict(ctes)
        for cte in node.expressions:
            # A CTE sees the ones before it; binding it anew at each use gives every use columns of its own.
            inner = cte.this.copy()
            earlier = dict(result)
            result[cte.alias.lower()] = inner
            inner.meta["ctes"] = earlier
            if cte.args["alias"].args.get("columns"):
                inner.meta["names"] = [c.name for c in cte.args["alias"].args["columns"]]
        return result

    def _set_operation(self, node: exp.SetOperation, ctes: dict[str, exp.Expr]) -> Node:
        for part in ("order", "limit", "offset", "by_name", "side", "kind", "on"):
            if node.args.get(part):
                raise self._refusals.without(part, node.args[part], node, " on a set operation")
        left, right = self.query(node.left, ctes), self.query(node.right, ctes)
        kind = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}[type(node)]
        if len(left.columns) != len(right.columns):
            raise self._refusals.placed(
                BindError(
                    "BIND.SET_COLUMNS",
                    f"the sides of {kind.upper()} have {len(left.columns)} and {len(right.columns)} columns",
                    hint="select the same number of columns on both sides",
                ),
                node,
            )
        columns = tuple(self.ids.column(c.name, c.type) for c in left.columns)
        return SetOperation(kind, not node.args.get("distinct"), left, right, columns)  # type: ignore[arg-type]

    def _select(self, node: exp.Select, ctes: dict[str, exp.Expr], scope: Scope) -> Node:
        scope.ctes = ctes
        plan = self._from.bind(node, scope, ctes)
        if node.args.get("where") is not None:
            predicate = self._predicate(node.args["where"].this, scope)
            plan = Filter(_with_outer_row(plan, scope), predicate)
        grouping = None
        if node.args.get("group") is not None or any(
            is_aggregate(n) for e in (*node.expressions, node.args.get("having")) if e for n in _own_nodes(e)
        ):
            try:
                grouping = Grouping(node, lambda n: self._scalar(n, scope), self.ids, plan)
            except SyncSQLError as error:
                raise self._refusals.placed(error, node.args["group"]) from None
            plan = grouping.plan
        known = len(scope.params)
        outputs = [item for e in node.expressions for item in self._output(e, scope, grouping)]
        if node.args.get("having") is not None:
            if grouping is None:
                alone = BindError("BIND.HAVING", "HAVING needs GROUP BY or an aggregate", hint="use WHERE")
                raise self._refusals.placed(alone, node.args["having"])
            self._refuse_over(node.args["having"])
            having = self._in_group(node.args["having"].this, scope, grouping)
            if len(scope.params) > known:
                raise self._refusals.placed(unsupported("an outer column next to an aggregate"), node)
            plan = Filter(grouping.finish(), having)
        elif grouping is not None:
            if len(scope.params) > known:
                raise self._refusals.placed(unsupported("an outer column next to an aggregate"), node)
            plan = grouping.finish()
        plan, outputs = self._windowed(_with_outer_row(plan, scope), outputs)
        columns = tuple(self.ids.column(name, expr.type) for name, expr in outputs)
        plan = Project(plan, columns, tuple(expr for _, expr in outputs))
        if grouping is not None:
            missing = tuple(g for g in grouping.groups if g not in plan.expressions)
            if missing:
                self.grouping_columns[plan] = missing
        if node.args.get("distinct") is not None:
            if node.args["distinct"].args.get("on"):
                raise self._refusals.placed(unsupported("DISTINCT ON"), node)
            plan = Distinct(plan)
        return plan

    def _windowed(self, plan: Node, outputs: list[tuple[str, Expr]]) -> tuple[Node, list[tuple[str, Expr]]]:
        """OVER expressions become columns of their own, below the SELECT list."""
        over: dict[Expr, Column] = {}
        for _, expr in outputs:
            for part in walk(expr):
                if isinstance(part, Call) and part.op in (OVER, OVER_ANY_ORDER) and part not in over:
                    over[part] = self.ids.column(show(part))
        if not over:
            return plan, outputs
        named = [(name, substitute(expr, over.get)) for name, expr in outputs]
        return Windowed(plan, tuple(over.values()), tuple(over)), named

    def _output(self, node: exp.Expr, scope: Scope, grouping: Grouping | None) -> list[tuple[str, Expr]]:
        inner = node.unalias()
        if isinstance(inner, exp.Paren) and isinstance(inner.this, exp.Tuple):
            raise self._refusals.placed(unsupported("a tuple as a column"), node)
        star = inner if isinstance(inner, exp.Star) else inner.this if isinstance(inner, exp.Column) else None
        if isinstance(star, exp.Star):
            if any(star.args.get(k) for k in ("except_", "except", "replace", "rename")):
                raise self._refusals.placed(unsupported("* EXCEPT, REPLACE or RENAME"), node)
            try:
                items = list(scope.star(inner.table or None if isinstance(inner, exp.Column) else None))
            except SyncSQLError as error:
                raise self._refusals.placed(error, node) from None
            return [(n, grouping.check(e, n) if grouping else e) for n, e in items]
        expr = self._in_group(inner, scope, grouping) if grouping else self._scalar(inner, scope)
        if node.alias:
            return [(node.alias, expr)]
        core = inner
        while isinstance(core, exp.Paren):
            core = core.this
        return [(core.name if isinstance(core, exp.Column) else inner.sql(dialect="spark").lower(), expr)]

    def _in_group(self, node: exp.Expr, scope: Scope, grouping: Grouping) -> Expr:
        try:
            return grouping.check(self._scalar(node, scope, grouping), node.sql("spark"))
        except SyncSQLError as error:
            raise self._refusals.placed(error, node) from None

    def _refuse_over(self, node: exp.Expr) -> None:
        for inner in _own_nodes(node):
            if isinstance(inner, exp.Window):
                error = BindError(
                    "BIND.OVER_IN_WHERE", f"{inner.sql('spark')[:60]} stands in WHERE, ON or HAVING",
                    hint="compute it in a derived table and filter that",
                )  # fmt: skip
                raise self._refusals.placed(error, inner)

    def _predicate(self, node: exp.Expr, scope: Scope) -> Expr:
        self._refuse_over(node)
        for inner in _own_nodes(node):
            if is_aggregate(inner):
                error = BindError(
                    "BIND.AGGREGATE_IN_WHERE", f"the aggregate {inner.sql('spark')} stands in WHERE", hint="use HAVING"
                )
                raise self._refusals.placed(error, inner)
        return self._scalar(node, scope)

    def _scalar(self, node: exp.Expr, scope: Scope, grouping: Grouping | None = None) -> Expr:
        def column(c: exp.Column) -> Expr:
            try:
                return scope.resolve(c)
            except SyncSQLError as error:
                raise self._refusals.placed(error, c) from None

        def aggregate(n: exp.Expr) -> Expr | None:
            if isinstance(n, exp.Window):
                return binder.over(n)
            if isinstance(n, exp.Subquery | exp.Exists) or (isinstance(n, exp.In) and n.args.get("query") is not None):
                return self._subquery(n, scope, grouping)
            if isinstance(n, exp.Bracket) and (now := self._now(n, scope)) is not None:
                return now
            if not is_aggregate(n):
                return None
            if grouping is None:
                raise BindError("BIND.NESTED_AGGREGATE", f"the aggregate {n.sql('spark')} cannot stand here")
            return grouping.aggregate(n)

        binder = ScalarBinder(column, aggregate, self._tick_seconds, self._note, self._refusals.placed)
        try:
            return binder.bind(node)
        except SyncSQLError as error:
            raise self._refusals.placed(error, node) from None

    def _now(self, node: exp.Bracket, scope: Scope) -> Expr | None:
        """Now[Sync], the last point of Sync, as a rewrite prints it."""
        names = [node.this, *node.expressions]
        if len(names) != 2 or not all(isinstance(n, exp.Column) and not n.table for n in names):
            return None
        is_now = node.this.name.lower() == "now" and isinstance(scope.resolve(node.this), Now)
        return Now(sync_named(names[1].name, self._catalog)) if is_now else None

    def _note(self, node: exp.Expr, expr: Expr) -> None:
        self.places.setdefault(expr, node)

    def _subquery(self, node: exp.Expr, scope: Scope, grouping: Grouping | None) -> Expr:
        """EXISTS (…), x IN (…) or a single value (…); names of the query around it become its parameters."""
        inner = Scope(parent=scope, ids=self.ids)
        body = node.args["query"] if isinstance(node, exp.In) else node.this
        plan = self.query(body, scope.ctes, inner)
        operand: tuple[Expr, ...] = ()
        kind = "exists" if isinstance(node, exp.Exists) else "in" if isinstance(node, exp.In) else "scalar"
        if kind != "exists" and len(plan.columns) != 1:
            raise self._refusals.placed(
                BindError("BIND.SUBQUERY_COLUMNS", f"the subquery has {len(plan.columns)} columns instead of one"), node
            )
        if isinstance(node, exp.In):
            operand = (self._scalar(node.this, scope, grouping),)
        type_ = plan.columns[0].type if kind == "scalar" else "BOOLEAN"
        text = (body.this if isinstance(body, exp.Subquery) else body).sql("spark")
        return Subquery(kind, plan, tuple(inner.params.values()), (*operand, *inner.params), text, type_)  # type: ignore[arg-type]


def _own_nodes(node: exp.Expr) -> list[exp.Expr]:
    """The nodes of an expression without those of subqueries inside it."""
    return list(node.walk(prune=lambda n: isinstance(n, exp.Query)))


def _with_outer_row(plan: Node, scope: Scope) -> Node:
    """``plan`` next to the outer row, where a correlated subquery reads columns of it that ``plan`` does not have."""
    have = {c.id for c in plan.columns}
    missing = tuple(c for c in scope.params.values() if c.id not in have)
    return Join("inner", plan, Outer(missing), conjunction([])) if missing else plan
