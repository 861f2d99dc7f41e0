"""Decisions: the budget, the memory, views that come and go, and what is shown."""

from __future__ import annotations

import json

import pytest

from matcher.block import parts
from matcher.cost import Estimator, grouped_by
from matcher.decide import Matcher
from matcher.verdict import Match, Unknown
from matcher.workspace import Workspace
from syncsql.language import parse_statement
from tests.test_matcher.cases import all_cases, schema


def workspace(views: str = "") -> Workspace:
    made = Workspace()
    made.read(schema("company"))
    made.read(views)
    return made


VIEWS = """
CREATE VIEW low AS SELECT empno, sal FROM emp WHERE sal > 1;
CREATE VIEW high AS SELECT empno, sal FROM emp WHERE sal > 8;
CREATE VIEW counts AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno;
"""


@pytest.mark.parametrize("case", all_cases()[::7], ids=lambda c: c.name)
def test_without_a_budget_nothing_is_shared(case) -> None:  # type: ignore[no-untyped-def]
    made = Workspace()
    made.read(schema(case.schema))
    made.read(case.views)
    decision = Matcher(made, budget_ms=0).decide(case.query, every=True, evidence=True)
    assert decision.chosen is None
    assert decision.proofs == 0
    assert all(isinstance(v, Unknown) for _, v in decision.verdicts)


def test_verdicts_of_unchanged_views_are_remembered() -> None:
    made = workspace(VIEWS)
    matcher = Matcher(made)
    first = matcher.decide("SELECT empno FROM emp WHERE sal > 9", every=True)
    again = matcher.decide("SELECT empno FROM emp WHERE sal > 9", every=True)
    assert first.proofs > 0
    assert again.proofs == 0
    assert again.sql() == first.sql()
    made.drop_view("high")
    made.read("CREATE VIEW high AS SELECT empno, sal FROM emp WHERE sal > 5")
    matcher.refresh()
    changed = matcher.decide("SELECT empno FROM emp WHERE sal > 9", every=True)
    assert 0 < changed.proofs < first.proofs
    assert changed.chosen is not None


def test_verdicts_over_an_inlined_view_are_remembered() -> None:
    made = workspace(VIEWS)
    matcher = Matcher(made)
    query = "SELECT empno FROM R(low) WHERE sal > 9"
    first = matcher.decide(query, every=True)
    kept = len(matcher.memory)
    assert first.proofs > 0
    assert matcher.decide(query, every=True).proofs == 0
    assert len(matcher.memory) == kept


HOT = "CREATE VIEW Hot AS SELECT TS FROM R(TempStr) WHERE Temperature > {}"
WARM = """
CREATE VIEW Warm AS SELECT TS FROM R(TempStr) WHERE Temperature > 100;
CREATE VIEW v AS SELECT RoomID, Temperature FROM R[Warm](RoomTempStr)
"""


def test_a_synchronization_stream_that_is_made_anew() -> None:
    """Its points are told by its name: what was known of that name before is not known of it now."""
    made = Workspace()
    made.read(schema("rooms"))
    made.read(f"{HOT.format(120)}; {WARM}")
    matcher = Matcher(made)
    query = "SELECT RoomID FROM R[Hot](RoomTempStr)"
    assert matcher.decide(query).chosen is not None
    made.drop_view("Hot")
    made.read(HOT.format(5))
    matcher.refresh()
    assert matcher.decide(query).chosen is None
    made.drop_view("Hot")
    made.read(HOT.format(130))
    matcher.refresh()
    assert matcher.decide(query).chosen is not None


def test_a_table_that_is_made_anew() -> None:
    """Without its key the rows of a view are not found again."""
    made = Workspace()
    made.read("CREATE TABLE t (a INT PRIMARY KEY, b INT, c INT); CREATE VIEW v AS SELECT a, b FROM t WHERE b > 3")
    matcher = Matcher(made)
    query = "SELECT c FROM t WHERE b > 3"
    assert isinstance(dict(matcher.decide(query, every=True).verdicts)["v"], Match)
    made.read("CREATE TABLE t (a INT, b INT, c INT)")
    matcher.refresh()
    assert not isinstance(dict(matcher.decide(query, every=True).verdicts)["v"], Match)


def test_a_dropped_view_is_not_used() -> None:
    made = workspace(VIEWS)
    matcher = Matcher(made)
    query = "SELECT deptno, count(*) AS n FROM emp GROUP BY deptno"
    assert matcher.decide(query).chosen is not None
    made.drop_view("counts")
    assert matcher.decide(query).chosen is None


def test_statistics_decide_between_matches() -> None:
    made = workspace("CREATE VIEW a AS SELECT empno, sal FROM emp; CREATE VIEW b AS SELECT empno, sal, comm FROM emp")
    query = "SELECT empno FROM emp WHERE sal > 3"
    for small, large in (("a", "b"), ("b", "a")):
        chosen = Matcher(made, statistics={small: 10, large: 900, "emp": 1000}).decide(query).chosen
        assert chosen is not None
        assert chosen.view == small


def test_the_same_decision_every_time() -> None:
    texts = {str(Matcher(workspace(VIEWS)).decide("SELECT empno FROM emp WHERE sal > 9").sql()) for _ in range(3)}
    assert len(texts) == 1


def test_text_html_and_data_from_one_value() -> None:
    decision = Matcher(workspace(VIEWS)).decide("SELECT empno FROM emp WHERE sal > 4", every=True, evidence=True)
    text = str(decision)
    assert "high" in text
    assert "ROWS.NOT_CONTAINED" in text
    assert "database A" in text
    assert decision._repr_html_().startswith('<div class="syncsql report">')
    data = json.loads(json.dumps(decision.to_dict(), default=str))
    assert data["chosen"] == "low"
    assert {v["verdict"] for v in data["verdicts"]} == {"match", "no match"}


def test_a_rewrite_is_read_again_as_the_same_query() -> None:
    """The printed rewrite is SyncSQL: it binds over the view like any other query."""
    made = workspace(VIEWS)
    decision = Matcher(made).decide("SELECT empno FROM emp WHERE sal > 9")
    assert isinstance(decision.chosen, Match)
    sql = decision.sql()
    assert sql is not None
    parse_statement(sql)
    assert made.query(sql).names == ("empno",)


def test_the_index_follows_many_changes() -> None:
    """Views that come, go and come again are found exactly while they are there."""
    made = workspace()
    matcher = Matcher(made)
    for number in range(150):
        made.read(f"CREATE VIEW v{number} AS SELECT empno, sal FROM emp WHERE sal > {number}")
    for number in range(0, 150, 2):
        made.drop_view(f"v{number}")
    made.read("CREATE VIEW v4 AS SELECT empno, sal FROM emp WHERE sal > 4")
    matcher.refresh()
    assert len(matcher.index) == 76
    chosen = [matcher.decide(f"SELECT empno FROM emp WHERE sal > {n}").chosen for n in (0, 4, 5, 100, 149)]
    assert [c.view if c else None for c in chosen] == [None, "v4", "v5", "v99", "v149"]


def test_groups_are_known_from_a_view_that_makes_them() -> None:
    """What a nested grouping costs above it depends on how many groups there are."""
    made = workspace("CREATE VIEW g AS SELECT deptno, count(*) AS n FROM emp GROUP BY deptno")
    nested = "SELECT deptno, max(sal) AS m FROM emp GROUP BY deptno"
    query = made.query(f"SELECT q.m, d.dname FROM ({nested}) q JOIN dept d ON q.deptno = d.deptno").form
    groupings = {grouped_by(made.views["g"].query): ["g"]}
    assert list(groupings) == [grouped_by(parts(query)[0])]
    few, many = ({"emp": 10_000.0, "g": rows} for rows in (20.0, 9_000.0))
    costs = [Estimator(made.views, known, groupings).cost(query) for known in (few, many)]
    assert costs[0].rows == costs[1].rows
    assert costs[0].work < costs[1].work


def test_of_equal_views_the_one_refreshed_less_often_is_taken() -> None:
    made = Workspace()
    made.read(schema("rooms"))
    for name, sync in (("Often", "Sync2"), ("Seldom", "Sync6"), ("Always", "clockStr")):
        made.read(f"CREATE VIEW {name} AS SELECT RoomID, Temperature FROM R[{sync}](RoomTempStr) WHERE Temperature > 1")
    query = "SELECT RoomID FROM R[Sync6](RoomTempStr) WHERE Temperature > 2"
    decision = Matcher(made, statistics={"often": 50, "seldom": 50, "always": 50, "roomtempstr": 100}).decide(query)
    assert decision.chosen is not None
    assert decision.chosen.view == "Seldom"
    assert "refreshed at 17% of the ticks" in str(decision)


def test_an_empty_database_tells_nothing_of_what_will_come() -> None:
    made = workspace(VIEWS)
    query = "SELECT empno FROM emp WHERE sal > 9"
    for known in ({}, {"emp": 0, "low": 0, "high": 0, "counts": 0}, {"emp": 500, "low": 0, "high": 0, "counts": 0}):
        chosen = Matcher(made, statistics=known).decide(query).chosen
        assert chosen is not None
        assert chosen.view == "high"
