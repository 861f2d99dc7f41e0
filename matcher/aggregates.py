"""The aggregates of a view, as columns of its rows: which one is asked for, and which will do for another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from syncsql.algebra.expressions import AggregateCall, Column, Expr, Literal, function, infix

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


def quotient(total: Expr, count: Expr) -> Expr:
    return infix("/", total, function("nullif", count, ZERO, type="BIGINT"), "DOUBLE")
