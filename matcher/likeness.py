"""LIKE patterns as languages: which strings match, and whether one pattern's strings are all among another's.

A pattern is a word over characters, ``_`` (any one character) and ``%`` (any string). Inclusion is decided by walking
both patterns at once over the characters that they name and one that neither names, which stands for all others.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

_ANY_ONE = "any one"
_ANY = "any"
_OTHER = "other"

Token = str
Pattern = tuple[Token, ...]


@lru_cache(maxsize=4096)
def tokens(pattern: str) -> Pattern:
    """The pattern's signs; a literal character stands as ``=c``. A backslash takes a wildcard literally."""
    found: list[Token] = []
    at = 0
    while at < len(pattern):
        char = pattern[at]
        if char == "\\" and at + 1 < len(pattern):
            at += 1
            found.append("=" + pattern[at])
        elif char == "%":
            if not found or found[-1] != _ANY:
                found.append(_ANY)
        else:
            found.append(_ANY_ONE if char == "_" else "=" + char)
        at += 1
    return tuple(found)


def literal_of(pattern: str) -> str | None:
    """The one string that a pattern without wildcards matches."""
    signs = tokens(pattern)
    return None if _ANY in signs or _ANY_ONE in signs else "".join(s[1:] for s in signs)


def prefix_of(pattern: str) -> str:
    """The characters with which every matching string begins."""
    found = ""
    for sign in tokens(pattern):
        if sign in (_ANY, _ANY_ONE):
            break
        found += sign[1:]
    return found


def is_prefix(pattern: str) -> bool:
    """Whether the pattern is ``prefix%``: a string matches it exactly when it begins so."""
    signs = tokens(pattern)
    return bool(signs) and signs[-1] == _ANY and _ANY not in signs[:-1] and _ANY_ONE not in signs


def after_prefix(prefix: str) -> str | None:
    """The smallest string above all strings with this prefix; None where there is none."""
    while prefix and ord(prefix[-1]) >= 0x10FFFF:
        prefix = prefix[:-1]
    return prefix[:-1] + chr(ord(prefix[-1]) + 1) if prefix else None


def matches(text: str, pattern: str) -> bool:
    signs = tokens(pattern)
    places = _closed(signs, frozenset([0]))
    for char in text:
        places = _step(signs, places, "=" + char)
    return len(signs) in places


def contained(small: str, large: str) -> bool:
    """Whether every string that matches ``small`` matches ``large``."""
    return not _meeting(small, large, lambda a, b: a and not b)


def disjoint(one: str, other: str) -> bool:
    return not _meeting(one, other, lambda a, b: a and b)


def _meeting(one: str, other: str, accept: Callable[[bool, bool], bool]) -> bool:
    """Whether some string is matched as ``accept`` says of (matches one, matches other)."""
    a, b = tokens(one), tokens(other)
    alphabet = [*sorted({s for s in (*a, *b) if s.startswith("=")}), _OTHER]
    start = (_closed(a, frozenset([0])), _closed(b, frozenset([0])))
    seen, todo = {start}, [start]
    while todo:
        left, right = todo.pop()
        if accept(len(a) in left, len(b) in right):
            return True
        for sign in alphabet:
            state = (_step(a, left, sign), _step(b, right, sign))
            if state not in seen:
                seen.add(state)
                todo.append(state)
    return False


def _closed(signs: Pattern, places: frozenset[int]) -> frozenset[int]:
    """The places that can be reached without reading: ``%`` may match nothing."""
    found = set(places)
    todo = list(places)
    while todo:
        at = todo.pop()
        if at < len(signs) and signs[at] == _ANY and at + 1 not in found:
            found.add(at + 1)
            todo.append(at + 1)
    return frozenset(found)


def _step(signs: Pattern, places: frozenset[int], sign: str) -> frozenset[int]:
    after: set[int] = set()
    for at in places:
        if at < len(signs):
            if signs[at] == _ANY:
                after.add(at)
            elif signs[at] in (_ANY_ONE, sign):
                after.add(at + 1)
    return _closed(signs, frozenset(after))
