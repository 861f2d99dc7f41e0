"""LIKE patterns: inclusion and disjointness agree with trying all short strings."""

from __future__ import annotations

import itertools
import re

import pytest

from matcher.likeness import after_prefix, contained, disjoint, literal_of, matches

_TEXTS = ["".join(t) for n in range(5) for t in itertools.product("abc", repeat=n)]
_PATTERNS = (
    "%",
    "",
    "a",
    "a%",
    "%a",
    "%a%",
    "_",
    "a_",
    "_a%",
    "a%b",
    "%a%b%",
    "ab%",
    "%b_",
    "__",
    "_%_",
    "a\\%",
    "%%a",
)


def by_regex(text: str, pattern: str) -> bool:
    signs = re.findall(r"\\.|.", pattern)
    parts = [".*" if s == "%" else "." if s == "_" else re.escape(s[-1]) for s in signs]
    return re.fullmatch("".join(parts), text, re.DOTALL) is not None


@pytest.mark.parametrize("pattern", _PATTERNS)
def test_matches(pattern: str) -> None:
    assert [t for t in _TEXTS if matches(t, pattern)] == [t for t in _TEXTS if by_regex(t, pattern)]


@pytest.mark.parametrize(("one", "other"), list(itertools.product(_PATTERNS, repeat=2)))
def test_pairs(one: str, other: str) -> None:
    texts = [*_TEXTS, "a%", "zz", "azb"]
    if contained(one, other):
        assert all(matches(t, other) for t in texts if matches(t, one))
    if disjoint(one, other):
        assert not any(matches(t, one) and matches(t, other) for t in texts)
    if one == other:
        assert contained(one, other)


def test_some_containments() -> None:
    assert contained("ab%", "%b%")
    assert contained("a_c", "a%c")
    assert not contained("a%c", "a_c")
    assert disjoint("a%", "b%")
    assert not disjoint("a%", "%b")
    assert literal_of("a\\%b") == "a%b"
    assert after_prefix("ab") == "ac"
