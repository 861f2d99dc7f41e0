"""From a script to its statements: split at semicolons, and by the first word hand on to who reads the rest."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import get_args

from syncsql.errors import ParseError, Span, did_you_mean
from syncsql.language.cursor import Cursor
from syncsql.language.definitions import create_stream, describe, drop, register_source, show, verify
from syncsql.language.modes import MODES
from syncsql.language.queries import parse_query
from syncsql.language.rewriting import Rewritten
from syncsql.language.statements import CreateView, Explain, ExplainKind, Keeping, Mode, Query, Statement
from syncsql.language.tokens import Token, tokenize
from syncsql.language.typography import plain
from syncsql.language.words import STATEMENT_STARTS

_DEFINITIONS = {
    "REGISTER": register_source,
    "DROP": drop,
    "SHOW": show,
    "DESCRIBE": describe,
    "DESC": describe,
    "VERIFY": verify,
}
_STARTS = ("SELECT", "WITH", *STATEMENT_STARTS)
_CREATE_FORM = "CREATE STREAM … or CREATE [OR REPLACE] [MATERIALIZED | VIRTUAL] [STREAMED | COMPLETE] VIEW …"
_VIEW_FORM = "CREATE [OR REPLACE] [MATERIALIZED | VIRTUAL] [STREAMED | COMPLETE] VIEW name AS SELECT …"


def parse_script(text: str) -> tuple[Statement, ...]:
    """All statements of a script; an empty one has none."""
    source = plain(text)
    return tuple(_statement(source, tokens) for tokens in _split(_tokens(source)))


def parse_schema(text: str) -> Iterator[Statement | str]:
    """The statements of a script in which tables are declared too; CREATE TABLE is not ours, and given as its text."""
    source = plain(text)
    for tokens in _split(_tokens(source)):
        if _declares_table(Cursor(source, tokens)):
            span = source.span(tokens[0].start, tokens[-1].end)
            yield source.original[span.start : span.end]
        else:
            yield _statement(source, tokens)


def _declares_table(cursor: Cursor) -> bool:
    if not cursor.accept("CREATE"):
        return False
    cursor.accept("OR", "REPLACE")
    return cursor.accept("TABLE")


def parse_statement(text: str) -> Statement:
    """The one statement that ``text`` is."""
    source = plain(text)
    statements = list(_split(_tokens(source)))
    if not statements:
        raise ParseError("PARSE.EMPTY", "there is no statement", hint="a statement begins with " + ", ".join(_STARTS))
    if len(statements) > 1:
        second = statements[1]
        raise ParseError(
            "PARSE.SEVERAL_STATEMENTS",
            "one statement is expected, this is the second",
            text=text,
            span=source.span(second[0].start, second[-1].end),
            hint="give one at a time; a script of several is for db.sql and syncsql run",
        )
    return _statement(source, statements[0])


def _tokens(source: Rewritten) -> list[Token]:
    """The tokens, without any sign that SQL would take for a part of a name."""
    tokens = tokenize(source)
    for token in tokens:
        if token.kind == "symbol" and not token.text.isascii() and token.text not in ("∪", "∩"):
            raise ParseError(
                "PARSE.CHARACTER",
                f"`{token.text}` is not a name or a sign of SQL",
                text=source.original,
                span=source.span(token.start, token.end),
                hint="quote a name with `…` and a string with '…'",
            )
    return tokens


def _split(tokens: Sequence[Token]) -> Iterator[Sequence[Token]]:
    begin = 0
    for at, token in enumerate(tokens):
        if token.kind == "symbol" and token.text == ";":
            if at > begin:
                yield tokens[begin:at]
            begin = at + 1
    if begin < len(tokens):
        yield tokens[begin:]


def _statement(source: Rewritten, tokens: Sequence[Token]) -> Statement:
    cursor = Cursor(source, tokens)
    span = source.span(tokens[0].start, tokens[-1].end)
    if _starts_query(tokens[0]):
        return parse_query(source, tokens)
    word = tokens[0].word
    if word in _DEFINITIONS:
        cursor.take()
        return _DEFINITIONS[word](cursor, source.original, span)
    if cursor.accept("CREATE"):
        return _create(cursor, span)
    if cursor.accept("EXPLAIN"):
        return _explain(cursor, span)
    close = did_you_mean(tokens[0].text, _STARTS)
    raise cursor.error(
        f"no statement begins with `{tokens[0].text}`",
        code="PARSE.UNKNOWN_STATEMENT",
        hint=close if close and close.startswith("did") else "statements begin with " + ", ".join(_STARTS),
    )


def _starts_query(token: Token | None) -> bool:
    return token is not None and (token.word in ("SELECT", "WITH") or token.text == "(")


def _create(cursor: Cursor, span: Span) -> Statement:
    replace = cursor.accept("OR", "REPLACE")
    if not replace and cursor.accept("STREAM"):
        return create_stream(cursor, cursor.source.original, span)
    keeping: Keeping | None = None
    for word in get_args(Keeping):
        if cursor.accept(word):
            keeping = word
            break
    mode: Mode | None = None
    token = cursor.peek()
    if token is not None and token.word in MODES:
        mode = MODES[token.word]
        cursor.take()
    cursor.expect("VIEW", hint=_VIEW_FORM if replace or keeping or mode else _CREATE_FORM)
    if_not_exists = not replace and cursor.accept("IF", "NOT", "EXISTS")
    name = cursor.name("view", hint=_VIEW_FORM)
    if cursor.next_is("("):
        raise cursor.error(
            "a view has no list of columns", hint="name the columns in its query, as in SELECT x AS name"
        )
    cursor.expect("AS", hint=_VIEW_FORM)
    query = _query(cursor, _VIEW_FORM, mode)
    return CreateView(
        name.value,
        query.mode,
        query,
        replace,
        keeping,
        if_not_exists,
        name_span=cursor.span(name),
        text=cursor.source.original,
        span=span,
    )


def _explain(cursor: Cursor, span: Span) -> Explain:
    kind: ExplainKind = "PLAN"
    for word in get_args(ExplainKind):
        if cursor.accept(word):
            kind = word
            break
    query = _query(cursor, "EXPLAIN [PLAN | SKIN | SHARING] SELECT …", None)
    return Explain(kind, query, text=cursor.source.original, span=span)


def _query(cursor: Cursor, form: str, mode: Mode | None) -> Query:
    """The query that the rest of a statement is."""
    if not _starts_query(cursor.peek()):
        raise cursor.error(f"a query is expected {cursor.here()}", hint=form)
    return parse_query(cursor.source, cursor.rest(), mode)
