"""Which members of one shape to try together: a tree of clusters, the members nearest to each other joined first.

The distance of two clusters counts what a common view would have to give up or take on for them: conditions that only
one has, further columns, grouping columns and refreshes. It needs no solver, so hundreds of members are no matter;
each inner node of the tree is one group of members to make a covering view for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from matcher.joined import Joiner
from matcher.members import Conditions, Member, text
from syncsql.algebra.expressions import Call, Expr, Literal, substitute
from syncsql.algebra.sync import exact

# What a condition on other columns, another constant, a column, a grouping column, another stream and grouping at all
# weigh. Whole numbers, so that sums do not depend on the order.
_CONDITION, _CONSTANT, _COLUMN, _KEY, _SYNC, _GROUPS = 10, 1, 2, 5, 3, 40


@dataclass(frozen=True)
class Cluster:
    """Some members, and the joined predicate of their conditions."""

    members: tuple[Member, ...]
    predicate: Conditions

    @property
    def queries(self) -> frozenset[int]:
        return frozenset(m.query for m in self.members)


@dataclass(frozen=True)
class _Features:
    """Of conditions a cluster has what all its members have, of everything else what any of them has."""

    all_have: frozenset[tuple[int, str]]
    any_has: frozenset[tuple[int, str]]

    def distance(self, other: _Features) -> int:
        apart = [*(self.all_have ^ other.all_have), *(self.any_has ^ other.any_has)]
        return sum(weight for weight, _ in apart)

    def joined(self, other: _Features) -> _Features:
        return _Features(self.all_have & other.all_have, self.any_has | other.any_has)


def clusters(members: Sequence[Member], joined: Joiner) -> list[Cluster]:
    """The clusters of several queries, small ones before those that they are part of."""
    leaves: dict[tuple[_Features, Conditions], list[Member]] = {}
    for member in members:
        leaves.setdefault((_features(member), member.where), []).append(member)
    nodes = [Cluster(tuple(found), where) for (_, where), found in leaves.items()]
    features = [f for f, _ in leaves]
    alive = set(range(len(nodes)))
    near = [(features[a].distance(features[b]), a, b) for b in alive for a in range(b)]
    heapify(near)
    while near:
        _, a, b = heappop(near)
        if not {a, b} <= alive:
            continue
        together = sorted(nodes[a].members + nodes[b].members, key=lambda m: m.query)
        both = Cluster(tuple(together), joined(nodes[a].predicate, nodes[b].predicate))
        new = len(nodes)
        nodes.append(both)
        features.append(features[a].joined(features[b]))
        alive -= {a, b}
        for other in sorted(alive):
            heappush(near, (features[new].distance(features[other]), other, new))
        alive.add(new)
    return [n for n in nodes if len(n.queries) > 1]


def _features(member: Member) -> _Features:
    conditions = [(_CONDITION, _pattern(c)) for c in member.where] + [(_CONSTANT, text(c)) for c in member.where]
    others = [(_COLUMN, c.id) for c in member.wanted] + [(_SYNC, exact(member.sync.points))]
    if member.grouping is not None:
        others += [(_GROUPS, "groups"), *((_KEY, f"by {text(k)}") for k in member.keys)]
    return _Features(frozenset(conditions), frozenset(others))


def _pattern(condition: Expr) -> str:
    """A condition without its constants; IN and equations with a constant are alike."""
    if isinstance(condition, Call) and condition.op in ("=", "IN") and isinstance(condition.args[1], Literal):
        return f"{text(condition.args[0])} is"
    return text(substitute(condition, lambda e: Literal("?") if isinstance(e, Literal) else None))
