"""What a terminal gets: colours for what matters, and tables that fit."""

from __future__ import annotations

import io

from rich.console import Console

from syncsql.errors import ParseError, Span
from syncsql.render import Report
from syncsql.shell.display import Display, coloured, plan_tree


def shown(report: Report, width: int = 60, terminal: bool = True, is_data: bool = False) -> str:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=terminal, color_system=None)
    Display(console, console).report(report, is_data)
    return "\n".join(line.rstrip() for line in out.getvalue().rstrip("\n").split("\n"))


def test_a_table_tells_null_from_nothing_and_aligns_numbers() -> None:
    report = Report("t", ("name", "n"), (("a", 1), (None, 10), ("", 2)))
    lines = ["t", "name    n", "─────────", "a       1", "NULL   10", "        2"]
    assert shown(report, is_data=True) == "\n".join(lines)


def test_what_a_table_of_words_leaves_empty_is_nothing() -> None:
    report = Report("t", ("name", "code"), (("a", None), ("b", "X.Y")))
    assert shown(report) == "\n".join(["t", "name   code", "───────────", "a", "b      X.Y"])


def test_rows_that_are_too_wide_are_shown_line_by_line() -> None:
    columns = tuple(f"column{n}" for n in range(8))
    text = shown(Report("", columns, (tuple(range(8)),)))
    assert text.startswith("row 1\ncolumn0  0\ncolumn1  1\n")


def test_one_long_column_is_folded() -> None:
    text = shown(Report("", ("name", "query"), (("v", "SELECT " + "x, " * 30),)))
    assert max(map(len, text.split("\n"))) <= 60


def test_square_brackets_are_no_markup() -> None:
    assert "[red]R[Sync2](S)[/]" in shown(Report("", ("q",), (("[red]R[Sync2](S)[/]",),)))
    assert shown(Report("[bold]t", notes=("R[Sync2](S)",))) == "[bold]t\nR[Sync2](S)"


def test_without_a_terminal_it_is_plain() -> None:
    report = Report("t", ("a",), ((1,),), ("note",))
    assert shown(report, terminal=False) == str(report)


def test_an_error_has_its_parts_told_apart() -> None:
    text = coloured(ParseError("PARSE.SYNTAX", "no", text="SELECT a ^ b", span=Span(7, 8), hint="try"))
    assert str(text).split("\n") == ["[PARSE.SYNTAX] no", "line 1: SELECT a ^ b", "               ^", "Hint: try"]
    styles = {str(text)[s.start : s.end].strip(): str(s.style) for s in text.spans}
    assert styles == {"[PARSE.SYNTAX]": "bold red", "no": "red", "^": "bold red", "Hint: try": "cyan"}


def test_a_plan_is_a_tree() -> None:
    out = io.StringIO()
    plan = "Join on a = b   -- strict\n  Filter x > 1\n    R(S)   -- monotonic\n  R[Sync2](T)"
    Console(file=out, width=60).print(plan_tree(plan))
    assert out.getvalue().split("\n") == [
        "Join on a = b   strict",
        "├── Filter x > 1",
        "│   └── R(S)   monotonic",
        "└── R[Sync2](T)",
        "",
    ]
