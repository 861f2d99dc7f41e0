"""A text that is equal for queries that are written differently and say the same: names of aliases, the order of
conditions and the ids of columns do not matter. It names subqueries in proofs and verdicts in memory."""

from __future__ import annotations

from functools import lru_cache

from matcher.block import Base, Block, Derived, Over, Pair, Query, Union
from matcher.normal import normal_form
from syncsql.algebra.expressions import AggregateCall, Call, Column, Expr, Literal, Now, Subquery
from syncsql.algebra.sync import exact

_TURNED = {">": "<", ">=": "<="}
_COMMUTE = frozenset({"=", "<>", "<=>", "AND", "OR", "+", "*"})


def fingerprint(query: Query, outer: dict[str, str] | None = None) -> str:
    """The canonical text; ``outer`` names the columns of the outer row."""
    names = dict(outer or {})
    if isinstance(query, Block):
        return _block(query, names)
    if isinstance(query, Union):
        return f"union({'; '.join(sorted(fingerprint(b, outer) for b in query.branches))})"
    if isinstance(query, Pair):
        names |= {c.id: f"l{i}" for i, c in enumerate(query.left.columns)}
        names |= {c.id: f"r{i}" for i, c in enumerate(query.right.columns)}
        on = " & ".join(sorted(_text(p, names) for p in query.on))
        return f"{query.kind}({fingerprint(query.left, outer)}; {fingerprint(query.right, outer)}; {on})"
    assert isinstance(query, Over)
    names |= {c.id: f"o{i}" for i, c in enumerate(query.query.columns)}
    added = ", ".join(_text(e, names) for _, e in query.added)
    return f"over({fingerprint(query.query, outer)}; {added})"


def _block(block: Block, names: dict[str, str]) -> str:
    named = [(_source_name(s, names), s) for s in block.sources]
    named.sort(key=lambda pair: pair[0])
    named += [(_source_name(j.source, names), j.source) for j in block.lefts]
    for number, (_, source) in enumerate(named):
        for at, column in enumerate(source.columns):
            place = source.place(column) if isinstance(source, Base) else str(at)
            names[column.id] = f"{number}.{place}"
    parts = [", ".join(text for text, _ in named)]
    parts += [f"left {' & '.join(sorted(_text(e, names) for e in j.on))}" for j in block.lefts]
    parts.append(" & ".join(sorted({_text(e, names) for e in block.where})))
    if block.grouping is not None:
        for column, expr in block.grouping.keys:
            names[column.id] = _text(expr, names)
        for column, call in block.grouping.calls:
            names[column.id] = _call(call, names)
        parts.append("by " + ", ".join(sorted(_text(e, names) for _, e in block.grouping.keys)))
        parts.append(" & ".join(sorted(_text(e, names) for e in block.grouping.having)))
    parts.append(", ".join(_text(e, names) for _, e in block.outputs))
    return f"({' | '.join(parts)})"


def _source_name(source: Base | Derived, names: dict[str, str]) -> str:
    if isinstance(source, Base):
        return f"{source.name.lower()}@{exact(source.scan.sync.points)}"
    return fingerprint(source.query, names)


def _call(call: AggregateCall, names: dict[str, str]) -> str:
    argument = "*" if call.argument is None else _text(call.argument, names)
    return f"{call.function}{'!' if call.distinct else ''}({argument})"


def _text(expr: Expr, names: dict[str, str]) -> str:
    if isinstance(expr, Column):
        return names.get(expr.id, expr.id)
    if isinstance(expr, Literal):
        return expr.sql
    if isinstance(expr, Now):
        return f"now@{exact(expr.sync.points)}"
    args = [_text(a, names) for a in expr.args]
    if isinstance(expr, Subquery):
        return f"{expr.kind}[{subquery_name(expr)}]({', '.join(args)})"
    assert isinstance(expr, Call)
    op = expr.op
    if op in _TURNED:
        op, args = _TURNED[op], args[::-1]
    if op in _COMMUTE:
        args = sorted(args)
    inside = "·".join(expr.pieces) if op not in _COMMUTE and expr.op not in (*_TURNED, "<", "<=", "-") else op
    return f"{inside}({', '.join(args)})"


@lru_cache(maxsize=4096)
def subquery_name(subquery: Subquery) -> str:
    """The name of a subquery's plan; what EXISTS selects does not matter."""
    query = normal_form(subquery.plan)
    if subquery.kind == "exists" and isinstance(query, Block) and query.grouping is None:
        query = Block(query.sources, (), query.where, query.lefts)
    return fingerprint(query, {c.id: f"p{i}" for i, c in enumerate(subquery.params)})
