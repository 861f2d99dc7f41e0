"""What is at hand where a query is computed from a view: the columns that the view shows, those of the query's further
relations, and columns that are fetched again where the view shows a key of their relation (*join-back*)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from matcher.align import Alignment
from matcher.block import Base, Block, Derived, Item, columns_of
from matcher.context import Context
from matcher.derive import Deriver, folded
from matcher.partial import columns_in_all
from matcher.prover import Prover
from matcher.verdict import Failure, NoMatch, Step
from syncsql.algebra.expressions import Call, Column, Expr, columns_in, show, substitute_columns
from syncsql.algebra.relations import Scan


@dataclass
class Hand:
    """``pairs`` are what was asked for, and what it is computed as; ``steps`` what was proved on the way."""

    aligned: Alignment
    original: Block
    scan: Scan
    context: Context
    prover: Prover = field(init=False)
    steps: list[Step] = field(default_factory=list)
    # Relations read once more, with the condition that finds the row again.
    back: list[tuple[Base, tuple[Expr, ...]]] = field(default_factory=list)
    pairs: list[tuple[Expr, Expr]] = field(default_factory=list)
    derive: Deriver = field(init=False)

    def __post_init__(self) -> None:
        not_null = self.context.facts.never_null(self.aligned.query)
        self.prover = self.context.prover(not_null)

    @property
    def query(self) -> Block:
        return self.aligned.query

    @property
    def view(self) -> Block:
        return self.aligned.view

    def told(self, expr: Expr) -> str:
        """``expr`` in the user's names, with the relation's before a column's where several have that name."""
        relations_ = [(s.name, c) for s in (*self.query.all_sources, Base(self.scan)) if isinstance(s, Base)
                      for c in s.columns]  # fmt: skip
        rows = [c.name.lower() for c in self.query.rows]
        names = {c.id: f"{relation}.{c.name}" for relation, c in relations_ if rows.count(c.name.lower()) > 1}
        return show(expr, lambda c: names.get(c.id, c.name))

    def _rest(self) -> tuple[Base | Derived, ...]:
        mine = self.query.sources
        return tuple(s for i, s in enumerate(mine) if i not in self.aligned.mapped) + tuple(b for b, _ in self.back)

    def _shown(self) -> list[Item]:
        """The view's columns with what they are in the query's rows, and the columns of the query's further sources."""
        grouping = self.view.grouping
        shown: list[Item] = []
        keys = {} if grouping is None else {c.id: e for c, e in grouping.keys}
        for column, (_, expr) in zip(self.scan.outputs, self.view.outputs, strict=False):
            if grouping is None:
                shown.append((column, expr))
            elif columns_in(expr) <= keys.keys():
                shown.append((column, substitute_columns(expr, keys)))
        for source in self._rest():
            shown += [(c, c) for c in source.columns]
        for number, left in enumerate(self.query.lefts):
            if number not in self.aligned.mapped_lefts:
                shown += [(c, c) for c in left.source.columns]
        free = columns_in_all(self.query.where) - {c.id for c in self.query.rows}
        for part in self.query.where:
            shown += [(c, c) for c in columns_of(part) if c.id in free and (c, c) not in shown]
        return shown

    def _folded(self) -> frozenset[str]:
        return frozenset() if self.view.grouping is None else folded(self.view.grouping.keys)

    def take(self, expr: Expr, what: str) -> Expr | Failure:
        """``expr`` over what is at hand, fetching columns again by a key where that is needed."""
        made = self.derive(expr)
        if made is None and self._join_back():
            made = self.derive(expr)
        if made is not None:
            self.pairs.append((expr, made))
            return made
        lost = self.derive.missing or columns_of(expr)
        names = " and ".join(f"`{c.name}`" for c in lost[:3]) or self.told(expr)
        grouped = self.view.grouping is not None
        return NoMatch(
            "GROUPING.FINER" if grouped else "COLUMN.MISSING",
            f"{what} {self.told(expr)} needs {names}, which the view does not {'group by' if grouped else 'keep'}",
            hint=f"add column {names} to the view" + (" and its GROUP BY" if grouped else ""),
        )

    def _join_back(self) -> bool:
        """Reads the relation of a missing column once more, where the view shows a key of it."""
        lost = list(self.derive.missing)
        found = any(self._fetched(column) for column in lost)
        if not found:
            self.derive.missing[:] = lost
        return found

    def _fetched(self, column: Column) -> bool:
        for number in sorted(self.aligned.mapped):
            source = self.query.sources[number]
            if not isinstance(source, Base) or column not in source.columns:
                continue
            for key in self.context.facts.keys(source):
                columns = [c for c in source.columns if c.id in key]
                places = [self.derive(c) for c in columns]
                if any(p is None for p in places):
                    continue
                if all(self.prover.never_null(self.query.where, c) for c in columns):
                    self._fetch(source, columns, [p for p in places if p is not None])
                    return True
        return False

    def _fetch(self, source: Base, key: list[Column], places: list[Expr]) -> None:
        number = self.context.number()
        again = {c: Column(f"{c.id}@{number}", c.name, c.type) for c in source.columns}
        outputs = tuple(again[c] for c in source.scan.outputs)
        ts = None if source.scan.ts is None else again[source.scan.ts]
        ids = None if source.scan.key is None else tuple(f"{k}@{number}" for k in source.scan.key)
        scan = replace(source.scan, outputs=outputs, ts=ts, key=ids)
        on = tuple(Call("=", ("(", " = ", ")"), (again[c], p), "BOOLEAN") for c, p in zip(key, places, strict=True))
        self.back.append((Base(scan), on))
        names = ", ".join(f"`{c.name}`" for c in key)
        self.steps.append(Step(f"the row of `{source.name}` is found again by {names}", "key"))
        shown = [*self.derive.shown, *((again[c], c) for c in source.columns)]
        self.derive = Deriver(shown, self.query.where, self.prover, self.derive.folded)
