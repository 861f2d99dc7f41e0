"""Files of rows for a source: .csv, .json and .parquet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from syncsql.errors import EngineError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

KINDS = (".csv", ".json", ".parquet")
# The column in which Spark puts what it cannot read.
_BROKEN = "_corrupt_record"


def load(spark: SparkSession, path: Path) -> DataFrame:
    """The file as a DataFrame; a CSV file has a header, and its cells are cast when they are pushed."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    if not path.exists():
        raise EngineError("FILE.UNREADABLE", f"{path}: there is no such file")
    try:
        return _read(spark, path)
    except (PySparkException, Py4JError) as error:
        raise EngineError("FILE.UNREADABLE", f"{path}: Spark cannot read it as a {path.suffix} file") from error


def _read(spark: SparkSession, path: Path) -> DataFrame:
    file = str(path.absolute())
    if path.suffix == ".csv":
        return spark.read.option("header", True).csv(file)
    if path.suffix == ".parquet":
        return spark.read.parquet(file)
    # A line for each row, or else one array of them.
    rows = spark.read.json(file)
    rows = rows if _BROKEN not in rows.columns else spark.read.option("multiLine", True).json(file)
    if _BROKEN in rows.columns:
        raise EngineError(
            "FILE.UNREADABLE", f"{path} cannot be read as JSON", hint="an object on each line, or one array of them"
        )
    return rows
