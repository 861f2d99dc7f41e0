"""The aggregates of a view, as columns of its rows: which one is asked for, and which will do for another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from matcher.block import columns_of
from matcher.linear import vector_of
from syncsql.algebra.expressions import AggregateCall, Call, Column, Expr, Literal, function, infix
from syncsql.algebra.types import base

if TYPE_CHECKING:
    from matcher.contain import Containment

ZERO = Literal("0", "INT")
# Their value depends on the order in which rows come, which nothing fixes.
NONDETERMINISTIC = frozenset({
    "any_value", "array_agg", "collect_list", "collect_set", "first", "first_value", "last", "last_value",
    "approx_count_distinct", "approx_percentile", "percentile_approx", "mode", "listagg", "string_agg",
})  # fmt: skip


def equal_calls(test: Containment, one: AggregateCall, other: AggregateCall) -> bool:
    if one.function != other.function or one.distinct != other.distinct or one.function in NONDETERMINISTIC:
        return False
    if one.argument is None or other.argument is None:
        return one.argument is other.argument
    return bool(test.prover.equal(test.query.where, [(one.argument, other.argument)]))


@dataclass
class Parts:
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

    def linear(self, argument: Expr, total: Callable[[str, Expr | None], Expr | None]) -> Expr | None:
        """SUM(a·x + b·y + c) = a·SUM(x) + b·SUM(y) + c·COUNT(*), for integers that are never NULL; of a single column
        the values are counted instead, and it may be NULL. ``total`` gives the sums and the count.

        Sums of BIGINTs are put together as DECIMALs: one that fits has parts that need not."""
        vector = vector_of(argument)
        columns = {c.id: c for c in columns_of(argument)}
        if vector is None or isinstance(argument, Column) or not columns.keys() & vector.keys():
            return None
        given = self.test.query.where
        if len(columns) > 1 and not all(self.test.prover.never_null(given, c) for c in columns.values()):
            return None
        counted = next(iter(columns.values())) if len(columns) == 1 else None
        large = any(is_large(columns[i].type) for i in vector if i in columns)
        type_ = None if large else "BIGINT"
        made: Expr | None = None
        for id_, weight in sorted(vector.items(), reverse=True):
            part = total("sum", columns[id_]) if id_ in columns else total("count", counted)
            if part is None or weight.denominator != 1:
                return None
            part = digits(part) if large else part
            term = part if weight == 1 else infix("*", Literal(str(weight), "BIGINT"), part, type_)
            made = term if made is None else infix("+", made, term, type_)
        return cast(made, "BIGINT") if large and made is not None else made


def is_large(type_: str | None) -> bool:
    """Whether a few values of a type may add up to more than a BIGINT holds."""
    return base(type_) == "BIGINT"


def digits(expr: Expr) -> Expr:
    """A BIGINT as a DECIMAL, whose sums have 30 digits."""
    return expr if base(expr.type) == "DECIMAL" else cast(expr, "DECIMAL(20,0)")


def cast(expr: Expr, type_: str) -> Expr:
    return Call(f"CAST AS {type_}", ("CAST(", f" AS {type_})"), (expr,), type_)


def quotient(total: Expr, count: Expr) -> Expr:
    return infix("/", total, function("nullif", count, ZERO, type="BIGINT"), "DOUBLE")
