"""Cases are files: comments with the expected verdicts, the views, and the query as the last statement.

::

    -- A narrower range is a filter on the view.
    -- v: match
    CREATE VIEW v AS SELECT a, b FROM t WHERE a > 10;
    SELECT b FROM t WHERE a > 20

A verdict is ``match``, ``match part``, ``no CODE`` or ``unknown``. ``-- schema: name`` chooses the tables, and
``-- uses: v, w`` says which relations the chosen rewrite reads, ``-- rest: v`` which views have some of the rows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent / "cases"


@dataclass(frozen=True)
class Case:
    name: str
    schema: str
    views: str
    query: str
    expected: dict[str, str]
    uses: frozenset[str] | None
    rest: frozenset[str] | None


def read(path: Path) -> Case:
    text = path.read_text(encoding="utf-8")
    comments = [line[2:].strip() for line in text.split("\n") if line.startswith("--")]
    body = "\n".join(line for line in text.split("\n") if not line.startswith("--"))
    views, _, query = body.strip().rstrip(";").rpartition(";")
    schema, expected = "company", {}
    uses: frozenset[str] | None = None
    rest: frozenset[str] | None = None
    for comment in comments:
        key, colon, value = comment.partition(":")
        if colon and key == "schema":
            schema = value.strip()
        elif colon and key == "uses":
            uses = frozenset(v.strip().lower() for v in value.split(",") if v.strip())
        elif colon and key == "rest":
            rest = frozenset(v.strip().lower() for v in value.split(",") if v.strip())
        elif colon and re.fullmatch(r"\w+", key) and re.match(r"(match|no [A-Z_.]+|unknown)", value.strip()):
            expected[key.lower()] = value.strip()
    if not expected:
        raise ValueError(f"{path}: no expected verdict")
    return Case(f"{path.parent.name}/{path.stem}", schema, views, query.strip(), expected, uses, rest)


def schema(name: str) -> str:
    return (ROOT / "schemas" / f"{name}.sql").read_text(encoding="utf-8")


def all_cases() -> list[Case]:
    return [read(p) for p in sorted(ROOT.glob("*/*.sql")) if p.parent.name != "schemas"]
