"""Strings as points on a line: what is known of the constants and LIKE patterns that a proof speaks of.

Only order and equality of strings are used, and every countable order fits into the reals with the constants at any
ascending places. So strings need no theory of strings, and proofs about them are as quick as those about numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import z3

from matcher.likeness import contained, disjoint, matches


class TextOrder:
    def __init__(self) -> None:
        self._constants: dict[str, z3.ArithRef] = {}
        self._patterns: dict[z3.ArithRef, dict[str, z3.BoolRef]] = {}

    def constant(self, text: str) -> z3.ArithRef:
        return self._constants.setdefault(text, z3.Real(f"text {text!r}"))

    def text_of(self) -> dict[str, z3.ArithRef]:
        return dict(self._constants)

    def matching(self, value: z3.ArithRef, pattern: str) -> z3.BoolRef:
        """``value LIKE pattern``, as a set of points."""
        atom = z3.Function(f"like {pattern}", z3.RealSort(), z3.BoolSort())(value)
        return self._patterns.setdefault(value, {}).setdefault(pattern, atom)

    def axioms(self) -> Iterator[z3.BoolRef]:
        ordered = [self._constants[text] for text in sorted(self._constants)]
        for one, other in pairwise(ordered):
            yield one < other
        for value, patterns in self._patterns.items():
            for pattern, atom in patterns.items():
                for text, constant in self._constants.items():
                    yield z3.Implies(value == constant, atom == z3.BoolVal(matches(text, pattern)))
                for other_pattern, other_atom in patterns.items():
                    if other_pattern == pattern:
                        continue
                    if contained(pattern, other_pattern):
                        yield z3.Implies(atom, other_atom)
                    elif disjoint(pattern, other_pattern):
                        yield z3.Not(z3.And(atom, other_atom))
