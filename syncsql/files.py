"""Files of rows for a source: .csv, .json and .parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from syncsql.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KINDS = (".csv", ".json", ".parquet")


def load(spark: SparkSession, path: Path) -> DataFrame:
    """The file as a DataFrame; a CSV file has a header, and its cells are cast when they are pushed."""
    if not path.exists():
        raise EngineError("FILE.UNREADABLE", f"{path}: there is no such file")
    file = str(path.absolute())
    if path.suffix == ".csv":
        return spark.read.option("header", True).csv(file)
    return spark.read.json(file) if path.suffix == ".json" else spark.read.parquet(file)
