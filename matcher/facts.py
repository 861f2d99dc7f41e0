"""What is known of the relations besides their columns: keys, columns that are never NULL, references.

Keys come from streams (the tagger enforces them) and from declared constraints; nothing is assumed from data.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from matcher.block import Base, Block, Derived, Source
from matcher.constants import kind_of
from matcher.decimals import common_digits, digits_of
from syncsql.algebra.catalog import Catalog, ForeignKey, StreamDef, TableDef, ViewDef
from syncsql.algebra.expressions import Call, Column, Expr


@dataclass(frozen=True)
class Facts:
    catalog: Catalog

    def keys(self, source: Source) -> list[frozenset[str]]:
        """Sets of column ids of which no two rows have the same values, all of them not NULL."""
        if isinstance(source, Derived):
            return _derived_keys(source)
        found = self.catalog.find(source.name)
        names: Iterable[tuple[str, ...]] = ()
        if isinstance(found, TableDef):
            names = found.keys
        elif isinstance(found, StreamDef | ViewDef) and found.key is not None:
            names = (found.key,)
        by = source.by_place
        sets = [frozenset(by[n.lower()].id for n in key) for key in names if all(n.lower() in by for n in key)]
        # UNIQUE says nothing of rows with a NULL. A view's key may be a grouping column, for which NULL is one value.
        return sets if isinstance(found, ViewDef) else [key for key in sets if key <= self.not_null(source)]

    def not_null(self, source: Source) -> frozenset[str]:
        if isinstance(source, Derived):
            return frozenset()
        found = self.catalog.find(source.name)
        names: Iterable[str] = ()
        if isinstance(found, TableDef):
            names = found.not_null
        elif isinstance(found, StreamDef):
            # The tagger puts a tuple with a NULL in its key aside.
            names = found.key or ()
        by = source.by_place
        ids = {by[n.lower()].id for n in names if n.lower() in by}
        if source.scan.ts is not None:
            ids.add(source.scan.ts.id)
        return frozenset(ids)

    def foreign_keys(self, source: Base) -> tuple[ForeignKey, ...]:
        found = self.catalog.find(source.name)
        # One without columns refers to a table that is not declared.
        return tuple(r for r in found.foreign_keys if r.to) if isinstance(found, TableDef) else ()

    def never_null(self, block: Block) -> frozenset[str]:
        """Columns of the block's rows that are never NULL; those of a left join may always be."""
        return frozenset().union(*(self.not_null(s) for s in block.sources))


def _derived_keys(source: Derived) -> list[frozenset[str]]:
    """The keys of a grouping identify its rows, where all of them are shown; a NULL among them is one more value."""
    query = source.query
    if not isinstance(query, Block) or query.grouping is None:
        return []
    shown = {e.id: c.id for c, e in query.outputs if isinstance(e, Column)}
    keys = [c.id for c, _ in query.grouping.keys]
    return [frozenset(shown[k] for k in keys)] if all(k in shown for k in keys) else []


def equalities(parts: Sequence[Expr]) -> list[tuple[Column, Column]]:
    """The pairs of columns that ``parts`` require to be equal, each value of one with one value of the other: of
    different types '1' and '01' may both be equal to 1, and two BIGINTs to one DOUBLE, or to one DECIMAL that has all
    its digits behind the point."""
    found = []
    for part in parts:
        if isinstance(part, Call) and part.op == "=":
            a, b = part.args
            if isinstance(a, Column) and isinstance(b, Column) and _alike(a, b):
                found.append((a, b))
    return found


def _alike(a: Column, b: Column) -> bool:
    kinds = {kind_of(a.type), kind_of(b.type)}
    if kinds <= {"int", "decimal"} and "decimal" in kinds:
        return common_digits(digits_of(a.type), digits_of(b.type)) is not None
    return len(kinds) == 1 and (kinds != {"other"} or a.type == b.type is not None)


def determined(known: set[str], block: Block, facts: Facts) -> set[str]:
    """All columns of the block's rows that are functions of the ``known`` ones, by equations and keys."""
    closure = set(known)
    grown = True
    while grown:
        before = len(closure)
        for a, b in equalities(block.where):
            if a.id in closure or b.id in closure:
                closure |= {a.id, b.id}
        for source in block.sources:
            if any(key <= closure for key in facts.keys(source)):
                closure |= {c.id for c in source.columns}
        for left in block.lefts:
            own = {c.id for c in left.source.columns}
            matched = {b.id if b.id in own else a.id for a, b in equalities(left.on) if {a.id, b.id} & closure}
            if any(key <= matched | closure for key in facts.keys(left.source)):
                closure |= own
        grown = len(closure) > before
    return closure


def is_key(known: set[str], block: Block, facts: Facts) -> bool:
    """Whether no two rows of the block (before grouping) have the same values of the ``known`` columns."""
    closure = determined(known, block, facts)
    return all(any(key <= closure for key in facts.keys(s)) for s in block.all_sources)
