"""The columns that a SELECT can name, and what each name means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from sqlglot import exp

from syncsql.algebra.expressions import Call, Column, Expr, Now, columns_in
from syncsql.algebra.sync import CLOCK
from syncsql.errors import BindError, did_you_mean


@dataclass(frozen=True)
class Relation:
    """One item of FROM under its alias: visible columns, and the hidden TS where it has one."""

    alias: str
    columns: tuple[tuple[str, Expr], ...]
    ts: Expr | None

    def find(self, name: str) -> list[Expr]:
        """A visible column goes before the hidden TS of the same name."""
        found = [e for n, e in self.columns if n.lower() == name.lower()]
        return found or ([self.ts] if name.lower() == "ts" and self.ts is not None else [])


@dataclass
class Scope:
    """The relations of one FROM clause. ``merged`` are right-hand columns that JOIN … USING made one with the left.

    A name that the FROM clause of a subquery does not have is looked for in the query around it, its ``parent``;
    ``params`` has, for each expression found there, the column under which the subquery reads it.
    """

    relations: list[Relation] = field(default_factory=list)
    merged: set[tuple[str, str]] = field(default_factory=set)
    parent: Scope | None = None
    ids: Ids | None = None
    ctes: dict[str, exp.Expr] = field(default_factory=dict)
    params: dict[Expr, Column] = field(default_factory=dict)

    def add(self, relation: Relation) -> None:
        if any(r.alias.lower() == relation.alias.lower() for r in self.relations):
            raise BindError(
                "BIND.DUPLICATE_ALIAS",
                f"`{relation.alias}` stands twice in FROM",
                hint="give one of them another alias: FROM R(S) a, R(S) b",
            )
        self.relations.append(relation)

    def resolve(self, node: exp.Column) -> Expr:
        name, qualifier = node.name, node.table
        if node.args.get("db") is not None:
            raise BindError("BIND.UNKNOWN_COLUMN", f"`{node.sql('spark')}` has more than one qualifier")
        if qualifier:
            relation = next((r for r in self.relations if r.alias.lower() == qualifier.lower()), None)
            if relation is None and (outer := self._outer(node)) is not None:
                return outer
            if relation is None and len(columns := self._find(qualifier)) == 1:
                # ``s.a``: a field of the column s, as Spark reads it where no relation has the name.
                field_name = name.replace("`", "``")
                return Call("FIELD", ("", f".`{field_name}`"), (columns[0],))
            if relation is None:
                raise BindError(
                    "BIND.UNKNOWN_RELATION",
                    f"`{qualifier}` is not a relation of this FROM clause",
                    hint=did_you_mean(qualifier, (r.alias for r in self.relations)),
                )
            found = relation.find(name)
        else:
            found = self._find(name)
            visible = [e for r in self.relations for n, e in r.columns if n.lower() == name.lower()]
            if name.lower() == "ts" and len(found) > 1 and visible:
                found = [e for e in found if e in visible]
        if not found and not qualifier and (outer := self._outer(node)) is not None:
            return outer
        if not found and not qualifier and name.lower() == "now":
            return Now(CLOCK)
        if not found:
            raise BindError(
                "BIND.UNKNOWN_COLUMN",
                f"there is no column `{node.sql('spark').replace('`', '')}`",
                hint=did_you_mean(name, (n for r in self._candidates(qualifier) for n, _ in r.columns)),
            )
        if len(found) > 1:
            owners = ", ".join(f"`{r.alias}.{name}`" for r in self.relations if r.find(name))
            raise BindError("BIND.AMBIGUOUS_COLUMN", f"`{name}` could be {owners}", hint=f"write one of {owners}")
        return found[0]

    def _find(self, name: str) -> list[Expr]:
        return [e for r in self.relations for e in r.find(name) if (r.alias.lower(), name.lower()) not in self.merged]

    def _outer(self, node: exp.Column) -> Expr | None:
        """What the name means in the query around this one, as this one reads it; None where it means nothing."""
        if self.parent is None or self.ids is None:
            return None
        try:
            found = self.parent.resolve(node)
        except BindError as error:
            if error.code == "BIND.AMBIGUOUS_COLUMN":
                raise
            return None
        if not columns_in(found):
            return found
        if found not in self.params:
            self.params[found] = self.ids.column(node.name, found.type)
        return self.params[found]

    def _candidates(self, qualifier: str) -> list[Relation]:
        return [r for r in self.relations if not qualifier or r.alias.lower() == qualifier.lower()]

    def star(self, qualifier: str | None) -> Iterator[tuple[str, Expr]]:
        """The columns of ``*`` or ``alias.*``: all visible ones, never the hidden TS."""
        chosen = [r for r in self.relations if qualifier is None or r.alias.lower() == qualifier.lower()]
        if qualifier is not None and not chosen:
            raise BindError(
                "BIND.UNKNOWN_RELATION",
                f"`{qualifier}` is not a relation of this FROM clause",
                hint=did_you_mean(qualifier, (r.alias for r in self.relations)),
            )
        for relation in chosen:
            for name, expr in relation.columns:
                if qualifier is not None or (relation.alias.lower(), name.lower()) not in self.merged:
                    yield name, expr


@dataclass
class Ids:
    """Fresh column ids within one query."""

    last: int = 0

    def column(self, name: str, type_: str | None = None) -> Column:
        self.last += 1
        return Column(f"c{self.last}", name, type_)
