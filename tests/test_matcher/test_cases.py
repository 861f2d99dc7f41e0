"""Every case file: verdicts are as expected, every rewrite gives the query's rows, every counterexample holds."""

from __future__ import annotations

import random

import pytest

from matcher.block import relations
from matcher.decide import Matcher
from matcher.decision import Decision
from matcher.evidence import TwoDatabases
from matcher.verdict import Match, NoMatch, Unknown
from matcher.witness import NOW
from matcher.workspace import Workspace
from syncsql.algebra.catalog import ViewDef
from syncsql.language import parse_statement
from tests.test_matcher.cases import Case, all_cases, schema
from tests.test_matcher.duck import Database, plain, rewritten

CASES = all_cases()
_DATABASES = 5


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
    quick = Matcher(workspace)
    passed = quick.candidates(decision.query)
    missed = {n for n, v in decision.verdicts if isinstance(v, Match)} - {v.name for v in passed}
    assert not missed, "the index keeps a view out that matches"
    verdicts = {name.lower(): verdict for name, verdict in decision.verdicts}
    assert {n: said(verdicts[n]) for n in case.expected} == case.expected, str(decision)
    for verdict in verdicts.values():
        if isinstance(verdict, Unknown):
            assert verdict.why
        if isinstance(verdict, NoMatch) and isinstance(verdict.evidence, TwoDatabases):
            check_evidence(case, workspace, verdict.evidence)
    if case.rest is not None:
        assert {m.view.lower() for m in decision.rests} == case.rest
    if case.uses is not None:
        assert decision.chosen is not None
        assert {s.name.lower() for s in relations(decision.chosen.rewrite)} == case.uses, str(decision)
    matches = [v for v in (*verdicts.values(), *decision.rests) if isinstance(v, Match)]
    if decision.chosen is not None and decision.chosen not in matches:
        matches.append(decision.chosen)
    if matches:
        check_rewrites(case, workspace, decision, matches)


def check_evidence(case: Case, workspace: Workspace, evidence: TwoDatabases) -> None:
    """DuckDB agrees: the view's rows are the same in both databases, the query's are not."""
    name = evidence.view.name
    definition = workspace.find(name)
    assert isinstance(definition, ViewDef)
    found = []
    now = NOW if evidence.now is None else evidence.now
    query = plain(parse_statement(case.query), now)
    for tables in (evidence.one, evidence.other):
        database = Database(workspace, random.Random(0), now=now)
        for table in tables:
            database.put(table.name, table.columns, table.rows)
        database.views()
        found.append((database.answer(f'SELECT * FROM "{name}"'), database.answer(query)))
    assert found[0][0] == found[1][0], f"the view differs\n{evidence}"
    assert found[0][1] != found[1][1], f"the query does not differ\n{evidence}"


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
