"""Random (view, query) pairs that are near each other: one predicate, column, group or join apart.

Half of them are made so that the view answers the query: the view is the query with a wider condition, a finer
grouping, more columns. The others are changed at random and may go either way.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field, replace

SCHEMA = """
CREATE TABLE u (k INT PRIMARY KEY, x INT NOT NULL, y INT, name STRING);
CREATE TABLE t (id INT PRIMARY KEY, k INT NOT NULL REFERENCES u (k), a INT, b INT, c INT NOT NULL, s STRING, d DOUBLE,
                day DATE, pay DECIMAL(8,2));
CREATE TABLE w (a INT, b INT, s STRING, f DOUBLE);
"""
_COLUMNS = {
    "t": {"id": "I", "k": "I", "a": "I", "b": "I", "c": "I", "s": "S", "d": "D", "day": "T", "pay": "M"},
    "u": {"k": "I", "x": "I", "y": "I", "name": "S"},
    "w": {"a": "I", "b": "I", "s": "S", "f": "D"},
}
_JOINS = {
    ("t", "u"): "t.k = u.k",
    ("u", "t"): "t.k = u.k",
    ("t", "w"): "t.a = w.a",
    ("w", "t"): "t.a = w.a",
    ("u", "w"): "u.y = w.b",
    ("w", "u"): "u.y = w.b",
}
_WORDS = ("a", "ab", "abc", "b", "x", "Sales")


@dataclass(frozen=True)
class Shape:
    """One SELECT. ``items`` are expressions with names; ``kinds`` are INNER or LEFT for each table after the first."""

    tables: tuple[str, ...]
    kinds: tuple[str, ...]
    where: tuple[str, ...]
    items: tuple[tuple[str, str], ...]
    groups: tuple[str, ...] | None = None
    having: tuple[str, ...] = ()
    distinct: bool = False

    def sql(self) -> str:
        from_ = self.tables[0]
        for before, table, kind in zip(self.tables, self.tables[1:], self.kinds, strict=False):
            from_ += f" {kind} JOIN {table} ON {_JOINS[before, table]}"
        items = ", ".join(f"{e} AS {n}" for e, n in self.items)
        text = f"SELECT {'DISTINCT ' if self.distinct else ''}{items} FROM {from_}"
        if self.where:
            text += f" WHERE {' AND '.join(self.where)}"
        if self.groups:
            text += f" GROUP BY {', '.join(self.groups)}"
        if self.having:
            text += f" HAVING {' AND '.join(self.having)}"
        return text


@dataclass(frozen=True)
class Example:
    view: Shape
    query: Shape
    rewritable: bool


@dataclass
class Generator:
    rng: random.Random
    _number: list[int] = field(default_factory=lambda: [0])

    def example(self) -> Example:
        query = self.query()
        if self.rng.random() < 0.5:
            return Example(self.wider(query), query, True)
        view = self.wider(query) if self.rng.random() < 0.6 else query
        for _ in range(self.rng.choice((1, 1, 2))):
            view = self.changed(view)
        if self.rng.random() < 0.3:
            view, query = query, view
        return Example(self._renamed(view, "v"), self._renamed(query, "q"), False)

    # -- queries -----------------------------------------------------------------------------------------------------

    def query(self) -> Shape:
        rng = self.rng
        tables: tuple[str, ...] = (rng.choice(("t", "t", "w", "u")),)
        while len(tables) < 3 and rng.random() < 0.4:
            following = [b for a, b in _JOINS if a == tables[-1] and b not in tables]
            if not following:
                break
            tables = (*tables, rng.choice(following))
        kinds = tuple("LEFT" if rng.random() < 0.25 else "INNER" for _ in tables[1:])
        where = tuple(self.condition(tables) for _ in range(rng.choice((0, 1, 1, 2))))
        columns = self.columns(tables)
        if rng.random() < 0.4:
            groups = tuple(rng.sample(columns, rng.choice((0, 1, 1, 2))))
            calls = [self.call(tables) for _ in range(rng.choice((1, 1, 2)))]
            items = [*groups, *calls]
            having = (f"count(*) > {rng.choice((0, 1, 2))}",) if groups and rng.random() < 0.2 else ()
            return Shape(tables, kinds, where, self.named(items, "q"), groups, having)
        items = [self.expression(tables) for _ in range(rng.choice((1, 2, 3)))]
        return Shape(tables, kinds, where, self.named(items, "q"), distinct=rng.random() < 0.2)

    def columns(self, tables: tuple[str, ...], kinds: str = "IS") -> list[str]:
        return [f"{t}.{c}" for t in tables for c, k in _COLUMNS[t].items() if k in kinds]

    def expression(self, tables: tuple[str, ...]) -> str:
        rng = self.rng
        column = rng.choice(self.columns(tables, "ISDTM"))
        numbers = self.columns(tables, "I")
        roll = rng.random()
        if "t" in tables and roll > 0.92:
            return rng.choice(("year(t.day)", "t.pay * 2", "t.pay + t.c", "month(t.day)"))
        if roll < 0.15:
            return f"{rng.choice(numbers)} + {rng.choice((1, 5, 10))}"
        if roll < 0.22:
            return f"{rng.choice(numbers)} - {rng.choice(numbers)}"
        if roll < 0.27:
            return f"coalesce({rng.choice(numbers)}, {rng.choice((0, 7))})"
        if roll < 0.32:
            return f"CASE WHEN {self.condition(tables)} THEN {rng.choice(numbers)} ELSE 0 END"
        return column

    def condition(self, tables: tuple[str, ...]) -> str:
        rng = self.rng
        number, other = rng.choice(self.columns(tables, "I")), rng.choice(self.columns(tables, "I"))
        text = rng.choice(self.columns(tables, "S"))
        value = rng.choice((-1, 0, 2, 4, 6, 8))
        doubles = self.columns(tables, "D")
        forms = [
            f"{number} {rng.choice(('>', '>=', '<', '<=', '=', '<>'))} {value}",
            f"{number} BETWEEN {value} AND {value + rng.choice((1, 4, 8))}",
            f"{number} IN ({value}, {value + 1}, {value + 4})",
            f"{number} NOT IN ({value}, {value + 2})",
            f"{text} = '{rng.choice(_WORDS)}'",
            f"{text} LIKE '{rng.choice(('a%', '%b%', 'ab%', '_b%', '%c'))}'",
            f"{text} > '{rng.choice(_WORDS)}'",
            f"{number} IS NOT NULL",
            f"{number} IS NULL",
            f"({number} > {value} OR {other} < {value})",
            f"NOT ({number} > {value} AND {other} > {value})",
            f"{number} + {other} > {value}",
            f"{number} = {other}",
            f"{number} <= {other} + {value}",
            f"{number} % 2 = 0",
            f"EXISTS (SELECT 1 FROM w z WHERE z.a = {number} AND z.b > {value})",
            f"NOT EXISTS (SELECT 1 FROM u z WHERE z.y = {number})",
            f"{number} IN (SELECT z.b FROM w z WHERE z.a > {value})",
            f"{number} NOT IN (SELECT z.y FROM u z)",
            f"{number} > (SELECT max(z.x) FROM u z WHERE z.k < {value})",
            f"{value} > 3",
            f"{text} NOT LIKE '{rng.choice(('a%', '%b'))}'",
            f"coalesce({number}, {value}) = {other}",
            f"{number} <=> {other}",
            f"CASE WHEN {number} > {value} THEN {other} ELSE {value} END > 2",
            f"IF({number} > {value}, {other}, {value}) > 2",
            f"{number} IN ({value}, {value + 1}.5, {value + 4})",
        ]
        if doubles:
            forms += [
                f"{rng.choice(doubles)} > 1.5",
                f"{rng.choice(doubles)} >= 100.5",
                f"{rng.choice(doubles)} <= 3.0",
            ]
        days, pays = self.columns(tables, "T"), self.columns(tables, "M")
        if days:
            day = rng.choice(days)
            date = rng.choice(("2023-12-31", "2024-01-01", "2024-01-15", "2024-03-01", "2024-12-31"))
            forms += [
                f"{day} {rng.choice(('>', '>=', '<', '<=', '='))} DATE '{date}'",
                f"{day} BETWEEN DATE '2024-01-01' AND DATE '{rng.choice(('2024-02-29', '2024-12-31'))}'",
                f"year({day}) {rng.choice(('=', '>=', '<'))} 2024",
                f"month({day}) {rng.choice(('=', '<=', '>'))} {rng.choice((1, 2, 7, 12))}",
                f"year({day}) = 2024 AND month({day}) = {rng.choice((1, 2))}",
                f"day({day}) > {rng.choice((1, 15, 29))}",
                f"datediff({day}, DATE '{date}') {rng.choice(('>', '<='))} {rng.choice((0, 14, 15))}",
                f"date_trunc('{rng.choice(('MONTH', 'YEAR'))}', {day}) {rng.choice(('=', '>', '<='))} DATE '{date}'",
                f"{day} + INTERVAL {rng.choice((1, 14, 31))} DAYS {rng.choice(('>', '<='))} DATE '{date}'",
                f"{day} < DATE '{date}' + INTERVAL {rng.choice((1, 2, 12))} MONTH",
            ]
        if pays:
            pay = rng.choice(pays)
            forms += [
                f"{pay} {rng.choice(('>', '<='))} {rng.choice(('1.50', '2.0', '10'))}",
                f"{pay} + 0.75 {rng.choice(('>', '<='))} {rng.choice(('2.25', '3.00', '10.75'))}",
                f"{pay} * 2 {rng.choice(('>', '<='))} {rng.choice(('3.00', '4.5', '20'))}",
                f"{pay} - {number} > {value}",
                f"-{pay} < {rng.choice(('-1.50', '0.5'))}",
            ]
        return rng.choice(forms)

    def call(self, tables: tuple[str, ...]) -> str:
        number = self.rng.choice(self.columns(tables, "I"))
        double = self.columns(tables, "D")
        forms = ["count(*)", f"count({number})", f"sum({number})", f"min({number})", f"max({number})", f"avg({number})",
                 f"count(DISTINCT {number})", f"sum({number} + 1)", f"sum(3 - 2 * {number})"]  # fmt: skip
        if double:
            forms += [f"sum({self.rng.choice(double)})", f"max({self.rng.choice(double)})"]
        return self.rng.choice(forms)

    # -- views -------------------------------------------------------------------------------------------------------

    def wider(self, query: Shape) -> Shape:
        """A view that has the query's answer in it, by construction."""
        rng = self.rng
        dropped = [c for c in query.where if rng.random() < 0.6]
        where = tuple(self._weaker(c, query.tables) for c in query.where if c not in dropped)
        needed = [c for condition in query.where for c in self._read(condition, query.tables)]
        if query.groups is None:
            items = [e for e, _ in query.items] + needed
            if rng.random() < 0.4:
                # The columns instead of what is computed from them.
                items = [c for e, _ in query.items for c in self._read(e, query.tables)] + needed
            if rng.random() < 0.3:
                items += rng.sample(self.columns(query.tables), 1)
            distinct = query.distinct and rng.random() < 0.5
            return replace(query, where=where, items=self.named(items, "v"), distinct=distinct)
        if rng.random() < 0.35:
            read = [c for e, _ in query.items for c in self._read(e, query.tables)] + needed
            return replace(query, where=where, items=self.named(read, "v"), groups=None, having=())
        calls = [e for e, _ in query.items if "(" in e]
        exact = not needed and rng.random() < 0.4
        groups = [*query.groups, *needed]
        if not exact and rng.random() < 0.5:
            groups += rng.sample(self.columns(query.tables), 1)
        parts: list[str] = []
        for call in [*calls, *("count(*)" for _ in query.having)]:
            parts += self._parts(call, groups)
        if not groups:
            return replace(query, where=query.where, items=self.named(parts, "v"), groups=(), having=())
        unique = tuple(dict.fromkeys(groups))
        coarser = any("DISTINCT" in c or _is_float_sum(c) for c in calls) and set(unique) != set(query.groups)
        if coarser:
            return replace(
                query, where=query.where, items=self.named([*query.groups, *calls, "count(*)"], "v"), having=()
            )
        return replace(query, where=where, items=self.named([*unique, *parts], "v"), groups=unique, having=())

    def _parts(self, call: str, groups: list[str]) -> list[str]:
        if call.startswith("avg("):
            return [call.replace("avg(", "sum("), call.replace("avg(", "count(")]
        linear = re.fullmatch(r"sum\((?:3 - 2 \* )?(\w\.\w+)(?: \+ 1)?\)", call)
        if linear is not None and call != f"sum({linear[1]})" and self.rng.random() < 0.6:
            return [f"sum({linear[1]})", f"count({linear[1]})"]
        return [call, "count(*)"] if call.startswith("count(") and "DISTINCT" not in call else [call]

    def _weaker(self, condition: str, tables: tuple[str, ...]) -> str:
        """The same or a wider condition; its columns are kept by the view, so the difference can be filtered."""
        number = re.fullmatch(r"(\w\.\w+) (>|>=) (-?\d+)", condition)
        if number is not None and self.rng.random() < 0.7:
            return f"{number[1]} > {int(number[3]) - self.rng.choice((1, 2, 5))}"
        number = re.fullmatch(r"(\w\.\w+) BETWEEN (-?\d+) AND (-?\d+)", condition)
        if number is not None and self.rng.random() < 0.7:
            return f"{number[1]} BETWEEN {int(number[2]) - 1} AND {int(number[3]) + 3}"
        if self.rng.random() < 0.3:
            return f"({condition} OR {self.condition(tables)})"
        return condition

    def _read(self, text: str, tables: tuple[str, ...]) -> list[str]:
        return [m for m in re.findall(r"\b[tuw]\.\w+", text) if m.split(".")[0] in tables]

    def changed(self, view: Shape) -> Shape:
        rng = self.rng
        roll = rng.random()
        if roll < 0.25:
            return replace(view, where=(*view.where, self.condition(view.tables)))
        if roll < 0.4 and view.where:
            return replace(view, where=view.where[1:])
        if roll < 0.55 and len(view.items) > 1:
            at = rng.randrange(len(view.items))
            items = view.items[:at] + view.items[at + 1 :]
            if view.groups is None or "(" in view.items[at][0]:
                return replace(view, items=items)
            return replace(view, items=items, groups=tuple(g for g in view.groups if g != view.items[at][0]))
        if roll < 0.7 and view.groups:
            return replace(view, groups=view.groups[1:], items=tuple(i for i in view.items if i[0] != view.groups[0]))
        if roll < 0.8 and view.kinds:
            kinds = tuple("LEFT" if k == "INNER" else "INNER" for k in view.kinds)
            return replace(view, kinds=kinds)
        if roll < 0.9 and view.groups is None:
            return replace(view, distinct=not view.distinct)
        following = [b for a, b in _JOINS if a == view.tables[-1] and b not in view.tables]
        if following:
            return replace(
                view, tables=(*view.tables, rng.choice(following)), kinds=(*view.kinds, rng.choice(("INNER", "LEFT")))
            )
        return view

    def named(self, items: list[str], prefix: str) -> tuple[tuple[str, str], ...]:
        return tuple((e, f"{prefix}{i}") for i, e in enumerate(dict.fromkeys(items or ["1"])))

    def _renamed(self, shape: Shape, prefix: str) -> Shape:
        return replace(shape, items=self.named([e for e, _ in shape.items], prefix))


def _is_float_sum(call: str) -> bool:
    return call.startswith("sum(") and call.endswith((".d)", ".f)"))
