"""A query: SyncSQL's own syntax is taken off, sqlglot reads the rest, and what was taken off is noted in the tree."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from syncsql.errors import ParseError, Span
from syncsql.language.comparisons import AmbiguousComparison, unchain
from syncsql.language.functions import keep_functions, rename_functions
from syncsql.language.modes import find_emit_full, find_mode
from syncsql.language.operators import FORMS
from syncsql.language.reading import read_sql
from syncsql.language.relations import Relation, find_relations
from syncsql.language.rewriting import Edit, Rewritten
from syncsql.language.statements import Mode, Query
from syncsql.language.tokens import Token
from syncsql.language.words import paper_words, refuse_gaps


def parse_query(source: Rewritten, tokens: Sequence[Token], view_mode: Mode | None = None) -> Query:
    """The query that these tokens are; ``view_mode`` is what the view around it says already."""
    span = source.span(tokens[0].start, tokens[-1].end)
    emit_full = find_emit_full(source, tokens)
    if emit_full:
        tokens = tokens[:-2]
    start, end = tokens[0].start, tokens[-1].end
    said, word = find_mode(source, tokens)
    edits: list[Edit] = []
    if word is not None:
        if view_mode not in (None, said):
            raise ParseError(
                "PARSE.CONFLICTING_MODE",
                f"the view is {view_mode}, its query says {said}",
                text=source.original,
                span=source.span(word.start, word.end),
                hint=f"leave {said} out here",
            )
        edits.append(Edit(word.start, word.end, ""))
        tokens = [token for token in tokens if token is not word]
    refuse_gaps(source, tokens)
    relations = find_relations(source, tokens)
    cleaned = source.edit([*edits, *relations.edits, *paper_words(tokens), *keep_functions(tokens)], start, end)
    tree = _without_hints(_unwrapped(read_sql(cleaned)))
    rename_functions(tree)
    mode = said or view_mode or "STREAMED"
    query = Query(mode, tree, emit_full, source.original[span.start : span.end], cleaned=cleaned)
    _refuse_others(query, source.original, span)
    try:
        unchain(tree)
    except AmbiguousComparison as error:
        raise ParseError(
            "PARSE.AMBIGUOUS_COMPARISON",
            str(error),
            text=source.original,
            span=query.span_of(error.node),
            hint="put parentheses around the part that comes first",
        ) from None
    _note_relations(tree, cleaned, dict(relations.by_start))
    return Query(mode, tree, emit_full, query.sql, cleaned=cleaned, text=source.original, span=span)


def _unwrapped(tree: exp.Expr) -> exp.Expr:
    """The query in parentheses that hold nothing else."""
    while isinstance(tree, exp.Subquery) and [key for key, value in tree.args.items() if value] == ["this"]:
        inner = tree.this
        inner.pop()
        tree = inner
    return tree


def _without_hints(tree: exp.Expr) -> exp.Expr:
    """Hints cannot change an answer, the engine makes its own plan, and the tables that they name are no relations."""
    for node in tree.find_all(exp.Select):
        node.set("hint", None)
    return tree


def _note_relations(tree: exp.Expr, cleaned: Rewritten, by_start: dict[int, Relation]) -> None:
    """Put into each table's ``meta`` what was written around its name.

    A relation that sqlglot made something else of is an error: its synchronization must not get lost.
    """
    for table in tree.find_all(exp.Table):
        start = table.this.meta.get("start") if isinstance(table.this, exp.Identifier) else None
        relation = by_start.pop(cleaned.span(start, start + 1).start, None) if start is not None else None
        table.meta["sync"] = relation.sync if relation else None
        table.meta["sync_span"] = relation.sync_span if relation else None
    for relation in by_start.values():
        name = cleaned.original[relation.span.start : relation.span.end]
        raise ParseError(
            "PARSE.RELATION",
            f"`{name}` cannot be read as a relation's name",
            text=cleaned.original,
            span=relation.span,
            hint=f"quote it: `{name}`",
        )


def _refuse_others(query: Query, text: str, whole: Span) -> None:
    """What sqlglot reads but is no query over relations, or has no meaning to Spark."""
    if not isinstance(query.tree, (exp.Select, exp.SetOperation, exp.Subquery)):
        raise ParseError("PARSE.SYNTAX", "this is not a query", text=text, span=whole, hint="a query is a SELECT")
    for node in query.tree.walk():
        reason = _reason_against(node)
        if reason:
            code, message, hint = reason
            raise ParseError(code, message, text=text, span=query.span_of(node) or whole, hint=hint)


def _reason_against(node: exp.Expr) -> tuple[str, str, str] | None:
    if isinstance(node, (exp.Command, exp.DDL, exp.DML)) and not isinstance(node, exp.Query):
        return "PARSE.SYNTAX", "a query cannot hold another statement", "only SELECT is accepted here"
    if isinstance(node, (exp.Placeholder, exp.Parameter)):
        return "PARSE.PARAMETER", "parameters are not accepted", "write the value itself"
    if isinstance(node, exp.Table) and node.args.get("db"):
        return "PARSE.QUALIFIED_NAME", "a relation's name has no parts", f"write `{node.name}` alone"
    if isinstance(node, exp.Table) and isinstance(node.this, exp.Anonymous) and node.name.upper() == "R":
        return "PARSE.RELATION", "a relation is not expected here", FORMS
    if isinstance(node, exp.Select):
        if not node.expressions:
            return "PARSE.SYNTAX", "SELECT has no columns", "name columns, or write SELECT *"
        if node.args.get("into"):
            return "PARSE.SYNTAX", "SELECT INTO is not accepted", "CREATE VIEW name AS SELECT …"
        if node.args.get("locks"):
            return "PARSE.SYNTAX", "a query cannot lock its rows", "leave FOR UPDATE or FOR SHARE out"
    if isinstance(node, exp.Group) and not any(node.args.values()):
        return "PARSE.SYNTAX", "GROUP BY has no columns", "name the columns to group by"
    return None
