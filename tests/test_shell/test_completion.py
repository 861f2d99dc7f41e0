"""What Tab offers: the word before the cursor says what can follow."""

from __future__ import annotations

from pathlib import Path

import pytest

from syncsql.shell.completion import complete
from syncsql.shell.names import Names

NAMES = Names(
    {"Temps": ("room", "degrees"), "Names": ("room", "title")},
    {"RoomStr": ("room", "degrees"), "NameStr": ("room", "title")},
    {"HotRooms": ("room", "degrees"), "Every2": ("Timepoint",), "my view": ("my column",)},
    ("coalesce", "concat", "count"),
)


def offered(before: str, after: str = "") -> list[str]:
    return [c.text for c in complete(before, NAMES, after)]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("DES", ["DESCRIBE"]),
        ("des", ["describe"]),
        ("adv", ["advance"]),
        (".adv", ["advance"]),
        ("SELECT 1; VER", ["VERIFY VIEW"]),
        ("SHOW ", ["SOURCES", "STREAMS", "VIEWS", "ADVANCES", "SHARING"]),
        ("show st", ["streams"]),
        ("EXPLAIN ", ["PLAN", "SKIN", "SHARING", "SELECT"]),
        ("CREATE STREAM t OVER ", ["Temps", "Names"]),
        (".push T", ["Temps"]),
        ("PUSH n", ["Names"]),
        ("QUARANTINE Te", ["Temps"]),
        ("VERIFY VIEW ", ["HotRooms", "Every2", "`my view`"]),
        ("WATCH Ho", ["HotRooms"]),
        ("CHANGES Roo", ["RoomStr"]),
        ("DESCRIBE Te", ["Temps"]),
        ("DROP STREAM Na", ["NameStr"]),
        ("SELECT room FROM R(Ro", ["RoomStr"]),
        ("SELECT room FROM R[Ev", ["Every2"]),
        ("SELECT room FROM R[Every2](Ho", ["HotRooms"]),
        ("SELECT room FROM Ho", ["HotRooms"]),
        ("SELECT room FROM R(Ho", ["HotRooms"]),
        ("SELECT room FROM R(R", ["RoomStr"]),
        ("SELECT room FROM R(HotRooms) h WHERE h.", ["room", "degrees", "TS"]),
        ("SELECT room FROM R(HotRooms) AS h WHERE h.d", ["degrees"]),
        ("SELECT HotRooms.r", ["room"]),
        ("SELECT tit", ["title"]),
        ("SELECT room FROM R(NameStr) WHERE t", ["title", "then", "timestamp by", "ts"]),
        ("SELECT coa", ["coalesce"]),
        ("SELECT CO", ["COMPLETE", "coalesce", "concat", "count"]),
        ("SELECT 'a", []),
        ("SELECT 'a' AS b, coa", ["coalesce"]),
    ],
)
def test_candidates(before: str, expected: list[str]) -> None:
    assert offered(before) == expected


def test_what_stands_behind_the_cursor_counts_too() -> None:
    assert offered("SELECT n.", " FROM R(NameStr) n") == ["room", "title", "TS"]
    assert offered("SELECT d", " FROM R(HotRooms); SELECT title FROM R(NameStr)")[0] == "degrees"


def test_only_the_word_before_the_cursor_is_replaced() -> None:
    assert [(c.text, c.kind, c.replaces) for c in complete("SELECT room FROM R(Hot", NAMES)] == [
        ("HotRooms", "view", 3)
    ]
    assert [(c.text, c.replaces) for c in complete("VERIFY VIEW `my", NAMES)] == [("`my view`", 3)]


def test_at_the_beginning_everything_is_offered() -> None:
    found = offered("")
    assert found[0] == "SELECT"
    assert {"REGISTER SOURCE", "ADVANCE", "PUSH", "HELP"} <= set(found)
    assert set(offered(".")) == {"PUSH", "ADVANCE", "CHANGES", "RELATION", "QUARANTINE", "WATCH", "HELP", "QUIT"}


def test_files_of_rows_are_found(tmp_path: Path) -> None:
    for name in ("rooms.csv", "rooms.txt", "room.parquet"):
        (tmp_path / name).touch()
    (tmp_path / "rooted").mkdir()
    assert offered(f".push Temps {tmp_path}/roo") == ["room.parquet", "rooms.csv", "rooted/"]
    assert offered("PUSH Temps VAL") == ["VALUES"]
