"""``syncsql match``: verdicts for the views of a file, without Spark and without a database."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from matcher.decide import Matcher
from matcher.decision import Decision
from matcher.verdict import Match
from matcher.workspace import Workspace
from syncsql.errors import EngineError


def match(schema: str, views: str, query: str, budget_ms: int = 200) -> Decision:
    """The decision for ``query`` against ``views`` over the tables of ``schema``, all as SQL text."""
    workspace = Workspace()
    workspace.read(schema)
    workspace.read(views)
    return Matcher(workspace, budget_ms).decide(query, every=True, evidence=True)


def run(options: argparse.Namespace) -> None:
    decision = match(_read(options.schema), _read(options.views), _read(options.query), options.budget)
    if options.json:
        print(json.dumps(decision.to_dict(), indent=2, default=str))
        return
    print(decision)
    matches = [v for _, v in decision.verdicts if isinstance(v, Match)]
    for found in matches:
        print(f"\n-- as plain SQL over {found.view}\n{decision.sql(found, plain=True)};")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise EngineError("FILE.UNREADABLE", f"{path}: {error.strerror}") from None
