"""One Spark session for the whole run; every test has its own database."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from syncsql.session import Database, connect
from syncsql.storage.sessions import build_session


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    session = build_session("syncsql-tests")
    yield session
    session.stop()


@pytest.fixture
def db(spark: SparkSession, tmp_path: Path) -> Iterator[Database]:
    with connect(tmp_path / "db", spark) as database:
        yield database
