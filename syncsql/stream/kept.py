"""A result of a job that is read several times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pyarrow as pa

from syncsql.stream.text import Sql, listed, quoted


@dataclass(frozen=True)
class Part:
    """The rows of ``text`` for which the column ``flag`` is true; ``cells`` has an expression for each column. Parts of
    one text can be had from one job."""

    text: Sql
    cells: Mapping[str, str]
    flag: str

    @property
    def sql(self) -> Sql:
        named = listed(f"{expression} AS {quoted(name)}" for name, expression in self.cells.items())
        return f"SELECT {named} FROM ({self.text}) WHERE {self.flag}"


@dataclass(frozen=True)
class Kept:
    """A result that is read several times: as SQL, and as rows where they are few enough to be held here."""

    text: Sql
    rows: pa.Table | None

    def part(self, columns: Mapping[str, str], flag: str) -> Part | pa.Table:
        """The rows for which the column ``flag`` is true, with columns renamed (name in the part to name here)."""
        if self.rows is not None:
            chosen = self.rows.filter(self.rows[flag])
            return pa.table({name: chosen[column] for name, column in columns.items()})
        return Part(self.text, {name: quoted(column) for name, column in columns.items()}, flag)
