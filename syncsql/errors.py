"""One base class for everything that goes wrong, in Spark's form: ``[CLASS.SUB] message``.

An error names the thing, underlines the place in the user's text and says what would be accepted.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Span:
    """Characters ``start`` (included) to ``end`` (excluded) of a text that the user wrote."""

    start: int
    end: int


class SyncSQLError(Exception):
    """An error with a stable ``code``, the place in the user's text and a way out.

    ``about`` is the expression or operator that it is about, where it is found after the text was left behind: who
    still knows the text can then say the place."""

    def __init__(
        self,
        code: str,
        message: str,
        *,
        text: str | None = None,
        span: Span | None = None,
        hint: str | None = None,
        about: object = None,
        file: object = None,
    ) -> None:
        self.code = code
        self.about = about
        self.message = message
        self.text = text
        self.span = span
        self.hint = hint
        self.file = file
        super().__init__(self._render())

    def at(self, text: str, span: Span | None) -> SyncSQLError:
        """The same error with a place, unless it already has one."""
        if self.text is not None or span is None:
            return self
        return type(self)(self.code, self.message, text=text, span=span, hint=self.hint, about=self.about)

    def in_file(self, file: object) -> SyncSQLError:
        """The same error, whose text was read from a file."""
        return type(self)(
            self.code, self.message, text=self.text, span=self.span, hint=self.hint, about=self.about, file=file
        )

    def _render(self) -> str:
        lines = [f"[{self.code}] {self.message}"]
        if self.text is not None and self.span is not None:
            lines.append(underline(self.text, self.span, self.file))
        if self.hint:
            lines.append(f"Hint: {self.hint}")
        return "\n".join(lines)


class ParseError(SyncSQLError):
    """The text is not a SyncSQL statement."""


class BindError(SyncSQLError):
    """The statement is well formed but names or combines things in a way that has no meaning."""


class UnsupportedError(SyncSQLError):
    """The statement has a meaning that the engine does not compute yet."""


class StorageError(SyncSQLError):
    """The database directory cannot be used as asked."""


class EngineError(SyncSQLError):
    """An advance or a push cannot be carried out."""


def underline(text: str, span: Span, file: object = None) -> str:
    """The line of ``text`` that holds ``span``, numbered, with the span underlined.

    >>> print(underline("SELECT a\\nFROM nowhere", Span(14, 21)))
    line 2: FROM nowhere
                 ^^^^^^^
    """
    start = max(0, min(span.start, len(text)))
    line_start = text.rfind("\n", 0, start) + 1
    line_end = text.find("\n", start)
    line_end = len(text) if line_end < 0 else line_end
    number = text.count("\n", 0, start) + 1
    prefix = f"line {number}: " if file is None else f"{file}, line {number}: "
    width = max(1, min(span.end, line_end) - start)
    return f"{prefix}{text[line_start:line_end]}\n{' ' * (len(prefix) + start - line_start)}{'^' * width}"


def did_you_mean(name: str, existing: Iterable[str]) -> str | None:
    """A hint that lists the closest existing names, or all of them when they are few."""
    name, known = str(name), sorted(set(existing), key=str.lower)
    by_lower = {n.lower(): n for n in known}
    close = difflib.get_close_matches(name.lower(), list(by_lower), n=3, cutoff=0.6)
    # Somebody who types the beginning alone means it too, however much follows.
    close = close or [n for n in by_lower if len(name) >= 3 and n.startswith(name.lower())][:3]
    if close:
        return "did you mean " + " or ".join(f"`{by_lower[c]}`" for c in close) + "?"
    if known:
        return "known: " + ", ".join(f"`{n}`" for n in known[:10]) + (", …" if len(known) > 10 else "")
    return None
