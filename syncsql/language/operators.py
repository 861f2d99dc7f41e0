"""The relation operator ℜ in all its spellings: ``R(S)``, ``R[Sync](S)``, ``R(S, Sync)``, ``ℜ(S)``, ``ℜ_Sync(S)``, …

It is the operator only before ``(`` or ``[``: a table or a column may be named R as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from syncsql.errors import Span
from syncsql.language.cursor import Cursor
from syncsql.language.rewriting import Edit, Rewritten
from syncsql.language.tokens import Token

FORMS = "a relation is written R(S), R[Sync](S), or S alone"


@dataclass(frozen=True)
class Operator:
    """ℜ_sync(name), read from a token up to, but without, the token number ``end``."""

    name: Token
    sync: str | None
    sync_span: Span | None
    end: int
    edits: tuple[Edit, ...]


def is_symbol(tokens: Sequence[Token], at: int) -> bool:
    """Whether ℜ stands here, which nothing else is named."""
    return tokens[at].kind == "word" and tokens[at].text.startswith("ℜ")


def is_operator(tokens: Sequence[Token], at: int) -> bool:
    """Whether an operator would begin here, in a place for relations."""
    if is_symbol(tokens, at):
        return True
    return tokens[at].word == "R" and at + 1 < len(tokens) and tokens[at + 1].text in ("(", "[")


def is_qualifier(tokens: Sequence[Token], at: int) -> bool:
    """Whether ``R(S).`` or ``R[Sync](`` stands here, in an expression: no function and no array is written so."""
    following = tokens[at : at + 5]
    if len(following) < 5 or following[0].word != "R" or not following[2].is_name:
        return False
    around = [token.text for token in (following[1], *following[3:])]
    return around in (["(", ")", "."], ["[", "]", "("])


def read_operator(source: Rewritten, tokens: Sequence[Token], at: int) -> Operator:
    """Read the operator that begins here; `is_operator` holds."""
    cursor = Cursor(source, tokens)
    head = tokens[at]
    cursor.at = at + 1
    sync: str | None = None
    sync_span: Span | None = None
    if head.text in ("R", "r", "ℜ"):
        if cursor.accept("["):
            sync, sync_span = _sync(cursor)
            cursor.expect("]", hint=FORMS)
    elif head.text == "ℜ_":
        cursor.expect("{", hint="ℜ_Sync(S) or ℜ_{Sync}(S)")
        sync, sync_span = _sync(cursor)
        cursor.expect("}", hint="ℜ_Sync(S) or ℜ_{Sync}(S)")
    elif head.text.startswith("ℜ_"):
        sync, sync_span = head.text[2:], source.span(head.start + 2, head.end)
    else:
        raise cursor.error(f"`{head.text}` is not a relation", token=head, hint=FORMS + "; in print also ℜ_Sync(S)")
    cursor.expect("(", hint=FORMS)
    name = cursor.name("stream or view", hint=FORMS)
    if cursor.next_is(","):
        if sync is not None:
            raise cursor.error("a relation has one sync stream only", hint="R[Sync](S) or R(S, Sync)")
        cursor.take()
        sync, sync_span = _sync(cursor)
    cursor.expect(")", hint=FORMS)
    closing = tokens[cursor.at - 1]
    # A blank keeps `R(S)x` two words; before a dot there is nothing to keep apart.
    behind = "" if cursor.next_is(".") else " "
    edits = (Edit(head.start, name.start, " "), Edit(name.end, closing.end, behind))
    return Operator(name, sync, sync_span, cursor.at, edits)


def _sync(cursor: Cursor) -> tuple[str, Span]:
    token = cursor.name("sync stream", hint=FORMS)
    return token.value, cursor.span(token)
