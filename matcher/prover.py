"""Proofs: a claim is Proved, Refuted with the values that refute it, or Unknown with the cause.

Every question has a budget. With a budget of zero nothing is asked, and everything is unknown; a rewrite needs
proofs, so nothing is rewritten then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import z3

from matcher.decimals import digits_of
from matcher.term import Term, same
from matcher.terms import ARITHMETIC, Terms
from matcher.zeros import alike_at_zero
from syncsql.algebra.expressions import Call, Column, Expr, Subquery, columns_in, walk


@dataclass(frozen=True)
class Proved:
    def __bool__(self) -> bool:
        return True


@dataclass(frozen=True)
class Refuted:
    """``values`` has, for each column id of the claim, a value under which it fails (None is NULL)."""

    values: dict[str, object] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return False


@dataclass(frozen=True)
class Unproved:
    why: str

    def __bool__(self) -> bool:
        return False


Answer = Proved | Refuted | Unproved
PROVED = Proved()


# Z3 counts the steps of its work. A machine at rest does about so many in a millisecond.
_STEPS_PER_MS = 10_000
# On a loaded machine a question may take so many times its budget, and never more.
_PATIENCE = 5


@dataclass
class Effort:
    """What the solver may spend (milliseconds for one question, seconds for all), and what it has spent.

    Told in the time of a machine at rest and counted in steps, so that a verdict is the same on a loaded one."""

    each: int = 200
    total: float = 10.0
    spent: float = 0.0
    questions: int = 0

    @property
    def exhausted(self) -> bool:
        return self.each <= 0 or self.spent >= self.total

    def check(self, solver: z3.Solver) -> z3.CheckSatResult:
        """What the solver finds within the budget of one question; *unknown* where it finds nothing."""
        solver.set("rlimit", self.each * _STEPS_PER_MS)
        solver.set("timeout", self.each * _PATIENCE)
        before = _steps(solver)
        result = solver.check()
        self.spent += max(_steps(solver) - before, 0) / _STEPS_PER_MS / 1000
        self.questions += 1
        return result


def _steps(solver: z3.Solver) -> int:
    return int(solver.statistics().get_key_value("rlimit count"))


class Prover:
    """Proves claims about the rows of one query; ``not_null`` are ids of columns that are never NULL there."""

    def __init__(
        self, effort: Effort, not_null: Iterable[str] = (), name: Callable[[Subquery], str] = lambda s: s.text
    ) -> None:
        self.effort = effort
        self._terms = Terms(frozenset(not_null), name)

    def implies(self, given: Sequence[Expr], claims: Sequence[Expr]) -> Answer:
        """Wherever all of ``given`` are true, so are all ``claims``."""
        open_claims = [c for c in claims if c not in given]
        if not open_claims:
            return PROVED
        return self._refute(given, z3.Not(z3.And([self._terms.predicate(c) for c in open_claims])), open_claims)

    def equal(self, given: Sequence[Expr], pairs: Sequence[tuple[Expr, Expr]]) -> Answer:
        """Wherever all of ``given`` are true, the two expressions of every pair are both NULL or equal."""
        open_pairs = [(a, b) for a, b in pairs if a != b]
        if not open_pairs:
            return PROVED
        claims = []
        for a, b in open_pairs:
            x, y = self._terms.term(a), self._terms.term(b)
            if x.kind == "float":
                # 0.0 = -0.0, but they are different values to show: for floats an equation in ``given`` proves nothing.
                given = []
            if x.kind == y.kind == "decimal":
                mine, theirs = digits_of(x.type), digits_of(y.type)
                if mine is None or theirs is None or mine.scale != theirs.scale:
                    # 1.5 and 1.50 are equal, and not the same to show.
                    return Unproved("decimals with other digits behind the point")
            if x.kind == "null" or y.kind == "null":
                claims.append(z3.And(x.null, y.null))
            elif x.kind != y.kind:
                return Unproved("values of different types")
            else:
                claims.append(same(x, y))
                if x.kind == "float":
                    claims.append(alike_at_zero(x, y))
        return self._refute(given, z3.Not(z3.And(claims)), [e for pair in open_pairs for e in pair])

    def possible(self, given: Sequence[Expr]) -> Answer:
        """Refuted with a row for which all of ``given`` are true; Proved where there is none."""
        return self._refute(given, z3.BoolVal(True), [])

    def never_null(self, given: Sequence[Expr], expr: Expr) -> Answer:
        return self._refute(given, self._terms.term(expr).null, [expr])

    def tells_zeros_apart(self, expr: Expr) -> bool:
        """Whether ``expr`` may have different values for 0.0 and -0.0: it is some function of a double."""
        return isinstance(expr, Call) and expr.op not in ARITHMETIC and expr in self._terms.not_modelled(expr)

    def not_modelled(self, given: Sequence[Expr], claim: Expr) -> list[Call]:
        """What stands in the way of believing that ``given`` does not imply ``claim``: calls that are some function to
        the solver, in the claim and in what is given about its columns."""
        about = columns_in(claim)
        parts = [claim, *(g for g in given if columns_in(g) & about)]
        calls = list(dict.fromkeys(call for part in parts for call in self._terms.not_modelled(part)))
        # A comparison with a function is not modelled for the function's sake, and the function explains its parts.
        inside = {call: {part for part in walk(call) if part != call} for call in calls}
        calls = [c for c in calls if c.type != "BOOLEAN" or not inside[c].intersection(calls)]
        return [c for c in calls if not any(c in inside[other] for other in calls)]

    def _refute(self, given: Sequence[Expr], negated: z3.BoolRef, about: Sequence[Expr]) -> Answer:
        if self.effort.exhausted:
            return Unproved("the time budget for proofs is used up" if self.effort.each > 0 else "no budget for proofs")
        known = [self._terms.predicate(g) for g in given]
        solver = z3.SimpleSolver()
        solver.add(*known, negated, *self._terms.axioms())
        result = self.effort.check(solver)
        if result == z3.unsat:
            return PROVED
        if result == z3.unknown:
            return Unproved(f"no proof within {self.effort.each} ms")
        model = solver.model()
        columns = {e.id for part in (*given, *about) for e in walk(part) if isinstance(e, Column)}
        terms = self._terms.columns()
        return Refuted({c: self._value(model, terms[c]) for c in columns if c in terms})

    def _value(self, model: z3.ModelRef, term: Term) -> object:
        if z3.is_true(model.eval(term.null, model_completion=True)):
            return None
        value = model.eval(term.value, model_completion=True)
        if z3.is_int_value(value):
            return value.as_long()
        if z3.is_rational_value(value):
            found = Fraction(value.numerator_as_long(), value.denominator_as_long())
            return self._text(model, found) if term.kind == "string" else found
        return z3.is_true(value) if z3.is_bool(value) else str(value)

    def _text(self, model: z3.ModelRef, place: Fraction) -> str:
        """Some string at that place between the constants: one of them, or the last one below it, made longer."""
        below = ""
        for text, constant in sorted(self._terms.texts().items()):
            at = model.eval(constant, model_completion=True)
            if not z3.is_rational_value(at):
                continue
            found = Fraction(at.numerator_as_long(), at.denominator_as_long())
            if found == place:
                return text
            if found < place:
                below = text + "!"
        return below
