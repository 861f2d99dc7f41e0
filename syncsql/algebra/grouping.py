"""GROUP BY and aggregate functions of one SELECT."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from syncsql.algebra.expressions import AggregateCall, Call, Column, Expr, Literal, substitute, walk
from syncsql.algebra.relations import Aggregate, Node, Project
from syncsql.algebra.scope import Ids
from syncsql.algebra.types import aggregate_type
from syncsql.errors import BindError, UnsupportedError

# Spark's canonical names; any other aggregate of one argument keeps its own.
_FUNCTIONS: dict[type[exp.Expr], str] = {
    exp.Count: "count", exp.Sum: "sum", exp.Avg: "avg", exp.Min: "min", exp.Max: "max",
    exp.Stddev: "stddev_samp", exp.StddevSamp: "stddev_samp", exp.StddevPop: "stddev_pop",
    exp.Variance: "var_samp", exp.VariancePop: "var_pop",
}  # fmt: skip

# Aggregates of Spark that sqlglot does not know, or is not asked to read.
_OTHERS = frozenset({
    "any", "bitmap_construct_agg", "bitmap_or_agg", "count_min_sketch", "every", "histogram_numeric", "hll_sketch_agg",
    "hll_union_agg", "mean", "percentile_cont", "percentile_disc", "some", "try_avg", "try_sum",
})  # fmt: skip

# What may stand around an aggregate.
_AROUND = exp.WithinGroup | exp.IgnoreNulls | exp.RespectNulls


def is_aggregate(node: exp.Expr) -> bool:
    if isinstance(node, exp.Filter | _AROUND):
        return _is_call(node.this)
    return _is_call(node) and not isinstance(node.parent, exp.Filter | exp.Window | _AROUND)


def _is_call(node: exp.Expr) -> bool:
    return isinstance(node, exp.AggFunc) or (isinstance(node, exp.Anonymous) and node.name.lower() in _OTHERS)


class Grouping:
    """Collects the grouping columns and aggregate calls of a SELECT while its list and HAVING are bound.

    ``plan`` is the input with computed grouping columns added; :meth:`finish` gives the Aggregate over it.
    """

    def __init__(self, node: exp.Select, scalar: Callable[[exp.Expr], Expr], ids: Ids, plan: Node) -> None:
        self._scalar = scalar
        self._ids = ids
        self._calls: dict[AggregateCall, Column] = {}
        self._by_expr: dict[Expr, Column] = {}
        group = node.args.get("group")
        if group is not None:
            for part in ("grouping_sets", "cube", "rollup", "totals", "all"):
                if group.args.get(part):
                    raise _unsupported_groups(part.upper().replace("_", " "))
            for item in group.expressions:
                if isinstance(item, exp.Cube | exp.Rollup | exp.GroupingSets):
                    raise _unsupported_groups(item.sql("spark").split("(")[0].strip())
                expr = self._group(item, node)
                if expr not in self._by_expr:
                    self._by_expr[expr] = expr if isinstance(expr, Column) else ids.column(item.sql("spark"), expr.type)
        computed = [(c, e) for e, c in self._by_expr.items() if not isinstance(e, Column)]
        if computed:
            kept = plan.columns
            plan = Project(plan, (*kept, *(c for c, _ in computed)), (*kept, *(e for _, e in computed)))
        self.plan = plan
        self.groups = tuple(self._by_expr.values())

    def _group(self, item: exp.Expr, node: exp.Select) -> Expr:
        """What a GROUP BY item stands for: an ordinal, an expression, or else the alias of a SELECT column."""
        if isinstance(item, exp.Literal) and not item.is_string:
            position = int(str(item.this)) if str(item.this).isdigit() else 0
            if not 1 <= position <= len(node.expressions):
                raise BindError(
                    "BIND.GROUP_ORDINAL",
                    f"GROUP BY {item.this}: the SELECT list has no column {item.this}",
                )
            return self._scalar(node.expressions[position - 1].unalias())
        try:
            return self._scalar(item)
        except BindError as error:
            for output in node.expressions:
                if isinstance(output, exp.Alias) and not getattr(item, "table", "") and output.alias == item.name:
                    return self._scalar(output.this)
            raise error

    def aggregate(self, node: exp.Expr) -> Column:
        """The column of the result that holds this aggregate call."""
        condition = None
        if isinstance(node, exp.Filter):
            node, condition = node.this, node.expression.this
        name = _FUNCTIONS.get(type(node)) or node.sql("spark").split("(")[0].lower()
        distinct = isinstance(node.this, exp.Distinct)
        if distinct:
            if len(node.this.expressions) != 1:
                raise UnsupportedError(
                    "UNSUPPORTED.AGGREGATE", f"{node.sql('spark')} is not supported",
                    hint="aggregate over a derived table with SELECT DISTINCT",
                )  # fmt: skip
            node = node.copy()
            node.set("this", node.this.expressions[0])
        if [key for key, value in node.args.items() if value and key not in ("this", "big_int", "nulls_excluded")]:
            raise UnsupportedError("UNSUPPORTED.AGGREGATE", f"{node.sql('spark')}: one argument is supported")
        argument: Expr | None
        if (isinstance(node.this, exp.Star) and name != "count") or node.this is None:
            raise BindError(
                "BIND.AGGREGATE_ARGUMENT", f"{node.sql('spark')} does not say what to aggregate",
                hint="name a column; COUNT(*) counts rows",
            )  # fmt: skip
        if isinstance(node.this, exp.Star):
            argument = None if condition is None else _when(self._scalar(condition), None)
        else:
            argument = self._scalar(node.this)
            if condition is not None:
                argument = _when(self._scalar(condition), argument)
        type_ = aggregate_type(name, argument.type if argument is not None else None)
        # The smallest and the largest value do not depend on how often a value is there.
        call = AggregateCall(name, argument, type_, distinct and name not in ("min", "max"))
        if call not in self._calls:
            self._calls[call] = self._ids.column(str(call), call.type)
        return self._calls[call]

    def check(self, expr: Expr, what: str) -> Expr:
        """``expr`` over the groups and aggregates; anything else in it is an error."""
        result = substitute(expr, self._by_expr.get)
        known = {c.id for c in self.groups} | {c.id for c in self._calls.values()}
        for part in walk(result):
            if isinstance(part, Column) and part.id not in known:
                raise BindError(
                    "BIND.NOT_GROUPED", f"`{part.name}` is neither grouped nor inside an aggregate",
                    hint=f"add it to GROUP BY, or write for example MAX({part.name})",
                )  # fmt: skip
        return result

    def finish(self) -> Aggregate:
        return Aggregate(self.plan, self.groups, tuple(self._calls.values()), tuple(self._calls))


def _unsupported_groups(what: str) -> UnsupportedError:
    return UnsupportedError(
        "UNSUPPORTED.QUERY", f"GROUP BY {what} is not supported in a continuous query", hint="name the grouping columns"
    )


def _when(condition: Expr, value: Expr | None) -> Call:
    value = value or Literal("1", "INT")
    return Call("CASE", ("(CASE WHEN ", " THEN ", " END)"), (condition, value), value.type)
