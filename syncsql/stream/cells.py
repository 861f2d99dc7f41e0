"""Python values as cells of a column: each type says what it takes, and why it does not take a value."""

from __future__ import annotations

import datetime as dt
import decimal
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

Check = Callable[[Any], Any]
_BITS: dict[type[DataType], int] = {ByteType: 8, ShortType: 16, IntegerType: 32, LongType: 64}


class WrongType(Exception):
    """A value that its column cannot take; the text says what was expected and what came."""


def checker(type_: DataType, zone: dt.tzinfo) -> Check:
    """A function that gives the value as the column stores it, or raises :class:`WrongType`. NULL passes. A time that
    says nothing of its zone is one of ``zone``."""
    inner = _checker(type_, zone)
    return lambda value: None if value is None else inner(value)


def _checker(type_: DataType, zone: dt.tzinfo) -> Check:
    if type(type_) in _BITS:
        return _integer(type_, _BITS[type(type_)])
    if isinstance(type_, DecimalType):
        return _decimal(type_)
    if isinstance(type_, ArrayType):
        element = checker(type_.elementType, zone)
        return lambda v: [element(x) for x in _is(v, Sequence, type_, but=(str, bytes))]
    if isinstance(type_, MapType):
        key, item = checker(type_.keyType, zone), checker(type_.valueType, zone)
        return lambda v: [(key(k), item(x)) for k, x in _pairs(v, type_)]
    if isinstance(type_, StructType):
        fields = {f.name: checker(f.dataType, zone) for f in type_.fields}
        return lambda v: {n: c(_is(v, Mapping, type_).get(n)) for n, c in fields.items()}
    simple: dict[type[DataType], Check] = {
        BooleanType: lambda v: _is(v, bool, type_),
        StringType: lambda v: _is(v, str, type_),
        BinaryType: lambda v: bytes(_is(v, (bytes, bytearray), type_)),
        FloatType: lambda v: _float(v, type_),
        DoubleType: lambda v: _float(v, type_),
        DateType: lambda v: _date(v, type_),
        TimestampType: lambda v: _timestamp(v, type_, zone),
        TimestampNTZType: lambda v: _timestamp(v, type_, zone),
    }
    return simple.get(type(type_), lambda v: v)


def _is(value: Any, wanted: Any, type_: DataType, but: tuple[type, ...] = ()) -> Any:
    if not isinstance(value, wanted) or (but and isinstance(value, but)):
        raise _wrong(value, type_)
    return value


def _wrong(value: Any, type_: DataType) -> WrongType:
    text = f"'{value}'" if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
    return WrongType(f"{type_.simpleString().upper()} expected, got {text}")


def _pairs(value: Any, type_: DataType) -> list[tuple[Any, Any]]:
    """The entries of a map, which Arrow gives as a list of pairs."""
    if isinstance(value, list) and all(isinstance(x, tuple) and len(x) == 2 for x in value):
        return value
    return list(_is(value, Mapping, type_).items())


def _float(value: Any, type_: DataType) -> float:
    try:
        return float(_is(value, (float, int, decimal.Decimal), type_, but=(bool,)))
    except OverflowError:
        raise _wrong(value, type_) from None


def _integer(type_: DataType, bits: int) -> Check:
    low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1

    def check(value: Any) -> int:
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        number: int = _is(value, int, type_, but=(bool,))
        if not low <= number <= high:
            raise _wrong(value, type_)
        return number

    return check


def _decimal(type_: DecimalType) -> Check:
    unit = decimal.Decimal(1).scaleb(-type_.scale)
    limit = decimal.Decimal(10) ** (type_.precision - type_.scale)

    def check(value: Any) -> decimal.Decimal:
        _is(value, (decimal.Decimal, int, float, str), type_, but=(bool,))
        if isinstance(value, float) and not math.isfinite(value):
            raise _wrong(value, type_)
        try:
            exact = decimal.Decimal(repr(value) if isinstance(value, float) else value)
            rounded = exact.quantize(unit, context=decimal.Context(prec=40))
        except decimal.InvalidOperation:
            raise _wrong(value, type_) from None
        if abs(rounded) >= limit or rounded != exact:
            raise _wrong(value, type_)
        return rounded

    return check


def _date(value: Any, type_: DataType) -> dt.date:
    if isinstance(value, str):
        try:
            return dt.date.fromisoformat(value)
        except ValueError:
            raise _wrong(value, type_) from None
    found: dt.date = _is(value, dt.date, type_, but=(dt.datetime,))
    return found


def _timestamp(value: Any, type_: DataType, zone: dt.tzinfo) -> dt.datetime:
    written = isinstance(value, str)
    if written:
        try:
            value = dt.datetime.fromisoformat(value)
        except ValueError:
            raise _wrong(value, type_) from None
    moment: dt.datetime = _is(value, dt.datetime, type_)
    if isinstance(type_, TimestampNTZType):
        there = moment if written or moment.tzinfo is None else moment.astimezone(zone)
        return there.replace(tzinfo=None)
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
