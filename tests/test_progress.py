"""The bar of a long advance: shown after a moment on a terminal, never elsewhere, and gone at the end."""

from __future__ import annotations

import io

import pytest
from IPython.utils.capture import capture_output
from rich.console import Console

from syncsql import progress
from syncsql.progress import AdvanceBar, NotebookBar
from tests.test_notebooks.running import shell


def said(terminal: bool, patience: float, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", patience)
    out = io.StringIO()
    with AdvanceBar(8, Console(file=out, force_terminal=terminal, width=80)) as bar:
        bar(1, 4, "HotRooms")
        if bar._timer.is_alive():
            bar._timer.join(timeout=0.5)
    return out.getvalue()


def test_a_long_advance_shows_how_far_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    text = said(True, 0.0, monkeypatch)
    assert "advance to 8" in text
    assert "1/4" in text
    assert "HotRooms" in text


def test_a_short_advance_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "HotRooms" not in said(True, 60.0, monkeypatch)


def test_a_file_gets_no_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    assert said(False, 0.0, monkeypatch) == ""


def test_in_a_notebook_it_is_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE_SECONDS", 0.0)
    with shell(), capture_output() as captured, NotebookBar(8) as bar:
        bar(1, 4, "Hot<Rooms>")
        bar(2, 4, "HotRooms")
    shown = [o.data["text/html"] for o in captured.outputs]
    assert 'value="1" max="4"' in shown[0]
    assert "Hot&lt;Rooms&gt;" in shown[0]
    assert captured.outputs[1].data["text/plain"] == "advance to 8: 2/4 HotRooms"
    assert shown[-1] == ""
    assert not captured.stderr
