"""Every case file: verdicts are as expected, every rewrite gives the query's rows, every counterexample holds."""

from __future__ import annotations

import random

import pytest

from matcher.decide import Matcher
from matcher.decision import Decision
from matcher.verdict import Match, NoMatch, Unknown
from matcher.workspace import Workspace
from syncsql.language import parse_statement
from tests.test_matcher.cases import Case, all_cases, schema
from tests.test_matcher.duck import Database, plain, rewritten

CASES = all_cases()
_DATABASES = 6


def decide(case: Case) -> tuple[Workspace, Decision]:
    workspace = Workspace()
    workspace.read(schema(case.schema))
    workspace.read(case.views)
    return workspace, Matcher(workspace).decide(case.query, every=True, evidence=True)


def said(verdict: object) -> str:
    if isinstance(verdict, Match):
        return "match part" if verdict.partial else "match"
    return f"no {verdict.code}" if isinstance(verdict, NoMatch) else "unknown"


@pytest.mark.parametrize("case", CASES, ids=[c.name for c in CASES])
def test_case(case: Case) -> None:
    workspace, decision = decide(case)
    verdicts = {name.lower(): verdict for name, verdict in decision.verdicts}
    assert {n: said(verdicts[n]) for n in case.expected} == case.expected, str(decision)
    for verdict in verdicts.values():
        if isinstance(verdict, Unknown):
            assert verdict.why
    matches = [v for v in verdicts.values() if isinstance(v, Match)]
    if decision.chosen is not None and decision.chosen not in matches:
        matches.append(decision.chosen)
    if matches:
        check_rewrites(case, workspace, decision, matches)


def check_rewrites(case: Case, workspace: Workspace, decision: Decision, matches: list[Match]) -> None:
    database = Database(workspace, random.Random(case.name))
    query = plain(parse_statement(case.query))
    for _ in range(_DATABASES):
        database.fill()
        database.views()
        expected = database.answer(query)
        for match in matches:
            sql = rewritten(match.rewrite, decision.names)
            found = database.answer(sql)
            assert found == expected, f"{case.query}\n{sql}\n{database.show()}\n{expected - found}\n{found - expected}"
