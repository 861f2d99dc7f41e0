"""The language: SyncSQL text to statements, and queries back to text."""

from syncsql.language.parser import parse_schema, parse_script, parse_statement
from syncsql.language.printing import print_query, sync_of
from syncsql.language.statements import (
    ColumnDef,
    CreateStream,
    CreateView,
    Describe,
    Drop,
    Explain,
    Query,
    RegisterSource,
    Show,
    Statement,
    Verify,
)

__all__ = [
    "ColumnDef",
    "CreateStream",
    "CreateView",
    "Describe",
    "Drop",
    "Explain",
    "Query",
    "RegisterSource",
    "Show",
    "Statement",
    "Verify",
    "parse_schema",
    "parse_script",
    "parse_statement",
    "print_query",
    "sync_of",
]
