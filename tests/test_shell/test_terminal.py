"""The shell on a terminal, as a person uses it: one process under a pseudo-terminal, with a Spark of its own."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pexpect
import pytest

ROOT = Path(__file__).parent.parent.parent
_MAIN = "import sys; from syncsql.cli import main; sys.exit(main())"
_COLOURS = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]|\x1b[=>]|\r")
UP, TAB, CTRL_C, CTRL_D = "\x1b[A", "\t", "\x03", "\x04"


class Person:
    """Types, and waits for what the shell says."""

    def __init__(self, home: Path) -> None:
        setting = {
            "PYTHONPATH": str(ROOT), "TERM": "xterm", "PROMPT_TOOLKIT_NO_CPR": "1", "COLUMNS": "100", "LINES": "30",
            "SYNCSQL_HISTORY": str(home / "history"),
        }  # fmt: skip
        self._child = pexpect.spawn(
            sys.executable, ["-c", _MAIN, "shell", "db"], cwd=str(home), env={**os.environ, **setting},
            encoding="utf-8", timeout=120, dimensions=(30, 100),
        )  # fmt: skip

    def types(self, *keys: str) -> None:
        for key in keys:
            self._child.send(key)

    def sees(self, text: str) -> str:
        """Waits for ``text``; gives what came before it, without colours."""
        self._child.expect_exact(text)
        return _COLOURS.sub("", str(self._child.before))

    def gets(self, text: str) -> None:
        """Waits for the answer ``text``, the time that it took, and the next prompt."""
        self.sees(text)
        self._child.expect(r"\d\.\d s\b")
        self.sees("syncsql>")

    def waits(self, seconds: float) -> None:
        """Reads on meanwhile, so that the shell is never kept from writing."""
        self._child.expect(pexpect.TIMEOUT, timeout=seconds)

    def leaves(self) -> int | None:
        self._child.expect(pexpect.EOF)
        self._child.close()
        return self._child.exitstatus


@pytest.fixture
def person(tmp_path: Path) -> Iterator[Person]:
    found = Person(tmp_path)
    yield found
    found._child.close(force=True)


def test_a_conversation(person: Person, tmp_path: Path) -> None:
    (tmp_path / "many.csv").write_text("x\n" + "".join(f"{n}\n" for n in range(2_000)))
    person.sees("New database")
    person.types("REGISTER SOURCE S (x INT);\r")
    person.gets("Source S(x INT)")
    # A statement of several lines: Enter goes on until it is complete.
    person.types("CREATE STREAM T\r")
    person.sees("...>")
    person.types("OVER S KEY NULL;\r")
    person.gets("Stream T over S")
    # Tab completes commands, names and files.
    person.types(".pus", TAB)
    person.sees("h")
    person.types(" S man", TAB)
    person.sees("y.csv")
    person.types("\r")
    person.gets("2000 taken")
    person.types(".advance 1\r")
    person.gets("advanced to 1")
    # An error is told, underlined and without a stack trace.
    person.types("SELECT y FROM R(T);\r")
    person.sees("[BIND.UNKNOWN_COLUMN]")
    person.sees("^")
    assert "Traceback" not in person.sees("Hint")
    person.sees("syncsql>")
    # Ctrl-C ends a statement that would run for hours, and the shell goes on.
    person.types("SELECT count(*) AS n FROM R(T) a, R(T) b, R(T) c WHERE a.x + b.x + c.x > 5;\r")
    person.waits(4)
    person.types(CTRL_C)
    assert "Traceback" not in person.sees("cancelled")
    person.sees("syncsql>")
    # Ctrl-C at the prompt throws away what was typed; so this is no error.
    person.types("SELECT nonsense")
    person.waits(1)
    person.types(CTRL_C)
    person.sees("syncsql>")
    person.types("SELECT count(*) AS n FROM R(T);\r")
    person.gets("2000")
    # The history brings the statement back.
    person.types(UP, "\r")
    person.gets("2000")
    person.types(CTRL_D)
    assert person.leaves() == 0
    history = (tmp_path / "history").read_text()
    assert "+CREATE STREAM T\n+OVER S KEY NULL;" in history
    assert history.count("SELECT count(*) AS n FROM R(T);") == 1
