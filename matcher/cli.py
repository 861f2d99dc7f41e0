"""``syncsql match`` and ``syncsql advise``: verdicts for the views of a file, and views for the queries of a file,
without Spark and without a database."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from matcher.advice import Advice
from matcher.advise import advise as advise_for
from matcher.decide import Matcher
from matcher.decision import Decision
from matcher.verdict import Match
from matcher.workspace import Workspace
from syncsql.errors import EngineError, ParseError
from syncsql.language import CreateView, Query, parse_script
from syncsql.language.reading import too_deep


def match(schema: str, views: str, query: str, budget_ms: int = 200) -> Decision:
    """The decision for ``query`` against ``views`` over the tables of ``schema``, all as SQL text."""
    workspace = Workspace()
    with _not_too_deep():
        workspace.read(schema)
        workspace.read(views)
        return Matcher(workspace, budget_ms).decide(query, every=True, evidence=True)


def advise(schema: str, views: str, queries: str, budget_ms: int = 200) -> Advice:
    """Covering views for ``queries`` next to ``views`` over the tables of ``schema``, all as SQL text."""
    workspace = Workspace()
    with _not_too_deep():
        workspace.read(schema)
        workspace.read(views)
        return advise_for(workspace, _queries(queries), budget_ms=budget_ms)


@contextmanager
def _not_too_deep() -> Iterator[None]:
    """What could be bound may still be too deep for a pass that comes later."""
    try:
        yield
    except RecursionError:
        raise too_deep() from None


def _queries(script: str) -> list[Query | CreateView]:
    found: list[Query | CreateView] = []
    for statement in parse_script(script):
        if not isinstance(statement, Query | CreateView):
            raise ParseError(
                "PARSE.QUERIES", "only queries, and views as queries with a name, belong here",
                text=statement.text, span=statement.span, hint="SELECT …, or CREATE VIEW name AS SELECT …",
            )  # fmt: skip
        found.append(statement)
    if not found:
        raise ParseError("PARSE.EMPTY", "there is no query", hint="SELECT …; SELECT …")
    return found


def run_match(options: argparse.Namespace) -> None:
    decision = match(_read(options.schema), _read(options.views), _read(options.query), options.budget)
    if options.json:
        print(json.dumps(decision.to_dict(), indent=2, default=str))
        return
    print(decision)
    matches = [v for _, v in decision.verdicts if isinstance(v, Match)]
    for found in matches:
        print(f"\n-- as plain SQL over {found.view}\n{decision.sql(found, plain=True)};")


def run_advise(options: argparse.Namespace) -> None:
    views = "" if options.views is None else _read(options.views)
    advice = advise(_read(options.schema), views, _read(options.queries), options.budget)
    print(json.dumps(advice.to_dict(), indent=2, default=str) if options.json else advice)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise EngineError("FILE.UNREADABLE", f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise EngineError("FILE.UNREADABLE", f"{path}: this is no text in UTF-8") from None
