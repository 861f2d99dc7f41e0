"""How a query gives its answer: ``SELECT STREAMED | COMPLETE`` and ``EMIT FULL``.

sqlglot would read ``SELECT STREAMED x`` as a column STREAMED with the alias x, so the word is taken off before.
It remains a possible name: it is the keyword only where something that can begin a select list follows.
"""

from __future__ import annotations

from collections.abc import Sequence

from syncsql.errors import ParseError
from syncsql.language.rewriting import Rewritten
from syncsql.language.statements import Mode
from syncsql.language.tokens import Token
from syncsql.language.words import CLAUSES, starts_operand

MODES: dict[str, Mode] = {"STREAMED": "STREAMED", "COMPLETE": "COMPLETE"}


def find_mode(source: Rewritten, tokens: Sequence[Token]) -> tuple[Mode | None, Token | None]:
    """The mode that the outermost SELECT says, and the token that says it."""
    outermost = _outermost_select(tokens)
    found: tuple[Mode | None, Token | None] = (None, None)
    for at, token in enumerate(tokens):
        if token.word != "SELECT" or (at > 0 and tokens[at - 1].text == "."):
            continue
        first = at + 1
        if first < len(tokens) and tokens[first].text.startswith("/*+"):
            first += 1
        if _is_keyword(tokens, first):
            word = tokens[first]
            if at != outermost:
                raise _misplaced(source, word, "PARSE.NESTED_STREAMED", "only the outermost query can say it")
            found = (MODES[word.word], word)
        elif first < len(tokens) and tokens[first].word in ("DISTINCT", "ALL") and _is_keyword(tokens, first + 1):
            raise _misplaced(source, tokens[first + 1], "PARSE.SYNTAX", "it stands directly behind SELECT")
    return found


def find_emit_full(source: Rewritten, tokens: Sequence[Token]) -> bool:
    """Whether the query ends with EMIT FULL; an inner query cannot."""
    for at in range(1, len(tokens) - 2):
        inner = tokens[at + 2].text == ")"
        # Before another clause; a column or relation may be named EMIT, and another name may be FULL.
        early = tokens[at + 2].word in CLAUSES and tokens[at - 1].word not in ("FROM", "JOIN", "SELECT")
        if _is_emit_full(tokens, at) and (inner or early):
            raise ParseError(
                "PARSE.NESTED_EMIT" if inner else "PARSE.SYNTAX",
                f"EMIT FULL is not expected {'in an inner query' if inner else 'here'}",
                text=source.original,
                span=source.span(tokens[at].start, tokens[at + 1].end),
                hint="write it at the end of the whole query",
            )
    if len(tokens) > 3 and tokens[-2].word == "EMIT" and tokens[-1].word not in ("", "FULL") and _is_full(tokens[-3]):
        raise ParseError(
            "PARSE.SYNTAX",
            f"EMIT {tokens[-1].text} is not known",
            text=source.original,
            span=source.span(tokens[-2].start, tokens[-1].end),
            hint="EMIT FULL keeps the full points; without it every point is emitted",
        )
    return len(tokens) > 2 and _is_emit_full(tokens, len(tokens) - 2)


def _is_full(before: Token) -> bool:
    """Whether a query can end with this token, so that EMIT behind it is no name."""
    return before.text not in (",", ".") and before.word not in ("AS", "FROM", "JOIN", "SELECT")


def _is_emit_full(tokens: Sequence[Token], at: int) -> bool:
    return tokens[at].word == "EMIT" and tokens[at + 1].word == "FULL" and tokens[at - 1].word != "AS"


def _outermost_select(tokens: Sequence[Token]) -> int | None:
    """The first SELECT outside of common table expressions, which stand in parentheses of their own."""
    leading = 0
    while leading < len(tokens) and tokens[leading].text == "(":
        leading += 1
    depth = 0
    for at, token in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.word == "SELECT" and depth == leading:
            return at
    return None


def _is_keyword(tokens: Sequence[Token], at: int) -> bool:
    if at + 1 >= len(tokens) or tokens[at].word not in MODES:
        return False
    if tokens[at + 1].text == "*":  # a star, or a product with a column of this name
        return not starts_operand(tokens, at + 2)
    if tokens[at + 1].word == "MOD":  # the function, or the remainder of a column of this name
        return at + 2 < len(tokens) and tokens[at + 2].text == "("
    return starts_operand(tokens, at + 1)


def _misplaced(source: Rewritten, token: Token, code: str, hint: str) -> ParseError:
    span = source.span(token.start, token.end)
    return ParseError(code, f"{token.word} is not expected here", text=source.original, span=span, hint=hint)
