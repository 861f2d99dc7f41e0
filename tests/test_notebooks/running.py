"""Runs the cells of a notebook in this process, so that they share the session that the tests have: a kernel of its own
would first start Spark again."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.core.pylabtools import select_figure_formats
from IPython.utils.capture import capture_output
from traitlets import Type

# A cell with this tag shows times or sizes that were measured, another one the sizes that a test makes smaller.
MEASURED, PARAMETERS = "measured", "parameters"


@dataclass(frozen=True)
class Shown:
    """What a cell shows: what it printed, what it said on stderr, and each value that it displayed, by MIME type."""

    printed: str = ""
    said: str = ""
    displayed: tuple[Mapping[str, Any], ...] = field(default=())

    @property
    def text(self) -> str:
        return self.printed + "\n".join(str(d.get("text/plain", "")) for d in self.displayed)


@dataclass(frozen=True)
class Cell:
    """A code cell: its source, its tags and what is committed as its outputs."""

    source: str
    tags: frozenset[str]
    committed: Shown
    errors: tuple[str, ...]
    count: int | None


def code_cells(path: Path) -> list[Cell]:
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    return [_cell(c) for c in notebook.cells if c.cell_type == "code"]


def _cell(cell: Any) -> Cell:
    printed = "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stdout")
    said = "".join(o.text for o in cell.outputs if o.output_type == "stream" and o.name == "stderr")
    displayed = tuple(o.data for o in cell.outputs if o.output_type in ("execute_result", "display_data"))
    errors = tuple(o.ename for o in cell.outputs if o.output_type == "error")
    tags = frozenset(cell.metadata.get("tags", ()))
    return Cell(cell.source, tags, Shown(printed, said, displayed), errors, cell.execution_count)


class _Results(DisplayHook):
    """The value of a cell is displayed, as a notebook does, and not printed."""

    def write_output_prompt(self) -> None:
        """There is none."""

    def write_format_data(self, format_dict: dict[str, Any], md_dict: dict[str, Any] | None = None) -> None:
        self.shell.display_pub.publish(format_dict, md_dict)

    def finish_displayhook(self) -> None:
        """Nothing was printed."""


class _Shell(InteractiveShell):
    """IPython without a screen."""

    displayhook_class = Type(_Results)

    def enable_gui(self, gui: str | None = None) -> None:
        """There is none."""


@contextlib.contextmanager
def shell() -> Iterator[InteractiveShell]:
    """IPython as a notebook has it, with pictures of matplotlib inline."""
    made = _Shell.instance()
    made.enable_matplotlib("inline")
    # What a figure becomes was registered with the shell that was the first to have matplotlib.
    select_figure_formats(made, {"png"})
    try:
        yield made
    finally:
        _Shell.clear_instance()


def run(made: InteractiveShell, source: str) -> Shown:
    with capture_output() as captured:
        result = made.run_cell(source, store_history=False)
    result.raise_error()
    return Shown(captured.stdout, captured.stderr, tuple(o.data for o in captured.outputs))
