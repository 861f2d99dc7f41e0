"""Pieces of Spark SQL. Operators are written as SQL text: one text a job is parsed and analyzed once, where a chain of
DataFrame calls is analyzed call by call, and that is most of what a small view costs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

# A whole SELECT statement, which can stand in parentheses in FROM.
Sql = str


def listed(cells: Iterable[str]) -> str:
    return ", ".join(cells)


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def text_literal(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def struct(cells: Sequence[str]) -> str:
    """A row as one value. A struct needs a field, also where nobody reads a column."""
    return f"struct({listed(cells)})" if cells else "struct(TRUE AS _)"


def over(keys: Sequence[str], order: str = "", frame: str = "") -> str:
    """``OVER (PARTITION BY keys ORDER BY order frame)``."""
    parts = [f"PARTITION BY {listed(keys)}" if keys else "", f"ORDER BY {order}" if order else "", frame]
    return f"OVER ({' '.join(p for p in parts if p)})"


def same(left: Sequence[str], right: Sequence[str]) -> str:
    """Equality in which NULL is equal to NULL, column by column."""
    return " AND ".join(f"{a} <=> {b}" for a, b in zip(left, right, strict=True)) or "TRUE"


def among(rows: Sql, columns: Sequence[str], keys: Sql, key_columns: Sequence[str], anti: bool = False) -> Sql:
    """The rows whose ``columns`` are (``anti``: are not) one of ``keys``; NULL is equal to NULL."""
    match = same([f"r.{c}" for c in columns], [f"q.{k}" for k in key_columns])
    return f"SELECT r.* FROM ({rows}) r LEFT {'ANTI' if anti else 'SEMI'} JOIN ({keys}) q ON {match}"
