"""Families of queries that are near each other: each is a view for all others, and every rewrite is executed.

Nothing is expected of a pair but that a rewrite has the query's rows: on random databases in DuckDB, and at every tick
of random histories where time matters. A query has an answer in the view that says the same.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import pytest

from matcher.decide import FAILED, Matcher
from matcher.plan import to_plan
from matcher.verdict import Match, Unknown
from matcher.workspace import Asked, Workspace
from syncsql.language import parse_statement
from tests.test_matcher.cases import schema
from tests.test_matcher.duck import Database, plain, rewritten
from tests.test_matcher.timed import Timed, history

ROOT = Path(__file__).parent / "families"
_SAMPLE = 32


@dataclass(frozen=True)
class Tried:
    text: str
    asked: Asked
    matches: list[tuple[str, Match, str]]


def _queries(family: str, sample: int | None) -> list[str]:
    """The queries of a file in its order, or some of them; they are the views v0, v1, …, and may read those before."""
    lines = [q for q in (ROOT / f"{family}.sql").read_text(encoding="utf-8").split("\n") if q and q[:2] != "--"]
    chosen = range(len(lines)) if sample is None else random.Random(family).sample(range(len(lines)), sample)
    return [q if n in chosen else "" for n, q in enumerate(lines)]


def _tried(workspace: Workspace, queries: list[str]) -> list[Tried]:
    for number, query in enumerate(queries):
        if query:
            workspace.read(f"CREATE VIEW v{number} AS {query}")
    matcher, found = Matcher(workspace), []
    for number, query in enumerate(queries):
        if not query:
            continue
        decision = matcher.decide(query, every=True)
        verdicts = dict(decision.verdicts)
        assert isinstance(verdicts[f"v{number}"], Match), query
        assert not [v for v in verdicts.values() if isinstance(v, Unknown) and v.why.startswith(FAILED)], query
        matches = [(n, v) for n, v in (*verdicts.items(), *((f"rest {m.view}", m) for m in decision.rests))
                   if isinstance(v, Match)]  # fmt: skip
        told = [(n, m, decision.sql(m) or "") for n, m in matches]
        found.append(Tried(query, workspace.query(query), told))
    return found


def _run_at_one_point(family: str, sample: int | None, fills: int) -> None:
    workspace = Workspace()
    workspace.read(schema("company"))
    database = Database(workspace, random.Random(family))
    tried = _tried(workspace, _queries(family, sample))
    for _ in range(fills):
        database.fill()
        database.views()
        for one in tried:
            expected = database.answer(plain(parse_statement(one.text)))
            for name, match, sql in one.matches:
                found = database.answer(rewritten(match.rewrite, one.asked.names))
                assert found == expected, f"{one.text}\n{name}: {sql}\n{database.show()}"


def _run_over_time(sample: int | None, histories: int) -> None:
    workspace = Workspace()
    rooms, events = schema("rooms"), schema("events")
    only = [s for s in events.split(";") if "Noise" in s or " AS SELECT TS " in s]
    workspace.read(";".join([rooms, *only]))
    queries = _queries("time", sample)
    if sample is not None:
        # Views over others are left out with these.
        queries = ["" if "(v" in q else q for q in queries]
    tried = _tried(workspace, queries)
    rng = random.Random(3)
    for _ in range(histories):
        timed = Timed(workspace, history(workspace, rng))
        for one in tried:
            count = len(one.asked.names)
            expected = timed.answers(one.asked.plan, count)
            for name, match, sql in one.matches:
                # The plan of the rewrite, and what is read where its SQL is given to the engine.
                for plan in (to_plan(match.rewrite), workspace.query(sql).plan):
                    assert timed.answers(plan, count) == expected, f"{one.text}\n{name}: {sql}\n{timed.history}"


@pytest.mark.parametrize("family", ["joins", "predicates", "sets"])
def test_some_pairs(family: str) -> None:
    _run_at_one_point(family, _SAMPLE, 4)


def test_some_pairs_over_time() -> None:
    _run_over_time(_SAMPLE, 2)


@pytest.mark.sweep
@pytest.mark.parametrize("family", ["joins", "predicates", "sets"])
def test_all_pairs(family: str) -> None:
    _run_at_one_point(family, None, 12)


@pytest.mark.sweep
def test_all_pairs_over_time() -> None:
    _run_over_time(None, 6)
