"""What matching knows of dates: whole days and months to add, and the first day of a month, a quarter or a year."""

from __future__ import annotations

import re

from sqlglot import exp

from syncsql.algebra.expressions import Call, Expr

# How a call is named that is an interval of so many months, and that is the first day of the unit around a date.
MONTHS = "INTERVAL {} MONTHS"
TRUNCATED = ("trunc year", "trunc quarter", "trunc month")
_UNITS = {"YEAR": 0, "YYYY": 0, "YY": 0, "QUARTER": 1, "MONTH": 2, "MON": 2, "MM": 2}
_MONTHS_IN = {"MONTH": 1, "YEAR": 12}
_NUMBERED = re.compile(re.escape(MONTHS).replace(r"\{\}", r"(-?\d+)"))


def days_in(node: exp.Expr) -> int | None:
    """The days of INTERVAL n DAY. A DATE and an interval of another kind may be a TIMESTAMP."""
    return _amount(node) if isinstance(node, exp.Interval) and _unit(node) == "DAY" else None


def months_in(node: exp.Interval) -> int | None:
    amount = _amount(node)
    return None if amount is None or _unit(node) not in _MONTHS_IN else amount * _MONTHS_IN[_unit(node)]


def truncated_to(node: exp.Expr) -> str | None:
    """The name of TRUNC and DATE_TRUNC to this unit."""
    unit = node.args.get("unit")
    place = _UNITS.get(unit.name.upper()) if isinstance(unit, exp.Expr) else None
    return None if place is None else TRUNCATED[place]


def months_of(expr: Expr) -> int | None:
    """The months of an interval, as the binder named it."""
    found = _NUMBERED.fullmatch(expr.op) if isinstance(expr, Call) else None
    return None if found is None else int(found.group(1))


def shifted_type(one: Expr, other: Expr) -> str | None:
    """A DATE and some months are a DATE."""
    return "DATE" if one.type == "DATE" and months_of(other) is not None else None


def _unit(node: exp.Interval) -> str:
    unit = node.args.get("unit")
    return unit.name.upper().rstrip("S") if isinstance(unit, exp.Var) else ""


def _amount(node: exp.Interval) -> int | None:
    text = node.this.name if isinstance(node.this, exp.Literal) else ""
    return int(text) if re.fullmatch(r"-?\d+", text) else None
