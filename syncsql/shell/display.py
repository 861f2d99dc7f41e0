"""What the shell shows: on a terminal with colours and bounded tables, else as plain text that can be compared."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.box import SIMPLE_HEAD
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from syncsql.errors import SyncSQLError
from syncsql.render import Report, cell, grid

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

SHOWN = 50
_OPERATIONS = {"+": "green", "u": "yellow", "-": "red"}
_NODE = re.compile(r"(?P<indent> *)(?P<operator>\S+)(?P<rest>.*?)(?P<remark>   -- .*)?", re.DOTALL)


class Display:
    def __init__(self, out: Console, err: Console) -> None:
        self.out, self._err = out, err

    @property
    def is_terminal(self) -> bool:
        return self.out.is_terminal

    def say(self, text: str) -> None:
        self._print(text)

    def note(self, text: str) -> None:
        """Beside the results: where these go to a file, it goes elsewhere."""
        self._err.print(Text(text, style="dim"), soft_wrap=True)

    def error(self, error: SyncSQLError) -> None:
        self._err.print(coloured(error), soft_wrap=True)

    def frame(self, frame: DataFrame) -> None:
        """The first rows, and how many more there are."""
        rows = [tuple(r) for r in frame.limit(SHOWN + 1).collect()]
        self._table(frame.columns, rows[:SHOWN])
        if len(rows) > SHOWN:
            self.say(f"… and {frame.count() - SHOWN} more rows")

    def changes(self, name: str, frame: DataFrame) -> None:
        """What an advance changed in ``name``, which is watched."""
        if frame.isEmpty():
            self.say(f"{name} has not changed")
        else:
            self.say(f"{name}:")
            self.frame(frame)

    def report(self, report: Report, is_data: bool = False) -> None:
        """What a table of words leaves empty is nothing; in one of data it is NULL."""
        if not self.is_terminal:
            self.say(str(report))
            return
        if report.title:
            self._print(Text(report.title, style="bold"))
        if report.columns:
            rows = report.rows if is_data else [["" if v is None else v for v in row] for row in report.rows]
            self._table(report.columns, rows)
        for line in report.notes:
            self._print(line)

    def plan(self, report: Report) -> None:
        """A plan is a tree; its remarks say the update pattern and what is remembered."""
        if not self.is_terminal:
            self.say(str(report))
            return
        self._print(Text(report.title, style="bold"))
        for note in report.notes:
            self._print(plan_tree(note))

    def _print(self, what: RenderableType) -> None:
        self.out.print(Text(what) if isinstance(what, str) else what, soft_wrap=isinstance(what, str | Text))

    def _table(self, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
        if not self.is_terminal:
            self.say(grid(columns, rows))
        elif _width(columns, rows) > self.out.width and 12 * len(columns) > self.out.width:
            self._print(_tall(columns, rows))
        else:
            self._print(table(columns, rows))


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """Numbers to the right, NULL told apart from an empty text, operations in colour."""
    shown = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for number, column in enumerate(columns):
        numeric = any(isinstance(r[number], int | float) and not isinstance(r[number], bool) for r in rows)
        shown.add_column(Text(column), justify="right" if numeric else "left", overflow="fold")
    for row in rows:
        style = _OPERATIONS.get(str(row[0])) if columns[0] == "op" else None
        shown.add_row(*(_value(v) for v in row), style=style)
    return shown


def _value(value: Any) -> Text:
    return Text("NULL", style="dim italic") if value is None else Text(cell(value))


def _width(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> int:
    return sum(max([len(c), *(len(cell(r[i])) for r in rows)]) + 2 for i, c in enumerate(columns))


def _tall(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Table:
    """A row too wide for the terminal, a line per column."""
    shown = Table(box=None, show_header=False, pad_edge=False)
    shown.add_column(style="bold")
    shown.add_column(overflow="fold")
    for number, row in enumerate(rows, 1):
        shown.add_row(Text(f"row {number}", style="dim"), "")
        for column, value in zip(columns, row, strict=True):
            shown.add_row(Text(column), _value(value))
    return shown


def coloured(error: SyncSQLError) -> Text:
    """The text of an error with its code, the place and the way out told apart."""
    shown = Text()
    for number, line in enumerate(str(error).split("\n")):
        if number == 0:
            code, bracket, message = line.partition("] ")
            shown.append(code + bracket, style="bold red").append(message, style="red")
        elif line.strip() and not line.strip(" ^"):
            shown.append(f"\n{line}", style="bold red")
        else:
            shown.append(f"\n{line}", style="cyan" if line.startswith("Hint: ") else "")
    return shown


def plan_tree(text: str) -> Tree:
    """An indented plan as a tree: the operator stands out, the remark steps back."""
    above: list[Tree] = []
    for line in text.split("\n"):
        match = _NODE.fullmatch(line)
        assert match is not None
        label = Text().append(match["operator"], style="bold cyan").append(match["rest"])
        label.append((match["remark"] or "").replace("   -- ", "   "), style="dim")
        depth = len(match["indent"]) // 2
        node = Tree(label, guide_style="dim") if depth == 0 else above[depth - 1].add(label)
        above[depth:] = [node]
    return above[0]
