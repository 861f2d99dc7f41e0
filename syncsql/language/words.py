"""Words that the paper writes in a query and Spark SQL does not: ``groupby`` and the infix ``mod``.

Both are ordinary names as well, so each counts only where a name could not stand.
"""

from __future__ import annotations

from collections.abc import Sequence

from syncsql.errors import ParseError
from syncsql.language.rewriting import Edit, Rewritten
from syncsql.language.tokens import Token

STATEMENT_STARTS = ("REGISTER", "CREATE", "DROP", "EXPLAIN", "SHOW", "DESCRIBE", "VERIFY")
QUERY_STARTS = {"SELECT", "WITH", "VALUES", "FROM", "TABLE"}
# Words that end a list of relations.
CLAUSES = {
    "CLUSTER",
    "DISTRIBUTE",
    "EXCEPT",
    "GROUP",
    "GROUPBY",
    "HAVING",
    "INTERSECT",
    "LIMIT",
    "MINUS",
    "OFFSET",
    "ORDER",
    "QUALIFY",
    "SORT",
    "UNION",
    "WHERE",
    "WINDOW",
}
# Words that are no alias, though they may follow a relation.
NOT_ALIASES = CLAUSES | {"ON", "USING"}
_JOINS = {"ANTI", "CROSS", "FULL", "INNER", "JOIN", "LATERAL", "LEFT", "NATURAL", "RIGHT", "SEMI", "TABLESAMPLE"}
# Words after which an operand is still to come.
_OPEN = NOT_ALIASES | _JOINS | {"ALL", "AND", "AS", "BETWEEN", "BY", "CASE", "DISTINCT", "DIV", "ELSE", "FROM", "ILIKE"}
_OPEN |= {"IN", "IS", "LIKE", "MOD", "NOT", "OR", "RLIKE", "REGEXP", "SELECT", "THEN", "WHEN", "ESCAPE"}
# Words with which no operand begins.
_NO_START = NOT_ALIASES | _JOINS | {"AND", "AS", "BETWEEN", "DIV", "ELSE", "END", "FROM", "ILIKE", "IN", "IS", "LIKE"}
_NO_START |= {"OR", "RLIKE", "REGEXP", "THEN", "WHEN", "ASC", "DESC", "NULLS"}

# Of these, those that are functions before a parenthesis.
_CALLS = {"LEFT", "RIGHT", "WINDOW"}


def starts_operand(tokens: Sequence[Token], at: int) -> bool:
    """Whether an expression can begin with this token."""
    if at >= len(tokens):
        return False
    token = tokens[at]
    if token.word in _CALLS and at + 1 < len(tokens) and tokens[at + 1].text == "(":
        return True
    if token.kind == "word":
        negated = tokens[at + 1].word if token.word == "NOT" and at + 1 < len(tokens) else ""
        return token.word not in _NO_START and negated not in {"BETWEEN", "ILIKE", "IN", "LIKE", "RLIKE", "REGEXP"}
    return token.kind != "symbol" or token.text == "("


def paper_words(tokens: Sequence[Token]) -> list[Edit]:
    """The edits that make ``groupby`` and the infix ``mod`` Spark's own."""
    edits: list[Edit] = []
    for at, token in enumerate(tokens):
        if token.word == "GROUPBY" and _ends_operand(tokens, at - 1) and starts_operand(tokens, at + 1):
            edits.append(Edit(token.start, token.end, "GROUP BY"))
        elif token.word == "MOD" and _ends_operand(tokens, at - 1) and _follows_mod(tokens, at + 1):
            edits.append(Edit(token.start, token.end, " % "))
    return edits


def refuse_gaps(source: Rewritten, tokens: Sequence[Token]) -> None:
    """A comma or a SELECT with nothing behind it is read over by sqlglot, though Spark refuses it."""
    for at, token in enumerate(tokens):
        following = tokens[at + 1] if at + 1 < len(tokens) else None
        if following is not None and following.text not in (")", ",") and following.word != "FROM":
            continue
        if token.text == ",":
            message, hint = "nothing follows this comma", "leave the comma out"
        elif token.word == "SELECT" and not (at > 0 and tokens[at - 1].text == "."):
            message, hint = "SELECT has no columns", "name columns, or write SELECT *"
        else:
            continue
        span = source.span(token.start, token.end)
        raise ParseError("PARSE.SYNTAX", message, text=source.original, span=span, hint=hint)


def _ends_operand(tokens: Sequence[Token], at: int) -> bool:
    if at < 0:
        return False
    token = tokens[at]
    if token.kind == "word":
        is_field = at > 0 and tokens[at - 1].text == "."
        return is_field or token.word not in _OPEN
    return token.kind != "symbol" or token.text in (")", "]", "*")


def _follows_mod(tokens: Sequence[Token], at: int) -> bool:
    return starts_operand(tokens, at) or (at < len(tokens) and tokens[at].text in ("-", "+"))


def next_statement(word: str) -> str | None:
    """The hint where ``word`` goes on a statement that should have ended before it."""
    return f"a statement ends with `;`: put one before {word.upper()}" if word.upper() in STATEMENT_STARTS else None
