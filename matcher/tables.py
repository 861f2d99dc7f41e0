"""Tables declared by CREATE TABLE: their columns and the constraints that whoever declared them answers for.

A reference without columns is one to the primary key of its table. That table may be declared later, so what is
referred to is found when all are known.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import sqlglot
from sqlglot import exp

from syncsql.algebra.catalog import UNKNOWN, Catalog, Field, ForeignKey, TableDef
from syncsql.errors import BindError, ParseError, did_you_mean


def table_of(text: str) -> TableDef:
    """What a CREATE TABLE statement says."""
    try:
        tree = sqlglot.parse_one(text, dialect="spark")
    except sqlglot.errors.SqlglotError as error:
        raise ParseError("PARSE.TABLE", f"this CREATE TABLE cannot be read: {str(error).splitlines()[0]}") from None
    if not isinstance(tree, exp.Create) or not isinstance(tree.this, exp.Schema):
        raise ParseError("PARSE.TABLE", "a list of columns is expected", hint="CREATE TABLE t (a INT NOT NULL, …)")
    name = tree.this.this.name
    fields: list[Field] = []
    keys: list[tuple[str, ...]] = []
    not_null: set[str] = set()
    references: list[ForeignKey] = []
    for part in tree.this.expressions:
        inner = part.expressions[0] if isinstance(part, exp.Constraint) else part
        if isinstance(inner, exp.ColumnDef):
            fields.append(Field(inner.name, inner.kind.sql("spark").upper() if inner.kind else UNKNOWN))
            for constraint in inner.constraints:
                kind = constraint.kind
                if isinstance(kind, exp.CollateColumnConstraint) and kind.this.name.upper() != "UTF8_BINARY":
                    raise ParseError(
                        "PARSE.TABLE",
                        f"`{name}.{inner.name}` is compared by the rules of {kind.this.name}, which are not known here",
                        hint="only the collation UTF8_BINARY, that of a column without one, can be matched",
                    )
                if isinstance(kind, exp.NotNullColumnConstraint) and not kind.args.get("allow_null"):
                    not_null.add(inner.name)
                elif isinstance(kind, exp.PrimaryKeyColumnConstraint):
                    keys.insert(0, (inner.name,))
                    not_null.add(inner.name)
                elif isinstance(kind, exp.UniqueColumnConstraint):
                    keys.append((inner.name,))
                elif isinstance(kind, exp.Reference):
                    references.append(_reference((inner.name,), kind))
        elif isinstance(inner, exp.PrimaryKey):
            columns = tuple(e.name for e in inner.expressions)
            keys.insert(0, columns)
            not_null |= set(columns)
        elif isinstance(inner, exp.UniqueColumnConstraint):
            keys.append(tuple(e.name for e in (inner.this.expressions if inner.this else inner.expressions)))
        elif isinstance(inner, exp.ForeignKey):
            references.append(_reference(tuple(e.name for e in inner.expressions), inner.args["reference"]))
    table = TableDef(name, tuple(fields), tuple(keys), frozenset(not_null), tuple(references))
    _check(table, [c for k in keys for c in k] + [c for r in references for c in r.columns])
    return table


def with_targets(table: TableDef, catalog: Catalog) -> TableDef:
    """``table`` with the columns that its references refer to; a table that is not declared is not known to have any,
    and a reference to it is kept as it is."""
    return replace(table, foreign_keys=tuple(_with_target(table, r, catalog) for r in table.foreign_keys))


def _with_target(table: TableDef, reference: ForeignKey, catalog: Catalog) -> ForeignKey:
    target = catalog.find(reference.references)
    if not isinstance(target, TableDef):
        return reference
    # The primary key is the first of the keys.
    primary = target.keys[0] if target.keys and set(target.keys[0]) <= target.not_null else ()
    to = reference.to or primary
    _check(target, to)
    if len(to) != len(reference.columns):
        mine, theirs = ", ".join(reference.columns), ", ".join(to) or "no primary key"
        raise BindError(
            "BIND.REFERENCE",
            f"`{table.name}` ({mine}) cannot refer to `{target.name}` ({theirs})",
            hint=f"name the columns: REFERENCES {target.name} (…)",
        )
    return replace(reference, to=to)


def _check(table: TableDef, columns: Sequence[str]) -> None:
    names = [f.name for f in table.fields]
    known = {n.lower() for n in names}
    for column in columns:
        if column.lower() not in known:
            raise BindError(
                "BIND.UNKNOWN_COLUMN", f"`{table.name}` has no column `{column}`", hint=did_you_mean(column, names)
            )


def _reference(columns: tuple[str, ...], reference: exp.Expr) -> ForeignKey:
    target = reference.this
    to = tuple(e.name for e in target.expressions) if isinstance(target, exp.Schema) else ()
    name = target.this.name if isinstance(target, exp.Schema) else target.name
    return ForeignKey(columns, name, to)
