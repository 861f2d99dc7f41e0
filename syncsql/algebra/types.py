"""The types of expressions, as far as they are known without Spark.

Only what matching must know exactly is inferred: numbers that are computed exactly (integers), numbers that are only
ordered (DECIMAL, FLOAT, DOUBLE), strings, dates and booleans. Everything else is None, which means "ask Spark".
"""

from __future__ import annotations

import re
from collections.abc import Iterable

INTEGERS = ("TINYINT", "SMALLINT", "INT", "BIGINT")
BITS = {"TINYINT": 8, "SMALLINT": 16, "INT": 32, "BIGINT": 64}
FLOATS = ("FLOAT", "DOUBLE")
_PREDICATES = frozenset({"=", "<>", "<", "<=", ">", ">=", "<=>", "AND", "OR", "NOT", "IN", "LIKE", "IS NULL"})
_TOLD_APART = re.compile(r"\b(FLOAT|DOUBLE|COLLATE)\b", re.IGNORECASE)
_SAME_AS_FIRST = frozenset({"abs", "nullif", "upper", "lower", "trim"})
_COMMON = frozenset({"coalesce", "greatest", "least", "ifnull", "nvl"})


def base(type_: str | None) -> str | None:
    """A type without its parameters: ``DECIMAL(10,2)`` is a DECIMAL."""
    return None if type_ is None else type_.upper().split("(")[0].split("<")[0].strip()


def is_integer(type_: str | None) -> bool:
    return base(type_) in INTEGERS


def is_float(type_: str | None) -> bool:
    return base(type_) in FLOATS


def equal_is_same(type_: str | None) -> bool:
    """Whether values of a type that are equal are the same value: 0.0 and -0.0 are not, also inside an array, nor are
    texts that a collation makes equal."""
    return type_ is not None and _TOLD_APART.search(type_) is None


def common(types: Iterable[str | None]) -> str | None:
    """The type that values of these types have together; None where Spark's own rules would be needed."""
    known = [t for t in types if t is not None and t != "VOID"]
    if not known or len(known) < len([t for t in types if t != "VOID"]):
        return None
    if len({base(t) for t in known}) == 1:
        return known[0] if len(set(known)) == 1 or base(known[0]) == "STRING" else None
    if all(is_integer(t) for t in known):
        return max((str(base(t)) for t in known), key=INTEGERS.index)
    if all(is_integer(t) or is_float(t) for t in known) and "DOUBLE" in {base(t) for t in known}:
        return "DOUBLE"
    return None


def call_type(op: str, args: list[str | None]) -> str | None:
    """The type of ``op`` over arguments of these types."""
    if op in _PREDICATES:
        return "BOOLEAN"
    if op in ("+", "-", "*", "%", "DIV"):
        if all(is_integer(t) for t in args):
            return "BIGINT" if op == "DIV" else common(args)
        if op in ("+", "-") and base(args[0]) == "DATE" and is_integer(args[1]):
            return "DATE"
        return "DOUBLE" if "DOUBLE" in {base(t) for t in args} and None not in args else None
    if op == "/":
        known = [t for t in args if is_integer(t) or is_float(t)]
        return "DOUBLE" if len(known) == len(args) else None
    if op in ("year", "month", "day", "quarter", "datediff", "length"):
        return "INT"
    if op == "isnan":
        return "BOOLEAN"
    if op in _SAME_AS_FIRST:
        return args[0] if args else None
    if op in _COMMON:
        return common(args)
    return None


def aggregate_type(function: str, argument: str | None) -> str | None:
    """The type of an aggregate function over an argument of this type."""
    if function == "count":
        return "BIGINT"
    if function in ("min", "max"):
        return argument
    if function == "sum":
        return "BIGINT" if is_integer(argument) else "DOUBLE" if is_float(argument) else None
    if function == "avg":
        return "DOUBLE" if is_integer(argument) or is_float(argument) else None
    if function.startswith(("stddev", "var")):
        return "DOUBLE"
    return None
