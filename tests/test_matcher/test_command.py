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


def said(files: list[str], capsys: pytest.CaptureFixture[str], **texts: str | bytes) -> str:
    """What the command says about other texts, whether it is a decision or an error; it never breaks down."""
    for name, text in texts.items():
        path = Path(files[files.index(f"--{name}") + 1])
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    main(["match", *files])
    captured = capsys.readouterr()
    return captured.out + captured.err


def test_a_file_that_is_no_text(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "query.sql: this is no text in UTF-8" in said(files, capsys, query=b"\xff\xfe\x00")


@pytest.mark.parametrize("op", [" OR ", " AND ", " + "])
@pytest.mark.parametrize("parts", [250, 330, 500])
def test_a_long_chain(files: list[str], capsys: pytest.CaptureFixture[str], op: str, parts: int) -> None:
    chain = op.join(f"sal = {i}" if op != " + " else "sal" for i in range(parts))
    query = f"SELECT ename FROM emp WHERE {chain}{' > 3' if op == ' + ' else ''}"
    view = f"CREATE VIEW v AS {query}"
    for texts in ({"query": query}, {"query": "SELECT ename FROM emp", "views": view}):
        out = said(files, capsys, **texts)
        assert "shared" in out or "[PARSE.SYNTAX] the query is nested too deeply" in out


@pytest.mark.parametrize("edge", ["<= DATE '9999-12-31'", "< '9999-12-31'", ">= DATE '0001-01-01'", "> '0001-01-01'"])
def test_the_first_and_the_last_day(files: list[str], capsys: pytest.CaptureFixture[str], edge: str) -> None:
    schema = "CREATE TABLE t (id INT, day DATE)"
    view = f"CREATE VIEW v AS SELECT id, day FROM t WHERE day {edge}"
    out = said(files, capsys, schema=schema, views=view, query="SELECT id FROM t WHERE day IS NOT NULL")
    assert "ROWS.NOT_CONTAINED" in out


def test_references(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Without columns a reference is one to the primary key, wherever that is declared."""
    emp = "CREATE TABLE emp (eid INT PRIMARY KEY, did INT NOT NULL REFERENCES dept{});"
    dept = "CREATE TABLE dept (name STRING NOT NULL UNIQUE, id INT PRIMARY KEY);"
    view = "CREATE VIEW v AS SELECT e.eid, d.name FROM emp e JOIN dept d ON e.did = d.id"
    query = "SELECT eid FROM emp"
    assert "answered from v" in said(files, capsys, schema=emp.format("") + dept, views=view, query=query)
    assert "answered from v" in said(files, capsys, schema=dept + emp.format("(id)"), views=view, query=query)
    assert "did you mean `id`?" in said(files, capsys, schema=emp.format("(idd)") + dept)
    assert "BIND.REFERENCE" in said(files, capsys, schema=emp.format("(id, name)") + dept)
    keyless = "CREATE TABLE dept (id INT NOT NULL)"
    assert "BIND.REFERENCE" in said(files, capsys, schema=emp.format("") + keyless)


def test_a_semicolon_in_double_quotes(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    views = 'CREATE VIEW v AS SELECT ename, sal FROM emp WHERE ename <> "a;b";\n\nCREATE VIEW w AS SELECT {} FROM emp'
    query = "SELECT ename FROM emp WHERE ename <> 'a;b'"
    assert "answered from v" in said(files, capsys, views=views.format("sal"), query=query)
    # The place is told in the whole file.
    assert "line 3" in said(files, capsys, views=views.format("sall"))


def test_a_row_of_constants(files: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    views = "CREATE VIEW v AS SELECT empno, sal FROM emp UNION ALL SELECT 1, 2"
    out = said(files, capsys, views=views, query="SELECT empno FROM emp UNION ALL SELECT 1")
    assert "SHAPE.DIFFERENT" in out
    assert "the matcher failed" not in out


def test_no_spark_is_loaded(files: list[str]) -> None:
    code = (
        "import sys; from syncsql.cli import main; main(sys.argv[1:]); "
        "assert not [m for m in sys.modules if m.split('.')[0] in ('pyspark', 'py4j', 'delta', 'pandas')]"
    )
    run = subprocess.run([sys.executable, "-c", code, "match", *files], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
