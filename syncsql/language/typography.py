"""Characters as papers print them, replaced by those that SQL is typed with.

``≤ ≥ ≠ −``, subscript digits (``Sync₂``), ligatures and typographic quotes become their plain forms; ``ℜ ∪ ∩`` stay,
set apart by blanks where words would otherwise run into them. Strings, quoted names and comments are left alone.
"""

from __future__ import annotations

import unicodedata

import sqlglot
from sqlglot.errors import TokenError

from syncsql.language.rewriting import Edit, Rewritten
from syncsql.language.tokens import tokenize

_PLAIN = {
    "≤": "<=",
    "≥": ">=",
    "≠": "<>",
    "−": "-",
    "–": "-",
    "∗": "*",
    "ℜ": "ℜ",
    "∪": " ∪ ",
    "∩": " ∩ ",
}
_QUOTES = {"‘": ("’", "'"), "“": ("”", '"')}


def plain(text: str) -> Rewritten:
    """The user's text in plain characters.

    >>> plain("select Sync₂ where a≤b").text
    'select Sync2 where a<=b'
    """
    source = _plain_quotes(Rewritten.of(text))
    if source.text.isascii():
        return source
    edits: list[Edit] = []
    for token in tokenize(source):
        if token.kind in ("quoted", "string"):
            continue
        for at, char in enumerate(token.text, token.start):
            replacement = _plain_char(char)
            if replacement != char:
                edits.append(Edit(at, at + 1, replacement))
    return source.edit(edits)


def _plain_char(char: str) -> str:
    if char.isascii():
        return char
    if char in _PLAIN:
        return _PLAIN[char]
    folded = unicodedata.normalize("NFKC", char)
    return folded if folded.isalnum() or folded.isspace() else char


def _plain_quotes(source: Rewritten) -> Rewritten:
    """Strings in typographic quotes, one after the other, since what is inside may look like anything."""
    done = 0
    while True:
        found = _first_opening(source, done)
        if found is None:
            return source
        closing, quote = _QUOTES[source.text[found]]
        end = source.text.find(closing, found + 1)
        if end < 0:
            return source
        content = source.text[found + 1 : end]
        inner = [Edit(found + 1 + i, found + 2 + i, "\\" + quote) for i, c in enumerate(content) if c == quote]
        source = source.edit([Edit(found, found + 1, quote), *inner, Edit(end, end + 1, quote)])
        done = end + len(inner) + 1


def _first_opening(source: Rewritten, done: int) -> int | None:
    """The first typographic opening quote from ``done`` on that is not inside a string, name or comment."""
    candidates = [i for i in range(done, len(source.text)) if source.text[i] in _QUOTES]
    for at in candidates:
        try:
            before = sqlglot.tokenize(source.text[:at] + " x", dialect="spark")
        except TokenError:
            continue  # an open string, name or comment holds this character
        if before and before[-1].end == at + 1:
            return at
    return None
