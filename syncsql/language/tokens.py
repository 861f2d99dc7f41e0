"""Tokens of a text, in the few kinds that SyncSQL's own syntax needs.

sqlglot's tokenizer for Spark knows strings, comments and quoted names; its kinds of keywords differ between
versions, so a keyword here is simply a word.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

import sqlglot
from sqlglot.errors import TokenError
from sqlglot.tokens import TokenType

from syncsql.errors import ParseError
from syncsql.language.rewriting import Rewritten

Kind = Literal["word", "quoted", "string", "number", "symbol"]

_STRINGS = {
    TokenType.STRING,
    TokenType.RAW_STRING,
    TokenType.HEX_STRING,
    TokenType.BIT_STRING,
    TokenType.BYTE_STRING,
    TokenType.NATIONAL_STRING,
    TokenType.UNICODE_STRING,
    TokenType.HEREDOC_STRING,
}
# At the start of a statement the tokenizer makes one string of everything behind these words.
_SWALLOWING = {TokenType.COMMAND, TokenType.EXECUTE, TokenType.FETCH, TokenType.SHOW, TokenType.RENAME}
_STATEMENT_START = {TokenType.SEMICOLON, TokenType.BEGIN}


@dataclass(frozen=True, slots=True)
class Token:
    """Characters ``start`` to ``end`` (excluded); ``value`` is the text without quotes."""

    kind: Kind
    text: str
    value: str
    start: int
    end: int

    @property
    def word(self) -> str:
        """The unquoted word in upper case, empty for everything else: what keywords are compared with."""
        return self.text.upper() if self.kind == "word" else ""

    @property
    def is_name(self) -> bool:
        """Whether the token can be a name."""
        return self.kind in ("word", "quoted")


def tokenize(source: Rewritten) -> list[Token]:
    """The tokens of ``source.text``; a quote or comment that does not end is an error."""
    text = source.text
    try:
        raw = sqlglot.tokenize(text, dialect="spark")
        while masked := _mask_swallowing(text, raw):
            text = masked
            raw = sqlglot.tokenize(text, dialect="spark")
    except TokenError as error:
        raise _unterminated(source, error) from None
    tokens: list[Token] = []
    for token in raw:
        start, end = token.start, token.end + 1
        if tokens and start < tokens[-1].end:
            continue  # 5L comes as three tokens, 5 :: BIGINT, all at the same place
        slice_ = source.text[start:end]
        kind = _kind(token.token_type, slice_)
        if kind == "word" and " " in " ".join(slice_.split()):
            tokens += _words(slice_, start)  # GROUP BY comes as one token
        else:
            tokens.append(Token(kind, slice_, token.text if kind in ("quoted", "string") else slice_, start, end))
    return tokens


def _kind(type_: TokenType, text: str) -> Kind:
    if type_ == TokenType.IDENTIFIER:
        return "quoted"
    if type_ in _STRINGS and text[-1:] in ("'", '"'):
        return "string"
    if type_ == TokenType.NUMBER:
        return "number"
    return "word" if re.fullmatch(r"\w[\w\s]*", text) else "symbol"


def _words(text: str, offset: int) -> list[Token]:
    return [
        Token("word", match.group(), match.group(), offset + match.start(), offset + match.end())
        for match in re.finditer(r"\w+", text)
    ]


def _mask_swallowing(text: str, raw: list[sqlglot.Token]) -> str | None:
    """``text`` with a plain word of the same length for each swallowing one, or None where there is none."""
    masked = text
    before: TokenType | None = None
    for token in raw:
        if token.token_type in _SWALLOWING and (before is None or before in _STATEMENT_START):
            masked = masked[: token.start] + "_" * (token.end + 1 - token.start) + masked[token.end + 1 :]
        before = token.token_type
    return masked if masked != text else None


def _unterminated(source: Rewritten, error: TokenError) -> ParseError:
    text = source.text
    missing = re.match(r"Missing (\S+) from \d+:(\d+)", str(error.__cause__ or ""))
    if missing and missing.group(1) in ("'", '"', "`"):
        quote, start = missing.group(1), int(missing.group(2))
        what = "name" if quote == "`" else "string"
        message, hint = f"this {what} does not end", f"close it with {quote}"
    elif "/*" in text:
        start = text.rfind("/*")
        message, hint = "this comment does not end", "close it with */"
    else:
        start, message, hint = 0, "the text cannot be read as SQL", "check quotes and comments"
    line_end = text.find("\n", start)
    end = len(text) if line_end < 0 else line_end
    return ParseError("PARSE.UNTERMINATED", message, text=source.original, span=source.span(start, end), hint=hint)
