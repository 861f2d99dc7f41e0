"""Cells of a Spark DataFrame as cells of a column: the rules of :mod:`syncsql.stream.cells` as Spark expressions.

A cell is taken where it is the same value in the column's type. Strings are read as what the column holds, since that
is how the cells of a CSV file come.
"""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    DataType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegralType,
    MapType,
    NumericType,
    StringType,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from syncsql.stream.type_text import type_text

_NOTHING = "NULL"
_EPOCH = "TIMESTAMP_NTZ '1970-01-01 00:00:00'"


def read_as(cell: str, given: DataType, wanted: DataType, zone: str) -> Column:
    """The column ``cell`` as ``wanted``; NULL where it holds something else. A time that says nothing of its zone is
    one of ``zone``, whatever zone the session has that reads it."""
    text = _read_as(cell, given, wanted, zone)
    return F.expr(f"CAST({text} AS {type_text(wanted)})" if text == _NOTHING else text)


def _read_as(cell: str, given: DataType, wanted: DataType, zone: str) -> str:
    cast = f"try_cast({cell} AS {type_text(wanted)})"
    if type_text(given) == type_text(wanted):
        return cell
    if isinstance(wanted, DecimalType) and isinstance(given, NumericType | StringType):
        # With all digits that there may be behind the point: a cast rounds, and a cell must not change.
        exact = f"try_cast({cell} AS DECIMAL(38,{38 - wanted.precision + wanted.scale}))"
        return f"CASE WHEN {cast} = {exact} THEN {cast} END"
    if isinstance(wanted, TimestampType) and isinstance(given, StringType | TimestampNTZType):
        local = f"to_utc_timestamp({in_utc(f'try_cast({cell} AS TIMESTAMP_NTZ)')}, '{zone}')"
        # What tells its zone does so behind the time.
        told = f"{cell} RLIKE ':.*[A-Za-z+-]'" if isinstance(given, StringType) else "FALSE"
        return f"CASE WHEN {told} THEN {cast} ELSE {local} END"
    if isinstance(wanted, TimestampNTZType) and isinstance(given, TimestampType):
        micros = f"unix_micros(from_utc_timestamp({cell}, '{zone}'))"
        return f"timestampadd(MICROSECOND, {micros}, {_EPOCH})"
    if isinstance(given, StringType):
        return _NOTHING if isinstance(wanted, ArrayType | MapType | StructType) else cast
    if isinstance(wanted, IntegralType):
        if isinstance(given, IntegralType):
            return cast
        return f"CASE WHEN {cell} % 1 = 0 THEN {cast} END" if isinstance(given, NumericType) else _NOTHING
    if isinstance(wanted, FloatType | DoubleType):
        return cast if isinstance(given, NumericType) else _NOTHING
    if type(given) is type(wanted) and isinstance(wanted, ArrayType | StructType) and "map<" not in cast:
        return f"CASE WHEN try_cast({cast} AS {type_text(given)}) <=> {cell} THEN {cast} END"
    return _NOTHING


def in_utc(time: str) -> str:
    """A time of no zone as one of UTC. A cast would make it one of the session's zone, which may have a gap there."""
    return f"try_cast(concat(CAST({time} AS STRING), 'Z') AS TIMESTAMP)"


def wrong_cell(cell: str, given: DataType, wanted: DataType) -> Column:
    """What to say of a cell that is not ``wanted``."""
    value = F.col(cell).cast("string") if not isinstance(given, BinaryType) else F.hex(cell)
    value = F.concat(F.lit("'"), value, F.lit("'")) if isinstance(given, StringType) else value
    return F.concat(F.lit(f"{wanted.simpleString().upper()} expected, got "), value)
