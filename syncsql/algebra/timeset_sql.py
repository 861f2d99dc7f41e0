"""Texts of a set of ticks: the release point and membership as Spark SQL, and a description for people.

From t to the next point in the run ``a..b`` of a pattern it is ``greatest(pmod(b - t, period) - (b - a), 0)``: the
distance to the run's end, less that from its start to its end, and nothing inside. The release point is t plus the
least of these over the runs: one arithmetic expression, which Spark compiles. NULL is released at NULL.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from syncsql.algebra.timeset_pattern import Pattern, residues
from syncsql.algebra.timeset_pieces import Piece, Pieces

MAX_TERMS = 32
"""The most arithmetic terms and branches of an expression; beyond, the compiled code would grow too large."""

MAX_ARRAY = 4096
"""The longest period whose gaps are written as an array literal."""

_SHOWN = 8


def release(pieces: Pieces, column: str) -> str | None:
    """``min {x ∈ set : x ≥ column}`` as Spark SQL, NULL where there is none."""
    if not pieces:
        return "CAST(NULL AS BIGINT)"
    if sum(_terms(p) for p in pieces) > MAX_TERMS:
        return None
    t = _operand(column)
    branches: list[str] = []
    for piece in pieces:
        branches.append(f"WHEN {t} <= {piece.lo}L THEN {piece.lo}L")
        if piece.hi is None:
            branches.append(f"ELSE {_next(piece.pattern, t)}")
        elif piece.lo < piece.hi:
            branches.append(f"WHEN {t} <= {piece.hi}L THEN {_next(piece.pattern, t)}")
    return f"CASE {' '.join(branches)} END"


def contains(pieces: Pieces, column: str) -> str | None:
    """``column ∈ set`` as Spark SQL."""
    if not pieces:
        return "false"
    if sum(_terms(p) for p in pieces) > MAX_TERMS:
        return None
    return _any([_member(p, _operand(column)) for p in pieces])


def gaps(pattern: Pattern) -> Iterator[int]:
    """For ``r = 0, 1, …, period - 1``: the distance from r to the next point."""
    return (pattern.first(r) - r for r in range(pattern.period))


def _operand(column: str) -> str:
    return column if re.fullmatch(r"[\w.]+|`[^`]+`", column) else f"({column})"


def _terms(piece: Piece) -> int:
    return 1 if _as_array(piece.pattern) else len(piece.pattern.starts)


def _as_array(pattern: Pattern) -> bool:
    return len(pattern.starts) > MAX_TERMS and pattern.period <= MAX_ARRAY


def _next(pattern: Pattern, t: str) -> str:
    """The first point of a pattern at or after t ≥ 0."""
    p = pattern.period
    if pattern.is_full:
        return t
    if _as_array(pattern):
        # element_at takes only an INT as index, and counts from 1.
        listed = ", ".join(map(str, gaps(pattern)))
        return f"{t} + element_at(array({listed}), CAST(pmod({t}, {p}L) AS INT) + 1)"
    distances = [
        f"pmod({b}L - {t}, {p}L)" if a == b else f"greatest(pmod({b}L - {t}, {p}L) - {b - a}L, 0L)"
        for a, b in zip(pattern.starts, pattern.ends, strict=True)
    ]
    return f"{t} + {distances[0]}" if len(distances) == 1 else f"{t} + least({', '.join(distances)})"


def _member(piece: Piece, t: str) -> str:
    if piece.lo == piece.hi:
        return f"{t} = {piece.lo}L"
    parts = [f"{t} >= {piece.lo}L"]
    if piece.hi is not None:
        parts.append(f"{t} <= {piece.hi}L")
    if not piece.pattern.is_full:
        remainder = f"pmod({t}, {piece.period}L)"
        if _as_array(piece.pattern):
            parts.append(f"{remainder} IN ({', '.join(f'{r}L' for r in residues(piece.pattern))})")
        else:
            parts.append(_any(_residue_tests(piece.pattern, remainder, "L")))
    return f"({' AND '.join(parts)})" if len(parts) > 1 else parts[0]


def _residue_tests(pattern: Pattern, remainder: str, suffix: str = "") -> list[str]:
    """``remainder = r``, ``IN``, ``BETWEEN``, …: together they say that the remainder is one of the pattern's."""
    missing = pattern.complement
    if missing.size == 1 < pattern.size:
        return [f"{remainder} <> {missing.starts[0]}{suffix}"]
    runs = list(zip(pattern.starts, pattern.ends, strict=True))
    single = [f"{a}{suffix}" for a, b in runs if a == b]
    tests = [f"{remainder} IN ({', '.join(single)})"] if len(single) > 1 else [f"{remainder} = {s}" for s in single]
    for a, b in runs:
        if a == b:
            continue
        if a == 0:
            tests.append(f"{remainder} <= {b}{suffix}")
        elif b == pattern.period - 1:
            tests.append(f"{remainder} >= {a}{suffix}")
        else:
            tests.append(f"{remainder} BETWEEN {a}{suffix} AND {b}{suffix}")
    return tests


def _any(tests: list[str]) -> str:
    return tests[0] if len(tests) == 1 else f"({' OR '.join(tests)})"


def exact(pieces: Pieces) -> str:
    """Everything that the set is, as a text: every piece with every run of its pattern."""
    texts = []
    for piece in pieces:
        runs = zip(piece.pattern.starts, piece.pattern.ends, strict=True)
        texts.append(f"{piece.lo}..{piece.end} mod {piece.period}: {' '.join(f'{a}-{b}' for a, b in runs)}")
    return f"{{{'; '.join(texts)}}}"


def describe(pieces: Pieces) -> str:
    """The set as a predicate on Timepoint for people: shortened where it is long."""
    if not pieces:
        return "never"
    single = [str(p.lo) for p in pieces if p.lo == p.hi]
    texts: list[str] = []
    if len(single) > 1:
        more = f", … ({len(single)} points)" if len(single) > _SHOWN else ""
        texts.append(f"Timepoint IN ({', '.join(single[:_SHOWN])}{more})")
    rest = [p for p in pieces if p.lo != p.hi or len(single) == 1]
    texts += [_described(p) for p in rest[:_SHOWN]]
    if len(rest) > _SHOWN:
        texts.append(f"… ({len(rest)} ranges)")
    if len(texts) == 1:
        return texts[0]
    return " OR ".join(f"({text})" if " AND Timepoint mod" in text or " AND (" in text else text for text in texts)


def _described(piece: Piece) -> str:
    pattern = piece.pattern
    if piece.lo == piece.hi:
        return f"Timepoint = {piece.lo}"
    # A bound is only worth saying where the pattern alone would have more points.
    low = piece.lo if pattern.first(0) < piece.lo else None
    if pattern.is_full and low is None and piece.hi is None:
        return "every tick"
    parts: list[str] = []
    if low is not None and piece.hi is not None:
        parts.append(f"Timepoint BETWEEN {low} AND {piece.hi}")
    elif low is not None:
        parts.append(f"Timepoint >= {low}")
    elif piece.hi is not None:
        parts.append(f"Timepoint <= {piece.hi}")
    if not pattern.is_full:
        remainder = f"Timepoint mod {piece.period}"
        if len(pattern.starts) <= _SHOWN or pattern.complement.size == 1:
            tests = _residue_tests(pattern, remainder)
            parts.append(_any(tests) if parts else " OR ".join(tests))
        else:
            shown = ", ".join(str(r) for r, _ in zip(residues(pattern), range(_SHOWN), strict=False))
            parts.append(f"{remainder} IN ({shown}, … ({pattern.size} residues mod {piece.period}))")
    return " AND ".join(parts)
