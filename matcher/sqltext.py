"""A normal form written as SQL: SyncSQL with ``R[Sync](V)``, or plain SQL over the relations' names.

The same text goes to a person, to the engine and, as plain SQL, to any database that has the relations.
"""

from __future__ import annotations

import re
from collections.abc import Container
from dataclasses import dataclass, field
from itertools import count

from matcher.block import Base, Block, Derived, Grouping, Over, Pair, Query, Rewritten, Source, Union
from matcher.normal import normal_form
from syncsql.algebra.expressions import Call, Column, Expr, Literal, Now, Subquery, columns_in, sql, substitute

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*$")
_RESERVED = frozenset({
    "all", "and", "anti", "as", "between", "by", "case", "cast", "cross", "distinct", "else", "end", "except",
    "exists", "false", "from", "full", "group", "having", "in", "inner", "intersect", "is", "join", "left", "like",
    "natural", "not", "now", "null", "on", "or", "order", "outer", "right", "select", "semi", "table", "then", "true",
    "union", "user", "using", "when", "where", "with",
})  # fmt: skip


def to_sql(query: Query, plain: bool = False, names: tuple[str, ...] | None = None) -> str:
    """``query`` as SQL; ``plain`` leaves out R(…). ``names`` are the names of its columns, its own by default."""
    return _Writer(plain).query(query, {}, list(names or (c.name for c in query.columns)))


def quoted(name: str) -> str:
    return name if _PLAIN_NAME.match(name) and name.lower() not in _RESERVED else f"`{name.replace('`', '``')}`"


@dataclass
class _Writer:
    plain: bool
    aliases: set[str] = field(default_factory=set)

    def alias(self, wish: str) -> str:
        wish = wish if _PLAIN_NAME.match(wish) else "q"
        made = wish if wish.lower() not in self.aliases else _numbered(wish, self.aliases)
        self.aliases.add(made.lower())
        return made

    def query(self, query: Query, outer: dict[str, str], names: list[str]) -> str:
        if isinstance(query, Block):
            return self.block(query, outer, names)
        if isinstance(query, Union):
            return " UNION ALL ".join(self._side(b, outer, names) for b in query.branches)
        if isinstance(query, Over):
            return self.over(query, outer, names)
        if query.kind == "full join":
            return self.full_join(query, outer, names)
        word = query.kind.upper()
        return f"{self._side(query.left, outer, names)} {word} {self._side(query.right, outer, names)}"

    def _side(self, query: Query, outer: dict[str, str], names: list[str]) -> str:
        text = self.query(query, outer, names)
        return text if isinstance(query, Block) else f"({text})"

    def block(self, block: Block, outer: dict[str, str], names: list[str]) -> str:
        by = dict(outer)
        from_ = [self.source(s, outer, by) for s in block.sources]
        text = " CROSS JOIN ".join(from_)
        for join in block.lefts:
            source = self.source(join.source, outer, by)
            text += f" LEFT JOIN {source} ON {self.condition(join.on, by) or 'TRUE'}"
        where = self.condition(block.where, by)
        grouping = block.grouping
        meaning: dict[str, str] = dict(by)
        if grouping is not None:
            meaning |= {c.id: self.expr(e, by) for c, e in grouping.keys}
            for column, call in grouping.calls:
                argument = "*" if call.argument is None else self.expr(call.argument, by)
                meaning[column.id] = f"{call.function}({'DISTINCT ' if call.distinct else ''}{argument})"
        items = [self.item(e, name, meaning) for (_, e), name in zip(block.outputs, names, strict=True)]
        distinct = grouping is not None and _is_distinct(block, grouping)
        parts = [f"SELECT {'DISTINCT ' if distinct else ''}{', '.join(items) or '1'}"]
        if text:
            parts.append(f"FROM {text}")
        if where:
            parts.append(f"WHERE {where}")
        if grouping is not None and grouping.keys and not distinct:
            parts.append(f"GROUP BY {', '.join(_group(meaning[c.id]) for c, _ in grouping.keys)}")
        if grouping is not None and grouping.having:
            parts.append(f"HAVING {self.condition(grouping.having, meaning)}")
        return " ".join(parts)

    def item(self, expr: Expr, name: str, by: dict[str, str]) -> str:
        text = self.expr(expr, by)
        same = isinstance(expr, Column) and text.rsplit(".", 1)[-1] == quoted(name)
        return text if same else f"{_bare(expr, text)} AS {quoted(name)}"

    def source(self, source: Source, outer: dict[str, str], by: dict[str, str]) -> str:
        if isinstance(source, Base):
            alias = self.alias(source.name)
            for column in source.columns:
                by[column.id] = f"{quoted(alias)}.{quoted(column.name)}"
            name = quoted(source.name)
            if not self.plain:
                sync = source.scan.sync
                name = f"R({name})" if sync.is_clock else f"R[{quoted(sync.name)}]({name})"
            return name if alias == source.name and self.plain else f"{name} {quoted(alias)}"
        alias = self.alias("q")
        names = unique([c.name for c in source.columns])
        for column, name in zip(source.columns, names, strict=True):
            by[column.id] = f"{alias}.{quoted(name)}"
        return f"({self.query(source.query, outer, names)}) {alias}"

    def over(self, query: Over, outer: dict[str, str], names: list[str]) -> str:
        by = dict(outer)
        source = self.source(Derived(query.query), outer, by)
        below = [self.item(c, n, by) for c, n in zip(query.query.columns, names, strict=False)]
        above = names[len(query.query.columns) :]
        added = [self.item(e, n, by) for (_, e), n in zip(query.added, above, strict=True)]
        return f"SELECT {', '.join([*below, *added])} FROM {source}"

    def full_join(self, query: Pair, outer: dict[str, str], names: list[str]) -> str:
        by = dict(outer)
        left = self.source(Derived(query.left), outer, by)
        right = self.source(Derived(query.right), outer, by)
        items = [self.item(c, n, by) for c, n in zip(query.columns, names, strict=True)]
        return f"SELECT {', '.join(items)} FROM {left} FULL JOIN {right} ON {self.condition(query.on, by) or 'TRUE'}"

    def condition(self, parts: tuple[Expr, ...], by: dict[str, str]) -> str:
        texts = [self.expr(p, by) for p in parts]
        return " AND ".join(_bare(p, t) if len(parts) == 1 else t for p, t in zip(parts, texts, strict=True))

    def expr(self, expr: Expr, by: dict[str, str]) -> str:
        def written(part: Expr) -> Expr | None:
            if isinstance(part, Now) and not part.sync.is_clock:
                return Literal(f"Now[{quoted(part.sync.name)}]", part.type)
            return Literal(self.subquery(part, by), part.type) if isinstance(part, Subquery) else None

        plain = substitute(expr, written)
        return sql(plain, lambda c: by.get(c.id, quoted(c.name)))

    def subquery(self, part: Subquery, by: dict[str, str]) -> str:
        arguments = part.args[len(part.args) - len(part.params) :]
        outer = dict(by) | {p.id: self.expr(a, by) for p, a in zip(part.params, arguments, strict=True)}
        query = part.query if isinstance(part, Rewritten) else normal_form(part.plan)
        if part.kind == "exists" and isinstance(query, Block) and query.grouping is None:
            query = Block(query.sources, (), query.where, query.lefts)
        body = self.query(query, outer, unique([c.name for c in query.columns]))
        operand = f"{self.expr(part.args[0], by)} IN " if part.kind == "in" else ""
        return f"({operand}{'EXISTS ' if part.kind == 'exists' else ''}({body}))"


def _is_distinct(block: Block, grouping: Grouping) -> bool:
    """Whether SELECT DISTINCT says it: the outputs are exactly the keys, and nothing else is computed."""
    if not grouping.is_distinct:
        return False
    keys = {c.id for c, _ in grouping.keys}
    return (
        all(isinstance(e, Column) for _, e in block.outputs)
        and {i for _, e in block.outputs for i in columns_in(e)} == keys
    )


def _group(text: str) -> str:
    """A bare number in GROUP BY would be read as the place of a column."""
    return f"({text} + 0)" if text.lstrip("-").isdigit() else text


def _bare(expr: Expr, text: str) -> str:
    bracketed = isinstance(expr, Call) and expr.pieces[0] == "(" and expr.pieces[-1] == ")"
    return text[1:-1] if bracketed and text.startswith("(") and text.endswith(")") else text


def unique(names: list[str]) -> list[str]:
    """``names``, a number behind each that was there before, such that it is the name of no other."""
    own = {name.lower() for name in names}
    result: list[str] = []
    seen: set[str] = set()
    for name in names:
        made = name if name.lower() not in seen else _numbered(name, own | seen)
        seen.add(made.lower())
        result.append(made)
    return result


def _numbered(name: str, taken: Container[str]) -> str:
    return next(made for n in count(2) if (made := f"{name}_{n}").lower() not in taken)
