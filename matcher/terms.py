"""Expressions as Z3 terms: every value is a pair (value, is-null), every predicate has three truth values.

What a term may say is bounded by what is exact in Spark:

- integers are mathematical integers within the bounds of their types. ANSI arithmetic that leaves a type raises an
  error and gives no answer, so nothing is claimed about it;
- FLOAT and DOUBLE are points on a line, in Spark's order (NaN largest and equal to itself). They are compared, but
  every computation with them is an uninterpreted function;
- DECIMAL is a real number, computed with where the result has digits enough (:mod:`matcher.decimals`);
- dates are numbers of days; their years, months and days are known by the calendar (:mod:`matcher.calendar`);
- strings are points on a line too, in code point order; LIKE is a set of strings (:mod:`matcher.likeness`);
- any other deterministic function is uninterpreted: equal for arguments that nothing tells apart, and nothing more.

So a formula that is valid here is true in Spark. The converse does not hold, and is not needed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import z3

from matcher.arithmetic import decimals, integers, result_digits, type_of_constant
from matcher.calendar import FUNCTIONS
from matcher.compare import aligned, as_float, choices, exact_type
from matcher.constants import NAN, Constant, constant_of, kind_of
from matcher.decimals import common_type
from matcher.leaves import Leaves
from matcher.term import OTHER, Term, as_bool, as_real, either, in_kind, is_true, real, settled, sort_of, zero
from matcher.zeros import is_minus_zero, sign_of_choice, sign_of_constant
from syncsql.algebra.dates import TRUNCATED
from syncsql.algebra.expressions import Call, Column, Expr, Literal, Now, Subquery, infix, sql, walk
from syncsql.algebra.scalars import OVER_ANY_ORDER
from syncsql.algebra.sync import exact
from syncsql.algebra.types import base

_ORDER = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b}
ARITHMETIC = frozenset({"+", "-", "*", "%", "DIV", "NEG", "/", "abs", "datediff"})


@dataclass
class Terms:
    """Encodes expressions over columns; ``not_null`` are the ids of columns that never are.

    ``axioms`` is what is known of the columns, constants and patterns met so far, and must be assumed in every proof.
    ``name`` says under which name an uninterpreted subquery is known: equal names for equal subqueries.
    """

    not_null: frozenset[str] = frozenset()
    name: Callable[[Subquery], str] = lambda s: s.text
    _leaves: Leaves = field(init=False)
    _cache: dict[Expr, Term] = field(default_factory=dict)
    # Calls of which nothing is known but that they are functions.
    _opaque_calls: set[Call] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._leaves = Leaves(self.not_null)

    def axioms(self) -> list[z3.BoolRef]:
        return list(self._leaves.axioms())

    def texts(self) -> dict[str, z3.ArithRef]:
        return self._leaves.text.text_of()

    def columns(self) -> dict[str, Term]:
        return {e.id: t for e, t in self._cache.items() if isinstance(e, Column)}

    def not_modelled(self, expr: Expr) -> list[Call]:
        """The calls in ``expr`` whose values a refutation may have chosen otherwise than Spark computes them."""
        self.term(expr)
        return [part for part in walk(expr) if isinstance(part, Call) and part in self._opaque_calls]

    def predicate(self, expr: Expr) -> z3.BoolRef:
        """``expr`` is true: neither false nor unknown."""
        term = self.term(expr)
        if term.kind == "null":
            return z3.BoolVal(False)
        return is_true(term if term.kind == "bool" else Term("bool", as_bool(term), term.null))

    def term(self, expr: Expr) -> Term:
        found = self._cache.get(expr)
        if found is None:
            found = self._cache[expr] = self._encode(expr)
        return found

    def _encode(self, expr: Expr) -> Term:
        constant = constant_of(expr)
        if constant is not None:
            found = self._leaves.constant(constant)
            return replace(found, type=type_of_constant(expr, constant), minus=sign_of_constant(expr, constant))
        if isinstance(expr, Column):
            return self._leaves.column(expr)
        if isinstance(expr, Now):
            name = "now" if expr.sync.is_clock else f"now {exact(expr.sync.points)}"
            return Term("int", z3.Int(name), z3.BoolVal(False), "BIGINT")
        if isinstance(expr, Literal):
            return Term("other", z3.Const(f"literal {expr.sql}", OTHER), z3.BoolVal(False), expr.type)
        if isinstance(expr, Subquery):
            return self._function(
                f"{expr.kind} {self.name(expr)}", expr.args, kind_of(expr.type), expr.kind == "exists"
            )
        return self._call(expr)

    # -- calls -------------------------------------------------------------------------------------------------------

    def _call(self, call: Call) -> Term:
        op = call.op
        if op in ("AND", "OR"):
            return self._junction(op, [self.term(a) for a in call.args])
        if op == "NOT":
            inner = self.term(call.args[0])
            if inner.kind == "null":
                return inner
            value = inner.value if inner.kind == "bool" else as_bool(inner)
            return Term("bool", z3.Not(value), inner.null, "BOOLEAN")
        if op == "IS NULL":
            return Term("bool", self.term(call.args[0]).null, z3.BoolVal(False), "BOOLEAN")
        if op in _ORDER or op in ("=", "<>", "<=>"):
            return self._comparison(op, self.term(call.args[0]), self.term(call.args[1]), call)
        if op == "IN":
            return self._in(call)
        if op in ("CASE", "CASE OF"):
            return self._case(call)
        if op == "LIKE":
            return self._like(call)
        if op in ARITHMETIC:
            return self._arithmetic(call)
        if op == "coalesce":
            return self._coalesce(call)
        if op.startswith("CAST AS "):
            return self._cast(call)
        if op in FUNCTIONS:
            inner = self.term(call.args[0])
            if inner.kind == "date":
                kind = "date" if op in TRUNCATED else "int"
                return Term(kind, self._leaves.calendar.part(op, inner.value), inner.null, call.type)
        if op == "isnan":
            inner = self.term(call.args[0])
            if inner.kind == "float":
                return Term("bool", z3.And(z3.Not(inner.null), inner.value == real(NAN)), z3.BoolVal(False), "BOOLEAN")
        return self._opaque(call)

    def _opaque(self, call: Call) -> Term:
        """Some function of the arguments. What is not even that gets a value of its own each time."""
        self._opaque_calls.add(call)
        name = f"{call.op} {'·'.join(call.pieces)}"
        if call.op == OVER_ANY_ORDER:
            name += f" {len(self._cache)}"
        return self._function(name, call.args, kind_of(call.type), False, call.type)

    def _function(
        self, name: str, args: tuple[Expr, ...], kind: str, never_null: bool, type_: str | None = None
    ) -> Term:
        parts: list[z3.ExprRef] = []
        types = []
        for arg in args:
            term = self.term(arg)
            parts += [settled(term), term.null]
            types.append(exact_type(term) or f"the type of {_text(arg)}")
            if term.kind == "float":
                # Of two doubles that are equal nothing says that both are -0.0.
                parts.append(is_minus_zero(term))
        sorts = [p.sort() for p in parts]
        full = f"{name}/{','.join(types)}"
        value = z3.Function(full, *sorts, sort_of(kind))(*parts) if parts else z3.Const(full, sort_of(kind))
        if never_null:
            return Term(kind, value, z3.BoolVal(False), type_)

        def said(what: str) -> z3.BoolRef:
            return z3.Function(f"{full} {what}", *sorts, z3.BoolSort())(*parts) if parts else z3.Bool(f"{full} {what}")

        return Term(kind, value, said("null"), type_, minus=said("is -0.0") if kind == "float" else None)

    def _junction(self, op: str, terms: list[Term]) -> Term:
        if any(t.kind not in ("bool", "null") for t in terms):
            terms = [t if t.kind == "bool" else Term("bool", as_bool(t), t.null) for t in terms]
        values = [t.value if t.kind == "bool" else z3.BoolVal(False) for t in terms]
        trues = [z3.And(z3.Not(t.null), v) for t, v in zip(terms, values, strict=True)]
        falses = [z3.And(z3.Not(t.null), z3.Not(v)) for t, v in zip(terms, values, strict=True)]
        known = z3.Or(*falses, z3.And(*trues)) if op == "AND" else z3.Or(*trues, z3.And(*falses))
        value = z3.And(*trues) if op == "AND" else z3.Or(*trues)
        if all(z3.is_false(t.null) for t in terms):
            return Term("bool", value, z3.BoolVal(False), "BOOLEAN")
        return Term("bool", value, z3.Not(known), "BOOLEAN")

    def _comparison(self, op: str, a: Term, b: Term, call: Call) -> Term:
        if "null" in (a.kind, b.kind):
            if op == "<=>":
                other = b if a.kind == "null" else a
                return Term("bool", other.null, z3.BoolVal(False), "BOOLEAN")
            return Term("bool", z3.BoolVal(False), z3.BoolVal(True), "BOOLEAN")
        pair = aligned(a, b, self._leaves)
        if pair is None:
            if op != "<>":
                return self._opaque(call)
            self._opaque_calls.add(call)
            equal = self._opaque(infix("=", call.args[0], call.args[1], "BOOLEAN"))
            return replace(equal, value=z3.Not(equal.value))
        x, y = pair
        if op == "<=>":
            return Term("bool", z3.And(a.null == b.null, z3.Or(a.null, x == y)), z3.BoolVal(False), "BOOLEAN")
        null = either(a.null, b.null)
        if op in ("=", "<>"):
            return Term("bool", x == y if op == "=" else x != y, null, "BOOLEAN")
        if a.kind == "bool":
            x, y = z3.If(x, 1, 0), z3.If(y, 1, 0)
        elif x.sort() == OTHER:
            return self._opaque(call)
        return Term("bool", _ORDER[op](x, y), null, "BOOLEAN")

    def _in(self, call: Call) -> Term:
        """x IN (a, …) is x = a OR …"""
        terms = choices([self.term(a) for a in call.args], self._leaves)
        if terms is None:
            return self._opaque(call)
        equations = [infix("=", call.args[0], a, "BOOLEAN") for a in call.args[1:]]
        pairs = zip(terms[1:], equations, strict=True)
        compared = [self._comparison("=", terms[0], t, e) for t, e in pairs]
        if self._opaque_calls.intersection(equations):
            self._opaque_calls.add(call)
        return self._junction("OR", compared)

    def _case(self, call: Call) -> Term:
        args = list(call.args)
        operand = args.pop(0) if call.op == "CASE OF" else None
        default = self.term(args.pop()) if len(args) % 2 else self._leaves.constant(Constant("null", None))
        branches = []
        for condition, result in zip(args[::2], args[1::2], strict=True):
            test = Call("=", ("", "", ""), (operand, condition)) if operand is not None else condition
            branches.append((self.predicate(test), self.term(result)))
        return self._choice(branches, default, call)

    def _coalesce(self, call: Call) -> Term:
        terms = [self.term(a) for a in call.args]
        return self._choice([(z3.Not(t.null), t) for t in terms[:-1]], terms[-1], call)

    def _choice(self, branches: list[tuple[z3.BoolRef, Term]], default: Term, call: Call) -> Term:
        """The first branch whose condition holds; all results must be on one line."""
        results = [t for _, t in branches] + [default]
        kinds = {t.kind for t in results if t.kind != "null"}
        if len(kinds) != 1 and kinds != {"int", "decimal"}:
            return self._opaque(call)
        kind = kinds.pop() if len(kinds) == 1 else "decimal"
        type_ = call.type if kind != "decimal" else common_type([t.type for t in results if t.kind != "null"])
        value = zero(kind) if default.kind == "null" else in_kind(default, kind)
        null = default.null
        for condition, term in reversed(branches):
            value = z3.If(condition, zero(kind) if term.kind == "null" else in_kind(term, kind), value)
            null = z3.If(condition, term.null, null)
        return Term(kind, value, null, type_, minus=sign_of_choice(branches, default) if kind == "float" else None)

    def _like(self, call: Call) -> Term:
        text, pattern = (self.term(a) for a in call.args)
        if text.kind != "string" or pattern.constant is None or pattern.constant.value is None:
            return self._opaque(call)
        return Term("bool", self._leaves.like(text.value, str(pattern.constant.value)), text.null, "BOOLEAN")

    def _cast(self, call: Call) -> Term:
        inner = self.term(call.args[0])
        kind = kind_of(call.type)
        if inner.kind == kind and kind in ("int", "string", "date", "bool", "timestamp", "timestamp_ntz"):
            return Term(kind, inner.value, inner.null, call.type)
        if inner.kind == "float" and base(call.type) == "DOUBLE":
            return Term(kind, inner.value, inner.null, call.type, minus=inner.minus)
        if kind == "float" and base(call.type) == "DOUBLE" and inner.kind == "int":
            value = as_float(inner, self._leaves)
            if value is not None:
                return Term(kind, value, inner.null, call.type)
        return self._opaque(call)

    def _arithmetic(self, call: Call) -> Term:
        terms = [self.term(a) for a in call.args]
        kinds = {t.kind for t in terms}
        if "null" in kinds:
            return Term("null", zero("null"), z3.BoolVal(True), "VOID")
        null = terms[0].null if len(terms) == 1 else either(terms[0].null, terms[1].null)
        if kinds == {"int"} and call.op != "/":
            value = integers(call.op, terms)
            if value is not None:
                return Term("int", value, null, call.type)
        if call.op in ("+", "-") and [t.kind for t in terms] == ["date", "int"]:
            left, right = terms[0].value, terms[1].value
            return Term("date", left + right if call.op == "+" else left - right, null, "DATE")
        if call.op == "datediff" and [t.kind for t in terms] == ["date", "date"]:
            return Term("int", terms[0].value - terms[1].value, null, "INT")
        if kinds <= {"int", "decimal"} and "decimal" in kinds:
            made = decimals(call.op, terms)
            if made is not None:
                return replace(made, null=null)
        made = self._rounded(call, terms, kinds)
        return self._opaque(call) if made is None else replace(made, null=null)

    def _rounded(self, call: Call, terms: list[Term], kinds: set[str]) -> Term | None:
        """Arithmetic whose result is rounded, as some function of the operands' values. To what it is rounded depends
        on their types."""
        types = [exact_type(t) for t in terms]
        if not kinds <= {"int", "decimal", "float"} or None in types:
            return None
        exact = "float" not in kinds and not (call.op == "/" and kinds == {"int"})
        values = [as_real(t) if exact else as_float(t, self._leaves) for t in terms]
        if any(v is None for v in values):
            return None
        self._opaque_calls.add(call)
        rounding = " and ".join(map(str, types)) if exact or "FLOAT" in types else "DOUBLE"
        function = z3.Function(f"{call.op} of {rounding}", *[z3.RealSort()] * len(values), z3.RealSort())
        if not exact:
            operands = [*values, *(is_minus_zero(t) for t in terms if t.kind == "float")]
            sorts = [o.sort() for o in operands]
            minus = z3.Function(f"{call.op} of {rounding} is -0.0 of {sorts}", *sorts, z3.BoolSort())(*operands)
            return Term("float", function(*values), z3.BoolVal(False), call.type, minus=minus)
        made = result_digits(call.op, terms)
        return Term("decimal", function(*values), z3.BoolVal(False), None if made is None else str(made[0]))


def _text(expr: Expr) -> str:
    return sql(expr, lambda c: c.id)
