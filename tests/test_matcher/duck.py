"""Random databases in DuckDB: small domains with NULLs and duplicates, within the declared constraints.

A hidden TS is a column ``TS`` of a stream's table, and Now is a number; both are what they are at one point in time.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from datetime import date
from fractions import Fraction
from typing import Any

import duckdb
import sqlglot
from sqlglot import exp

from matcher.sqltext import to_sql
from matcher.witness import NOW
from matcher.workspace import Workspace
from syncsql.algebra.catalog import Field, StreamDef, TableDef, ViewDef
from syncsql.language import CreateView, Query, parse_statement

_WORDS = ("a", "ab", "abc", "b", "ba", "c", "x", "xyz", "", "Sales")
_READ: dict[str, Callable[[Any], Any]] = {"DATE": date.fromisoformat, "DECIMAL": Fraction}
_DAYS = ("2023-12-31", "2024-01-01", "2024-01-15", "2024-02-29", "2024-07-01", "2025-01-01")


class Database:
    """The tables of a workspace, filled at random, and its views computed from them."""

    def __init__(self, workspace: Workspace, rng: random.Random, numbers: tuple[int, ...] = (), now: int = NOW) -> None:
        self.workspace = workspace
        self._now = now
        self.connection = duckdb.connect()
        self.connection.execute("SET threads = 1")
        self._rng = rng
        self._numbers = numbers or tuple(range(-2, 12))
        self._rows: dict[str, list[dict[str, Any]]] = {}
        self.fill()

    def fill(self) -> None:
        """New rows in every table; a referenced table before those that refer to it."""
        todo = [d for d in self.workspace.definitions.values() if isinstance(d, TableDef | StreamDef)]
        self._rows.clear()
        for view in self.workspace.definitions.values():
            if isinstance(view, ViewDef) and view.now_row is not None:
                self.connection.execute(
                    f'CREATE OR REPLACE TABLE "{view.name}" AS SELECT 1 AS KEY, {self._now} AS currTime'
                )
        while todo:
            for table in todo:
                references = table.foreign_keys if isinstance(table, TableDef) else ()
                if all(r.references.lower() in self._rows or r.references == table.name for r in references):
                    self._fill(table)
                    todo.remove(table)
                    break
            else:
                raise ValueError("references in a circle")

    def _fill(self, table: TableDef | StreamDef) -> None:
        keys = table.keys if isinstance(table, TableDef) else ((table.key,) if table.key else ())
        not_null = set(table.not_null) if isinstance(table, TableDef) else set(table.key or ())
        rows: list[dict[str, Any]] = []
        for _ in range(self._rng.choice((0, 1, 3, 6, 10))):
            row = {f.name: self._value(f, f.name in not_null) for f in table.fields}
            for reference in table.foreign_keys if isinstance(table, TableDef) else ():
                targets = self._rows.get(reference.references.lower(), [])
                present = [row[c] is not None for c in reference.columns]
                if all(present) and targets:
                    target = self._rng.choice(targets)
                    row |= {c: target[t] for c, t in zip(reference.columns, reference.to, strict=True)}
                elif all(present):
                    if set(reference.columns) & not_null:
                        break
                    row |= dict.fromkeys(reference.columns)
            else:
                if isinstance(table, StreamDef):
                    row["TS"] = self._rng.randint(0, self._now)
                taken = [tuple(r[c] for c in k) for k in keys for r in rows]
                if not any(None not in (v := tuple(row[c] for c in k)) and v in taken for k in keys):
                    rows.append(row)
                    if not keys and self._rng.random() < 0.3:
                        rows.append(dict(row))
        self._rows[table.name.lower()] = rows
        fields = [*table.fields, *([Field("TS", "BIGINT")] if isinstance(table, StreamDef) else [])]
        columns = ", ".join(f'"{f.name}" {_duck_type(f.type)}' for f in fields)
        self.connection.execute(f'CREATE OR REPLACE TABLE "{table.name}" ({columns})')
        if rows:
            marks = ", ".join(["(" + ", ".join("?" * len(fields)) + ")"] * len(rows))
            values = [r[f.name] for r in rows for f in fields]
            self.connection.execute(f'INSERT INTO "{table.name}" VALUES {marks}', values)

    def put(self, name: str, columns: tuple[str, ...], rows: tuple[tuple[Any, ...], ...]) -> None:
        """Exactly these rows in a table."""
        self.connection.execute(f'DELETE FROM "{name}"')
        names = ", ".join(f'"{c}"' for c in columns)
        for row in rows:
            values = [float(v) if isinstance(v, Fraction) else v for v in row]
            self.connection.execute(f'INSERT INTO "{name}" ({names}) VALUES ({", ".join("?" * len(columns))})', values)

    def _value(self, field: Field, not_null: bool) -> Any:
        if not not_null and self._rng.random() < 0.2:
            return None
        kind = field.type.upper().split("(")[0]
        if kind in ("INT", "BIGINT", "SMALLINT", "TINYINT"):
            return self._rng.choice(self._numbers)
        if kind in ("DOUBLE", "FLOAT"):
            return self._rng.choice((0.0, 1.5, -2.25, 3.0, 100.5, float("nan"), float("inf"), 7.0, 8.0))
        if kind == "DECIMAL":
            return self._rng.choice(("0.00", "1.50", "2.25", "10.00", "99.99"))
        if kind == "BOOLEAN":
            return self._rng.random() < 0.5
        if kind == "DATE":
            return self._rng.choice(_DAYS)
        if kind.startswith("TIMESTAMP"):
            return self._rng.choice(_DAYS) + self._rng.choice((" 00:00:00", " 12:30:00"))
        return self._rng.choice(_WORDS)

    def views(self) -> None:
        """Every view's rows, computed from the base by the user's own text."""
        for view in self.workspace.views.values():
            definition = self.workspace.find(view.name)
            body = plain(parse_statement(definition.sql), self._now)  # type: ignore[union-attr]
            self.connection.execute(f'CREATE OR REPLACE TABLE "{view.name}" AS {body}')
            names = [c.name for c in view.fields]
            found = [d[0] for d in self.connection.execute(f'SELECT * FROM "{view.name}" LIMIT 0').description]
            for old, new in zip(found, names, strict=True):
                if old != new:
                    self.connection.execute(f'ALTER TABLE "{view.name}" RENAME COLUMN "{old}" TO "{new}"')

    def answer(self, sql: str) -> Counter[tuple[Any, ...]]:
        return Counter(tuple(comparable(v) for v in row) for row in self.connection.execute(sql).fetchall())

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """The rows by lower-case names of tables and columns, with values as the evaluator has them."""
        found: dict[str, list[dict[str, Any]]] = {}
        for name, rows in self._rows.items():
            table = self.workspace.find(name)
            assert isinstance(table, TableDef | StreamDef)
            read = {f.name: _READ.get(f.type.upper().split("(")[0], lambda v: v) for f in table.fields}
            found[name] = [
                {k.lower(): v if v is None or k not in read else read[k](v) for k, v in row.items()} for row in rows
            ]
        return found

    def show(self) -> str:
        return "\n".join(f"{name}: {rows}" for name, rows in self._rows.items())


def plain(statement: object, now: int = NOW) -> str:
    """A query of the language as DuckDB's SQL: relations by their names, Now as a number."""
    if isinstance(statement, CreateView):
        statement = statement.query
    assert isinstance(statement, Query)
    return _to_duck(statement.tree.copy(), now)


def rewritten(query: Any, names: tuple[str, ...]) -> str:
    text = re.sub(r"Now\[[^\]]*\]", "Now", to_sql(query, True, names))
    return _to_duck(sqlglot.parse_one(text, dialect="spark"))


def _to_duck(tree: exp.Expr, now: int = NOW) -> str:
    for column in list(tree.find_all(exp.Column)):
        if column.name.lower() == "now" and not column.table:
            column.replace(exp.Literal.number(now))
    for join in tree.find_all(exp.Join):
        if join.kind in ("SEMI", "ANTI"):
            join.set("side", None)
    return tree.sql(dialect="duckdb")


def _duck_type(type_: str) -> str:
    return {"STRING": "VARCHAR", "TIMESTAMP_NTZ": "TIMESTAMP"}.get(type_.upper(), type_)


def comparable(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, float):
        return "NaN" if value != value else "inf" if value == float("inf") else round(value, 9) + 0.0
    if isinstance(value, int | str):
        return value
    try:
        return round(float(value), 9)
    except (TypeError, ValueError):
        return str(value)
