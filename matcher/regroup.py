"""The query's groups from the view's groups (Goldstein and Larson, section 3.3).

Where both group alike, an aggregate of the query is a column of the view, or computed from several. Where the query
groups more coarsely, the view's groups are grouped again, and each aggregate is put together from those of its parts::

    count(*)  = sum(count(*))          sum(x) = sum(sum(x))           min(x) = min(min(x))
    avg(x)    = sum(sum(x)) / sum(count(x))                           count(DISTINCT k) = count(DISTINCT k)

the last for k among the view's grouping columns. Sums of floating point numbers depend on how they are put together,
so they are taken as they are or not at all. An aggregate without GROUP BY has a row even over nothing: a count is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from matcher.block import Block, Grouping, Item
from matcher.derive import Deriver, as_type
from matcher.verdict import Failure, Found, NoMatch, Step, Unknown
from syncsql.algebra.expressions import (
    AggregateCall,
    Call,
    Column,
    Expr,
    Literal,
    function,
    infix,
    show,
    substitute_columns,
)
from syncsql.algebra.types import aggregate_type, base, is_float, is_integer

if TYPE_CHECKING:
    from matcher.contain import Containment

_ZERO = Literal("0", "INT")
# Their value depends on the order in which rows come, which nothing fixes.
NONDETERMINISTIC = frozenset({
    "any_value", "array_agg", "collect_list", "collect_set", "first", "first_value", "last", "last_value",
    "approx_count_distinct", "approx_percentile", "percentile_approx", "mode", "listagg", "string_agg",
})  # fmt: skip


def regroup(test: Containment, block: Block) -> Found | Failure:
    """``block``, the view's groups that the query wants, made into the query's groups."""
    mine, theirs = test.query.grouping, test.view.grouping
    assert mine is not None
    assert theirs is not None
    if mine.keys and not theirs.keys:
        return NoMatch(
            "GROUPING.EMPTY",
            "the view has one row even where there is nothing to group; the query then has none",
            hint="group the view as the query is grouped",
        )
    keys: list[Item] = []
    for column, expr in mine.keys:
        made = test.take(expr, "grouping by")
        if isinstance(made, NoMatch | Unknown):
            return made
        keys.append((column, made))
    alike = len(block.sources) == 1 and not block.lefts and _alike(test, mine, theirs)
    if not theirs.keys and block.where:
        # A condition above the view's only row would leave no row, where the query has one over nothing.
        alike = False
    failure: Failure | None = None
    if alike:
        result = _taken(test, block, mine, theirs)
        if isinstance(result, Found):
            return result
        failure = result
    if theirs.having:
        if failure is not None:
            return failure
        return NoMatch(
            "GROUPING.HAVING",
            f"the view drops groups without {' AND '.join(show(h) for h in theirs.having)}, which the query's groups "
            "may be made of",
            hint="leave HAVING out of the view",
        )
    rolled = _rolled_up(test, block, mine, theirs, keys)
    return rolled if isinstance(rolled, Found) or failure is None else failure


def _alike(test: Containment, mine: Grouping, theirs: Grouping) -> bool:
    """Each of the query's groups is exactly one of the view's: the query's keys say what the view's keys are."""
    if not mine.keys or not theirs.keys:
        return not mine.keys and not theirs.keys
    from_mine = Deriver([(c, e) for c, e in mine.keys], test.query.where, test.prover)
    return all(from_mine(e) is not None for _, e in theirs.keys)


# -- groups alike ----------------------------------------------------------------------------------------------------


def _taken(test: Containment, block: Block, mine: Grouping, theirs: Grouping) -> Found | Failure:
    """No grouping is needed: what the query says of a group is computed from the view's row for it."""
    from_mine = Deriver([(c, e) for c, e in mine.keys], test.query.where, test.prover)
    meaning: dict[str, Expr] = {c.id: made for c, e in theirs.keys if (made := from_mine(e)) is not None}
    for column, call in theirs.calls:
        same = next((c for c, other in mine.calls if equal_calls(test, call, other)), None)
        if same is not None:
            meaning[column.id] = same
    by_calls = {c.id: e for c, call in mine.calls if (e := _composed(test, call, theirs, meaning)) is not None}
    pairs = zip(test.scan.outputs, test.view.outputs, strict=False)
    shown = [(column, substitute_columns(expr, meaning)) for column, (_, expr) in pairs]
    prover = test.context.prover(frozenset(c.id for c, call in mine.calls if call.function == "count"))
    having = [substitute_columns(h, by_calls) for h in mine.having]
    wanted = [substitute_columns(h, meaning) for h in theirs.having]
    answer = prover.implies(having, wanted)
    if not answer:
        lost = next((h for h in wanted if not prover.implies(having, [h])), wanted[0])
        return NoMatch(
            "GROUPING.HAVING",
            f"the view keeps only groups with {show(lost)}; the query also wants others",
            hint="leave HAVING out of the view, or add it to the query",
        )
    derive = Deriver(shown, having, prover)
    conditions: list[Expr] = []
    for part in having:
        if part in wanted or prover.implies(wanted, [part]):
            continue
        made = derive(part)
        if made is None:
            return _not_shown(test, derive, mine, part)
        conditions.append(made)
    outputs: list[Item] = []
    checks: list[tuple[Expr, Expr]] = []
    for column, expr in test.query.outputs:
        asked = substitute_columns(expr, by_calls)
        made = derive(asked)
        if made is None:
            return _not_shown(test, derive, mine, asked)
        checks.append((asked, made))
        outputs.append((column, as_type(made, column.type)))
    back = dict(shown)
    by = {c.id: e for c, e in back.items()}
    if not prover.equal(having, [(a, substitute_columns(b, by)) for a, b in checks]):
        return Unknown("the rewrite could not be proved equal")
    if not prover.implies([*wanted, *(substitute_columns(c, by) for c in conditions)], having):
        return Unknown("the rewrite's groups could not be proved equal")
    result = test.found(replace(block, outputs=tuple(outputs)))
    if not isinstance(result, Found):
        return result
    added = replace(result.block, where=(*result.block.where, *conditions))
    return replace(result, block=added, proof=(*result.proof, Step("both group alike", "the same grouping columns")))


def _not_shown(test: Containment, derive: Deriver, mine: Grouping, expr: Expr) -> NoMatch:
    calls = {c.id: call for c, call in mine.calls}
    names = [str(calls[c.id]) if c.id in calls else f"`{c.name}`" for c in derive.missing] or [show(expr)]
    return NoMatch(
        "AGGREGATE.MISSING" if any(c.id in calls for c in derive.missing) else "COLUMN.MISSING",
        f"the view does not show {' and '.join(names)}",
        hint=f"add {' and '.join(names)} to the view",
    )


def equal_calls(test: Containment, one: AggregateCall, other: AggregateCall) -> bool:
    if one.function != other.function or one.distinct != other.distinct or one.function in NONDETERMINISTIC:
        return False
    if one.argument is None or other.argument is None:
        return one.argument is other.argument
    return bool(test.prover.equal(test.query.where, [(one.argument, other.argument)]))


def _composed(test: Containment, call: AggregateCall, theirs: Grouping, meaning: dict[str, Expr]) -> Expr | None:
    """An aggregate that the view does not have, from others of the same group that it has."""
    if any(equal_calls(test, call, other) for _, other in theirs.calls):
        return None
    parts = _Parts(test, [(c, o) for c, o in theirs.calls])
    made: Expr | None = None
    if call.function == "count" and not call.distinct:
        made = parts.count(call.argument)
    elif call.function == "avg" and not call.distinct and call.argument is not None and is_integer(call.argument.type):
        total, count = parts.call("sum", call.argument), parts.count(call.argument)
        made = None if total is None or count is None else _quotient(total, count)
    return None if made is None else substitute_columns(made, meaning)


def _quotient(total: Expr, count: Expr) -> Expr:
    return infix("/", total, function("nullif", count, _ZERO, type="BIGINT"), "DOUBLE")


# -- coarser groups --------------------------------------------------------------------------------------------------


@dataclass
class _Parts:
    """The view's aggregates, as columns of its rows."""

    test: Containment
    calls: Sequence[tuple[Column, AggregateCall]]

    def call(self, name: str, argument: Expr | None) -> Column | None:
        wanted = AggregateCall(name, argument)
        return next((c for c, other in self.calls if equal_calls(self.test, wanted, other)), None)

    def rows(self) -> Column | None:
        """How many rows a group has: COUNT(*), or COUNT of something that is never NULL."""
        for column, call in self.calls:
            if call.function != "count" or call.distinct:
                continue
            if call.argument is None or self.test.prover.never_null(self.test.query.where, call.argument):
                return column
        return None

    def count(self, argument: Expr | None) -> Column | None:
        if argument is None or self.test.prover.never_null(self.test.query.where, argument):
            return self.rows()
        return self.call("count", argument)


@dataclass
class _RollUp:
    """Collects the aggregates over the view's groups that the query's are made of."""

    test: Containment
    parts: _Parts
    is_global: bool
    calls: dict[AggregateCall, Column] = field(default_factory=dict)
    exact: bool = True

    def add(self, call: AggregateCall) -> Column:
        if call not in self.calls:
            number = self.test.context.number()
            self.calls[call] = Column(f"γ{number}", str(call), call.type)
        return self.calls[call]

    def make(self, call: AggregateCall) -> Expr | Failure:
        """The query's ``call`` as an expression over aggregates of the view's groups."""
        name, argument = call.function, call.argument
        own = None if argument is None else self.test.derive(argument)
        if own is not None and (call.distinct or name in ("min", "max")):
            assert argument is not None
            self.test.pairs.append((argument, own))
            return self.add(replace(call, argument=own))
        if call.distinct:
            return _lost(call, f"a value may be in several of the view's groups, so {call} cannot be added up",
                         f"add {_text(argument)} to the view's GROUP BY")  # fmt: skip
        if name in ("min", "max"):
            found = self.parts.call(name, argument)
            return self.add(AggregateCall(name, found, call.type)) if found is not None else _missing(call)
        if name == "count":
            return self._count(argument, own, call)
        if argument is not None and name == "sum":
            return self._sum(argument, own, call)
        if argument is not None and name == "avg":
            return self._avg(argument, own, call)
        if argument is not None and name in ("var_pop", "var_samp", "stddev_pop", "stddev_samp"):
            return self._spread(argument, call)
        return _lost(call, f"{call} of a union of groups cannot be told from its values for the groups", None)

    def _count(self, argument: Expr | None, own: Expr | None, call: AggregateCall) -> Expr | Failure:
        found = self.parts.count(argument)
        value: Expr | None = found
        if found is None and own is not None and (rows := self.parts.rows()) is not None:
            assert argument is not None
            self.test.pairs.append((argument, own))
            null = Call("IS NULL", ("(", " IS NULL)"), (own,), "BOOLEAN")
            pieces = ("(CASE WHEN ", " THEN ", " ELSE ", " END)")
            value = Call("CASE", pieces, (null, _ZERO, rows), "BIGINT")
        if value is None:
            return _missing(call)
        total = self.add(AggregateCall("sum", value, "BIGINT"))
        # SUM over nothing is NULL where COUNT is 0; only a query without GROUP BY has a row over nothing.
        return function("coalesce", total, _ZERO, type="BIGINT") if self.is_global else total

    def _sum(self, argument: Expr, own: Expr | None, call: AggregateCall) -> Expr | Failure:
        if is_float(argument.type):
            return _lost(call, f"{call} adds floating point numbers, whose sum depends on how they are grouped",
                         "group the view as the query is grouped, or use DECIMAL", "AGGREGATE.FLOAT")  # fmt: skip
        found = self.parts.call("sum", argument)
        if found is not None and (is_integer(argument.type) or _fits(argument.type)):
            return as_type(
                self.add(AggregateCall("sum", found, aggregate_type("sum", found.type))), _sum_type(argument)
            )
        rows = self.parts.rows()
        if own is not None and rows is not None and is_integer(argument.type):
            self.test.pairs.append((argument, own))
            return self.add(AggregateCall("sum", infix("*", own, rows, "BIGINT"), "BIGINT"))
        return _missing(call)

    def _avg(self, argument: Expr, own: Expr | None, call: AggregateCall) -> Expr | Failure:
        if not is_integer(argument.type):
            has = self.parts.call("avg", argument) is not None
            why = "an average of averages is not the average" if has else f"{call} adds floating point numbers"
            return _lost(call, why, "group the view as the query is grouped", "AGGREGATE.FLOAT")
        total = self._sum(argument, own, call)
        count = self._count(argument, own, call)
        if isinstance(total, NoMatch | Unknown) or isinstance(count, NoMatch | Unknown):
            if self.parts.call("avg", argument) is not None:
                return _lost(call, "an average of averages is not the average",
                             f"add SUM and COUNT of {_text(argument)} to the view", "AGGREGATE.MISSING")  # fmt: skip
            return _missing(call)
        return _quotient(total, count)

    def _spread(self, argument: Expr, call: AggregateCall) -> Expr | Failure:
        """σ² = (Σx² − (Σx)²/n) / n from exact integer sums; equal to Spark's own up to rounding."""
        if not is_integer(argument.type):
            return _lost(call, f"{call} adds floating point numbers", "group the view as the query is grouped",
                         "AGGREGATE.FLOAT")  # fmt: skip
        squares = self._sum(infix("*", argument, argument, argument.type), None, call)
        total, count = self._sum(argument, None, call), self._count(argument, None, call)
        for part in (squares, total, count):
            if isinstance(part, NoMatch | Unknown):
                return _lost(call, f"the view does not have the parts of {call}",
                             f"add COUNT(x), SUM(x) and SUM(x * x) of x = {_text(argument)} to the view",
                             "AGGREGATE.MISSING")  # fmt: skip
        assert not isinstance(squares, NoMatch | Unknown)
        assert not isinstance(total, NoMatch | Unknown)
        assert not isinstance(count, NoMatch | Unknown)
        self.exact = False
        mean_square = infix("/", infix("*", _double(total), _double(total), "DOUBLE"),
                            function("nullif", count, _ZERO, type="BIGINT"), "DOUBLE")  # fmt: skip
        # Rounding must not make it negative.
        spread = function("greatest", infix("-", _double(squares), mean_square, "DOUBLE"),
                          _double(_ZERO), type="DOUBLE")  # fmt: skip
        divisor = count if call.function.endswith("_pop") else infix("-", count, Literal("1", "INT"), "BIGINT")
        variance = infix("/", spread, function("nullif", divisor, _ZERO, type="BIGINT"), "DOUBLE")
        present = infix(">", count, _ZERO, "BOOLEAN")
        value = function("sqrt", variance, type="DOUBLE") if call.function.startswith("stddev") else variance
        return Call("CASE", ("(CASE WHEN ", " THEN ", " END)"), (present, value), "DOUBLE")


def _rolled_up(test: Containment, block: Block, mine: Grouping, theirs: Grouping, keys: list[Item]) -> Found | Failure:
    shown: list[tuple[Column, AggregateCall]] = []
    calls = dict(theirs.calls)
    for column, (_, expr) in zip(test.scan.outputs, test.view.outputs, strict=False):
        if isinstance(expr, Column) and expr in calls:
            shown.append((column, calls[expr]))
    roll = _RollUp(test, _Parts(test, shown), not mine.keys)
    by: dict[str, Expr] = {}
    for column, call in mine.calls:
        made = roll.make(call)
        if isinstance(made, NoMatch | Unknown):
            return made
        by[column.id] = made
    grouping = Grouping(
        tuple(keys),
        tuple((c, call) for call, c in roll.calls.items()),
        tuple(substitute_columns(h, by) for h in mine.having),
    )
    outputs = tuple((c, as_type(substitute_columns(e, by), c.type)) for c, e in test.query.outputs)
    result = test.found(replace(block, grouping=grouping, outputs=outputs), roll.exact)
    if not isinstance(result, Found):
        return result
    how = ", ".join(g.name for g, _ in keys) or "one group"
    return replace(result, proof=(*result.proof, Step(f"the view's groups are rolled up to {how}", "roll-up")))


def _double(expr: Expr) -> Expr:
    return Call("CAST AS DOUBLE", ("CAST(", " AS DOUBLE)"), (expr,), "DOUBLE")


def _fits(type_: str | None) -> bool:
    """Whether a DECIMAL can be summed twice within Spark's 38 digits, so that no digit is lost."""
    if base(type_) != "DECIMAL" or type_ is None or "(" not in type_:
        return False
    return int(type_.split("(")[1].split(",")[0].rstrip(") ")) + 20 <= 38


def _sum_type(argument: Expr) -> str | None:
    if is_integer(argument.type) or argument.type is None:
        return "BIGINT"
    precision, _, scale = argument.type.split("(")[1].rstrip(")").partition(",")
    return f"DECIMAL({int(precision) + 10},{scale or 0})"


def _text(expr: Expr | None) -> str:
    return "*" if expr is None else show(expr)


def _missing(call: AggregateCall) -> NoMatch:
    needed = f"SUM({_text(call.argument)}) and COUNT({_text(call.argument)})" if call.function == "avg" else str(call)
    return NoMatch("AGGREGATE.MISSING", f"the view has nothing to make {call} of", hint=f"add {needed} to the view")


def _lost(call: AggregateCall, why: str, hint: str | None, code: str = "AGGREGATE.NOT_DIVISIBLE") -> NoMatch:
    return NoMatch(code, why, hint=hint)
