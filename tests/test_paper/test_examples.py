"""The examples of the SyncSQL paper, one file each in the paper's own notation: ``+<a,100>1`` is an insertion at 1."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from syncsql.session import Database

EXAMPLES = sorted((Path(__file__).parent / "examples").glob("*.txt"))
_TUPLE = re.compile(r"(?P<op>[+u-]?)<(?P<cells>[^>]*)>(?P<ts>\d*)")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda p: p.stem)
def test_example(path: Path, db: Database) -> None:
    queries: dict[str, Any] = {}
    for head, body in _blocks(path.read_text(encoding="utf-8")):
        command, *words = head.split()
        if command == "sql":
            db.sql("\n".join(body))
        elif command == "query":
            queries[words[0]] = db.sql("\n".join(body))
        elif command == "push":
            for line in body:
                _, cells, ts = _parse(line)
                assert db.push(words[0], [tuple(cells)], at=ts).quarantined == 0
        elif command == "advance":
            db.advance(to=int(words[0]))
        else:
            handle = queries.get(words[0]) or (db.streams if words[0] in list(db.streams) else db.views)[words[0]]
            assert _CHECKS[command](handle, words) == sorted(body), f"{path.stem}: {head}"


def _stream(handle: Any, words: list[str]) -> list[str]:
    lines = []
    for row in handle.changes().collect():
        op, *cells, ts = row
        shown = cells if op != "-" or None not in cells else [c for c in cells if c is not None]
        lines.append(f"{op}<{','.join(map(str, shown))}>{ts}")
    return sorted(lines)


def _relation(handle: Any, words: list[str]) -> list[str]:
    rows = handle.relation(at=int(words[2])).collect()
    return sorted(f"<{','.join(map(str, row))}>" for row in rows)


def _points(handle: Any, words: list[str]) -> list[str]:
    return sorted(f"{row.ts} {'full' if row.full else 'partial'}" for row in handle.points().collect())


_CHECKS = {"stream": _stream, "relation": _relation, "points": _points}


def _blocks(text: str) -> list[tuple[str, list[str]]]:
    blocks: list[tuple[str, list[str]]] = []
    for line in text.splitlines()[1:]:
        if line.startswith("== "):
            blocks.append((line[3:], []))
        elif line.strip():
            blocks[-1][1].append(line)
    return blocks


def _parse(line: str) -> tuple[str, list[Any], int]:
    match = _TUPLE.fullmatch(line)
    assert match is not None, line
    cells = [int(c) if c.lstrip("-").isdigit() else c for c in match["cells"].split(",")]
    return match["op"], cells, int(match["ts"])
