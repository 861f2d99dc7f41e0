"""Answers over time, computed from the definition: every relation at the last point of its own synchronization stream.

Nothing is incremental here and nothing is shared with the matcher's proofs: a query is evaluated anew at every tick,
over what its streams hold then, and a view that it reads likewise.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from matcher.evaluate import Evaluator
from matcher.values import Row
from matcher.workspace import Workspace
from syncsql.algebra.catalog import StreamDef
from syncsql.algebra.expressions import Expr, Literal, Now, Subquery, substitute
from syncsql.algebra.relations import Filter, Node, Scan, with_inputs
from syncsql.algebra.sync import Events, Points, Ticks

END = 24
_VALUES = (0, 2, 9, 12, 101, 121, -5, None)


def history(workspace: Workspace, rng: random.Random) -> dict[str, list[dict[str, Any]]]:
    """The tuples of every stream with their timestamps; streams over one source have the same."""
    sources: dict[str, list[dict[str, Any]]] = {}
    found = {}
    for stream in workspace.definitions.values():
        if isinstance(stream, StreamDef):
            if stream.source not in sources:
                times = sorted(rng.randint(0, END) for _ in range(rng.choice((0, 3, 8, 14))))
                sources[stream.source] = [
                    {f.name.lower(): rng.choice("abc" if f.type == "STRING" else _VALUES) for f in stream.fields}
                    | {"ts": t}
                    for t in times
                ]
            found[stream.name.lower()] = sources[stream.source]
    return found


@dataclass
class Timed:
    """The answers of queries over one history."""

    workspace: Workspace
    history: dict[str, list[dict[str, Any]]]
    _answers: dict[tuple[str, int], list[Row]] = field(default_factory=dict)
    _events: dict[str, set[int]] = field(default_factory=dict)

    def answers(self, plan: Node, columns: int) -> list[Counter[tuple[Any, ...]]]:
        """The bag of rows of ``plan`` at every tick."""
        shown = plan.columns[:columns]
        return [Counter(tuple(r[c.id] for c in shown) for r in self.rows(plan, t)) for t in range(END + 1)]

    def rows(self, plan: Node, at: int) -> list[Row]:
        return _At({}, now=at, timed=self).rows(self._told(plan, at), {})

    def last(self, points: Points, at: int) -> int | None:
        return next((t for t in range(at, -1, -1) if self._is_point(points, t)), None)

    def _is_point(self, points: Points, t: int) -> bool:
        if isinstance(points, Ticks):
            return t in points.times
        if isinstance(points, Events):
            return t in self._insertions(points.stream.lower())
        left, right = self._is_point(points.left, t), self._is_point(points.right, t)
        return left or right if points.op == "union" else left and (right == (points.op == "intersect"))

    def _insertions(self, name: str) -> set[int]:
        if name not in self._events:
            if name in self.history:
                self._events[name] = {row["ts"] for row in self.history[name]}
            else:
                plan, columns = self.workspace.plans[name]
                answers = self.answers(plan, columns)
                pairs = zip([Counter[tuple[Any, ...]](), *answers], answers, strict=False)
                self._events[name] = {t for t, (before, now) in enumerate(pairs) if now - before}
        return self._events[name]

    def relation(self, name: str, at: int) -> list[Row]:
        """A stream's or a view's rows at a tick, by column name or by the view's own columns."""
        if (name, at) not in self._answers:
            stream = self.workspace.find(name)
            if isinstance(stream, StreamDef):
                rows = [row for row in self.history[name] if row["ts"] <= at]
                keyed = {tuple(row[k.lower()] for k in stream.key): row for row in rows} if stream.key else None
                self._answers[name, at] = rows if keyed is None else list(keyed.values())
            else:
                self._answers[name, at] = self.rows(self.workspace.plans[name][0], at)
        return self._answers[name, at]

    def _told(self, plan: Node, at: int) -> Node:
        """``plan`` with the time as it is at this tick."""

        def by(part: Expr) -> Expr | None:
            if isinstance(part, Subquery):
                return replace(part, plan=self._told(part.plan, at))
            if not isinstance(part, Now):
                return None
            last = self.last(part.sync.points, at)
            return Literal("NULL", "VOID") if last is None else Literal(str(last), "INT")

        plan = with_inputs(plan, tuple(self._told(i, at) for i in plan.inputs))
        return replace(plan, predicate=substitute(plan.predicate, by)) if isinstance(plan, Filter) else plan


@dataclass(frozen=True)
class _At(Evaluator):
    """The dumb evaluator at one tick."""

    timed: Timed = field(kw_only=True)

    def _scan(self, scan: Scan) -> list[Row]:
        last = self.timed.last(scan.sync.points, self.now)
        if last is None:
            return []
        rows = self.timed.relation(scan.name.lower(), last)
        inner = self.timed.workspace.plans.get(scan.name.lower())
        ids = [c.name.lower() for c in scan.outputs] if inner is None else [c.id for c in inner[0].columns]
        found = [{c.id: row[i] for c, i in zip(scan.outputs, ids, strict=False)} for row in rows]
        if scan.ts is not None and inner is None:
            for made, row in zip(found, rows, strict=True):
                made[scan.ts.id] = row["ts"]
        return found
