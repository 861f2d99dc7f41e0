"""A query's tree written back as SyncSQL: Spark SQL with ``R[Sync](S)`` for the relations of FROM.

sqlglot writes the SQL of a copy in which every relation has a placeholder for a name; what SyncSQL writes there is
put in afterwards. So no part of sqlglot is extended.
"""

from __future__ import annotations

import re

from sqlglot import exp

from syncsql.language.comparisons import LINKS, PREDICATES


def sync_of(table: exp.Table) -> str | None:
    """The name of the sync stream that was given to a relation of FROM, or None for the finest, ``clockStr``."""
    sync: str | None = table.meta.get("sync")
    return sync


def print_query(tree: exp.Expr) -> str:
    """The tree as SyncSQL text, on one line; reading it again gives an equal tree."""
    copy = tree.copy()
    prefix = _unused_prefix(copy)
    written: dict[str, str] = {}
    for number, table in enumerate(list(copy.find_all(exp.Table))):
        if isinstance(table.this, exp.Identifier):
            placeholder = f"{prefix}{number}_"
            written[placeholder] = _relation(table)
            table.set("this", exp.to_identifier(placeholder))
    text = _with_parentheses(copy).sql(dialect="spark", comments=False)
    return re.sub(rf"{prefix}\d+_", lambda match: written[match.group()], text)


def _relation(table: exp.Table) -> str:
    name = table.this.sql(dialect="spark")
    sync = sync_of(table)
    if sync is not None:
        return f"R[{_name(sync)}]({name})"
    return name if _is_cte(table) else f"R({name})"


def _is_cte(table: exp.Table) -> bool:
    """Whether a WITH around the table defines its name: such a relation is a query, not a stream."""
    around: exp.Expr | None = table.parent
    while around is not None:
        with_ = around.args.get("with_")
        if with_ is not None and table.name.lower() in {cte.alias.lower() for cte in with_.expressions}:
            return True
        around = around.parent
    return False


def _name(name: str) -> str:
    return exp.to_identifier(name).sql(dialect="spark")


def _unused_prefix(tree: exp.Expr) -> str:
    text = tree.sql(dialect="spark", comments=False)
    prefix = "relation_"
    while prefix in text:
        prefix = "_" + prefix
    return prefix


def _with_parentheses(tree: exp.Expr) -> exp.Expr:
    """Parentheses around predicates that are compared: ``like(a, b) = c`` is written ``(a LIKE b) = c``."""
    for node in list(tree.find_all(*LINKS, *PREDICATES)):
        if isinstance(node.parent, (*LINKS, *PREDICATES)):
            node.replace(exp.Paren(this=node.copy()))
    return tree
