"""The query's groups from the view's groups (Goldstein and Larson, section 3.3).

Where both group alike, an aggregate of the query is a column of the view, or computed from several. Where the query
groups more coarsely, the view's groups are grouped again, and each aggregate is put together from those of its parts::

    count(*)  = sum(count(*))          sum(x) = sum(sum(x))           min(x) = min(min(x))
    sum(2 * x + 1) = 2 * sum(x) + count(x)
    avg(x)    = sum(sum(x)) / sum(count(x))                           count(DISTINCT k) = count(DISTINCT k)

the last for k among the view's grouping columns. Sums of floating point numbers depend on how they are put together,
so they are taken as they are or not at all. An aggregate without GROUP BY has a row even over nothing: a count is 0.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from matcher.aggregates import Parts, equal_calls, quotient
from matcher.block import Block, Grouping, Item
from matcher.derive import Deriver, as_type, folded
from matcher.rollup import rolled_up
from matcher.verdict import Failure, Found, NoMatch, Step, Unknown
from syncsql.algebra.expressions import (
    AggregateCall,
    Expr,
    show,
    substitute_columns,
)
from syncsql.algebra.types import is_integer

if TYPE_CHECKING:
    from matcher.contain import Containment


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
    rolled = rolled_up(test, block, mine, theirs, keys)
    return rolled if isinstance(rolled, Found) or failure is None else failure


def _alike(test: Containment, mine: Grouping, theirs: Grouping) -> bool:
    """Each of the query's groups is exactly one of the view's: the query's keys say what the view's keys are."""
    if not mine.keys or not theirs.keys:
        return not mine.keys and not theirs.keys
    from_mine = Deriver(list(mine.keys), test.query.where, test.prover, folded(mine.keys))
    return all(from_mine(e) is not None for _, e in theirs.keys)


# -- groups alike ----------------------------------------------------------------------------------------------------


def _taken(test: Containment, block: Block, mine: Grouping, theirs: Grouping) -> Found | Failure:
    """No grouping is needed: what the query says of a group is computed from the view's row for it."""
    from_mine = Deriver(list(mine.keys), test.query.where, test.prover, folded(mine.keys))
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


def _composed(test: Containment, call: AggregateCall, theirs: Grouping, meaning: dict[str, Expr]) -> Expr | None:
    """An aggregate that the view does not have, from others of the same group that it has."""
    if any(equal_calls(test, call, other) for _, other in theirs.calls):
        return None
    parts = Parts(test, [(c, o) for c, o in theirs.calls])
    made: Expr | None = None
    if call.function == "count" and not call.distinct:
        made = parts.count(call.argument)
    elif call.function == "avg" and not call.distinct and call.argument is not None and is_integer(call.argument.type):
        total, count = parts.call("sum", call.argument), parts.count(call.argument)
        made = None if total is None or count is None else quotient(total, count)
    elif call.function == "sum" and not call.distinct and call.argument is not None:
        made = parts.linear(call.argument, lambda name, a: parts.count(a) if name == "count" else parts.call(name, a))
    return None if made is None else substitute_columns(made, meaning)
