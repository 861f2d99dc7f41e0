"""FROM: relations with their synchronization, derived tables, WITH queries, and joins of them."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from syncsql.algebra.catalog import Catalog, SourceDef, StreamDef, TableDef, ViewDef
from syncsql.algebra.clock import sync_named, timed_now
from syncsql.algebra.expressions import Expr, columns_in, conjunction, infix
from syncsql.algebra.refusals import Refusals, unsupported
from syncsql.algebra.relations import Filter, Join, Node, OneRow, Scan
from syncsql.algebra.scope import Ids, Relation, Scope
from syncsql.algebra.sync import Ticks
from syncsql.algebra.timeset import TimeSet
from syncsql.errors import BindError, SyncSQLError, did_you_mean
from syncsql.language import sync_of

_TABLE_PARTS = {"this", "alias", "db", "catalog", "joins"}
_SIDES = {"": "inner", "LEFT": "left", "RIGHT": "right", "FULL": "full"}


class FromBinder:
    """``bind_query`` gives the plan of a nested query, ``predicate`` the condition of a join; the places of joins are
    noted in ``places``."""

    def __init__(
        self,
        catalog: Catalog,
        refusals: Refusals,
        ids: Ids,
        places: dict[object, exp.Expr],
        bind_query: Callable[[exp.Expr, dict[str, exp.Expr]], Node],
        predicate: Callable[[exp.Expr, Scope], Expr],
    ) -> None:
        self._catalog = catalog
        self._refusals = refusals
        self._ids = ids
        self._places = places
        self._bind = bind_query
        self._predicate = predicate

    def bind(self, node: exp.Select, scope: Scope, ctes: dict[str, exp.Expr]) -> Node:
        first = node.args.get("from_")
        plan: Node = OneRow() if first is None else self._relation(first.this, scope, ctes)
        for join in node.args.get("joins") or []:
            plan = self._join(plan, join, scope, ctes)
        return plan

    def _join(self, left: Node, join: exp.Join, scope: Scope, ctes: dict[str, exp.Expr]) -> Node:
        if join.args.get("method"):
            raise self._refusals.placed(unsupported(f"{join.args['method']} JOIN"), join)
        before = list(scope.relations)
        right = self._relation(join.this, scope, ctes)
        kind = join.kind.lower() if join.kind in ("SEMI", "ANTI") else _SIDES.get(join.side, "")
        if not kind:
            raise self._refusals.placed(unsupported(f"{join.side} JOIN"), join)
        conditions: list[Expr] = []
        if join.args.get("on") is not None:
            condition = self._predicate(join.args["on"], scope)
            if columns_in(condition) & {c.id for c in scope.params.values()}:
                raise self._refusals.placed(unsupported("a column of the outer query in ON"), join)
            conditions.append(condition)
        for name in join.args.get("using") or []:
            column = exp.column(name.name)
            merged = Scope(before, scope.merged)
            mine = scope.relations[-1]
            if not mine.find(name.name):
                raise self._refusals.placed(
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
                raise self._refusals.placed(unsupported(f"a {kind} join with the clock"), join)
            kept = left if isinstance(right, OneRow) else right
            return Filter(kept, conjunction(conditions)) if conditions else kept
        joined = Join(kind, left, right, conjunction(conditions))  # type: ignore[arg-type]
        self._places[joined] = join
        return joined

    def _relation(self, node: exp.Expr, scope: Scope, ctes: dict[str, exp.Expr]) -> Node:
        try:
            if isinstance(node, exp.Subquery):
                if any(node.args.get(part) for part in ("pivots", "sample")):
                    raise unsupported("PIVOT or TABLESAMPLE")
                plan = self._relation(node.this, scope, ctes) if isinstance(node.this, exp.Table) else None
                if plan is not None:
                    return plan
                return self._derived(self._bind(node.this, ctes), node.alias or f"_q{len(scope.relations)}",
                                     node.args.get("alias"), scope)  # fmt: skip
            if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
                raise unsupported(
                    f"`{node.sql('spark')[:60]}` in FROM",
                    "FROM takes R(S), R[Sync](S), S, subqueries and joins of them",
                )
            if node.args.get("db") is not None:
                raise BindError("BIND.UNKNOWN_RELATION", f"`{node.sql('spark')}`: streams and views have simple names")
            for part, value in node.args.items():
                if value and part not in _TABLE_PARTS:
                    raise self._refusals.without(part, value, node)
            if node.args.get("joins"):
                raise unsupported("a parenthesised join", "leave the parentheses out")
            cte = ctes.get(node.name.lower())
            if cte is not None:
                if sync_of(node):
                    raise BindError("SYNC.ON_CTE", f"`{node.name}` is a WITH query: synchronize the streams inside it")
                plan = self._bind(cte, cte.meta["ctes"])
                return self._derived(plan, node.alias_or_name, node.args.get("alias"), scope, cte.meta.get("names"))
            plan = self._named(node, scope)
            self._rename(node, scope)
            return plan
        except SyncSQLError as error:
            raise self._refusals.placed(error, node) from None

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
            sync = sync_named(sync_of(node), self._catalog)
        except SyncSQLError as error:
            raise error.at(self._refusals.query.text, self._refusals.query.sync_span_of(node)) from None
        if name.lower() == "clockstr":
            column = self._ids.column("Timepoint", "BIGINT")
            ts = self._ids.column("TS", "BIGINT")
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
        columns = tuple(self._ids.column(f.name, f.type) for f in found.fields)
        if isinstance(found, TableDef):
            scope.add(Relation(alias, tuple((c.name, c) for c in columns), None))
            return Scan(found.name, "stream", sync, columns, None, None, False)
        ts = self._ids.column("TS", "BIGINT")
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
