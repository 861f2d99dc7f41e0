"""What is shown to a person: one value that gives text for a terminal, HTML for a notebook, and plain data."""

from __future__ import annotations

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from textwrap import wrap
from typing import Any

# As wide as a cell of text gets, here and in HTML, where it is longer than a little more than that.
_WIDEST, _LONG = 56, 64
_AT_BLANKS: dict[str, Any] = {"subsequent_indent": "  ", "break_long_words": False, "break_on_hyphens": False}


@dataclass(frozen=True)
class Report:
    """A small table under a title, with text below it."""

    title: str
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    notes: tuple[str, ...] = field(default=())

    def __str__(self) -> str:
        parts = [self.title] if self.title else []
        if self.columns:
            parts.append(grid(self.columns, [[_folded(cell(v)) for v in row] for row in self.rows]))
        return "\n".join([*parts, *self.notes])

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        rows = [dict(zip(self.columns, row, strict=True)) for row in self.rows]
        return {"title": self.title, "rows": rows, "notes": list(self.notes)}

    def _repr_html_(self) -> str:
        title = f"<p><b>{text(self.title)}</b></p>" if self.title else ""
        table = html_table(self.columns, self.rows) if self.columns else ""
        notes = "\n".join(self.notes).strip("\n")
        return framed(title + table + (f"<pre>{text(notes)}</pre>" if notes else ""))


class Reported:
    """What is shown as a report of itself, wherever it is shown."""

    @property
    def report(self) -> Report:
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.report)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return self.report._repr_html_()


def grid(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as aligned text.

    >>> print(grid(["op", "RoomID"], [["+", "a"]]))
    op  RoomID
    --  ------
    +   a
    """
    cells = [part for row in rows for part in _lines([cell(v) for v in row])]
    widths = [max([len(c), *(len(row[i]) for row in cells)]) for i, c in enumerate(columns)]

    def line(values: Sequence[str]) -> str:
        return "  ".join(v.ljust(w) for v, w in zip(values, widths, strict=True)).rstrip()

    return "\n".join([line(columns), line(["-" * w for w in widths]), *(line(row) for row in cells)])


def _folded(text: str) -> str:
    """``text`` with its long lines cut at blanks, so that a table of words fits on a screen."""
    lines = text.split("\n")
    return "\n".join("\n".join(wrap(x, _WIDEST, **_AT_BLANKS)) if len(x) > _LONG else x for x in lines)


def _lines(row: Sequence[str]) -> list[tuple[str, ...]]:
    """A row as lines: a cell with line breaks takes several."""
    return list(zip_longest(*(v.split("\n") for v in row), fillvalue=""))


def counted(count: int, word: str) -> str:
    """
    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def cell(value: Any) -> str:
    return "" if value is None else str(value)


# HTML. Colours and fonts come from the page, so that light and dark themes both fit; what has a colour of its own
# brings its background along. A page that strips the style sheet (an untrusted notebook) still has a plain table.
# Two classes, for JupyterLab's own rules for tables and code name two.

_STYLE = """
div.syncsql.report { color: inherit; line-height: 1.4; }
div.syncsql.report p { margin: 0 0 .4em; }
div.syncsql.report .scroll { max-width: 100%; max-height: 26em; overflow: auto; margin: 0 0 .4em; }
div.syncsql.report table { border-collapse: collapse; border: none; margin: 0; font-size: inherit; }
div.syncsql.report th, div.syncsql.report td { text-align: left; vertical-align: top; padding: .25em 1em .25em 0;
  border: none; border-bottom: 1px solid rgba(128, 128, 128, .3); white-space: pre-wrap;
  min-width: 2em; max-width: 56ch; }
div.syncsql.report th { position: sticky; top: 0; font-weight: 600; white-space: nowrap;
  background: var(--jp-layout-color0, var(--vscode-editor-background, Canvas)); }
div.syncsql.report td.number { text-align: right; font-variant-numeric: tabular-nums; }
div.syncsql.report code, div.syncsql.report pre { font-family: var(--jp-code-font-family, ui-monospace, monospace);
  font-size: .95em; color: inherit; background: none; border: none; padding: 0; margin: 0; }
div.syncsql.report pre { max-height: 60em; overflow: auto; white-space: pre-wrap; word-break: normal; }
div.syncsql.report .mark { display: inline-block; padding: 0 .6em; border-radius: .8em; color: #fff;
  white-space: nowrap; }
div.syncsql.report .yes { background: #1a7f37; }
div.syncsql.report .no { background: #b3362b; }
div.syncsql.report .open { background: #8a6100; }
"""

# Columns whose cells are SQL, types or codes; and words that are marked wherever they are a whole cell of these.
_CODE = frozenset({"query", "rewritten", "plan", "type", "columns", "code", "Q ="})
_VERDICTS = frozenset({"verdict", "status"})
_MARKS = {
    "match": "yes", "match of a part": "yes", "proved": "yes", "equal": "yes", "done": "yes",
    "no match": "no", "refuted": "no", "different": "no", "unknown": "open", "running": "open",
}  # fmt: skip


def framed(inner: str) -> str:
    """HTML in a box with the style sheet that everything here shares."""
    return f'<div class="syncsql report"><style>{_STYLE}</style>{inner}</div>'


def html_table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table that scrolls where it is long or wide."""
    head = "".join(f"<th>{text(c)}</th>" for c in columns)
    body = "".join("<tr>" + "".join(map(_html_cell, columns, row)) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _html_cell(column: str, value: Any) -> str:
    shown = text(cell(value))
    if column in _VERDICTS and value in _MARKS:
        return f'<td><span class="mark {_MARKS[value]}">{shown}</span></td>'
    if column in _CODE and shown:
        return f"<td><code>{shown}</code></td>"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f'<td class="number">{shown}</td>'
    return f"<td>{shown}</td>"


def text(value: str) -> str:
    """``value`` as HTML text, also between quotes."""
    return html.escape(value)
