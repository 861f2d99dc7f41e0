"""Roll-up: the aggregates of coarser groups from those of finer ones.

Each rule is an equation of an aggregate of a union of groups and the aggregates of the groups; where there is none, or
none that holds exactly for floating point, the answer is no.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from matcher.aggregates import ZERO, Parts, cast, digits, is_large, quotient
from matcher.block import Block, Grouping, Item
from matcher.derive import as_type
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

_ALIKE = "group the view as the query is grouped"


def rolled_up(test: Containment, block: Block, mine: Grouping, theirs: Grouping, keys: list[Item]) -> Found | Failure:
    shown: list[tuple[Column, AggregateCall]] = []
    calls = dict(theirs.calls)
    for column, (_, expr) in zip(test.scan.outputs, test.view.outputs, strict=False):
        if isinstance(expr, Column) and expr in calls:
            shown.append((column, calls[expr]))
    roll = _RollUp(test, Parts(test, shown), not mine.keys, not theirs.keys)
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


@dataclass
class _RollUp:
    """Collects the aggregates over the view's groups that the query's are made of.

    ``is_global`` says that the query has one row whatever there is, ``of_global`` that the view has."""

    test: Containment
    parts: Parts
    is_global: bool
    of_global: bool
    calls: dict[AggregateCall, Column] = field(default_factory=dict)
    exact: bool = True

    def add(self, call: AggregateCall) -> Column:
        if call not in self.calls:
            number = self.test.context.number()
            self.calls[call] = Column(f"γ{number}", str(call), call.type)
        return self.calls[call]

    def _own(self, argument: Expr) -> Expr | None:
        """What ``argument`` is in all rows of a group of the view. Of no rows, which the only group of a view without
        GROUP BY may have, it is nothing."""
        return None if self.of_global else self.test.derive(argument)

    def make(self, call: AggregateCall) -> Expr | Failure:
        """The query's ``call`` as an expression over aggregates of the view's groups."""
        name, argument = call.function, call.argument
        own = None if argument is None else self._own(argument)
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
            value = Call("CASE", pieces, (null, ZERO, rows), "BIGINT")
        if value is None:
            return _missing(call)
        total = self.add(AggregateCall("sum", value, "BIGINT"))
        # SUM over nothing is NULL where COUNT is 0; only a query without GROUP BY has a row over nothing.
        return function("coalesce", total, ZERO, type="BIGINT") if self.is_global else total

    def _sum(self, argument: Expr, own: Expr | None, call: AggregateCall) -> Expr | Failure:
        if is_float(argument.type):
            return _inexact(call)
        found = self.parts.call("sum", argument)
        if found is not None and not (is_integer(argument.type) or _fits(argument.type)):
            return _lost(call, f"the view's {call}, added up again, may need more digits than a DECIMAL has", _ALIKE)
        if found is not None:
            total = self.add(AggregateCall("sum", found, aggregate_type("sum", found.type)))
            return as_type(total, _sum_type(argument))
        rows = self.parts.rows()
        if own is not None and rows is not None and is_integer(argument.type):
            self.test.pairs.append((argument, own))
            if not is_large(argument.type):
                return self.add(AggregateCall("sum", infix("*", own, rows, "BIGINT"), "BIGINT"))
            # The sum may fit where the part of one group does not.
            wide = infix("*", digits(own), digits(rows), "DECIMAL(38,0)")
            return cast(self.add(AggregateCall("sum", wide, "DECIMAL(38,0)")), "BIGINT")
        made = self.parts.linear(argument, lambda name, part: self._part(name, part, call))
        return _missing(call) if made is None else made

    def _part(self, name: str, part: Expr | None, call: AggregateCall) -> Expr | None:
        own = None if part is None else self._own(part)
        found = self._count(part, own, call) if part is None or name == "count" else self._total(part, own, call)
        return None if isinstance(found, NoMatch | Unknown) else found

    def _total(self, argument: Expr, own: Expr | None, call: AggregateCall) -> Expr | Failure:
        """A sum that is only a part of what is asked for, so it may need more digits than that."""
        if not is_large(argument.type):
            return self._sum(argument, own, call)
        found = self.parts.call("sum", argument)
        return _missing(call) if found is None else self.add(AggregateCall("sum", digits(found), "DECIMAL(30,0)"))

    def _avg(self, argument: Expr, own: Expr | None, call: AggregateCall) -> Expr | Failure:
        if not is_integer(argument.type):
            has = self.parts.call("avg", argument) is not None
            lost = _inexact(call)
            return replace(lost, reason="an average of averages is not the average") if has else lost
        total = self._total(argument, own, call)
        count = self._count(argument, own, call)
        if isinstance(total, NoMatch | Unknown) or isinstance(count, NoMatch | Unknown):
            if self.parts.call("avg", argument) is not None:
                return _lost(call, "an average of averages is not the average",
                             f"add SUM and COUNT of {_text(argument)} to the view", "AGGREGATE.MISSING")  # fmt: skip
            return _missing(call)
        return quotient(_double(total) if is_large(argument.type) else total, count)

    def _spread(self, argument: Expr, call: AggregateCall) -> Expr | Failure:
        """σ² = (Σx² − (Σx)²/n) / n from exact integer sums; equal to Spark's own up to rounding."""
        if not is_integer(argument.type):
            return _inexact(call)
        square = infix("*", argument, argument, argument.type)
        squares = self._total(square, self._own(square), call)
        own = self._own(argument)
        total, count = self._total(argument, own, call), self._count(argument, own, call)
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
                            function("nullif", count, ZERO, type="BIGINT"), "DOUBLE")  # fmt: skip
        # Rounding must not make it negative.
        spread = function("greatest", infix("-", _double(squares), mean_square, "DOUBLE"),
                          _double(ZERO), type="DOUBLE")  # fmt: skip
        divisor = count if call.function.endswith("_pop") else infix("-", count, Literal("1", "INT"), "BIGINT")
        variance = infix("/", spread, function("nullif", divisor, ZERO, type="BIGINT"), "DOUBLE")
        present = infix(">", count, ZERO, "BOOLEAN")
        value = function("sqrt", variance, type="DOUBLE") if call.function.startswith("stddev") else variance
        return Call("CASE", ("(CASE WHEN ", " THEN ", " END)"), (present, value), "DOUBLE")


def _double(expr: Expr) -> Expr:
    return cast(expr, "DOUBLE")


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


def _inexact(call: AggregateCall) -> NoMatch:
    """Why an aggregate of numbers that are no integers is not put together from parts."""
    if call.argument is not None and is_float(call.argument.type):
        why = f"{call} adds floating point numbers, whose sum depends on how they are grouped"
        return _lost(call, why, f"{_ALIKE}, or use DECIMAL", "AGGREGATE.FLOAT")
    return _lost(call, f"{call} is rounded in another way than what could be made of its parts", _ALIKE)


def _lost(call: AggregateCall, why: str, hint: str | None, code: str = "AGGREGATE.NOT_DIVISIBLE") -> NoMatch:
    return NoMatch(code, why, hint=hint)
