"""Random worlds: sources, streams, synchronization streams and views up to three deep, with random input.

Queries are written in the part of SQL that Spark and DuckDB understand alike; a relation in FROM stands as ``{i}`` and
is filled in for the engine (``R[Sync](S)``) and for DuckDB (a table) separately. So is the time, ``{now}``: for DuckDB
it is a number.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass, field

LAST = 12


@dataclass(frozen=True)
class Relation:
    """Something that can stand in FROM: its name, its columns with I (integer) or S (string), what it says of TS."""

    name: str
    columns: tuple[tuple[str, str], ...]
    ts: bool


@dataclass(frozen=True)
class Input:
    relation: str
    sync: str | None
    alias: str


@dataclass(frozen=True)
class Query:
    name: str
    text: str
    inputs: tuple[Input, ...]
    columns: tuple[tuple[str, str], ...]
    clock: str = "Now"
    """What tells the time: Now itself, or a view of :data:`CLOCKS`."""

    def syncsql(self) -> str:
        shown = [
            f"R({i.relation}) {i.alias}" if i.sync is None else f"R[{i.sync}]({i.relation}) {i.alias}"
            for i in self.inputs
        ]
        if self.clock == "Now":
            return self.text.format(*shown, now="Now", clock="")
        return self.text.format(*shown, now="n.currTime", clock=f", R({self.clock}) n")

    def duckdb(self, tables: list[str], now: int) -> str:
        shown = [f"{t} {i.alias}" for t, i in zip(tables, self.inputs, strict=True)]
        return self.text.format(*shown, now=str(now), clock="")


@dataclass
class World:
    seed: int
    statements: list[str] = field(default_factory=list)
    syncs: dict[str, str] = field(default_factory=dict)
    """For each sync stream a Python expression over t, or ``events:<stream>:<column>:<limit>``."""
    streams: dict[str, tuple[str, ...] | None] = field(default_factory=dict)
    pushes: list[tuple[str, tuple[object, ...], int]] = field(default_factory=list)
    views: list[Query] = field(default_factory=list)


_COLUMNS = (("k", "I"), ("g", "I"), ("v", "I"), ("s", "S"))
_SYNCS = {
    "Sync2": ("Timepoint % 2 = 0", "t % 2 == 0"),
    "Sync3": ("Timepoint % 3 = 0", "t % 3 == 0"),
    "Late": ("Timepoint >= 4 AND Timepoint % 4 <> 1", "t >= 4 and t % 4 != 1"),
    "Odd5": ("Timepoint % 5 = 1 OR Timepoint = 4", "t % 5 == 1 or t == 4"),
}
# Views that tell the time, and the synchronization stream that each is over.
CLOCKS = {"NowView": None, "Slide2": "Sync2", "Slide3": "Sync3"}


def world(seed: int, views: int) -> World:
    rng = random.Random(seed)
    made = World(seed)
    _streams(made, rng)
    _syncs(made, rng)
    relations = [Relation(s, _COLUMNS, True) for s in made.streams]
    depth = {r.name: 0 for r in relations}
    for number in range(views):
        usable = [r for r in relations if depth[r.name] < 3]
        query = _Generator(rng, usable, list(made.syncs)).query(f"V{number}")
        made.views.append(query)
        made.statements.append(f"CREATE STREAMED VIEW {query.name} AS {query.syncsql()}")
        relations.append(Relation(query.name, query.columns, False))
        depth[query.name] = 1 + max(depth[i.relation] for i in query.inputs)
    _data(made, rng)
    return made


def _streams(made: World, rng: random.Random) -> None:
    made.statements += [
        "REGISTER SOURCE Src (k INT, g INT, v INT, s STRING)",
        "REGISTER SOURCE Cdc (k INT, g INT, v INT, s STRING, op STRING)",
        "CREATE STREAM Keyed OVER Src KEY k",
        "CREATE STREAM Pairs OVER Src KEY k, g",
        "CREATE STREAM Bag OVER Src KEY NULL",
        "CREATE STREAM Tagged OVER Cdc KEY k OPERATION BY op",
        "CREATE STREAM Loose OVER Cdc KEY NULL OPERATION BY op",
    ]
    made.streams.update({"Keyed": ("k",), "Pairs": ("k", "g"), "Bag": None, "Tagged": ("k",), "Loose": None})


def _syncs(made: World, rng: random.Random) -> None:
    for name, (sql, python) in _SYNCS.items():
        made.statements.append(f"CREATE STREAMED VIEW {name} AS SELECT Timepoint FROM R(clockStr) WHERE {sql}")
        made.syncs[name] = python
    made.statements.append("CREATE STREAMED VIEW Hot AS SELECT TS FROM R(Bag) WHERE v > 6")
    made.syncs["Hot"] = "events"
    for name, sync in CLOCKS.items():
        row = "SELECT 1 AS one, MAX(c.Timepoint) AS currTime"
        made.statements.append(f"CREATE STREAMED VIEW {name} AS {row} FROM R({sync or 'clockStr'}) c")


def _data(made: World, rng: random.Random) -> None:
    for at in range(LAST + 1):
        for _ in range(rng.choice((0, 1, 1, 2, 4))):
            row = (rng.randrange(4), rng.choice((0, 1, 2)), _int(rng), rng.choice(("a", "b", "", None)))
            made.pushes.append(("Src", row, at))
        for _ in range(rng.choice((0, 1, 2, 3))):
            row = (rng.randrange(3), rng.choice((0, 1)), _int(rng), rng.choice(("a", None)))
            made.pushes.append(("Cdc", (*row, rng.choice("++u--")), at))


def _int(rng: random.Random) -> int | None:
    return rng.choice((None, 0, 1, 2, 3, 5, 7, 9))


class _Generator:
    def __init__(self, rng: random.Random, relations: list[Relation], syncs: list[str]) -> None:
        self._rng, self._relations, self._syncs = rng, relations, syncs
        self._inputs: list[Input] = []

    def query(self, name: str) -> Query:
        shape = self._rng.choice(
            (self._plain, self._plain, self._join, self._group, self._group, self._distinct, self._set, self._nested,
             self._window)
        )  # fmt: skip
        text, columns = shape()
        clock = self._rng.choice(("Now", *CLOCKS)) if "{now}" in text else "Now"
        return Query(name, text, tuple(self._inputs), columns, clock)

    # Pieces

    def _input(self, relation: Relation | None = None) -> tuple[str, Relation]:
        """A new relation in FROM: its placeholder, and what it is."""
        chosen = relation or self._rng.choice(self._relations)
        sync = self._rng.choice([None, None, *self._syncs])
        alias = f"x{len(self._inputs)}"
        self._inputs.append(Input(chosen.name, sync, alias))
        return f"{{{len(self._inputs) - 1}}}", Relation(alias, chosen.columns, chosen.ts)

    def _column(self, relations: list[Relation], kind: str) -> str | None:
        found = [f"{r.name}.{c}" for r in relations for c, k in r.columns if k == kind]
        if kind == "I":
            found += [f"{r.name}.TS" for r in relations if r.ts and self._rng.random() < 0.3]
        return self._rng.choice(found) if found else None

    def _number(self, relations: list[Relation], depth: int = 0) -> str:
        column = self._column(relations, "I")
        pick = self._rng.random()
        if column is None or pick < 0.1:
            return str(self._rng.randrange(8))
        if depth > 1 or pick < 0.6:
            return column
        a, b = self._number(relations, depth + 1), self._number(relations, depth + 1)
        return self._rng.choice(
            (f"({a} + {b})", f"({a} - {b})", f"({a} * 2)", f"coalesce({a}, {b}, 1)", f"abs({a} - {b})", f"({a} % 3)",
             f"CASE WHEN {self._condition(relations, 2)} THEN {a} ELSE {b} END")
        )  # fmt: skip

    def _condition(self, relations: list[Relation], depth: int = 0) -> str:
        a, b = self._number(relations, 1), self._number(relations, 2)
        text = self._column(relations, "S")
        choices = [
            f"{a} {self._rng.choice(('<', '<=', '>', '>=', '=', '<>'))} {b}",
            f"{a} BETWEEN {self._rng.randrange(3)} AND {self._rng.randrange(3, 9)}",
            f"{a} IN ({self._rng.randrange(4)}, {self._rng.randrange(9)})",
            f"{a} IS NULL",
            f"{a} IS NOT NULL",
        ]
        if text is not None:
            choices += [f"{text} = 'a'", f"{text} IS NULL", f"{text} <> 'b'"]
        if depth < 2:
            left, right = self._condition(relations, depth + 1), self._condition(relations, depth + 1)
            choices += [f"({left} AND {right})", f"({left} OR {right})", f"NOT ({left})"]
        return self._rng.choice(choices)

    def _where(self, relations: list[Relation]) -> str:
        return f" WHERE {self._condition(relations)}" if self._rng.random() < 0.6 else ""

    def _outputs(self, relations: list[Relation]) -> tuple[str, tuple[tuple[str, str], ...]]:
        items, columns = [], []
        for number in range(self._rng.randrange(1, 5)):
            text = self._column(relations, "S") if self._rng.random() < 0.25 else None
            items.append(f"{text or self._number(relations)} AS c{number}")
            columns.append((f"c{number}", "S" if text else "I"))
        return ", ".join(items), tuple(columns)

    # Shapes

    def _plain(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        place, relation = self._input()
        if self._rng.random() < 0.4:
            # The whole row, so that a key stays visible.
            row = ", ".join(f"{relation.name}.{c}" for c, _ in relation.columns)
            return f"SELECT {row} FROM {place}{self._where([relation])}", relation.columns
        items, columns = self._outputs([relation])
        return f"SELECT {items} FROM {place}{self._where([relation])}", columns

    def _join(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        if self._rng.random() < 0.4:
            return self._join_on_keys()
        sides = [self._input() for _ in range(self._rng.choice((2, 2, 2, 3)))]
        relations = [r for _, r in sides]
        conditions = []
        for left, right in itertools.pairwise(relations):
            a, b = self._column([left], "I"), self._column([right], "I")
            if a is not None and b is not None:
                conditions.append(f"{a} {self._rng.choice(('=', '=', '=', '<'))} {b}")
        if self._rng.random() < 0.5:
            conditions.append(self._condition(relations))
        items, columns = self._outputs(relations)
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return f"SELECT {items} FROM {', '.join(p for p, _ in sides)}{where}", columns

    def _join_on_keys(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Of relations that have the column of a key, which need not be a key there; with the whole left row or not."""
        keyed = [r for r in self._relations if ("k", "I") in r.columns and ("g", "I") in r.columns]
        (p0, r0), (p1, r1) = (self._input(self._rng.choice(keyed)) for _ in range(2))
        conditions = [f"{r0.name}.k = {r1.name}.k"]
        if self._rng.random() < 0.4:
            conditions.append(f"{r1.name}.g = {r0.name}.g")
        if self._rng.random() < 0.5:
            conditions.append(self._condition([r0, r1]))
        if self._rng.random() < 0.5:
            items = (
                ", ".join(f"{r0.name}.{c}" for c, _ in r0.columns) + f", {self._number([r0, r1])} AS m{len(r0.columns)}"
            )
            columns = (*r0.columns, (f"m{len(r0.columns)}", "I"))
        else:
            items, columns = self._outputs([r0, r1])
        return f"SELECT {items} FROM {p0}, {p1} WHERE {' AND '.join(conditions)}", columns

    def _group(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        if self._rng.random() < 0.3:
            (p1, r1), (p2, r2) = self._input(), self._input()
            place, relations = f"{p1}, {p2}", [r1, r2]
            a, b = self._column([r1], "I"), self._column([r2], "I")
            where = f" WHERE {a} = {b}" if a is not None and b is not None else ""
        else:
            place, relation = self._input()
            relations = [relation]
            where = self._where(relations)
        groups = [
            g for g in {self._number(relations) for _ in range(self._rng.choice((0, 1, 1, 2)))} if not g.isdigit()
        ]
        calls = [self._call(relations) for _ in range(self._rng.randrange(1, 4))]
        items = [f"{g} AS c{i}" for i, g in enumerate(sorted(groups)) if self._rng.random() < 0.8]
        columns = [(item.rsplit(" ", 1)[1], "I") for item in items]
        items += [f"{c} AS a{i}" for i, c in enumerate(calls)]
        columns += [(f"a{i}", "I" if not c.startswith("avg") else "F") for i, c in enumerate(calls)]
        having = f" HAVING {self._call(relations, safe=True)} > 1" if groups and self._rng.random() < 0.3 else ""
        by = f" GROUP BY {', '.join(sorted(groups))}" if groups else ""
        return f"SELECT {', '.join(items)} FROM {place}{where}{by}{having}", tuple(columns)

    def _call(self, relations: list[Relation], safe: bool = False) -> str:
        argument = self._number(relations, 1)
        choices = ["count(*)", f"count({argument})", f"sum({argument})", f"min({argument})", f"max({argument})"]
        return self._rng.choice(choices if safe else [*choices, f"avg({argument})"])

    def _distinct(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        place, relation = self._input()
        items, columns = self._outputs([relation])
        return f"SELECT DISTINCT {items} FROM {place}{self._where([relation])}", columns

    def _set(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        word = self._rng.choice(("UNION", "UNION ALL", "INTERSECT", "INTERSECT ALL", "EXCEPT", "EXCEPT ALL"))
        count = self._rng.randrange(1, 3)
        sides = []
        for _ in range(2):
            place, relation = self._input()
            items = ", ".join(f"{self._number([relation], 1)} AS c{n}" for n in range(count))
            sides.append(f"SELECT {items} FROM {place}{self._where([relation])}")
        return f"{sides[0]} {word} {sides[1]}", tuple((f"c{n}", "I") for n in range(count))

    def _nested(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        inner, columns = self._rng.choice((self._plain, self._group, self._distinct, self._join))()
        whole = tuple((c, k) for c, k in columns if k != "F") or columns
        relation = Relation("d", whole, False)
        items, outputs = self._outputs([relation])
        if self._rng.random() < 0.5:
            return f"WITH d AS ({inner}) SELECT {items} FROM d{self._where([relation])}", outputs
        return f"SELECT {items} FROM ({inner}) d{self._where([relation])}", outputs

    def _window(self) -> tuple[str, tuple[tuple[str, str], ...]]:
        """Rows that come and go with the time, by their TS or by a column; or a summary of them."""
        place, relation = self._input()
        column = self._column([relation], "I")
        moment = f"{relation.name}.TS" if relation.ts and self._rng.random() < 0.7 else column or "1"
        size = self._rng.randrange(1, 6)
        window = self._rng.choice(
            (f"{{now}} - {size} < {moment} AND {moment} <= {{now}}", f"{moment} + {size} >= {{now}}",
             f"{moment} <= {{now}} - {size}", f"{{now}} = {moment} + {size}", f"{moment} > {{now}} - {size}")
        )  # fmt: skip
        if self._rng.random() < 0.4:
            window += f" AND {self._condition([relation])}"
        if column is not None and self._rng.random() < 0.3:
            call = self._call([relation])
            text = f"SELECT {column} AS c0, {call} AS a0 FROM {place}{{clock}} WHERE {window} GROUP BY {column}"
            return text, (("c0", "I"), ("a0", "F" if call.startswith("avg") else "I"))
        items, columns = self._outputs([relation])
        return f"SELECT {items} FROM {place}{{clock}} WHERE {window}", columns
