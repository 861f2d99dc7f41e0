"""The types of a source's columns: Spark's DDL types, and the synonyms that people and the paper write for them."""

from __future__ import annotations

import difflib
import re

from syncsql.errors import ParseError
from syncsql.language.cursor import Cursor
from syncsql.language.tokens import Token

# What is written, and Spark's name for it. Lengths of character types are not kept: Spark checks them on write only.
SIMPLE = {
    "BOOLEAN": "BOOLEAN",
    "BYTE": "TINYINT",
    "TINYINT": "TINYINT",
    "SHORT": "SMALLINT",
    "SMALLINT": "SMALLINT",
    "INT": "INT",
    "INTEGER": "INT",
    "LONG": "BIGINT",
    "BIGINT": "BIGINT",
    "REAL": "FLOAT",
    "FLOAT": "FLOAT",
    "DOUBLE": "DOUBLE",
    "STRING": "STRING",
    "TEXT": "STRING",
    "BINARY": "BINARY",
    "DATE": "DATE",
    "TIME": "TIME",
    "TIMESTAMP": "TIMESTAMP",
    "TIMESTAMP_LTZ": "TIMESTAMP",
    "TIMESTAMP_NTZ": "TIMESTAMP_NTZ",
    "VARIANT": "VARIANT",
}
_CHARACTERS = {"CHAR", "CHARACTER", "VARCHAR"}
_DECIMALS = {"DECIMAL", "DEC", "NUMERIC"}
_NESTED = {"ARRAY", "MAP", "STRUCT"}
_INTERVAL_UNITS = (("YEAR", "MONTH"), ("DAY", "HOUR", "MINUTE", "SECOND"))
KNOWN = {*SIMPLE, *_CHARACTERS, *_DECIMALS, *_NESTED, "INTERVAL"}
_MOST_DIGITS = 38


def is_type(token: Token | None) -> bool:
    """Whether a token begins a type; a quoted word never does."""
    return token is not None and token.word in KNOWN


def parse_type(cursor: Cursor) -> str:
    """Read a type, however nested, as Spark's DDL."""
    token = cursor.take()
    if token is None:
        raise cursor.error("a type is expected at the end", hint=known_types(""))
    word = token.word
    if word in SIMPLE:
        return SIMPLE[word]
    if word in _CHARACTERS:
        if cursor.next_is("("):
            _numbers(cursor, most=1)
        return "STRING"
    if word in _DECIMALS:
        return _decimal(cursor, token)
    if word == "INTERVAL":
        return _interval(cursor)
    if word in _NESTED:
        return _nested(cursor, word)
    raise unknown_type(cursor, token)


def unknown_type(cursor: Cursor, token: Token) -> ParseError:
    """The error for a word that stands where a type should."""
    return cursor.error(
        f"`{token.value}` is not a type", code="PARSE.UNKNOWN_TYPE", token=token, hint=known_types(token.value)
    )


def close_types(word: str) -> list[str]:
    """The known types whose names are like ``word``."""
    return difflib.get_close_matches(word.upper(), sorted(KNOWN), n=3, cutoff=0.6)


def known_types(word: str) -> str:
    """A hint: the closest types, or the usual ones."""
    close = close_types(word)
    if close:
        return "did you mean " + " or ".join(close) + "?"
    return "types are INT, BIGINT, DOUBLE, DECIMAL(10,2), STRING, BOOLEAN, DATE, TIMESTAMP, ARRAY<INT>, …"


def _nested(cursor: Cursor, word: str) -> str:
    cursor.expect("<", hint=f"for example {_EXAMPLES[word]}")
    if word == "STRUCT":
        inner = [] if cursor.next_is(">") else [_field(cursor)]
        while cursor.accept(","):
            inner.append(_field(cursor))
        body = ", ".join(inner)
    else:
        body = parse_type(cursor)
        if word == "MAP":
            cursor.expect(",", hint=f"for example {_EXAMPLES[word]}")
            body = f"{body},{parse_type(cursor)}"
    cursor.expect(">", hint=f"for example {_EXAMPLES[word]}")
    return f"{word}<{body}>"


_EXAMPLES = {"ARRAY": "ARRAY<INT>", "MAP": "MAP<STRING,INT>", "STRUCT": "STRUCT<a: INT, b: STRING>"}


def _field(cursor: Cursor) -> str:
    name = cursor.name("field")
    cursor.accept(":")
    type_ = parse_type(cursor)
    text = name.text if re.fullmatch(r"[A-Za-z]\w*", name.text, re.ASCII) else "`" + name.text.replace("`", "``") + "`"
    return f"{text}: {type_}" + (" NOT NULL" if cursor.accept("NOT", "NULL") else "")


def _decimal(cursor: Cursor, token: Token) -> str:
    digits = _numbers(cursor, most=2) if cursor.next_is("(") else [10]
    precision, scale = digits[0], digits[1] if len(digits) > 1 else 0
    if not 1 <= precision <= _MOST_DIGITS or scale > precision:
        raise cursor.error(
            f"DECIMAL({precision},{scale}) is not a type",
            code="PARSE.UNKNOWN_TYPE",
            token=token,
            hint=f"a decimal has 1 to {_MOST_DIGITS} digits, and no more of them after the point than in all",
        )
    return f"DECIMAL({precision},{scale})"


def _numbers(cursor: Cursor, most: int) -> list[int]:
    cursor.expect("(")
    numbers: list[int] = []
    while True:
        token = cursor.take()
        if token is None or not token.text.isdecimal():
            raise cursor.error("a number of digits is expected", token=token)
        numbers.append(int(token.text))
        if len(numbers) == most or not cursor.accept(","):
            break
    cursor.expect(")")
    return numbers


def _interval(cursor: Cursor) -> str:
    """``INTERVAL unit [TO unit]``; the units must be of one family, from coarse to fine."""
    start = cursor.take()
    for units in _INTERVAL_UNITS:
        if start is not None and start.word in units:
            if not cursor.accept("TO"):
                return f"INTERVAL {start.word}"
            end = cursor.take()
            if end is not None and end.word in units[units.index(start.word) + 1 :]:
                return f"INTERVAL {start.word} TO {end.word}"
            raise cursor.error(f"an interval from {start.word} cannot end there", token=end)
    raise cursor.error(
        "an interval type needs its units", token=start, hint="INTERVAL DAY TO SECOND or INTERVAL YEAR TO MONTH"
    )
