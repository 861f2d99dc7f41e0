"""A covering view for some members of one shape: everything that each of them needs, and as little else as may be.

*rows*: the relations joined, with the members' joined predicate, and the columns that any of them reads::

    π wanted₁ ∪ … ∪ wantedₙ ( σ p₁ ⊔ … ⊔ pₙ ( sources × … ⟕ lefts ) )

*groups*, where all members group: the finest grouping that all can be rolled up from, and the parts of their
aggregates. A condition that is not all members' is theirs to apply, so its columns are grouping columns as well::

    γ keys₁ ∪ … ∪ keysₙ ∪ columns(pᵢ − p), parts(calls₁ ∪ … ∪ callsₙ) ( σ p ( … ) )

A covering view is a proposal. Whether it answers a query is for the matcher to prove.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from matcher.block import Block, Grouping, Item, columns_of
from matcher.members import Conditions, Member, text
from matcher.prover import Prover
from matcher.sqltext import unique
from syncsql.algebra.expressions import AggregateCall, Column, Expr, infix
from syncsql.algebra.types import is_integer

_SPREADS = ("var_pop", "var_samp", "stddev_pop", "stddev_samp")


def rows_view(members: Sequence[Member], predicate: Conditions, prover: Prover) -> Block:
    first = members[0]
    wanted = dict.fromkeys(c for m in members for c in m.wanted)
    wanted |= dict.fromkeys(_compensation(members, predicate, wanted, prover))
    columns = sorted(wanted, key=lambda c: c.id) or [first.sources[0].columns[0]]
    names = unique(_labels(columns, first))
    outputs = tuple((Column(f"out{i}", n, c.type), c) for i, (c, n) in enumerate(zip(columns, names, strict=True)))
    return Block(first.sources, outputs, predicate, first.lefts)


def groups_view(members: Sequence[Member], predicate: Conditions, prover: Prover) -> Block | None:
    """None where some member does not group, or none of the columns that a member filters can be grouped by."""
    if any(m.grouping is None for m in members):
        return None
    first = members[0]
    grouped: dict[Expr, str] = {}
    for member in members:
        assert member.grouping is not None
        for column, expr in member.grouping.keys:
            grouped.setdefault(expr, column.name)
    known = dict.fromkeys(e for e in grouped if isinstance(e, Column))
    for column in _compensation(members, predicate, known, prover):
        grouped.setdefault(column, column.name)
    alike = all(set(m.keys) == grouped.keys() for m in members)
    if not alike:
        for call in (c for m in members for c in m.calls if c.distinct and c.argument is not None):
            assert call.argument is not None
            grouped.setdefault(call.argument, text(call.argument))
        if any(not m.keys for m in members) and not grouped:
            return None
    calls = dict.fromkeys(p for m in members for c in m.calls for p in (_parts(c) if not alike else iter([c])))
    keys = tuple((Column(f"key{i}", n, e.type), e) for i, (e, n) in enumerate(grouped.items()))
    made = tuple((Column(f"call{i}", str(c), c.type), c) for i, c in enumerate(calls))
    return Block(first.sources, _shown(keys, made, first), predicate, first.lefts, Grouping(keys, made))


def _compensation(
    members: Sequence[Member], predicate: Conditions, have: Iterable[Column], prover: Prover
) -> list[Column]:
    """The columns, besides those at hand, of the members' conditions that the view's do not imply."""
    known, found = set(have), []
    for condition in dict.fromkeys(c for m in members for c in m.where if c not in predicate):
        more = [c for c in columns_of(condition) if c not in known]
        if more and not prover.implies(predicate, [condition]):
            known |= set(more)
            found += more
    return found


def _parts(call: AggregateCall) -> Iterator[AggregateCall]:
    """What a group's aggregate is made of, where the group is made of groups."""
    argument = call.argument
    if argument is None or not is_integer(argument.type) or call.function not in ("avg", *_SPREADS):
        if not call.distinct:
            yield call
        return
    yield AggregateCall("sum", argument, "BIGINT")
    yield AggregateCall("count", argument, "BIGINT")
    if call.function in _SPREADS:
        yield AggregateCall("sum", infix("*", argument, argument, argument.type), "BIGINT")


def _shown(keys: tuple[Item, ...], calls: tuple[tuple[Column, AggregateCall], ...], member: Member) -> tuple[Item, ...]:
    plain = [e for _, e in keys if isinstance(e, Column)]
    labels = dict(zip(plain, _labels(plain, member), strict=True))
    names = [
        labels[e] if isinstance(e, Column) else c.name if c.name.isidentifier() else f"key_{i}"
        for i, (c, e) in enumerate(keys)
    ]
    names += [_call_name(call, number) for number, (_, call) in enumerate(calls)]
    columns = [c for c, _ in (*keys, *calls)]
    named = zip(columns, unique(names), strict=True)
    return tuple((Column(f"out{i}", name, c.type), c) for i, (c, name) in enumerate(named))


def _call_name(call: AggregateCall, number: int) -> str:
    distinct = "distinct_" if call.distinct else ""
    if call.argument is None:
        return f"{call.function}_all"
    argument = call.argument.name if isinstance(call.argument, Column) else str(number)
    return f"{call.function}_{distinct}{argument}"


def _labels(columns: Sequence[Column], member: Member) -> list[str]:
    """The columns' own names, with the relation's before it where several have that name."""
    names = [c.name.lower() for c in columns]
    sources = member.all_sources
    return [
        c.name if names.count(c.name.lower()) == 1 else f"{sources[int(c.id.split('.')[0])].name}_{c.name}"
        for c in columns
    ]
