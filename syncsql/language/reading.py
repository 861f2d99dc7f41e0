"""Reading Spark SQL with sqlglot, and saying what it found wrong in the user's text and in our words."""

from __future__ import annotations

import difflib
import re

import sqlglot
from sqlglot import exp
from sqlglot.errors import ParseError as SqlglotParseError
from sqlglot.errors import SqlglotError

from syncsql.errors import ParseError, Span
from syncsql.language.rewriting import Rewritten
from syncsql.language.words import next_statement

_CHECK = "check the SQL around this place"
_KEYWORDS = ("DISTINCT", "FROM", "GROUP", "HAVING", "INTERSECT", "JOIN", "LIMIT", "ORDER", "SELECT", "UNION", "WHERE")
_SIGNS = {"EQ": "=", "NEQ": "<>", "LT": "<", "LTE": "<=", "GT": ">", "GTE": ">=", "Add": "+", "Sub": "-"}
_SIGNS |= {"Mul": "*", "Div": "/", "Mod": "%", "Paren": "( )", "Neg": "-"}
# What broken text has been seen to raise in a parser that expects well-formed text.
_ACCIDENTS = (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)


def read_sql(cleaned: Rewritten) -> exp.Expr:
    """The tree of a text from which everything that is not Spark SQL was taken off."""
    try:
        return sqlglot.parse_one(cleaned.text, dialect="spark")
    except SqlglotParseError as error:
        raise _translated(cleaned, error) from None
    except RecursionError:
        raise too_deep(cleaned.original, cleaned.span(0, len(cleaned.text))) from None
    except (SqlglotError, *_ACCIDENTS):
        message, hint = "this cannot be read as a query", _CHECK
    whole = cleaned.span(0, len(cleaned.text))
    raise ParseError("PARSE.SYNTAX", message, text=cleaned.original, span=whole, hint=hint)


def too_deep(text: str | None = None, span: Span | None = None) -> ParseError:
    """The error for a query with so many parts inside one another that no pass over it comes to an end."""
    message, hint = "the query is nested too deeply", "split it into views"
    return ParseError("PARSE.SYNTAX", message, text=text, span=span, hint=hint)


def _translated(cleaned: Rewritten, error: SqlglotParseError) -> ParseError:
    first = error.errors[0] if error.errors else {}
    highlight = str(first.get("highlight") or "")
    end = _offset(cleaned.text, first.get("line"), first.get("col"))
    start = max(0, end - max(1, len(highlight)))
    message = _in_our_words(str(first.get("description") or ""), highlight)
    hint = next_statement(highlight) or _misspelled(cleaned.text[:end]) or _CHECK
    return ParseError(
        "PARSE.SYNTAX", message, text=cleaned.original, span=cleaned.span(start, max(end, start + 1)), hint=hint
    )


def _offset(text: str, line: object, column: object) -> int:
    """Where the token ends whose last character sqlglot gives by line and column, both counted from one."""
    if not isinstance(line, int) or not isinstance(column, int):
        return len(text)
    lines = text.split("\n")
    return min(len(text), sum(len(earlier) + 1 for earlier in lines[: line - 1]) + column)


def _misspelled(read: str) -> str | None:
    """A keyword that one of the last words was perhaps meant to be: a misspelled one is read as a name first."""
    for word in re.findall(r"[A-Za-z]+", read)[-3:]:
        close = difflib.get_close_matches(word.upper(), _KEYWORDS, n=1, cutoff=0.75)
        if close and close[0] != word.upper():
            return f"did you mean {close[0]} instead of `{word}`?"
    return None


def _in_our_words(description: str, highlight: str) -> str:
    missing = re.search(r"missing for <class '[\w.]*\.(\w+)'>", description)
    if missing:
        return f"something is missing here: {_spaced(missing.group(1))} is not complete"
    many = re.search(r"provided arguments \((\d+)\) is greater than .* arguments \((\d+)\)", description)
    if many:
        return f"too many arguments: {many.group(1)} instead of at most {many.group(2)}"
    expected = re.match(r"Expect(?:ed|ing) (.+?)(?: but got .*)?$", description, re.DOTALL)
    if expected:
        what = expected.group(1)
        quoted = f"`{what}`" if len(what) <= 2 else what
        return f"{quoted} is expected" + (f" near `{highlight}`" if highlight else "")
    return f"`{highlight}` is not expected here" if highlight else "the query ends too early"


def _spaced(name: str) -> str:
    """The sign of an operation; ``GroupConcat`` as ``GROUP CONCAT``."""
    return _SIGNS.get(name) or re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).upper()
