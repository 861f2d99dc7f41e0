"""The statements that define and look up things: everything but the queries inside them."""

from __future__ import annotations

from typing import TypeVar, get_args

from syncsql.errors import ParseError, Span, did_you_mean
from syncsql.language.column_types import close_types, is_type, parse_type, unknown_type
from syncsql.language.cursor import Cursor
from syncsql.language.statements import (
    ColumnDef,
    CreateStream,
    Describe,
    Drop,
    DropKind,
    RegisterSource,
    Show,
    ShowWhat,
    Verify,
)
from syncsql.language.tokens import Token

Word = TypeVar("Word", bound=str)
_SOURCE_FORM = "REGISTER SOURCE name (column TYPE, …) [TIMESTAMP BY column] [FROM origin]"
_STREAM_FORM = "CREATE STREAM name OVER source KEY column, … | KEY NULL [OPERATION BY column]"


def register_source(cursor: Cursor, text: str, span: Span) -> RegisterSource:
    """``REGISTER SOURCE name (…) …``, behind REGISTER."""
    cursor.expect("SOURCE", hint=_SOURCE_FORM)
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    name = cursor.name("source", hint=_SOURCE_FORM)
    cursor.expect("(", hint=_SOURCE_FORM)
    columns = [_column(cursor)]
    while cursor.accept(","):
        columns.append(_column(cursor))
    cursor.expect(")", hint="columns are separated by commas and end with `)`")
    _refuse_duplicates(cursor, [column for column, _ in columns])
    timestamp: Token | None = None
    origin: tuple[str, Span] | None = None
    while cursor.peek() is not None:
        if timestamp is None and cursor.accept("TIMESTAMP", "BY"):
            timestamp = cursor.name("timestamp column")
        elif origin is None and cursor.accept("FROM"):
            origin = _origin(cursor)
        else:
            cursor.end(hint=_SOURCE_FORM)
    return RegisterSource(
        name.value,
        tuple(definition for _, definition in columns),
        timestamp.value if timestamp else None,
        origin[0] if origin else None,
        if_not_exists,
        name_span=cursor.span(name),
        timestamp_by_span=cursor.span(timestamp) if timestamp else None,
        origin_span=origin[1] if origin else None,
        text=text,
        span=span,
    )


def _column(cursor: Cursor) -> tuple[Token, ColumnDef]:
    """``name TYPE`` or, as the paper has it, ``TYPE name``; where both words are types the first is the name."""
    first, second = cursor.peek(), cursor.peek(1)
    if is_type(second) and first is not None and first.is_name:
        name = cursor.name("column")
        type_ = parse_type(cursor)
    elif is_type(first) and second is not None and (second.text in ("(", "<") or _can_be_column(second)):
        type_ = parse_type(cursor)
        name = cursor.name("column", hint=f"what is the name of this {type_} column?")
    else:
        raise _no_type(cursor, first, second)
    nullable = not cursor.accept("NOT", "NULL")
    if nullable:
        cursor.accept("NULL")
    return name, ColumnDef(name.value, type_, nullable, span=cursor.span(name))


def _can_be_column(token: Token) -> bool:
    return token.is_name and token.word not in ("NOT", "NULL")


def _no_type(cursor: Cursor, first: Token | None, second: Token | None) -> ParseError:
    if first is None or not first.is_name:
        return cursor.error(f"a column is expected {cursor.here()}", hint="a column is written `name TYPE`")
    if second is None or not _can_be_column(second):
        return cursor.error(f"column `{first.value}` has no type", token=first, hint="a column is written `name TYPE`")
    guess = first if close_types(first.value) and not close_types(second.value) else second
    return unknown_type(cursor, guess)


def _refuse_duplicates(cursor: Cursor, names: list[Token]) -> None:
    seen: set[str] = set()
    for name in names:
        if name.value.lower() in seen:
            raise cursor.error(
                f"column `{name.value}` is named twice",
                code="PARSE.DUPLICATE_COLUMN",
                token=name,
                hint="names of columns differ in more than upper and lower case",
            )
        seen.add(name.value.lower())


def _origin(cursor: Cursor) -> tuple[str, Span]:
    """A word, a string, or anything without blanks, such as ``tcp://host:5501``."""
    first = cursor.take()
    if first is None:
        raise cursor.error("an origin is expected behind FROM", hint="for example FROM port5501, or leave FROM out")
    last = first
    while (token := cursor.peek()) is not None and token.start == last.end:
        last = token
        cursor.take()
    value = first.value if last is first else cursor.source.text[first.start : last.end]
    return value, cursor.source.span(first.start, last.end)


def create_stream(cursor: Cursor, text: str, span: Span) -> CreateStream:
    """``CREATE STREAM name OVER source …``, behind STREAM."""
    if_not_exists = cursor.accept("IF", "NOT", "EXISTS")
    name = cursor.name("stream", hint=_STREAM_FORM)
    cursor.expect("OVER", hint=_STREAM_FORM)
    source = cursor.name("source", hint=_STREAM_FORM)
    key: list[Token] | None = None
    operation: Token | None = None
    while cursor.peek() is not None:
        if key is None and cursor.accept("KEY"):
            key = _key(cursor)
        elif operation is None and cursor.accept("OPERATION", "BY"):
            operation = cursor.name("operation column")
        else:
            cursor.end(hint=_STREAM_FORM)
    if key is None:
        raise cursor.error(
            f"stream `{name.value}` has no KEY",
            code="PARSE.MISSING_KEY_CLAUSE",
            token=name,
            hint="add KEY column, … for a stream of updates, or KEY NULL for a stream of insertions",
        )
    null = key[0].word == "NULL"
    if not null:
        _refuse_duplicates(cursor, key)
    return CreateStream(
        name.value,
        source.value,
        None if null else tuple(column.value for column in key),
        operation.value if operation else None,
        if_not_exists,
        name_span=cursor.span(name),
        source_span=cursor.span(source),
        key_span=tuple(cursor.span(column) for column in key),
        operation_by_span=cursor.span(operation) if operation else None,
        text=text,
        span=span,
    )


def _key(cursor: Cursor) -> list[Token]:
    hint = "KEY column, …, KEY (column, …) or KEY NULL"
    null = cursor.peek()
    if null is not None and null.word == "NULL":
        cursor.take()
        return [null]
    in_parentheses = cursor.accept("(")
    columns = [cursor.name("key column", hint=hint)]
    while cursor.accept(","):
        columns.append(cursor.name("key column", hint=hint))
    if in_parentheses:
        cursor.expect(")", hint=hint)
    return columns


def drop(cursor: Cursor, text: str, span: Span) -> Drop:
    """``DROP kind [IF EXISTS] name``, behind DROP."""
    kind: DropKind = _one_of(cursor, get_args(DropKind), "DROP VIEW | STREAM | SOURCE [IF EXISTS] name")
    if_exists = cursor.accept("IF", "EXISTS")
    name = cursor.name(kind.lower())
    cursor.end(hint="one name is dropped at a time")
    return Drop(kind, name.value, if_exists, name_span=cursor.span(name), text=text, span=span)


def show(cursor: Cursor, text: str, span: Span) -> Show:
    """``SHOW what``, behind SHOW."""
    what: ShowWhat = _one_of(cursor, get_args(ShowWhat), "SHOW " + " | ".join(get_args(ShowWhat)))
    cursor.end()
    return Show(what, text=text, span=span)


def describe(cursor: Cursor, text: str, span: Span) -> Describe:
    """``DESCRIBE name``, behind DESCRIBE."""
    name = cursor.name("source, stream or view")
    cursor.end(hint="DESCRIBE name")
    return Describe(name.value, name_span=cursor.span(name), text=text, span=span)


def verify(cursor: Cursor, text: str, span: Span) -> Verify:
    """``VERIFY VIEW name [AT time]``, behind VERIFY."""
    form = "VERIFY VIEW name [AT time]"
    cursor.expect("VIEW", hint=form)
    name = cursor.name("view", hint=form)
    time: Token | None = None
    if cursor.accept("AT"):
        time = cursor.take()
        if time is None or not time.text.isdecimal():
            raise cursor.error("a time is expected behind AT", token=time, hint="time is counted in ticks, as in AT 8")
    cursor.end(hint=form)
    return Verify(
        name.value,
        int(time.text) if time else None,
        name_span=cursor.span(name),
        at_span=cursor.span(time) if time else None,
        text=text,
        span=span,
    )


def _one_of(cursor: Cursor, words: tuple[Word, ...], form: str) -> Word:
    token = cursor.take()
    for word in words:
        if token is not None and token.word == word:
            return word
    close = did_you_mean(token.text, words) if token is not None else None
    found = "the end" if token is None else f"`{token.text}`"
    raise cursor.error(
        f"{', '.join(words[:-1])} or {words[-1]} is expected instead of {found}",
        token=token,
        hint=close if close and close.startswith("did") else form,
    )
