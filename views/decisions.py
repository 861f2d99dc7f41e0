"""Decisions as data: how each view is computed and why, and what that saved, as Delta tables of the database.

``_decisions`` has a row each time that a way to compute a view or query is chosen; ``_savings`` has, for each advance,
the views that were not computed as they are written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import pyarrow as pa
from pyspark.sql.types import DoubleType, LongType, StringType, StructField, StructType

from matcher.decision import Decision
from syncsql.render import Report, Reported
from syncsql.storage.table import Table


@dataclass(frozen=True, repr=False)
class Decided(Reported):
    """One decision, as it is kept. ``seq`` counts the decisions; ``how`` it came to that: created or replanned.
    ``answered_from`` names the views of the rewrite, and is NULL where the view is computed as it is written;
    ``details`` is the whole decision as JSON."""

    seq: int
    at: int
    view: str
    how: str
    query: str
    runs: str
    answered_from: str | None
    rewrite: str | None
    cost: float | None
    unshared_cost: float | None
    candidates: int
    proofs: int
    seconds: float
    note: str | None
    details: str

    @classmethod
    def of(
        cls, decision: Decision, seq: int, at: int, view: str, how: str, query: str, runs: str, note: str | None
    ) -> Decided:
        """``note`` says why a match was not used, or where the view starts from."""
        used = decision.chosen if note is None or not note.startswith(_UNUSED) else None
        return cls(
            seq, at, view, how, query, runs, None if used is None else used.view,
            None if used is None else decision.sql(),
            None if decision.cost is None else decision.cost.total,
            None if decision.unshared is None else decision.unshared.total,
            decision.considered, decision.proofs, decision.seconds, note,
            json.dumps(decision.to_dict(), default=str, ensure_ascii=False),
        )  # fmt: skip

    def to_dict(self) -> dict[str, Any]:
        return {**asdict(self), "details": json.loads(self.details)}

    @property
    def report(self) -> Report:
        verdicts = json.loads(self.details)["verdicts"]
        rows = tuple((v["view"], v["verdict"], v.get("code"), _why(v)) for v in verdicts)
        source = f"answered from {self.answered_from}" if self.answered_from else "computed as it is written"
        notes = [f"rewritten: {self.rewrite}"] if self.rewrite else []
        for verdict in verdicts:
            if verdict["verdict"] == "match" and verdict["view"] != self.answered_from:
                notes.append(f"{verdict['view']}: not cheaper")
            if verdict.get("hint"):
                notes.append(f"{verdict['view']}: to share, {verdict['hint']}")
        if self.cost is not None:
            notes.append(f"cost, told in rows: {self.cost:,.0f} instead of {self.unshared_cost:,.0f}")
        notes += [self.note] if self.note else []
        when = f"at {self.at}" if self.at >= 0 else "before the first advance"
        notes.append(f"{self.how} {when}, decided in {1000 * self.seconds:.1f} ms with {self.proofs} proofs")
        return Report(f"{self.view}: {self.runs}, {source}", ("view", "verdict", "code", "why"), rows, tuple(notes))


_UNUSED = "not used: "


def unused(why: str) -> str:
    """The note of a decision whose match is not used."""
    return f"{_UNUSED}{why}"


def _why(verdict: dict[str, Any]) -> str:
    if verdict["verdict"] == "match":
        return verdict.get("part") or "the whole query"
    return verdict.get("reason") or verdict.get("why") or ""


@dataclass(frozen=True)
class Saved:
    """What an advance did not have to do for one view: rows that it did not read, and an estimate of the seconds."""

    number: int
    at: int
    view: str
    rows_unshared: int
    rows_read: int
    seconds: float


_SPARK: dict[str, Any] = {"int": LongType(), "float": DoubleType(), "str": StringType()}


def _schema(kind: type) -> StructType:
    return StructType([StructField(f.name, _SPARK[str(f.type).split(" |")[0]]) for f in fields(kind)])


class DecisionTables:
    """Written by the database's one writer, where it shares; read by everybody."""

    def __init__(self, root: Path) -> None:
        self.decisions = Table(root / "_decisions", _schema(Decided))
        self.savings = Table(root / "_savings", _schema(Saved), "number")
        self._count: int | None = None

    def create(self) -> None:
        self.decisions.create()
        self.savings.create()

    def count(self) -> int:
        """How many decisions there are; asked by their one writer alone."""
        if self._count is None:
            self._count = self.decisions.rows()
        return self._count

    def decided(self, decided: Decided) -> None:
        self.decisions.write(_rows(self.decisions, [decided]))
        self._count = decided.seq + 1

    def saved(self, number: int, saved: Iterable[Saved]) -> None:
        """What the advance ``number`` saved, committed at most once."""
        rows = list(saved)
        if rows:
            self.savings.write(_rows(self.savings, rows), number=number)

    def newest(self) -> dict[str, Decided]:
        """The newest decision of each view, by lower-case name."""
        if not self.decisions.exists:
            return {}
        rows = sorted(self.decisions.arrow().to_pylist(), key=lambda r: r["seq"])
        return {r["view"].lower(): Decided(**r) for r in rows}

    def totals(self) -> dict[str, tuple[int, float]]:
        """The rows and seconds that each view saved so far, by lower-case name."""
        found: dict[str, tuple[int, float]] = {}
        if not self.savings.exists:
            return found
        for row in self.savings.arrow().to_pylist():
            rows, seconds = found.get(row["view"].lower(), (0, 0.0))
            saved = rows + row["rows_unshared"] - row["rows_read"], seconds + row["seconds"]
            found[row["view"].lower()] = saved
        return found


def _rows(table: Table, rows: Sequence[Decided] | Sequence[Saved]) -> pa.Table:
    columns = {name: [getattr(r, name) for r in rows] for name in table.schema.names}
    return pa.table(columns, schema=table.arrow_schema)
