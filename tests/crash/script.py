"""A script of statements, pushes and advances, and the client that works through it, however often it dies.

The client keeps its place in the script outside the database. After a crash it looks whether the step that it was at
has happened: what the database holds must be as before the step or as after it, never in between.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from deltalake import DeltaTable

from syncsql.session import Database

Row = tuple[Any, ...]
Mark = dict[str, int]


@dataclass(frozen=True)
class Sql:
    text: str

    def run(self, db: Database) -> None:
        db.sql(self.text)


@dataclass(frozen=True)
class Push:
    source: str
    rows: tuple[Row, ...]
    at: int

    def run(self, db: Database) -> None:
        db.push(self.source, list(self.rows), at=self.at)


@dataclass(frozen=True)
class Advance:
    to: int

    def run(self, db: Database) -> None:
        db.advance(to=self.to)


Step = Sql | Push | Advance

SCRIPT: tuple[Step, ...] = (
    Sql("REGISTER SOURCE Src (k INT, g INT, v INT)"),
    Sql("REGISTER SOURCE Cdc (k INT, d DOUBLE, op STRING)"),
    Sql("CREATE STREAM Keyed OVER Src KEY k"),
    Sql("CREATE STREAM Tagged OVER Cdc KEY k OPERATION BY op"),
    Sql("CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0"),
    Sql("CREATE STREAMED VIEW Hot AS SELECT TS FROM R(Keyed) WHERE v > 6"),
    Push("Src", ((1, 0, 5), (2, 0, 7), (None, 1, 1), (3, 1, 2), ("x", 0, 0)), 1),
    Push("Cdc", ((1, 1e300, "+"), (2, 1.5, "+"), (2, 9.0, "+"), (7, 0.0, "-")), 1),
    Sql("CREATE STREAMED VIEW Extremes AS SELECT g, count(*) AS n, min(v) AS lo FROM R(Keyed) GROUP BY g"),
    Sql("CREATE COMPLETE VIEW Sums AS SELECT sum(d) AS s FROM R[Sync2](Tagged)"),
    Sql("CREATE STREAMED VIEW Recent AS SELECT k, v FROM R(Keyed) WHERE Now - 3 < TS AND TS <= Now"),
    Sql("CREATE STREAMED VIEW Pairs AS SELECT a.k, a.v, b.d FROM R[Hot](Keyed) a, R(Tagged) b WHERE a.k = b.k"),
    Push("Src", ((1, 1, 8), (2, 0, 1)), 2),
    Advance(2),
    Push("Src", (("bad", 0, 0), (1, 0, 0, 0)), 3),
    Push("Src", ((3, 1, 9), (1, 1, 3), (1, 0, 9)), 4),
    Push("Cdc", ((1, 0.0, "-"), (5, 2.5, "+"), (2, -1e300, "u"), (9, 0.0, "u")), 3),
    Sql("CREATE STREAM Loose OVER Cdc KEY NULL OPERATION BY op"),
    Sql("CREATE STREAMED VIEW Deep AS SELECT count(*) AS groups, max(n) AS most FROM R(Extremes)"),
    Advance(5),
    Sql("CREATE OR REPLACE STREAMED VIEW Pairs AS SELECT DISTINCT a.g, b.k FROM R(Keyed) a, R(Tagged) b"),
    Sql("DROP VIEW Deep"),
    Push("Src", ((2, 1, 4), (4, 0, 7)), 6),
    Push("Cdc", ((2, 3.0, "u"), (5, 2.5, "-")), 7),
    Advance(8),
    Sql("DROP STREAM Loose"),
    Advance(9),
)  # fmt: skip


def mark(root: Path) -> Mark:
    """How much of everything there is, told from the Delta tables alone."""
    counts = {"events": _rows(root / "_catalog"), "advances": _rows(root / "_advances")}
    for kind in ("sources", "quarantine"):
        for table in sorted((root / kind).glob("[!.]*")):
            counts[f"{kind}/{table.name}"] = _rows(table)
    return counts


def _rows(path: Path) -> int:
    return int(DeltaTable(str(path)).to_pyarrow_dataset().count_rows())


class Client:
    def __init__(self, root: Path, script: tuple[Step, ...] = SCRIPT) -> None:
        self._root = root
        self._script = script
        self._place = root.with_name(f"{root.name}.place")

    @property
    def place(self) -> int:
        return int(self._place.read_text()) if self._place.exists() else 0

    def _reach(self, place: int) -> None:
        new = self._place.with_suffix(".new")
        new.write_text(str(place))
        os.replace(new, self._place)

    def undisturbed(self, db: Database, until: int | None = None) -> list[Mark]:
        """Runs the script up to ``until``; gives the marks before its first step and after each."""
        marks = [mark(self._root)]
        for place, step in enumerate(self._script[:until]):
            step.run(db)
            marks.append(mark(self._root))
            self._reach(place + 1)
        return marks

    def resume(self, db: Database, marks: list[Mark], begins: Callable[[int], None] = lambda place: None) -> None:
        """Goes on where the script was left: the step there is repeated where its effect is not there."""
        first = self.place
        for place, step in enumerate(self._script[first:], first):
            begins(place)
            found = mark(self._root)
            if place == first and found == marks[place + 1]:
                self._reach(place + 1)
                continue
            if found != marks[place]:
                either = f"before {marks[place]} or after {marks[place + 1]}" if place == first else marks[place]
                raise AssertionError(f"step {place} {step}: found {found}, not {either}")
            step.run(db)
            self._reach(place + 1)


def save_marks(marks: list[Mark], path: Path) -> None:
    path.write_text(json.dumps(marks))


def load_marks(path: Path) -> list[Mark]:
    marks: list[Mark] = json.loads(path.read_text())
    return marks
