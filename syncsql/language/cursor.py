"""Reading tokens from left to right, with errors that underline the token which was not expected."""

from __future__ import annotations

from collections.abc import Sequence

from syncsql.errors import ParseError, Span
from syncsql.language.rewriting import Rewritten
from syncsql.language.tokens import Token
from syncsql.language.words import next_statement

# Words that would otherwise be taken for a name when the name itself was forgotten.
_NEVER_NAMES = {"AS", "BY", "FROM", "NULL", "OVER", "SELECT", "WHERE"}


class Cursor:
    """A position in the tokens of one statement."""

    def __init__(self, source: Rewritten, tokens: Sequence[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self.at = 0

    def peek(self, ahead: int = 0) -> Token | None:
        """The token ``ahead`` of the next one, or None behind the end."""
        index = self.at + ahead
        return self.tokens[index] if index < len(self.tokens) else None

    def next_is(self, *words: str) -> bool:
        """Whether these words (or symbols) come next, in this order."""
        for ahead, word in enumerate(words):
            token = self.peek(ahead)
            if token is None or word not in (token.word, token.text if token.kind == "symbol" else ""):
                return False
        return True

    def accept(self, *words: str) -> bool:
        """Step over these words if they come next."""
        if not self.next_is(*words):
            return False
        self.at += len(words)
        return True

    def expect(self, word: str, *, hint: str | None = None) -> None:
        """Step over ``word``, which must come next."""
        if not self.accept(word):
            raise self.error(f"`{word}` is expected {self.here()}", hint=hint)

    def take(self) -> Token | None:
        """The next token, stepped over."""
        token = self.peek()
        self.at += token is not None
        return token

    def name(self, what: str, *, hint: str | None = None) -> Token:
        """The next token, which must be a name; ``what`` says of what, for the error."""
        token = self.peek()
        if token is None or not token.is_name or token.word in _NEVER_NAMES or token.word.startswith("ℜ"):
            raise self.error(f"the name of the {what} is expected {self.here()}", hint=hint)
        self.at += 1
        return token

    def rest(self) -> Sequence[Token]:
        """The tokens that were not read yet."""
        return self.tokens[self.at :]

    def end(self, hint: str | None = None) -> None:
        """Nothing may follow."""
        token = self.peek()
        if token is not None:
            raise self.error(f"`{token.text}` is not expected here", hint=next_statement(token.word) or hint)

    def here(self) -> str:
        """Where the next token is, in words."""
        token = self.peek()
        return "at the end" if token is None else f"instead of `{token.text}`"

    def span(self, token: Token) -> Span:
        """The place of a token in the user's text."""
        return self.source.span(token.start, token.end)

    def error(
        self, message: str, *, code: str = "PARSE.SYNTAX", token: Token | None = None, hint: str | None = None
    ) -> ParseError:
        """An error at ``token``, by default the next one, or behind the last one at the end."""
        token = token or self.peek()
        if token is not None:
            span = self.span(token)
        else:
            end = self.tokens[-1].end if self.tokens else 0
            span = self.source.span(end - 1, end)
            span = Span(span.end, span.end + 1)
        return ParseError(code, message, text=self.source.original, span=span, hint=hint)
