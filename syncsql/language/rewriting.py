"""A text that was rewritten, and for each of its characters the place in the user's text that it stands for.

SyncSQL's own syntax is taken off in steps (typography, relation operators, keywords) before the rest is read as
Spark SQL. An error that is found in the last step must still be underlined in what the user wrote, so every step
is a list of edits, and edits compose.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from syncsql.errors import Span


@dataclass(frozen=True)
class Edit:
    """Characters ``start`` to ``end`` (excluded) become ``text``; ``start == end`` is an insertion."""

    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Rewritten:
    """``text``, made from ``original``; character i stands for ``original[starts[i]:ends[i]]``."""

    original: str
    text: str
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> Rewritten:
        """The user's text as it is."""
        return cls(text, text, tuple(range(len(text))), tuple(range(1, len(text) + 1)))

    def edit(self, edits: Iterable[Edit], start: int = 0, end: int | None = None) -> Rewritten:
        """The text from ``start`` to ``end`` after all of ``edits``, whose places are those of the text before them.

        An insertion goes before a replacement that starts at the same place; several insertions at one place keep
        their order.

        >>> Rewritten.of("R(S) x").edit([Edit(0, 2, ""), Edit(3, 4, "")]).text
        'S x'
        """
        parts: list[str] = []
        starts: list[int] = []
        ends: list[int] = []
        done = start
        for edit in sorted(edits, key=lambda e: (e.start, e.end)):
            parts += (self.text[done : edit.start], edit.text)
            starts += self.starts[done : edit.start]
            ends += self.ends[done : edit.start]
            place = self.span(edit.start, edit.end)
            starts += [place.start] * len(edit.text)
            ends += [place.end] * len(edit.text)
            done = edit.end
        parts.append(self.text[done:end])
        starts += self.starts[done:end]
        ends += self.ends[done:end]
        return Rewritten(self.original, "".join(parts), tuple(starts), tuple(ends))

    def span(self, start: int, end: int) -> Span:
        """The place in the user's text of characters ``start`` to ``end`` (excluded) of this one."""
        start = max(0, min(start, len(self.text)))
        end = min(end, len(self.text))
        if start < end:
            return Span(min(self.starts[start:end]), max(self.ends[start:end]))
        if start < len(self.text):
            return Span(self.starts[start], self.starts[start])
        here = self.ends[-1] if self.ends else 0
        return Span(here, here)
