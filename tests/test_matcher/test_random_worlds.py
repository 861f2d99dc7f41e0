"""The queries that the engine is tested with: the matcher has a verdict for each pair, and fails at none."""

from __future__ import annotations

import pytest

from matcher.decide import FAILED, Matcher
from matcher.verdict import Match, Unknown
from matcher.workspace import Workspace
from tests.oracle.worlds import world


@pytest.mark.parametrize("seed", range(3))
def test_no_query_of_the_engine_makes_the_matcher_fail(seed: int) -> None:
    made, workspace = world(seed, 8), Workspace()
    workspace.read(";".join(made.statements))
    matcher = Matcher(workspace)
    shared = 0
    for query in made.views:
        decision = matcher.decide(query.syncsql(), every=True, evidence=True)
        failed = [(n, v.why) for n, v in decision.verdicts if isinstance(v, Unknown) and v.why.startswith(FAILED)]
        assert not failed, query.syncsql()
        own = dict(decision.verdicts).get(query.name)
        assert own is None or isinstance(own, Match), f"{query.syncsql()}\n{own}"
        shared += decision.chosen is not None
    assert shared > len(made.views) // 2
