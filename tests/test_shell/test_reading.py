"""Where a statement ends: at ``;``, and for what is written on one line at its end."""

from __future__ import annotations

import pytest

from syncsql.shell.reading import Piece, last_piece, pieces, script

CASES: list[tuple[str, list[str], str]] = [
    ("SELECT 1;", ["SELECT 1"], ""),
    ("SELECT 1", [], "SELECT 1"),
    ("SELECT 1;\nSELECT 2", ["SELECT 1"], "SELECT 2"),
    ("SELECT\n1\n;", ["SELECT\n1"], ""),
    ("SELECT ';' AS a;", ["SELECT ';' AS a"], ""),
    ("SELECT 'it''s;' AS a;", ["SELECT 'it''s;' AS a"], ""),
    (r"SELECT 'it\'s;' AS a;", [r"SELECT 'it\'s;' AS a"], ""),
    ('SELECT ";" AS `a;b`;', ['SELECT ";" AS `a;b`'], ""),
    ("SELECT 'a;\nb'", [], "SELECT 'a;\nb'"),
    ("SELECT 'a;", [], "SELECT 'a;"),
    ("SELECT 1 -- one;\n+ 1;", ["SELECT 1 -- one;\n+ 1"], ""),
    ("SELECT 1 /* ; */ + 1;", ["SELECT 1 /* ; */ + 1"], ""),
    ("/* first; */ -- second;\n SELECT 1;", ["SELECT 1"], ""),
    ("-- nothing but this;", [], ""),
    ("/* that does not end;", [], "/* that does not end;"),
    (" ; ;\n;", [], ""),
    (".advance 8\n", ["advance 8"], ""),
    (".advance 8", [], ".advance 8"),
    (".advance 8; .help\nSELECT 1;", ["advance 8", "help", "SELECT 1"], ""),
    (".push S VALUES (1,\n 2)\nSELECT", ["push S VALUES (1,\n 2)"], "SELECT"),
    (".push S VALUES (1),\n (2)\n", ["push S VALUES (1),\n (2)"], ""),
    (".push S VALUES ('\n;')\n", ["push S VALUES ('\n;')"], ""),
    (".push S -- no comment.csv\n", ["push S -- no comment.csv"], ""),
    ("ADVANCE TO 8\n", [], "ADVANCE TO 8\n"),
    ("help\n", ["help"], ""),
    ("Quit\n", ["Quit"], ""),
    ("?\n", ["?"], ""),
    ("helpless\n", [], "helpless\n"),
]


@pytest.mark.parametrize(("text", "complete", "rest"), CASES)
def test_pieces(text: str, complete: list[str], rest: str) -> None:
    found, left = pieces(text)
    assert ([p.text for p in found], left) == (complete, rest)


def test_a_script_needs_no_semicolon_at_its_end() -> None:
    assert last_piece("SELECT 1;\n\nSELECT 2 -- two\n") == [Piece("SELECT 1", 0), Piece("SELECT 2 -- two", 2)]
    assert last_piece(".help") == [Piece("help", 0, True)]
    assert last_piece("SELECT 'a") == [Piece("SELECT 'a", 0)]


def test_pieces_of_a_script_know_their_lines() -> None:
    lines = ["-- first\n", "SELECT 1; SELECT\n", "2;\n", "\n", ".help\n", "SELECT 3"]
    found = list(script(lines))
    assert [(p.text, p.line) for p in found] == [("SELECT 1", 1), ("SELECT\n2", 1), ("help", 4), ("SELECT 3", 5)]
    assert found[2].placed == "\n\n\n\n.help"
    assert list(script(["\n", "SELECT 1;\n"])) == [Piece("SELECT 1", 1)]


def test_a_piece_is_given_as_soon_as_it_is_complete() -> None:
    def lines() -> object:
        yield "SELECT 1;\n"
        raise AssertionError("read on before the first piece was given")

    assert next(script(lines())) == Piece("SELECT 1", 0)  # type: ignore[arg-type]


def test_a_long_statement_is_read_in_time_that_grows_with_its_length() -> None:
    rows = [f"({n}, 'a'),\n" for n in range(20_000)]
    found = list(script(["PUSH S VALUES\n", *rows, "(0, 'b');\n", ".help\n"]))
    assert [p.line for p in found] == [0, 20_002]
