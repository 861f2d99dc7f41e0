"""Random lives of databases full of views that overlap: what is created, replaced, dropped, pushed and advanced.

Views come in families that share a shape (filters, groups, joins, windows, set operations, views over views) and differ
in constants, columns, grouping and synchronization, so that many of them can be answered from others.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

LAST = 14
SETUP = """
REGISTER SOURCE Src (k INT, g INT, v INT, s STRING);
REGISTER SOURCE Cdc (k INT, g INT, v INT, s STRING, op STRING);
CREATE STREAM Keyed OVER Src KEY k;
CREATE STREAM Bag OVER Src KEY NULL;
CREATE STREAM Tagged OVER Cdc KEY k OPERATION BY op;
CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
CREATE STREAMED VIEW Sync4 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 4 = 0;
CREATE STREAMED VIEW Sync6 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 6 = 0;
CREATE STREAMED VIEW Hot AS SELECT TS FROM R(Bag) WHERE v > 6
"""
_SYNCS = (None, None, "Sync2", "Sync2", "Sync4", "Sync6", "Hot")


_WIDE = (
    ("SELECT k, g, v, s FROM R(Keyed) WHERE v >= 0", ["k", "g", "v", "s"]),
    ("SELECT k, g, v, s FROM R(Bag)", ["k", "g", "v", "s"]),
    ("SELECT k, g, count(*) AS a0, count(v) AS a1, sum(v) AS a2, min(v) AS a3, max(v) AS a4 FROM R(Bag) GROUP BY k, g",
     ["k", "g", "a0", "a1", "a2", "a3", "a4"]),
    ("SELECT a.k, a.g, a.v, b.v AS w FROM R(Keyed) a, R(Tagged) b WHERE a.k = b.k", ["k", "g", "v", "w"]),
    ("SELECT k, g, v FROM R[Sync2](Tagged)", ["k", "g", "v"]),
)  # fmt: skip


@dataclass(frozen=True)
class Step:
    """``kind`` is sql, push or advance."""

    kind: str
    text: str = ""
    rows: tuple[tuple[object, ...], ...] = ()
    at: int = 0


@dataclass
class Life:
    """The steps of one database; ``views`` are those that are there in the end, by name, with their query."""

    steps: list[Step] = field(default_factory=list)
    views: dict[str, str] = field(default_factory=dict)


def life(seed: int, views: int) -> Life:
    return _Author(random.Random(seed)).write(views)


class _Author:
    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._life = Life()
        self._readers: dict[str, set[str]] = {}
        self._columns: dict[str, list[str]] = {}
        self._made = 0

    def write(self, views: int) -> Life:
        moments = [-1] * len(_WIDE) + sorted(self._rng.randrange(-1, LAST - 2) for _ in range(views - len(_WIDE)))
        self._drop_at = {self._rng.randrange(2, LAST) for _ in range(4)}
        for _ in range(sum(m == -1 for m in moments)):
            self._create()
        for at in range(LAST + 1):
            self._push(at)
            if at == LAST or self._rng.random() < 0.6:
                self._life.steps.append(Step("advance", at=at))
            if at in self._drop_at:
                self._remove()
            for _ in range(sum(m == at for m in moments)):
                self._create()
        return self._life

    def _push(self, at: int) -> None:
        def number() -> int | None:
            return self._rng.choice((None, 0, 1, 2, 3, 5, 7, 9))

        rows = tuple((self._rng.randrange(4), self._rng.choice((0, 1, 2)), number(), self._rng.choice(("a", "b", None)))
                     for _ in range(self._rng.choice((0, 1, 2, 4))))  # fmt: skip
        tagged = tuple((self._rng.randrange(3), self._rng.choice((0, 1)), number(), self._rng.choice(("a", None)),
                        self._rng.choice("++u--")) for _ in range(self._rng.choice((0, 1, 2, 3))))  # fmt: skip
        for source, found in (("Src", rows), ("Cdc", tagged)):
            if found:
                self._life.steps.append(Step("push", source, found, at))

    # Views

    def _create(self) -> None:
        name = f"V{self._made}"
        self._made += 1
        wide = _WIDE[self._made - 1] if self._made <= len(_WIDE) else None
        self._add(name, "CREATE", wide)

    def _add(self, name: str, verb: str, wide: tuple[str, list[str]] | None = None) -> None:
        """``wide`` is the query of a view that many others can be answered from."""
        query, reads, columns = self._query(name) if wide is None else (wide[0], [], wide[1])
        keeping = self._rng.choice(("", "", "", "MATERIALIZED ", "VIRTUAL "))
        mode = "COMPLETE" if self._rng.random() < 0.1 else "STREAMED"
        self._life.steps.append(Step("sql", f"{verb} {keeping}{mode} VIEW {name} AS {query}"))
        self._life.views[name] = query
        self._columns[name] = columns
        for other in self._readers.values():
            other.discard(name)
        for read in reads:
            self._readers.setdefault(read, set()).add(name)

    def _remove(self) -> None:
        """Drops or replaces a view that nobody names."""
        free = [v for v in self._life.views if not self._readers.get(v)]
        if not free:
            return
        name = self._rng.choice(free)
        if self._rng.random() < 0.5:
            self._add(name, "CREATE OR REPLACE")
            return
        self._life.steps.append(Step("sql", f"DROP VIEW {name}"))
        del self._life.views[name], self._columns[name]
        for other in self._readers.values():
            other.discard(name)

    # Queries

    def _relation(self, *names: str) -> str:
        sync = self._rng.choice(_SYNCS)
        name = self._rng.choice(names)
        return f"R({name})" if sync is None else f"R[{sync}]({name})"

    def _condition(self, columns: list[str], prefix: str = "") -> str:
        parts = []
        for _ in range(self._rng.choice((0, 1, 1, 2))):
            column = prefix + self._rng.choice(columns)
            if column.endswith("s"):
                parts.append(f"{column} = '{self._rng.choice('ab')}'")
                continue
            parts.append(self._rng.choice((
                f"{column} > {self._rng.choice((1, 2, 4, 6))}", f"{column} >= {self._rng.choice((1, 3))}",
                f"{column} BETWEEN 1 AND {self._rng.choice((3, 5))}", f"{column} IS NOT NULL",
                f"{column} IN (0, {self._rng.randrange(1, 3)})",
            )))  # fmt: skip
        return f" WHERE {' AND '.join(parts)}" if parts else ""

    def _query(self, name: str) -> tuple[str, list[str], list[str]]:
        shapes = [self._rows, self._rows, self._rows, self._groups, self._groups, self._joined, self._window,
                  self._distinct, self._union, self._total]  # fmt: skip
        usable = [v for v in self._life.views if v != name and self._plain(v)]
        if usable and self._rng.random() < 0.25:
            view = self._rng.choice(usable)
            columns = self._columns[view]
            kept = self._some(columns)
            sync = self._rng.choice(_SYNCS)
            text = f"R({view})" if sync is None else f"R[{sync}]({view})"
            return f"SELECT {', '.join(kept)} FROM {text} x{self._condition(columns)}", [view], kept
        query, columns = self._rng.choice(shapes)()
        return query, [], columns

    def _plain(self, view: str) -> bool:
        """Readers of readers of a view that is replaced would have to be told apart; one level is enough here."""
        return all(view not in readers for readers in self._readers.values())

    def _some(self, columns: list[str]) -> list[str]:
        kept = [c for c in columns if self._rng.random() < 0.7]
        return kept or [self._rng.choice(columns)]

    def _rows(self) -> tuple[str, list[str]]:
        columns = ["k", "g", "v", "s"]
        kept = self._some(columns)
        if "k" not in kept and self._rng.random() < 0.6:
            kept = ["k", *kept]
        items = ", ".join(kept)
        if self._rng.random() < 0.15:
            items, kept = items + ", v + 1 AS w", [*kept, "w"]
        relation = self._relation("Keyed", "Keyed", "Bag", "Tagged")
        return f"SELECT {items} FROM {relation} x{self._condition(columns)}", kept

    def _groups(self) -> tuple[str, list[str]]:
        by = self._rng.choice((["k"], ["g"], ["k", "g"], ["g", "s"]))
        calls = self._rng.sample(("count(*)", "count(v)", "sum(v)", "min(v)", "max(v)", "avg(v)"), 3)
        items = [*by, *(f"{c} AS a{n}" for n, c in enumerate(calls))]
        where = self._condition(by) if self._rng.random() < 0.7 else ""
        relation = self._relation("Keyed", "Bag")
        having = " HAVING count(*) > 1" if self._rng.random() < 0.2 else ""
        query = f"SELECT {', '.join(items)} FROM {relation} x{where} GROUP BY {', '.join(by)}{having}"
        return query, [*by, "a0", "a1", "a2"]

    def _total(self) -> tuple[str, list[str]]:
        where = self._condition(["g", "v"])
        return f"SELECT count(*) AS n, sum(v) AS t FROM {self._relation('Keyed', 'Bag')} x{where}", ["n", "t"]

    def _joined(self) -> tuple[str, list[str]]:
        sync = self._rng.choice(_SYNCS)
        wrap = "R({})" if sync is None else f"R[{sync}]({{}})"
        where = self._condition(["g", "v"], "a.").replace(" WHERE", " AND", 1)
        left, right = wrap.format("Keyed"), wrap.format("Tagged")
        query = f"SELECT a.k, a.g, a.v, b.v AS w FROM {left} a, {right} b WHERE a.k = b.k{where}"
        return query, ["k", "g", "v", "w"]

    def _window(self) -> tuple[str, list[str]]:
        size = self._rng.choice((3, 5))
        query = f"SELECT k, v FROM {self._relation('Bag')} x WHERE Now - {size} < TS AND TS <= Now"
        return query, ["k", "v"]

    def _distinct(self) -> tuple[str, list[str]]:
        kept = self._some(["g", "v", "s"])
        where = self._condition(kept)
        return f"SELECT DISTINCT {', '.join(kept)} FROM {self._relation('Bag', 'Keyed')} x{where}", kept

    def _union(self) -> tuple[str, list[str]]:
        sides = [f"SELECT k, v FROM {self._relation(s)} x{self._condition(['g', 'v'])}" for s in ("Keyed", "Tagged")]
        return " UNION ALL ".join(sides), ["k", "v"]
