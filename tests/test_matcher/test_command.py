"""``syncsql match``: verdicts from three files, without Spark."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from syncsql.cli import main

SCHEMA = "CREATE TABLE emp (empno INT PRIMARY KEY, ename STRING, sal INT);"
VIEWS = """
CREATE VIEW rich AS SELECT empno, ename, sal FROM emp WHERE sal > 80;
CREATE VIEW names AS SELECT ename FROM emp;
"""


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    found = []
    for name, text in (("schema", SCHEMA), ("views", VIEWS), ("query", "SELECT ename FROM emp WHERE sal > 100")):
        path = tmp_path / f"{name}.sql"
        path.write_text(text)
        found += [f"--{name}", str(path)]
    return found


def test_text(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *files]) == 0
    out = capsys.readouterr().out
    assert "shared: answered from rich" in out
    assert "COLUMN.MISSING" in out
    assert "SELECT rich.ename FROM rich WHERE rich.sal > 100;" in out


def test_json(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", *files, "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["chosen"] == "rich"
    assert data["verdicts"][0]["plain_rewrite"] == "SELECT rich.ename FROM rich WHERE rich.sal > 100"
    assert data["verdicts"][1]["code"] == "COLUMN.MISSING"
    assert data["verdicts"][1]["counterexample"]["databases"]


def test_an_error_names_the_place(files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "query.sql").write_text("SELECT enam FROM emp")
    assert main(["match", *files]) == 1
    assert "did you mean `ename`?" in capsys.readouterr().err


def test_no_spark_is_loaded(files: list[str]) -> None:
    code = (
        "import sys; from syncsql.cli import main; main(sys.argv[1:]); "
        "assert not [m for m in sys.modules if m.split('.')[0] in ('pyspark', 'py4j', 'delta', 'pandas')]"
    )
    run = subprocess.run([sys.executable, "-c", code, "match", *files], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
