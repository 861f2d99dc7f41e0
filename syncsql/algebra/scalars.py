"""From sqlglot's scalar expressions to ours.

What decides containment or time (comparisons, boolean connectives, arithmetic, NULL tests, CASE, casts) becomes a
:class:`Call` with its own name. Any other deterministic Spark expression is kept as Spark text around its columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from sqlglot import exp

from syncsql.algebra import dates
from syncsql.algebra.expressions import Call, Expr, Literal, function, infix
from syncsql.algebra.types import INTEGERS as _INTEGERS
from syncsql.algebra.types import call_type, common, is_integer
from syncsql.errors import BindError, SyncSQLError, UnsupportedError

_COMPARE: dict[type[exp.Expr], str] = {
    exp.EQ: "=", exp.NEQ: "<>", exp.LT: "<", exp.LTE: "<=", exp.GT: ">", exp.GTE: ">=", exp.NullSafeEQ: "<=>",
}  # fmt: skip
_ARITHMETIC: dict[type[exp.Expr], str] = {
    exp.Add: "+", exp.Sub: "-", exp.Mul: "*", exp.Div: "/", exp.Mod: "%", exp.IntDiv: "DIV",
}  # fmt: skip
_READ: dict[type[exp.Expr], set[str]] = {
    exp.Between: {"this", "low", "high"}, exp.Is: {"this", "expression"}, exp.In: {"this", "expressions", "query"},
    exp.Like: {"this", "expression", "negate"}, exp.Case: {"this", "ifs", "default"},
    exp.Coalesce: {"this", "expressions", "is_nvl"},
}  # fmt: skip
# Functions that are spelled the same in SQL and that matching knows by name; everything else is Spark text.
_FUNCTIONS: dict[type[exp.Expr], str] = {
    exp.Abs: "abs", exp.Greatest: "greatest", exp.Least: "least", exp.Nullif: "nullif", exp.Upper: "upper",
    exp.Lower: "lower", exp.Length: "length", exp.Year: "year", exp.Month: "month", exp.Day: "day",
    exp.DayOfMonth: "day", exp.Quarter: "quarter", exp.DateDiff: "datediff", exp.IsNan: "isnan",
}  # fmt: skip
_SECONDS = {
    "MICROSECOND": Fraction(1, 1_000_000), "MILLISECOND": Fraction(1, 1000), "SECOND": Fraction(1),
    "MINUTE": Fraction(60), "HOUR": Fraction(3600), "DAY": Fraction(86_400), "WEEK": Fraction(604_800),
}  # fmt: skip

# Their value depends on when or how often they are evaluated, so an answer would depend on how time was cut.
_NONDETERMINISTIC = frozenset({
    "curdate", "current_catalog", "current_database", "current_date", "current_schema", "current_time",
    "current_timestamp", "current_timezone", "current_user", "input_file_name", "java_method", "localtimestamp",
    "monotonically_increasing_id", "now", "rand", "randn", "random", "randstr", "reflect", "session_user", "shuffle",
    "spark_partition_id", "try_reflect", "uniform", "unix_timestamp", "user", "uuid", "version",
})  # fmt: skip
_GENERATORS = (exp.Explode, exp.Unnest, exp.Lateral, exp.Inline, exp.Posexplode)
_GENERATOR_NAMES = frozenset({"inline_outer", "json_tuple", "stack", "variant_explode", "variant_explode_outer"})


# Among rows that the ORDER BY of a window does not tell apart, these give the same value whatever the order.
_TIES_DO_NOT_MATTER = frozenset({
    "avg", "bit_and", "bit_or", "count", "cume_dist", "cumedist", "dense_rank", "denserank", "max", "min",
    "percent_rank", "percentrank", "rank", "stddev", "stddevpop", "stddevsamp", "sum", "variance", "variancepop",
})  # fmt: skip
OVER = "OVER"
OVER_ANY_ORDER = "OVER (ties in any order)"


class ScalarBinder:
    """Turns sqlglot scalars into ours; what columns, aggregates, subqueries and OVER mean, the caller says. ``note`` is
    told what each node has become, ``placed`` gives an error its place: that of the innermost node it comes from."""

    def __init__(
        self,
        column: Callable[[exp.Column], Expr],
        aggregate: Callable[[exp.Expr], Expr | None],
        tick_seconds: Fraction,
        note: Callable[[exp.Expr, Expr], None],
        placed: Callable[[SyncSQLError, exp.Expr], SyncSQLError],
    ) -> None:
        self._note = note
        self._placed = placed
        self._column = column
        self._aggregate = aggregate
        self._tick_seconds = tick_seconds

    def bind(self, node: exp.Expr) -> Expr:
        try:
            expr = self._bind(node)
        except SyncSQLError as error:
            raise self._placed(error, node) from None
        self._note(node, expr)
        return expr

    def _bind(self, node: exp.Expr) -> Expr:
        aggregate = self._aggregate(node)
        if aggregate is not None:
            return aggregate
        self._refuse(node)
        if isinstance(node, exp.Column):
            return self._column(node)
        if isinstance(node, exp.Paren):
            return self.bind(node.this)
        if isinstance(node, exp.Alias):
            return self.bind(node.this)
        if type(node) in _COMPARE:
            return infix(_COMPARE[type(node)], self.bind(node.this), self.bind(node.expression), "BOOLEAN")
        if isinstance(node, exp.NullSafeNEQ):
            same = infix("<=>", self.bind(node.this), self.bind(node.expression), "BOOLEAN")
            return Call("NOT", ("(NOT ", ")"), (same,), "BOOLEAN")
        if isinstance(node, exp.And | exp.Or):
            op = "AND" if isinstance(node, exp.And) else "OR"
            return infix(op, self.bind(node.this), self.bind(node.expression), "BOOLEAN")
        if isinstance(node, exp.Not):
            return Call("NOT", ("(NOT ", ")"), (self.bind(node.this),), "BOOLEAN")
        if type(node) in _ARITHMETIC:
            return self._arithmetic(node)
        return self._special(node)

    def _arithmetic(self, node: exp.Expr) -> Expr:
        op = _ARITHMETIC[type(node)]
        left, right = node.this, node.expression
        if op in ("+", "-"):
            # Time is counted in ticks: an interval next to a tick is read in the database's time unit.
            if isinstance(right, exp.Interval) and (bound := self.bind(left)).type == "BIGINT":
                return infix(op, bound, self._ticks(right), "BIGINT")
            if op == "+" and isinstance(left, exp.Interval) and (bound := self.bind(right)).type == "BIGINT":
                return infix(op, self._ticks(left), bound, "BIGINT")
        a = self.bind(left)
        if op in ("+", "-") and a.type == "DATE" and (days := dates.days_in(right)) is not None:
            return infix(op, a, Literal(str(days), "INT"), "DATE")
        b = self.bind(right)
        return infix(op, a, b, dates.shifted_type(a, b) or call_type(op, [a.type, b.type]))

    def _ticks(self, node: exp.Interval) -> Literal:
        unit = str(node.args.get("unit") or "").upper().rstrip("S")
        try:
            amount = Fraction(str(node.this.name))
            ticks = amount * _SECONDS[unit] / self._tick_seconds
        except (KeyError, ValueError):
            raise BindError(
                "TIME.INTERVAL",
                f"the interval {node.sql('spark')} is not a fixed amount of time",
                hint="use an amount with SECOND, MINUTE, HOUR, DAY or WEEK, or a number of ticks",
            ) from None
        if ticks.denominator != 1:
            raise BindError(
                "TIME.INTERVAL",
                f"the interval {node.sql('spark')} is not a whole number of ticks",
                hint=f"one tick of this database is {float(self._tick_seconds):g} s",
            )
        return Literal(f"{ticks.numerator}L", "BIGINT")

    def _special(self, node: exp.Expr) -> Expr:
        """The other constructs that decide containment; everything else goes to :meth:`_spark`."""
        read = _READ.get(type(node))
        if read is not None and {key for key, value in node.args.items() if value} - read:
            # Something is said that is not read here; Spark reads all of it.
            return self._spark(node)
        if isinstance(node, exp.Literal | exp.Boolean | exp.Null):
            return _literal(node)
        if isinstance(node, exp.Neg):
            if isinstance(node.this, exp.Literal) and not node.this.is_string:
                positive = _literal(node.this)
                return Literal(f"-{positive.sql}", positive.type)
            inner = self.bind(node.this)
            return Call("NEG", ("(-", ")"), (inner,), inner.type)
        if isinstance(node, exp.Between):
            value = self.bind(node.this)
            low = infix("<=", self.bind(node.args["low"]), value, "BOOLEAN")
            return infix("AND", low, infix("<=", value, self.bind(node.args["high"]), "BOOLEAN"), "BOOLEAN")
        if isinstance(node, exp.Is):
            return self._is(node)
        if isinstance(node, exp.In) and node.expressions:
            args = (self.bind(node.this), *(self.bind(e) for e in node.expressions))
            pieces = ("(", " IN (", *(", ",) * (len(args) - 2), "))")
            return Call("IN", pieces, args, "BOOLEAN")
        if isinstance(node, exp.Case):
            return self._case(node)
        if isinstance(node, exp.Cast) and type(node) in (exp.Cast, exp.TryCast):
            to = node.to.sql("spark")
            # Of Spark's CAST sqlglot makes a TryCast too; only that of TRY_CAST is safe.
            name = "TRY_CAST" if node.args.get("safe") else "CAST"
            return Call(f"{name} AS {to}", (f"{name}(", f" AS {to})"), (self.bind(node.this),), to.upper())
        if isinstance(node, exp.If):
            return self._case(exp.Case(ifs=[node], default=node.args.get("false")))
        if isinstance(node, exp.Interval) and (months := dates.months_in(node)) is not None:
            return replace(self._spark(node), op=dates.MONTHS.format(months))
        if isinstance(node, exp.TsOrDsAdd | exp.AddMonths | exp.DateTrunc | exp.TimestampTrunc):
            return self._of_date(node)
        if isinstance(node, exp.Coalesce):
            values = [self.bind(node.this), *(self.bind(e) for e in node.expressions)]
            return function("coalesce", *values, type=common([v.type for v in values]))
        if isinstance(node, exp.Like) and not node.args.get("escape"):
            args = (self.bind(node.this), self.bind(node.expression))
            like = Call("LIKE", ("(", " LIKE ", ")"), args, "BOOLEAN")
            return Call("NOT", ("(NOT ", ")"), (like,), "BOOLEAN") if node.args.get("negate") else like
        given = {key for key, value in node.args.items() if value}
        if isinstance(node, exp.TsOrDsToDate) and given == {"this"} and (inner := self.bind(node.this)).type == "DATE":
            return inner
        if type(node) in _FUNCTIONS and given <= {"this", "expression", "expressions", "ignore_nulls"}:
            parts = [node.this, *([node.expression] if node.args.get("expression") else []), *node.expressions]
            if isinstance(node, exp.Year | exp.Month | exp.Day) and isinstance(node.this, exp.TsOrDsToDate):
                # sqlglot puts TO_DATE around what is there; read back from our own text, it would grow each time.
                parts = [node.this.this]
            values = [self.bind(p) for p in parts]
            name = _FUNCTIONS[type(node)]
            return function(name, *values, type=call_type(name, [v.type for v in values]))
        return self._spark(node)

    def _of_date(self, node: exp.Expr) -> Expr:
        """Functions of a DATE that matching knows by name; of anything else they are Spark text."""
        inner = self.bind(node.this)
        if inner.type != "DATE":
            return self._spark(node)
        if isinstance(node, exp.DateTrunc | exp.TimestampTrunc):
            name = dates.truncated_to(node)
            type_ = "DATE" if isinstance(node, exp.DateTrunc) else "TIMESTAMP"
            return self._spark(node) if name is None else replace(self._spark(node), op=name, type=type_)
        amount = self.bind(node.expression)
        if not is_integer(amount.type):
            return self._spark(node)
        if isinstance(node, exp.AddMonths):
            return function("add_months", inner, amount, type="DATE")
        by_days = str(node.args.get("unit") or "DAY").upper() == "DAY"
        return infix("+", inner, amount, "DATE") if by_days else self._spark(node)

    def _is(self, node: exp.Is) -> Expr:
        inner = self.bind(node.this)
        if isinstance(node.expression, exp.Null):
            return Call("IS NULL", ("(", " IS NULL)"), (inner,), "BOOLEAN")
        return infix("<=>", inner, self.bind(node.expression), "BOOLEAN")

    def _case(self, node: exp.Case) -> Expr:
        args: list[Expr] = []
        pieces = ["(CASE"]

        def add(text: str, part: exp.Expr) -> None:
            pieces[-1] += text
            args.append(self.bind(part))
            pieces.append("")

        if node.this is not None:
            add(" ", node.this)
        for branch in node.args["ifs"]:
            add(" WHEN ", branch.this)
            add(" THEN ", branch.args["true"])
        if node.args.get("default") is not None:
            add(" ELSE ", node.args["default"])
        pieces[-1] += " END)"
        first = 0 if node.this is None else 1
        results = [args[i].type for i in range(first + 1, len(args), 2)]
        if node.args.get("default") is not None:
            results.append(args[-1].type)
        return Call("CASE" if first == 0 else "CASE OF", tuple(pieces), tuple(args), common(results))

    def over(self, node: exp.Window) -> Call:
        """A function OVER a window, kept as Spark text around its columns."""
        call = self._spark(node)
        order = node.args.get("order")
        frame = node.args.get("spec")
        function_ = node.this.key if isinstance(node.this, exp.Func) else ""
        by_rows = frame is not None and frame.args.get("kind") == "ROWS"
        fixed = function_ in _TIES_DO_NOT_MATTER and not (by_rows and order is not None)
        return replace(call, op=OVER if fixed else OVER_ANY_ORDER)

    def _spark(self, node: exp.Expr) -> Call:
        """Spark text around the columns, aggregates and subqueries inside ``node``."""
        copy = node.copy()
        args: list[Expr] = []
        marker = "__syncsql_argument_{}__"

        def mark(part: exp.Expr) -> exp.Expr:
            inner = None if part is copy else self._aggregate(part)
            # The name of a collation is read as a column, too.
            if inner is None and isinstance(part, exp.Column) and part.arg_key != "collate":
                inner = self._column(part)
            if inner is None:
                if not (part is copy and isinstance(part, exp.Window)):
                    try:
                        self._refuse(part)
                    except SyncSQLError as error:
                        raise self._placed(error, part) from None
                return part
            args.append(inner)
            return exp.column(marker.format(len(args) - 1))

        text = copy.transform(mark, copy=False).sql(dialect="spark")
        pieces: list[str] = []
        order: list[Expr] = []
        rest = text
        while True:
            start = rest.find("__syncsql_argument_")
            if start < 0:
                pieces.append(rest)
                break
            number, after = rest[start + len("__syncsql_argument_") :].split("__", 1)
            pieces.append(rest[:start])
            order.append(args[int(number)])
            rest = after
        return Call("SPARK", tuple(pieces), tuple(order))

    def _refuse(self, node: exp.Expr) -> None:
        if isinstance(node, exp.Subquery | exp.Exists | exp.Select | exp.SetOperation) or (
            isinstance(node, exp.In) and node.args.get("query") is not None
        ):
            raise _unsupported("a subquery inside an expression", node, "join with the subquery in FROM instead")
        if isinstance(node, exp.Window):
            raise _unsupported("an OVER window", node, "aggregate with GROUP BY and join with the result")
        name = node.name.lower() if isinstance(node, exp.Anonymous) else node.key if isinstance(node, exp.Func) else ""
        if isinstance(node, _GENERATORS) or name in _GENERATOR_NAMES:
            text = node.sql("spark").split("(")[0].lower()
            raise _unsupported(f"the row-generating function {text}", node, "put one row per value into the source")
        if isinstance(node, exp.Star):
            raise BindError("BIND.STAR", "* stands for columns only in a SELECT list and in COUNT(*)")
        if isinstance(node, exp.Placeholder | exp.Parameter | exp.SessionParameter):
            raise _unsupported("a parameter marker", node, "write the value into the text")
        if name in _NONDETERMINISTIC or name.replace("_", "") in {n.replace("_", "") for n in _NONDETERMINISTIC}:
            raise BindError(
                "BIND.NONDETERMINISTIC",
                f"`{node.sql('spark')}` depends on when and where it is evaluated, so no exact view can use it",
                hint="use Now for the present time, or put the value into the source",
            )


def _unsupported(what: str, node: exp.Expr, hint: str | None) -> SyncSQLError:
    return UnsupportedError("UNSUPPORTED.EXPRESSION", f"{what} is not supported: `{node.sql('spark')[:80]}`", hint=hint)


def _literal(node: exp.Literal | exp.Boolean | exp.Null) -> Literal:
    if isinstance(node, exp.Null):
        return Literal("NULL", "VOID")
    if isinstance(node, exp.Boolean):
        return Literal("TRUE" if node.this else "FALSE", "BOOLEAN")
    if node.is_string:
        return Literal(node.sql(dialect="spark"), "STRING")
    text = str(node.this)
    if text.isdigit():
        return Literal(text, "INT" if int(text) < 2**31 else "BIGINT")
    return Literal(text, "DOUBLE" if "e" in text.lower() else "DECIMAL")


def constant(expr: Expr) -> int | Fraction | None:
    """The number that ``expr`` is, where it is one by arithmetic on literals."""
    if isinstance(expr, Literal):
        text = expr.sql.rstrip("L")
        if expr.type in (*_INTEGERS, "DECIMAL"):
            value = Fraction(Decimal(text))
            return value.numerator if value.denominator == 1 else value
        if expr.type == "DOUBLE" and math.isfinite(float(text)):
            return Fraction(float(text))
        return None
    if isinstance(expr, Call) and expr.op in ("+", "-", "*"):
        a, b = constant(expr.args[0]), constant(expr.args[1])
        if a is None or b is None:
            return None
        return a + b if expr.op == "+" else a - b if expr.op == "-" else a * b
    if isinstance(expr, Call) and expr.op == "NEG":
        a = constant(expr.args[0])
        return None if a is None else -a
    return None
