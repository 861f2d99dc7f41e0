"""Spark's types as text that can stand in SQL: every name of a field is quoted, which PySpark's own text leaves out."""

from __future__ import annotations

from pyspark.sql.types import ArrayType, DataType, MapType, StructType

from syncsql.stream.text import listed, quoted


def type_text(type_: DataType) -> str:
    if isinstance(type_, StructType):
        return f"STRUCT<{listed(f'{quoted(f.name)}: {type_text(f.dataType)}' for f in type_.fields)}>"
    if isinstance(type_, ArrayType):
        return f"ARRAY<{type_text(type_.elementType)}>"
    if isinstance(type_, MapType):
        return f"MAP<{type_text(type_.keyType)}, {type_text(type_.valueType)}>"
    return type_.simpleString()
