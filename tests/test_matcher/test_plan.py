"""A plan, its normal form turned back into a plan, and the rewrite's plan all give the same bags."""

from __future__ import annotations

import random

import pytest

from matcher.decide import Matcher
from matcher.evaluate import Evaluator
from matcher.plan import to_plan
from matcher.values import NotComputable
from matcher.verdict import Match
from matcher.workspace import Workspace
from syncsql.algebra.normalize import normalize
from syncsql.algebra.relations import Node
from tests.test_matcher.cases import Case, all_cases, schema
from tests.test_matcher.duck import Database

CASES = [c for c in all_cases() if c.name.startswith(("outer", "sub", "nulls"))] + all_cases()[::3]


@pytest.mark.parametrize("case", CASES, ids=[c.name for c in CASES])
def test_plans_agree(case: Case) -> None:
    workspace = Workspace()
    workspace.read(schema(case.schema))
    workspace.read(case.views)
    asked = workspace.query(case.query)
    decision = Matcher(workspace).decide(case.query, every=True)
    plans = [to_plan(asked.form), normalize(to_plan(asked.form))]
    plans += [to_plan(v.rewrite) for _, v in decision.verdicts if isinstance(v, Match) and v.exact]

    def view(name: str) -> Node | None:
        found = workspace.plans.get(name.lower())
        return None if found is None else found[0]

    database = Database(workspace, random.Random(case.name))
    for _ in range(3):
        database.fill()
        evaluator = Evaluator(database.rows(), view, 12)
        try:
            expected = evaluator.answer(asked.plan, len(asked.names))
            for plan in plans:
                assert evaluator.answer(plan) == expected
        except NotComputable:
            continue
