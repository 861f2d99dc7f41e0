"""An index over views, so that only a few of them reach the solver (Goldstein and Larson's filter tree, section 4).

The levels are necessary conditions, from the cheapest to the dearest; each is a column of numbers over all views of a
bucket, so that ten thousand views are sifted by a handful of array operations:

1. *tables*: the relations that a view cannot do without are all read by the query;
2. *time*: the query's points are among the view's;
3. *ranges*: a column that the view bounds is bounded at least as tightly by the query;
4. *columns*: what the query shows can be had from the view;
5. *grouping*: a grouped view is of no use to a query that wants every row.

What passes is put in order: the view that has the least too much comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Any

import numpy as np

from matcher.block import Base, Block, Query, as_block, expressions, parts, relations, syncs
from matcher.facts import Facts, equalities, is_key
from matcher.normal import normal_form
from matcher.ranges import Interval, bounds
from matcher.view import View
from syncsql.algebra.expressions import Column, Subquery, walk
from syncsql.algebra.sync import Sync, intersection

_MOST_NEW = 64


@dataclass(frozen=True)
class Traits:
    """What the levels ask of a view."""

    needs: frozenset[str]
    sync: Sync
    ranges: dict[str, Interval]
    columns: frozenset[str]
    groups: bool
    size: int
    often: float


@dataclass
class _Bucket:
    """The views with the same needed tables, as columns of numbers."""

    views: dict[str, tuple[View, Traits]] = field(default_factory=dict)
    _arrays: dict[str, Any] | None = None
    _gone: int = 0

    def put(self, views: dict[str, tuple[View, Traits]]) -> None:
        self.views |= views
        self._arrays = None

    def drop(self, name: str) -> bool:
        """Takes a view out; its numbers stay until many are gone."""
        if self.views.pop(name, None) is None:
            return False
        self._gone += 1
        if self._gone * 4 > len(self.views):
            self._arrays = None
        return True

    def arrays(self, bit: Callable[[str], int]) -> dict[str, Any]:
        if self._arrays is None:
            self._gone = 0
            traits = [t for _, t in self.views.values()]
            places = sorted({p for t in traits for p in t.ranges})
            syncs_ = list(dict.fromkeys(t.sync for t in traits))
            number = {s: i for i, s in enumerate(syncs_)}
            words = 1 + max((bit(c) // 63 for t in traits for c in t.columns), default=0)
            have = np.zeros((len(traits), words), dtype=np.int64)
            for row, t in enumerate(traits):
                for column in t.columns:
                    have[row, bit(column) // 63] |= np.int64(1 << (bit(column) % 63))
            self._arrays = {
                "names": np.array(list(self.views), dtype=object),
                "low": {p: np.array([t.ranges.get(p, (-inf, inf))[0] for t in traits]) for p in places},
                "high": {p: np.array([t.ranges.get(p, (-inf, inf))[1] for t in traits]) for p in places},
                "syncs": syncs_,
                "sync": np.array([number[t.sync] for t in traits], dtype=np.int64),
                "groups": np.array([t.groups for t in traits], dtype=bool),
                "size": np.array([t.size for t in traits], dtype=np.int64),
                "often": np.array([t.often for t in traits]),
                "have": have,
            }
        return self._arrays


@dataclass
class ViewIndex:
    """Each set of needed tables has a large bucket and a small one for new views, so that adding one view does not
    cost as much as there are views."""

    facts: Facts
    _buckets: dict[frozenset[str], tuple[_Bucket, _Bucket]] = field(default_factory=dict)
    _home: dict[str, frozenset[str]] = field(default_factory=dict)
    _bits: dict[str, int] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._home)

    def add(self, view: View) -> None:
        self.remove(view.name)
        traits = traits_of(view, self.facts)
        settled, new = self._buckets.setdefault(traits.needs, (_Bucket(), _Bucket()))
        new.put({view.name.lower(): (view, traits)})
        if len(new.views) > max(_MOST_NEW, len(settled.views) // 4):
            settled.put(new.views)
            self._buckets[traits.needs] = (settled, _Bucket())
        self._home[view.name.lower()] = traits.needs

    def remove(self, name: str) -> None:
        needs = self._home.pop(name.lower(), None)
        if needs is not None:
            settled, new = self._buckets[needs]
            if not new.drop(name.lower()):
                settled.drop(name.lower())

    def candidates(self, query: Query, in_time: Callable[[Sync, Sync], bool]) -> list[View]:
        """The views that may answer ``query`` or a part of it, the most promising first."""
        found: dict[str, tuple[tuple[float, ...], View]] = {}
        for part in all_parts(query):
            block = as_block(part)
            tables = frozenset(s.name.lower() for s in relations(part))
            for needs, bucket in ((n, b) for n, both in self._buckets.items() if n <= tables for b in both):
                if bucket.views:
                    for rank, view in self._sifted(block, needs, bucket, in_time, len(tables) - len(needs)):
                        old = found.get(view.name)
                        if old is None or rank < old[0]:
                            found[view.name] = (rank, view)
        return [view for _, view in sorted(found.values(), key=lambda pair: (pair[0], pair[1].name))]

    def _sifted(
        self,
        block: Block,
        needs: frozenset[str],
        bucket: _Bucket,
        in_time: Callable[[Sync, Sync], bool],
        uncovered: int,
    ) -> Iterator[tuple[tuple[float, ...], View]]:
        arrays = bucket.arrays(self._bit)
        due = syncs(Block(block.all_sources, ()))
        # A view under the same several streams has the query's states even between the common points.
        common = intersection(sorted(due, key=lambda s: s.name))
        timely = np.array([s == common or any(in_time(d, s) for d in due) for s in arrays["syncs"]], dtype=bool)
        passed = timely[arrays["sync"]] if len(timely) else np.zeros(0, dtype=bool)
        mine, others = bounds(block.where, lambda c: _place(block, c))
        copies = _copies(block)
        excess = np.zeros(len(passed))
        for place, low in arrays["low"].items():
            if place in others or place.split(".")[0] in copies:
                continue
            high = arrays["high"][place]
            a, b = mine.get(place, (-inf, inf))
            if a > b:
                # No value at all: such a query is in every view.
                continue
            passed &= (low <= a) & (high >= b)
            with np.errstate(invalid="ignore"):
                for gap in (a - low, high - b):
                    # Infinitely more than wanted is more than any number, but still comparable.
                    excess += np.where(np.isfinite(gap), np.clip(gap, 0, 1e9), np.where(np.isnan(gap), 0.0, 1e9))
        if block.grouping is None:
            passed &= ~arrays["groups"]
            wanted = {p for p in _wanted(block) if p.split(".")[0] in needs - copies}
            masks: dict[int, int] = {}
            for column in wanted:
                masks[self._bit(column) // 63] = masks.get(self._bit(column) // 63, 0) | 1 << (self._bit(column) % 63)
            have = arrays["have"]
            for word, mask in masks.items():
                if word >= have.shape[1]:
                    passed &= False
                else:
                    passed &= (have[:, word] & np.int64(mask)) == np.int64(mask)
        rows = np.flatnonzero(passed)
        if len(rows) > 64:
            rows = rows[np.lexsort((rows, arrays["often"][rows], arrays["size"][rows], excess[rows]))[:64]]
        for row in rows:
            here = bucket.views.get(arrays["names"][row])
            if here is None:
                continue
            view = here[0]
            rank = (excess[row], arrays["size"][row], arrays["often"][row])
            yield (float(uncovered), *map(float, rank)), view

    def _bit(self, column: str) -> int:
        return self._bits.setdefault(column, len(self._bits))


def all_parts(query: Query) -> Iterator[Query]:
    """``query`` and every query inside it."""
    yield query
    for inner in parts(query):
        yield from all_parts(inner)
    for expr in expressions(query):
        for part in walk(expr):
            if isinstance(part, Subquery):
                yield from all_parts(normal_form(part.plan))


def traits_of(view: View, facts: Facts) -> Traits:
    block = view.block
    names = [s.name.lower() for s in relations(view.query)]
    referenced = {r.references.lower() for s in block.sources if isinstance(s, Base) for r in facts.foreign_keys(s)}
    optional = referenced | {j.source.name.lower() for j in block.lefts if isinstance(j.source, Base)}
    inner = {s.name.lower() for s in block.sources if isinstance(s, Base)}
    needs = frozenset(n for n in names if n not in optional or (len(inner) == 1 and n in inner))
    ranges, others = bounds(block.where, lambda c: _place(block, c))
    grouped = block.grouping is not None and not (
        block.grouping.keys and is_key({e.id for _, e in block.grouping.keys if isinstance(e, Column)}, block, facts)
    )
    known = {p: r for p, r in ranges.items() if p not in others and p.count(".") and not p.startswith("?")}
    if len([n for n in names if names.count(n) > 1]):
        # Which of two copies of a table a bound belongs to depends on the alignment.
        known = {}
    return Traits(needs, view.sync, known, _reachable(block, facts), grouped, len(view.fields), view.often)


def _place(block: Block, column: Column) -> str:
    for source in block.all_sources:
        if isinstance(source, Base) and column in source.columns:
            return f"{source.name.lower()}.{source.place(column)}"
    return f"?{column.id}"


def _copies(block: Block) -> set[str]:
    """Tables that the query reads more than once: which copy is the view's depends on the alignment."""
    names = [s.name.lower() for s in block.all_sources if isinstance(s, Base)]
    return {n for n in names if names.count(n) > 1}


def _reachable(block: Block, facts: Facts) -> frozenset[str]:
    """The columns of tables that something shown is computed from, and all of a table whose key is shown."""
    keys = {} if block.grouping is None else {c.id: e for c, e in block.grouping.keys}
    shown: set[Column] = set()
    for _, expr in block.outputs:
        for part in walk(expr):
            if isinstance(part, Column):
                shown |= {e for e in walk(keys.get(part.id, part)) if isinstance(e, Column)}
    for a, b in equalities(block.where) * 2:
        if a in shown or b in shown:
            shown |= {a, b}
    for source in block.sources:
        if isinstance(source, Base) and any(k <= {c.id for c in shown} for k in facts.keys(source)):
            shown |= set(source.columns)
    return frozenset(_place(block, c) for c in shown)


def _wanted(block: Block) -> set[str]:
    """The columns of tables that the query shows and that nothing in its conditions could stand for."""
    fixed = {e for part in block.where for e in walk(part) if isinstance(e, Column)}
    read: set[Column] = set()
    for _, expr in block.outputs:
        columns = {e for e in walk(expr) if isinstance(e, Column)}
        if isinstance(expr, Column):
            read |= columns
    places = {_place(block, c) for c in read - fixed}
    return {p for p in places if not p.startswith("?")}
