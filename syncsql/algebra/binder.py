"""From a parsed query to relational algebra: every name resolved, every construct either given its meaning or refused.

One SELECT is bound in SQL's own order: FROM, WHERE, GROUP BY with HAVING, the SELECT list, DISTINCT. Nothing here
needs Spark.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from sqlglot import exp

from syncsql.algebra.catalog import Catalog, Definition, SourceDef, StreamDef, TableDef, ViewDef
from syncsql.algebra.clock import sync_of_view, timed_now
from syncsql.algebra.expressions import (
    Call,
    Column,
    Expr,
    Subquery,
    columns_in,
    conjunction,
    infix,
    show,
    substitute,
    walk,
)
from syncsql.algebra.grouping import Grouping, is_aggregate
from syncsql.algebra.relations import (
    Distinct,
    Filter,
    Join,
    Node,
    OneRow,
    Outer,
    Project,
    Scan,
    SetOperation,
    Windowed,
    scans,
)
from syncsql.algebra.scalars import OVER, OVER_ANY_ORDER, ScalarBinder
from syncsql.algebra.scope import Ids, Relation, Scope
from syncsql.algebra.sync import CLOCK, Sync, Ticks
from syncsql.algebra.timeset import TimeSet
from syncsql.errors import BindError, SyncSQLError, UnsupportedError, did_you_mean
from syncsql.language import Query, sync_of

_SELECT_PARTS = {"kind", "expressions", "from_", "joins", "where", "group", "having", "distinct", "with_"}
_PART_NAMES = {"order": "ORDER BY", "limit": "LIMIT", "offset": "OFFSET", "windows": "WINDOW", "qualify": "QUALIFY",
               "laterals": "LATERAL VIEW", "pivots": "PIVOT", "sample": "TABLESAMPLE", "sort": "SORT BY",
               "cluster": "CLUSTER BY", "distribute": "DISTRIBUTE BY", "hint": "a hint", "into": "INTO",
               "by_name": "BY NAME", "version": "VERSION AS OF", "when": "TIMESTAMP AS OF"}  # fmt: skip
_PART_HINTS = {
    "order": "a relation has no order: sort what relation() gives",
    "limit": "take the first rows of what relation() gives",
}
_TABLE_PARTS = {"this", "alias", "db", "catalog", "joins"}
_SIDES = {"": "inner", "LEFT": "left", "RIGHT": "right", "FULL": "full"}


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
    plan = binder.query(query.tree, {})
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
        self._query = query
        self._catalog = catalog
        self._tick_seconds = tick_seconds
        self.ids = Ids()
        self.places: dict[object, exp.Expr] = {}
        # For a SELECT that groups without selecting all grouping columns: those that it leaves out.
        self.grouping_columns: dict[Node, tuple[Column, ...]] = {}

    def _placed(self, error: SyncSQLError, node: exp.Expr) -> SyncSQLError:
        """The error at ``node``, or at what is around it where nothing in it has a place."""
        around: exp.Expr | None = node
        while around is not None and (span := self._query.span_of(around)) is None:
            around = around.parent
        return error if around is None else error.at(self._query.text, span)

    def query(self, node: exp.Expr, ctes: dict[str, exp.Expr], scope: Scope | None = None) -> Node:
        """The plan of a query; a subquery that may read columns of the query around it brings its own ``scope``."""
        if node.args.get("with_") is not None:
            ctes = self._with(node.args["with_"], ctes)
        if isinstance(node, exp.Subquery):
            return self.query(node.this, ctes, scope)
        if isinstance(node, exp.SetOperation):
            return self._set_operation(node, ctes)
        if not isinstance(node, exp.Select):
            raise self._placed(_unsupported(f"{node.key.upper()} as a query"), node)
        for part, value in node.args.items():
            if value and part not in _SELECT_PARTS:
                raise self._without(part, value, node)
        return self._select(node, ctes, scope or Scope())

    def _without(self, part: str, value: object, node: exp.Expr, where: str = "") -> SyncSQLError:
        """The refusal of a part of ``node``, at that part where it has a place."""
        error = _unsupported(f"{_PART_NAMES.get(part, part.upper())}{where}", _PART_HINTS.get(part))
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, exp.Expr):
                error = error.at(self._query.text, self._query.span_of(item))
        return self._placed(error, node)

    def _with(self, node: exp.Expr, ctes: dict[str, exp.Expr]) -> dict[str, exp.Expr]:
        if node.args.get("recursive"):
            raise self._placed(_unsupported("WITH RECURSIVE"), node)
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
                raise self._without(part, node.args[part], node, " on a set operation")
        left, right = self.query(node.left, ctes), self.query(node.right, ctes)
        kind = {exp.Union: "union", exp.Intersect: "intersect", exp.Except: "except"}[type(node)]
        if len(left.columns) != len(right.columns):
            raise self._placed(
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
        plan = self._from(node, scope, ctes)
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
                raise self._placed(error, node.args["group"]) from None
            plan = grouping.plan
        known = len(scope.params)
        outputs = [item for e in node.expressions for item in self._output(e, scope, grouping)]
        if node.args.get("having") is not None:
            if grouping is None:
                alone = BindError("BIND.HAVING", "HAVING needs GROUP BY or an aggregate", hint="use WHERE")
                raise self._placed(alone, node.args["having"])
            self._refuse_over(node.args["having"])
            having = self._in_group(node.args["having"].this, scope, grouping)
            if len(scope.params) > known:
                raise self._placed(_unsupported("an outer column next to an aggregate"), node)
            plan = Filter(grouping.finish(), having)
        elif grouping is not None:
            if len(scope.params) > known:
                raise self._placed(_unsupported("an outer column next to an aggregate"), node)
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
                raise self._placed(_unsupported("DISTINCT ON"), node)
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
            raise self._placed(_unsupported("a tuple as a column"), node)
        star = inner if isinstance(inner, exp.Star) else inner.this if isinstance(inner, exp.Column) else None
        if isinstance(star, exp.Star):
            if any(star.args.get(k) for k in ("except_", "except", "replace", "rename")):
                raise self._placed(_unsupported("* EXCEPT, REPLACE or RENAME"), node)
            try:
                items = list(scope.star(inner.table or None if isinstance(inner, exp.Column) else None))
            except SyncSQLError as error:
                raise self._placed(error, node) from None
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
            raise self._placed(error, node) from None

    def _refuse_over(self, node: exp.Expr) -> None:
        for inner in _own_nodes(node):
            if isinstance(inner, exp.Window):
                error = BindError(
                    "BIND.OVER_IN_WHERE", f"{inner.sql('spark')[:60]} stands in WHERE, ON or HAVING",
                    hint="compute it in a derived table and filter that",
                )  # fmt: skip
                raise self._placed(error, inner)

    def _predicate(self, node: exp.Expr, scope: Scope) -> Expr:
        self._refuse_over(node)
        for inner in _own_nodes(node):
            if is_aggregate(inner):
                error = BindError(
                    "BIND.AGGREGATE_IN_WHERE", f"the aggregate {inner.sql('spark')} stands in WHERE", hint="use HAVING"
                )
                raise self._placed(error, inner)
        return self._scalar(node, scope)

    def _scalar(self, node: exp.Expr, scope: Scope, grouping: Grouping | None = None) -> Expr:
        def column(c: exp.Column) -> Expr:
            try:
                return scope.resolve(c)
            except SyncSQLError as error:
                raise self._placed(error, c) from None

        def aggregate(n: exp.Expr) -> Expr | None:
            if isinstance(n, exp.Window):
                return binder.over(n)
            if isinstance(n, exp.Subquery | exp.Exists) or (isinstance(n, exp.In) and n.args.get("query") is not None):
                return self._subquery(n, scope, grouping)
            if not is_aggregate(n):
                return None
            if grouping is None:
                raise BindError("BIND.NESTED_AGGREGATE", f"the aggregate {n.sql('spark')} cannot stand here")
            return grouping.aggregate(n)

        binder = ScalarBinder(column, aggregate, self._tick_seconds, self._note, self._placed)
        try:
            return binder.bind(node)
        except SyncSQLError as error:
            raise self._placed(error, node) from None

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
            raise self._placed(
                BindError("BIND.SUBQUERY_COLUMNS", f"the subquery has {len(plan.columns)} columns instead of one"), node
            )
        if isinstance(node, exp.In):
            operand = (self._scalar(node.this, scope, grouping),)
        type_ = plan.columns[0].type if kind == "scalar" else "BOOLEAN"
        text = (body.this if isinstance(body, exp.Subquery) else body).sql("spark")
        return Subquery(kind, plan, tuple(inner.params.values()), (*operand, *inner.params), text, type_)  # type: ignore[arg-type]

    # FROM

    def _from(self, node: exp.Select, scope: Scope, ctes: dict[str, exp.Expr]) -> Node:
        first = node.args.get("from_")
        plan: Node = OneRow() if first is None else self._relation(first.this, scope, ctes)
        for join in node.args.get("joins") or []:
            plan = self._join(plan, join, scope, ctes)
        return plan

    def _join(self, left: Node, join: exp.Join, scope: Scope, ctes: dict[str, exp.Expr]) -> Node:
        if join.args.get("method"):
            raise self._placed(_unsupported(f"{join.args['method']} JOIN"), join)
        before = list(scope.relations)
        right = self._relation(join.this, scope, ctes)
        kind = join.kind.lower() if join.kind in ("SEMI", "ANTI") else _SIDES.get(join.side, "")
        if not kind:
            raise self._placed(_unsupported(f"{join.side} JOIN"), join)
        conditions: list[Expr] = []
        if join.args.get("on") is not None:
            condition = self._predicate(join.args["on"], scope)
            if columns_in(condition) & {c.id for c in scope.params.values()}:
                raise self._placed(_unsupported("a column of the outer query in ON"), join)
            conditions.append(condition)
        for name in join.args.get("using") or []:
            column = exp.column(name.name)
            merged = Scope(before, scope.merged)
            mine = scope.relations[-1]
            if not mine.find(name.name):
                raise self._placed(
                    BindError(
                        "BIND.UNKNOWN_COLUMN", f"USING: `{mine.alias}` has no column `{name.name}`",
                        hint=did_you_mean(name.name, [n for n, _ in mine.columns]),
                    ), name,
                )  # fmt: skip
            conditions.append(infix("=", merged.resolve(column), mine.find(name.name)[0], "BOOLEAN"))
            scope.merged.add((mine.alias.lower(), name.name.lower()))
        if kind in ("semi", "anti"):
            scope.relations.pop()
        if isinstance(right, OneRow) or isinstance(left, OneRow):
            if kind != "inner":
                raise self._placed(_unsupported(f"a {kind} join with the clock"), join)
            kept = left if isinstance(right, OneRow) else right
            return Filter(kept, conjunction(conditions)) if conditions else kept
        joined = Join(kind, left, right, conjunction(conditions))  # type: ignore[arg-type]
        self.places[joined] = join
        return joined

    def _relation(self, node: exp.Expr, scope: Scope, ctes: dict[str, exp.Expr]) -> Node:
        try:
            if isinstance(node, exp.Subquery):
                if any(node.args.get(part) for part in ("pivots", "sample")):
                    raise _unsupported("PIVOT or TABLESAMPLE")
                plan = self._relation(node.this, scope, ctes) if isinstance(node.this, exp.Table) else None
                if plan is not None:
                    return plan
                return self._derived(self.query(node.this, ctes), node.alias or f"_q{len(scope.relations)}",
                                     node.args.get("alias"), scope)  # fmt: skip
            if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
                raise _unsupported(
                    f"`{node.sql('spark')[:60]}` in FROM",
                    "FROM takes R(S), R[Sync](S), S, subqueries and joins of them",
                )
            if node.args.get("db") is not None:
                raise BindError("BIND.UNKNOWN_RELATION", f"`{node.sql('spark')}`: streams and views have simple names")
            for part, value in node.args.items():
                if value and part not in _TABLE_PARTS:
                    raise self._without(part, value, node)
            if node.args.get("joins"):
                raise _unsupported("a parenthesised join", "leave the parentheses out")
            cte = ctes.get(node.name.lower())
            if cte is not None:
                if sync_of(node):
                    raise BindError("SYNC.ON_CTE", f"`{node.name}` is a WITH query: synchronize the streams inside it")
                plan = self.query(cte, cte.meta["ctes"])
                return self._derived(plan, node.alias_or_name, node.args.get("alias"), scope, cte.meta.get("names"))
            plan = self._named(node, scope)
            self._rename(node, scope)
            return plan
        except SyncSQLError as error:
            raise self._placed(error, node) from None

    def _derived(
        self, plan: Node, alias: str, names: exp.Expr | None, scope: Scope, given: list[str] | None = None
    ) -> Node:
        listed = [c.name for c in (names.args.get("columns") or [])] if names is not None else []
        wanted = listed or given or [c.name for c in plan.columns]
        if len(wanted) != len(plan.columns):
            raise BindError(
                "BIND.ALIAS_COLUMNS", f"`{alias}` names {len(wanted)} columns, and there are {len(plan.columns)}"
            )
        scope.add(Relation(alias, tuple(zip(wanted, plan.columns, strict=True)), None))
        return plan

    def _rename(self, node: exp.Table, scope: Scope) -> None:
        """``S AS x (a, b)`` gives the columns of S other names."""
        alias = node.args.get("alias")
        names = [c.name for c in alias.args.get("columns") or []] if alias is not None else []
        if names:
            named = scope.relations.pop()
            if len(names) != len(named.columns):
                raise BindError(
                    "BIND.ALIAS_COLUMNS",
                    f"`{named.alias}` names {len(names)} columns, and there are {len(named.columns)}",
                )
            columns = tuple((n, e) for n, (_, e) in zip(names, named.columns, strict=True))
            scope.add(Relation(named.alias, columns, named.ts))

    def _named(self, node: exp.Table, scope: Scope) -> Node:
        name, alias = node.name, node.alias_or_name
        try:
            sync = self._sync(sync_of(node))
        except SyncSQLError as error:
            raise error.at(self._query.text, self._query.sync_span_of(node)) from None
        if name.lower() == "clockstr":
            column = self.ids.column("Timepoint", "BIGINT")
            ts = self.ids.column("TS", "BIGINT")
            scope.add(Relation(alias, (("Timepoint", column),), ts))
            return Scan("clockStr", "clock", sync, (column,), ts, None, True, Ticks(TimeSet.all()))
        found = self._catalog.find(name)
        if found is None or isinstance(found, SourceDef):
            hint = did_you_mean(name, [*self._catalog.names(), "clockStr"])
            if found is not None:
                hint = f"create a stream over it first: CREATE STREAM s OVER {found.name} KEY …"
            what = "a source, not a stream or view" if found is not None else "not a stream or view"
            raise BindError("BIND.UNKNOWN_RELATION", f"`{name}` is {what}", hint=hint)
        if isinstance(found, ViewDef) and found.now_row is not None:
            values = tuple((f.name, timed_now(e, sync, name)) for f, e in zip(found.fields, found.now_row, strict=True))
            scope.add(Relation(alias, values, None))
            return OneRow()
        columns = tuple(self.ids.column(f.name, f.type) for f in found.fields)
        if isinstance(found, TableDef):
            scope.add(Relation(alias, tuple((c.name, c) for c in columns), None))
            return Scan(found.name, "stream", sync, columns, None, None, False)
        ts = self.ids.column("TS", "BIGINT")
        scope.add(Relation(alias, tuple((c.name, c) for c in columns), ts))
        if isinstance(found, ViewDef) and not found.stored:
            if found.points is None:
                raise BindError(
                    "CLOCK.INFINITE", f"`{found.name}` is made from the clock alone and is no stream of time points",
                    hint="use clockStr, a synchronization stream, or a view like NowView",
                )  # fmt: skip
            return Scan(found.name, "clock", sync, columns, ts, None, True, found.points)
        by_name = {c.name.lower(): c.id for c in columns}
        key = None if found.key is None else tuple(by_name[k.lower()] for k in found.key)
        return Scan(
            found.name, "stream" if isinstance(found, StreamDef) else "view", sync, columns, ts, key, found.append_only
        )

    def _sync(self, name: str | None) -> Sync:
        if name is None or name.lower() == "clockstr":
            return CLOCK
        found = self._catalog.find(name)
        if found is None or isinstance(found, SourceDef | TableDef):
            what = "does not exist" if found is None else "is a source, not a stream or view"
            known = [n for n in self._catalog.names() if _can_synchronize(self._catalog.find(n))]
            raise BindError(
                "SYNC.UNKNOWN", f"the synchronization stream `{name}` {what}",
                hint=did_you_mean(name, [*known, "clockStr"]),
            )  # fmt: skip
        return sync_of_view(found)


def _own_nodes(node: exp.Expr) -> list[exp.Expr]:
    """The nodes of an expression without those of subqueries inside it."""
    return list(node.walk(prune=lambda n: isinstance(n, exp.Query)))


def _with_outer_row(plan: Node, scope: Scope) -> Node:
    """``plan`` next to the outer row, where a correlated subquery reads columns of it that ``plan`` does not have."""
    have = {c.id for c in plan.columns}
    missing = tuple(c for c in scope.params.values() if c.id not in have)
    return Join("inner", plan, Outer(missing), conjunction([])) if missing else plan


def _can_synchronize(definition: Definition | None) -> bool:
    try:
        return isinstance(definition, StreamDef | ViewDef) and sync_of_view(definition) is not None
    except BindError:
        return False


def _unsupported(what: str, hint: str | None = None) -> SyncSQLError:
    return UnsupportedError("UNSUPPORTED.QUERY", f"{what} is not supported in a continuous query", hint=hint)
