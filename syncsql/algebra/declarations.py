"""REGISTER SOURCE and CREATE STREAM: from the statement to what the catalog knows, with every name checked."""

from __future__ import annotations

import re

from syncsql.algebra.catalog import Catalog, Field, SourceDef, StreamDef
from syncsql.errors import BindError, Span, did_you_mean
from syncsql.language import CreateStream, RegisterSource

_TICK_TYPES = ("TINYINT", "SMALLINT", "INT", "BIGINT", "TIMESTAMP", "TIMESTAMP_NTZ", "DATE")
_NO_KEY_TYPES = ("MAP", "VARIANT")
# Names of the engine's own columns begin so.
_RESERVED_PREFIX = "_"
_NOT_IN_DELTA = set(" ,;{}()\n\t=.`")
_NOT_COMPARED = re.compile(r"\b(MAP|VARIANT)\b(?!:)")
# Behind the name of a field of a STRUCT stands a colon.
_NOT_HELD = re.compile(r"\b(TIME|VARIANT|INTERVAL[ A-Z]*)\b(?!:)")


def source_of(statement: RegisterSource) -> SourceDef:
    fields = tuple(Field(c.name, c.type) for c in statement.columns)
    for column in statement.columns:
        if _NOT_IN_DELTA & set(column.name):
            raise BindError(
                "SOURCE.COLUMN_NAME", f"column `{column.name}`: a blank and any of ,;{{}}()=.` cannot stand in a name",
                text=statement.text, span=column.span, hint=f"call it `{_plain(column.name)}`",
            )  # fmt: skip
        if column.name.startswith(_RESERVED_PREFIX):
            raise BindError(
                "SOURCE.RESERVED_COLUMN", f"column `{column.name}`: names that begin with _ are the engine's",
                text=statement.text, span=column.span, hint=f"call it `{column.name.lstrip('_') or 'column'}`",
            )  # fmt: skip
        held = _NOT_HELD.search(column.type)
        if held is not None:
            raise BindError(
                "SOURCE.COLUMN_TYPE", f"column `{column.name}`: a Delta table cannot hold {held.group()}",
                text=statement.text, span=column.span, hint="use STRING or a number, and convert it in queries",
            )  # fmt: skip
    if statement.timestamp_by is None:
        return SourceDef(statement.name, fields, None, statement.origin)
    field = _column(statement.timestamp_by, fields, statement.text, statement.timestamp_by_span)
    if field.type.upper() not in _TICK_TYPES:
        raise BindError(
            "SOURCE.TIMESTAMP_TYPE", f"TIMESTAMP BY `{field.name}`: {field.type} does not tell a time",
            text=statement.text, span=statement.timestamp_by_span, hint="use an integer, TIMESTAMP or DATE column",
        )  # fmt: skip
    return SourceDef(statement.name, fields, field.name, statement.origin)


def stream_of(statement: CreateStream, catalog: Catalog) -> StreamDef:
    source = catalog.find(statement.source)
    if not isinstance(source, SourceDef):
        kind = "stream" if isinstance(source, StreamDef) else "view"
        what = f"`{statement.source}` is a {kind}, not a source"
        if source is None:
            what = f"there is no source `{statement.source}`"
        sources = [n for n in catalog.names() if isinstance(catalog.find(n), SourceDef)]
        raise BindError(
            "STREAM.UNKNOWN_SOURCE", what,
            text=statement.text, span=statement.source_span,
            hint=did_you_mean(statement.source, sources) or "REGISTER SOURCE comes first",
        )  # fmt: skip
    operation = None
    if statement.operation_by is not None:
        operation = _column(statement.operation_by, source.fields, statement.text, statement.operation_by_span)
        if operation.type.upper().split("(")[0] not in ("STRING", "CHAR", "VARCHAR"):
            raise BindError(
                "STREAM.OPERATION_TYPE", f"OPERATION BY `{operation.name}`: it is {operation.type}, not a string",
                text=statement.text, span=statement.operation_by_span, hint="the column holds +, u or -",
            )  # fmt: skip
    fields = tuple(f for f in source.fields if f != operation)
    key = None
    if statement.key is not None:
        places = statement.key_span or (None,) * len(statement.key)
        for name, place in zip(statement.key, places, strict=True):
            if operation is not None and name.lower() == operation.name.lower():
                raise BindError(
                    "STREAM.KEY", f"column `{name}` says the operation and cannot be in the key", text=statement.text,
                    span=place, hint="name columns that say which row it is",
                )  # fmt: skip
        found = [_column(k, fields, statement.text, s) for k, s in zip(statement.key, places, strict=True)]
        for field, place in zip(found, places, strict=True):
            if field.type.upper().split("<")[0] in _NO_KEY_TYPES or found.count(field) > 1:
                why = "is named twice" if found.count(field) > 1 else f"is {field.type}, which cannot be compared"
                raise BindError("STREAM.KEY", f"key column `{field.name}` {why}", text=statement.text, span=place)
        key = tuple(f.name for f in found)
    if operation is not None and key is None:
        unlike = next((f for f in fields if _NOT_COMPARED.search(f.type)), None)
        if unlike is not None:
            raise BindError(
                "STREAM.ROWS",
                f"- takes out an equal row, and column `{unlike.name}` is {unlike.type}, which cannot be compared",
                text=statement.text, span=statement.operation_by_span, hint="name the columns of a KEY",
            )  # fmt: skip
    return StreamDef(statement.name, source.name, fields, key, operation.name if operation else None)


def _plain(name: str) -> str:
    return "".join("_" if c in _NOT_IN_DELTA else c for c in name)


def _column(name: str, fields: tuple[Field, ...], text: str, span: Span | None) -> Field:
    for field in fields:
        if field.name.lower() == name.lower():
            return field
    raise BindError(
        "BIND.UNKNOWN_COLUMN", f"column `{name}` does not exist", text=text, span=span,
        hint=did_you_mean(name, [f.name for f in fields]),
    )  # fmt: skip
