"""The shell without a terminal: a session as a golden file, and what a piped script gives."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from signal import SIGINT, pthread_kill
from threading import Timer, main_thread

import pytest
from pyspark.sql import SparkSession
from rich.console import Console

from syncsql.cli import main
from syncsql.session import Database, connect
from syncsql.shell.display import Display
from syncsql.shell.reading import Piece, script
from syncsql.shell.shell import Shell

SESSION = Path(__file__).parent / "session.txt"
BEGIN = "REGISTER SOURCE S (x INT);\nCREATE STREAM T OVER S KEY NULL;\n"
PROMPT, MORE = "syncsql> ", "    ...> "


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spark: SparkSession) -> Path:
    """The present directory, with rows in a file; databases are opened in the one Spark session."""
    (tmp_path / "rooms.csv").write_text("room,degrees\na,85\nb,95\nc,warm\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("syncsql.session.connect", lambda path, **options: connect(path, spark, **options))
    return tmp_path


# A session


def typed(lines: list[str]) -> Iterator[list[str]]:
    """The lines of the file, each entry with the lines that continue it; what was said is left out."""
    for number, line in enumerate(lines):
        if line.startswith(PROMPT):
            entry = [line]
            for more in lines[number + 1 :]:
                if not more.startswith(MORE):
                    break
                entry.append(more)
            yield entry


def test_session(home: Path, db: Database) -> None:
    old = SESSION.read_text(encoding="utf-8")
    out = io.StringIO()
    display = Display(Console(file=out, width=120), Console(file=out, width=120))
    shell = Shell(db, display, False)
    blocks = old.split("\n\n")
    said = [blocks[0]]
    for block in blocks[1:]:
        entries = list(typed(block.split("\n")))
        if not entries:
            said.append(block)
            continue
        out.truncate(out.seek(0))
        for entry in entries:
            out.write("\n".join(entry) + "\n")
            for piece in script(f"{line[len(PROMPT) :]}\n" for line in entry):
                shell.perform(piece)
        # A blank line ends a block of the file.
        said.append("\n".join(line.rstrip() for line in out.getvalue().split("\n") if line.strip()))
    shell.close()
    new = "\n\n".join(said).rstrip() + "\n"
    if os.environ.get("SYNCSQL_REGENERATE"):
        SESSION.write_text(new, encoding="utf-8")
    else:
        assert new == old
    assert "SHELL.UNEXPECTED" not in new


# Cancelling


def test_ctrl_c_ends_an_advance_and_the_next_one_carries_on(db: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    db.sql(BEGIN + "CREATE MATERIALIZED VIEW V AS SELECT count(*) AS n FROM R(T)")
    db.push("S", [(1,), (2,)], at=1)
    out = io.StringIO()
    shell = Shell(db, Display(Console(file=out), Console(file=out, width=120)), False)

    def endless(*_: object) -> int:
        shell.cancelled.wait(60)
        raise RuntimeError("the job was cancelled")

    with monkeypatch.context() as patched:
        patched.setattr(db._engine.runner, "run", endless)
        Timer(1.0, pthread_kill, (main_thread().ident, SIGINT)).start()
        assert not shell.perform(Piece("advance 3", 0, True))
    assert out.getvalue() == "cancelled; time has not begun, and the next ADVANCE carries on to 3\n"
    assert shell.perform(Piece("advance 4", 0, True))
    assert shell.perform(Piece("VERIFY VIEW V", 0))
    assert out.getvalue().endswith("V at 4: 1 row, as the streams give them\n")
    shell.close()


# Scripts


def piped(text: str, *options: str) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(out), redirect_stderr(err):
        patched.setattr("sys.stdin", io.StringIO(text))
        code = main(["shell", "db", *options])
    return code, out.getvalue(), err.getvalue()


def test_a_script_has_no_prompts(home: Path) -> None:
    code, out, err = piped(BEGIN + "PUSH S VALUES (1), (2);\n.advance 1\nSELECT count(*) AS n FROM R(T)")
    assert (code, err) == (0, "")
    assert out == (
        "Source S(x INT)\nStream T over S\nS: 2 taken, 0 quarantined\nadvanced to 1, changes: T 2\nn\n-\n2\n"
    )


def test_a_script_ends_at_the_first_error(home: Path) -> None:
    code, out, err = piped(BEGIN + "\nSELECT y FROM R(T);\nSHOW STREAMS;")
    assert code == 1
    assert out == "Source S(x INT)\nStream T over S\n"
    assert err.splitlines()[:3] == [
        "[BIND.UNKNOWN_COLUMN] there is no column `y`",
        "line 4: SELECT y FROM R(T)",
        "               ^",
    ]


def test_a_script_may_go_on(home: Path) -> None:
    code, out, err = piped(BEGIN + "SELECT y FROM R(T);\n.nothing\n.changes T\n", "-k")
    assert code == 1
    assert out.endswith("op  x  ts\n--  -  --\n")
    assert err.count("[") == 2


def test_quit_ends_a_script(home: Path) -> None:
    assert piped(BEGIN + ".quit\nnonsense;") == (0, "Source S(x INT)\nStream T over S\n", "")


def test_many_rows_are_cut_and_counted(home: Path) -> None:
    (home / "many.csv").write_text("x\n" + "".join(f"{n}\n" for n in range(1234)))
    _, out, _ = piped(BEGIN + ".push S many.csv\n.advance\nSELECT x FROM R(T);")
    assert out.endswith("… and 1184 more rows\n")
    assert len(out.splitlines()) == 4 + 2 + 50 + 1


def test_a_second_shell_only_reads(home: Path, spark: SparkSession) -> None:
    with connect(home / "db", spark) as writer:
        writer.sql(BEGIN)
        writer.push("S", [(1,)], at=1)
        writer.advance(to=1)
        code, out, err = piped("SELECT x FROM R(T);\nWATCH T UNTIL 1;\n.advance 2\n")
    assert err.splitlines()[0].startswith(f"process {os.getpid()} writes to ")
    assert "[DATABASE.READ_ONLY]" in err
    assert (code, out) == (1, "x\n-\n1\nop  x  ts\n--  -  --\n+   1  1\n")


def test_watching_follows_another_process(home: Path, spark: SparkSession) -> None:
    """The writer advances while the reader watches; each sees the other's tables only through their files."""
    with connect(home / "db", spark) as writer, connect(home / "db", spark, read_only=True) as db:
        writer.sql(BEGIN)
        out = io.StringIO()
        shell = Shell(db, Display(Console(file=out), Console(file=out)), True)
        shell.display.say = _advancing(writer, shell.display.say)  # type: ignore[method-assign]
        assert shell.perform(Piece("watch T UNTIL 3", 0, True))
        shell.close()
    assert out.getvalue().splitlines()[-3:] == ["+  1  1", "+  2  2", "+  3  3"]


def _advancing(writer: Database, say: object) -> object:
    """Whenever the reader says something, the writer advances by one tick."""

    def saying(text: str) -> None:
        say(text)  # type: ignore[operator]
        if writer.now < 3:
            writer.push("S", [(writer.now + 1,)], at=writer.now + 1)
            writer.advance()

    return saying
