"""Bad statements and bad input, and the text that each gives: ``errors.txt`` is the table, letter by letter.

``SYNCSQL_REGENERATE=1 pytest tests/test_errors`` writes the table anew; read the difference before keeping it.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.test_errors.golden import read, replace
from tests.test_errors.world import World

TABLE = Path(__file__).parent / "errors.txt"
SECTIONS = read(TABLE)


@pytest.mark.parametrize("title", [s.title for s in SECTIONS])
def test_section(title: str, spark: SparkSession, tmp_path: Path) -> None:
    section = next(s for s in SECTIONS if s.title == title)
    world = World(tmp_path, spark)
    try:
        said = section.run(world.perform)
    finally:
        world.close()
    if os.environ.get("SYNCSQL_REGENERATE"):
        replace(TABLE, section, said)
    else:
        assert said == str(section)
    assert "UNEXPECTED" not in said
