"""From typed or piped text to what the shell runs, one piece at a time.

A statement ends with ``;`` outside strings, quoted names and comments. A piece that begins with a dot ends with its
line, and so do the words of :data:`ALONE`, which need no ``;`` either; inside parentheses and behind a comma a line
does not end it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

ALONE = ("HELP", "QUIT", "EXIT", "?")
# A statement of so many characters is not read again for each line that comes, but for each `;`.
_LONG = 10_000
# In a string a backslash takes the next character along.
_QUOTED = {
    "'": re.compile(r"'(?:[^'\\]|\\.)*'", re.DOTALL),
    '"': re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL),
    "`": re.compile(r"`[^`]*`"),
}


@dataclass(frozen=True)
class Piece:
    """A statement or a command without its ``;`` or dot; ``line`` is where it begins in the text, from 0."""

    text: str
    line: int
    dotted: bool = False

    @property
    def placed(self) -> str:
        """The text with the lines before it, so that an error says the line that the user sees."""
        return "\n" * self.line + "." * self.dotted + self.text


def pieces(text: str) -> tuple[list[Piece], str]:
    """What is complete, and the rest, which waits for more."""
    found: list[Piece] = []
    at = _skip(text, 0)
    while at < len(text):
        dotted = text[at] == "."
        end = _end(text, at, dotted or _is_alone(text, at))
        if end is None:
            return found, text[at:]
        body = text[at + dotted : end].rstrip().removesuffix(";").rstrip()
        if body:
            found.append(Piece(body, text.count("\n", 0, at), dotted))
        at = _skip(text, end + 1)
    return found, ""


def last_piece(text: str) -> list[Piece]:
    """What is left at the end of a script, whose last statement needs no ``;``."""
    found, rest = pieces(text)
    if not rest:
        return found
    dotted = rest.startswith(".")
    return [*found, Piece(rest[dotted:].rstrip(), text.count("\n", 0, len(text) - len(rest)), dotted)]


def script(lines: Iterable[str]) -> Iterator[Piece]:
    """The pieces of a text that comes line by line, each as soon as it is complete."""
    text, before = "", 0
    for line in lines:
        text += line
        if ";" not in line and len(text) > _LONG:
            continue
        found, rest = pieces(text)
        yield from (replace(p, line=p.line + before) for p in found)
        before += text.count("\n") - rest.count("\n")
        text = rest
    yield from (replace(p, line=p.line + before) for p in last_piece(text))


def _is_alone(text: str, at: int) -> bool:
    word = re.compile(r"\w+|\?").match(text, at)
    return word is not None and word.group().upper() in ALONE


def _skip(text: str, at: int) -> int:
    """Over blanks, comments and empty statements."""
    while at < len(text):
        if text[at].isspace() or text[at] == ";":
            at += 1
        elif (after := _comment(text, at)) is not None and after <= len(text):
            at = after
        else:
            break
    return at


def _comment(text: str, at: int) -> int | None:
    """Where the comment ends that begins here: behind the text if it does not end, None if none begins."""
    if text.startswith("--", at):
        end = text.find("\n", at)
        return len(text) if end < 0 else end
    if text.startswith("/*", at):
        end = text.find("*/", at + 2)
        return len(text) + 1 if end < 0 else end + 2
    return None


def _goes_on(text: str, end: int) -> bool:
    """Whether the line that ends here says with a comma that it does not."""
    return text[:end].rstrip(" \t\r").endswith(",")


def _end(text: str, at: int, by_line: bool) -> int | None:
    """The place of the ``;`` or of the end of the line that ends the piece at ``at``."""
    depth = 0
    while at < len(text):
        char = text[at]
        after = _comment(text, at)
        if after is not None and not by_line:
            at = after
            continue
        if char in _QUOTED:
            closing = _QUOTED[char].match(text, at)
            if closing is None:
                return None
            at = closing.end() - 1
        elif char == ";" or (char == "\n" and by_line and depth == 0 and not _goes_on(text, at)):
            return at
        depth += (char == "(") - (char == ")")
        at += 1
    return None
