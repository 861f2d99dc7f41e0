"""The notebooks run, and show what is committed with them."""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

import syncsql
from syncsql import render
from syncsql.session import connect
from tests.test_notebooks.running import MEASURED, PARAMETERS, code_cells, run, shell
from views import drawing

NOTEBOOKS = sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb"))
# Sizes for a test: what a notebook shows with them is its words, not its measurements.
SMALL = {
    "05_thousand_queries": "SHARED, UNSHARED, COLD, ROUNDS = [1, 10], [1], 0, 1",
    "06_measurements": "ROWS = 4_000",
}
each = pytest.mark.parametrize("path", NOTEBOOKS, ids=[p.stem for p in NOTEBOOKS])


def test_there_are_notebooks_in_reading_order() -> None:
    assert [p.stem[:2] for p in NOTEBOOKS] == [f"{n:02d}" for n in range(1, len(NOTEBOOKS) + 1)]
    assert len(NOTEBOOKS) >= 6


@each
def test_outputs_are_committed_and_clean(path: Path) -> None:
    cells = code_cells(path)
    assert [c.count for c in cells] == list(range(1, len(cells) + 1)), "not executed from top to bottom"
    for cell in cells:
        assert not cell.errors, cell.source
        assert not cell.committed.said, f"noise in the outputs of\n{cell.source}"
    everything = path.read_text(encoding="utf-8")
    for machine in (tempfile.gettempdir(), str(Path.home()) + "/", sys.prefix):
        assert machine not in everything
    for shown in (d for c in cells for d in c.committed.displayed):
        for kind, style in (("text/html", render._STYLE), ("image/svg+xml", drawing._STYLE)):
            assert style in shown.get(kind, style), "displayed in another style than now: write the outputs anew"
    assert len(everything) < 400_000, "outputs are too long to read and to commit"


@each
def test_it_runs_and_shows_what_is_committed(path: Path, spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(syncsql, "connect", lambda home, given=spark, **how: connect(home, given, **how), raising=False)
    with shell() as made:
        for cell in code_cells(path):
            shown = run(made, cell.source)
            assert not shown.said, f"{cell.source}\nsays on stderr: {shown.said}"
            if PARAMETERS in cell.tags:
                run(made, SMALL[path.stem])
            elif MEASURED in cell.tags:
                assert bool(shown.text.strip()) == bool(cell.committed.text.strip())
                assert [d.keys() for d in shown.displayed] == [d.keys() for d in cell.committed.displayed]
            else:
                assert steady(shown.text) == steady(cell.committed.text), cell.source


def steady(text: str) -> str:
    """Text without the times that were measured while it was made."""
    return re.sub(r"[\d.]+ ms\b", "… ms", text).strip()
