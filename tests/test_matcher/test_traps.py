"""Where a matcher is easily wrong: one test per trap. Where the answer is yes, the case files execute it."""

from __future__ import annotations

import re

import pytest

from matcher.evidence import TwoDatabases
from matcher.sqltext import to_sql, unique
from matcher.verdict import Match, NoMatch
from matcher.workspace import Workspace
from syncsql.errors import ParseError
from tests.test_matcher.asked import refused, verdict


def test_null_under_not_in() -> None:
    """x NOT IN (1, NULL) is never true; as a view it has no rows, as a query it is in every view."""
    refused(verdict("SELECT ename, sal FROM emp WHERE sal NOT IN (1, NULL)", "SELECT ename FROM emp WHERE sal > 5"),
            "ROWS.NOT_CONTAINED")  # fmt: skip
    assert verdict("SELECT ename, sal FROM emp WHERE sal > 99", "SELECT ename FROM emp WHERE sal NOT IN (1, NULL)")


def test_not_in_subquery_is_not_not_exists() -> None:
    not_in = "SELECT ename FROM emp WHERE empno NOT IN (SELECT empno FROM bonus)"
    not_exists = "SELECT ename FROM emp e WHERE NOT EXISTS (SELECT 1 FROM bonus b WHERE b.empno = e.empno)"
    refused(verdict(not_in, not_exists), "ROWS.NOT_CONTAINED")
    assert verdict(not_in, not_in)
    assert verdict(not_exists, not_exists)


def test_null_under_negation() -> None:
    refused(verdict("SELECT ename, sal FROM emp WHERE NOT (sal > 3)", "SELECT ename FROM emp WHERE sal IS NULL"),
            "ROWS.NOT_CONTAINED")  # fmt: skip


def test_nan_is_above_every_number() -> None:
    refused(verdict("SELECT ename, rate FROM emp WHERE rate < 1e300", "SELECT ename FROM emp WHERE rate > 5"),
            "ROWS.NOT_CONTAINED")  # fmt: skip
    assert verdict("SELECT ename, rate FROM emp WHERE rate > 5", "SELECT ename FROM emp WHERE isnan(rate)")


def test_negative_zero_is_not_shown_as_zero() -> None:
    """0.0 = -0.0, so an equation between doubles does not make one stand for the other in an answer."""
    refused(verdict("SELECT e.rate FROM emp e JOIN sale s ON e.rate = s.weight",
                    "SELECT s.weight FROM emp e JOIN sale s ON e.rate = s.weight"), "COLUMN.MISSING")  # fmt: skip


@pytest.mark.parametrize(
    ("view", "query", "same"),
    [
        ("CASE WHEN rate = 0e0 THEN 0e0 ELSE rate END", "rate", False),
        ("coalesce(rate, 0e0)", "coalesce(rate, -0e0)", False),
        ("coalesce(rate, 0e0)", "coalesce(rate, CAST('-0.0' AS DOUBLE))", False),
        ("coalesce(rate, -0e0)", "coalesce(rate, CAST('-0.0' AS DOUBLE))", True),
        ("coalesce(rate, 0e0)", "CASE WHEN rate IS NULL THEN CAST(0 AS DOUBLE) ELSE rate END", True),
        ("CASE WHEN rate = 0e0 THEN rate ELSE rate END", "rate", True),
    ],
)
def test_a_zero_that_is_chosen_has_a_sign(view: str, query: str, same: bool) -> None:
    found = verdict(f"SELECT ename, {view} AS x FROM emp", f"SELECT {query} AS y FROM emp")
    assert isinstance(found, Match) == same, found


ODD = """
CREATE TABLE odd (id INT, a ARRAY<DOUBLE>, b ARRAY<DOUBLE>, p STRUCT<x: FLOAT>, d DOUBLE, m STRING, n STRING);
"""


def test_equal_arrays_are_not_the_same_array() -> None:
    """array(0.0) = array(-0.0): an equation makes neither of them the other, nor a text of one that of the other."""
    view = "SELECT id, a, CAST(a AS STRING) AS t FROM odd WHERE a = b"
    refused(verdict(view, "SELECT id, b FROM odd WHERE a = b", also=ODD), "COLUMN.MISSING")
    refused(verdict(view, "SELECT id, CAST(b AS STRING) AS t FROM odd WHERE a = b", also=ODD), "COLUMN.MISSING")
    assert verdict(view, "SELECT id, a FROM odd WHERE a = b", also=ODD)


@pytest.mark.parametrize("key", ["a", "p", "d", "round(d, 1)"])
def test_a_group_of_equal_values_shows_one_of_them(key: str) -> None:
    """0.0 and -0.0 are one group, also inside an array or a struct; their texts are two."""
    view = f"SELECT {key} AS k, count(*) AS n FROM odd GROUP BY {key}"
    texts = f"SELECT CAST({key} AS STRING) AS t, count(*) AS n FROM odd GROUP BY CAST({key} AS STRING)"
    refused(verdict(view, texts, also=ODD), "GROUPING.FINER")
    assert verdict(view, view, also=ODD)


def test_texts_under_a_collation() -> None:
    """What is equal without regard to case is not the same text."""
    low, other = (f"CAST({c} AS STRING COLLATE UTF8_LCASE)" for c in "mn")
    view = f"SELECT id, {low} AS t FROM odd WHERE {low} = {other}"
    query = f"SELECT id, {other} AS t FROM odd WHERE {low} = {other}"
    refused(verdict(view, query, also=ODD), "COLUMN.MISSING")
    assert verdict(view, f"SELECT id, upper({low}) AS t FROM odd WHERE {low} = {other}", also=ODD)
    with pytest.raises(ParseError, match="UTF8_LCASE"):
        verdict(view, query, also="CREATE TABLE named (n STRING COLLATE UTF8_LCASE)")


def test_empty_groups() -> None:
    """An aggregate without GROUP BY has a row over nothing; one with GROUP BY has none."""
    groups = "SELECT deptno, count(*) AS n FROM emp GROUP BY deptno"
    found = verdict(groups, "SELECT count(*) AS n FROM emp WHERE deptno = 99")
    assert isinstance(found, Match)
    assert "coalesce" in _sql(found)
    one = verdict(
        "SELECT count(*) AS n FROM emp WHERE deptno = 9",
        "SELECT deptno, count(*) AS n FROM emp WHERE deptno = 9 GROUP BY deptno",
    )
    refused(one, "GROUPING.EMPTY")


def test_integer_and_real_division() -> None:
    refused(verdict("SELECT comm DIV 2 AS h FROM emp", "SELECT comm / 2 AS h FROM emp"), "COLUMN.MISSING")


def test_count_from_count_distinct() -> None:
    view = "SELECT deptno, count(DISTINCT sal) AS n FROM emp GROUP BY deptno"
    refused(verdict(view, "SELECT deptno, count(sal) AS n FROM emp GROUP BY deptno"), "AGGREGATE.MISSING")
    view = "SELECT deptno, active, count(DISTINCT sal) AS n FROM emp GROUP BY deptno, active"
    refused(
        verdict(view, "SELECT deptno, count(DISTINCT sal) AS n FROM emp GROUP BY deptno"), "AGGREGATE.NOT_DIVISIBLE"
    )


def test_parts_that_need_more_digits_than_the_whole() -> None:
    """AVG adds doubles, and a difference of sums may fit where the sums do not: BIGINTs are added up as DECIMALs."""
    tables = "CREATE TABLE t (g INT, s STRING, x BIGINT NOT NULL, y BIGINT NOT NULL)"
    view = "SELECT g, s, sum(x) AS sx, sum(y) AS sy, count(*) AS n FROM t GROUP BY g, s"
    for wanted in ("avg(x)", "sum(2 * x - 2 * y)", "sum(x - 5)"):
        found = verdict(view, f"SELECT g, {wanted} AS a FROM t GROUP BY g", also=tables)
        assert isinstance(found, Match)
        assert "DECIMAL(20,0)" in _sql(found)
        assert "sum(v.sx)" not in _sql(found)


def test_average_of_averages() -> None:
    view = "SELECT deptno, active, avg(sal) AS m, count(*) AS n FROM emp GROUP BY deptno, active"
    refused(verdict(view, "SELECT deptno, avg(sal) AS m FROM emp GROUP BY deptno"), "AGGREGATE.MISSING")


def test_sums_over_duplicated_join_rows() -> None:
    view = "SELECT e.deptno, sum(e.sal) AS s FROM emp e JOIN sale s ON e.empno = s.empno GROUP BY e.deptno"
    refused(verdict(view, "SELECT deptno, sum(sal) AS s FROM emp GROUP BY deptno"), "TABLES.EXTRA")


def test_outer_join_nulls_filtered_above() -> None:
    left = "SELECT d.dname, e.ename, e.sal FROM dept d LEFT JOIN emp e ON d.deptno = e.deptno"
    inner = "SELECT d.dname, e.ename, e.sal FROM dept d JOIN emp e ON d.deptno = e.deptno"
    assert verdict(inner, f"{left} WHERE e.sal > 3")
    refused(verdict(inner, f"{left} WHERE e.sal IS NULL"), "TABLES.EXTRA")
    refused(verdict(left, inner), "JOIN.KIND")


def test_predicate_column_that_the_view_does_not_keep() -> None:
    found = verdict("SELECT item FROM sale WHERE qty > 3", "SELECT item FROM sale WHERE qty > 5")
    refused(found, "COLUMN.MISSING")
    assert isinstance(found, NoMatch)
    assert found.hint == "add column `qty` to the view"


def test_ts_of_the_base_is_not_ts_of_the_view() -> None:
    refused(verdict("SELECT CarID FROM R(S1)", "SELECT CarID FROM R(S1) WHERE TS > 5", "rooms"), "COLUMN.MISSING")
    assert verdict("SELECT CarID, TS AS at FROM R(S1)", "SELECT CarID FROM R(S1) WHERE TS > 5", "rooms")


def test_partial_points() -> None:
    join = "SELECT a.RoomID FROM R{}(RoomTempStr) a JOIN R{}(TempStr) b ON a.RoomID = b.RoomID"
    fine = join.format("", "")
    refused(verdict(fine, join.format("[Sync2]", "[Sync3]"), "rooms"), "TIME.PARTIAL_POINTS")
    assert verdict(fine, join.format("[Sync2]", "[Sync3]") + " EMIT FULL", "rooms")
    assert verdict(fine, join.format("[Sync2]", "[Sync2]"), "rooms")


@pytest.mark.parametrize("call", ["first(sal)", "collect_list(sal)", "any_value(sal)"])
def test_nondeterministic_aggregates_never_match(call: str) -> None:
    query = f"SELECT deptno, {call} AS x FROM emp GROUP BY deptno"
    refused(verdict(query, query), "NONDETERMINISTIC")


def test_a_subquery_with_another_value_at_every_run() -> None:
    for some in ("any_value(sal)", "first(sal)"):
        query = f"SELECT ename, sal FROM emp WHERE sal = (SELECT {some} FROM emp)"
        refused(verdict(query, query), "NONDETERMINISTIC")
        refused(verdict(query, f"{query} AND sal > 3"), "NONDETERMINISTIC")
        refused(verdict("SELECT ename, sal FROM emp", query), "NONDETERMINISTIC")


def test_numbers_that_a_comparison_takes_digits_from() -> None:
    """A BIGINT next to DECIMAL(38,20) loses digits behind the point: two keys may be equal to one number."""
    tables = "CREATE TABLE d (k DECIMAL({}) PRIMARY KEY, n STRING); CREATE TABLE e (id INT, dk BIGINT NOT NULL)"
    view = "SELECT e.id, d.n FROM e LEFT JOIN d ON e.dk = d.k"
    refused(verdict(view, "SELECT id FROM e", also=tables.format("38,20")), "TABLES.EXTRA")
    assert verdict(view, "SELECT id FROM e", also=tables.format("20,0"))


def test_names_that_are_taken() -> None:
    """A number behind a name makes another name, and that may be there already."""
    assert unique(["a", "a", "a_2", "A"]) == ["a", "a_3", "a_2", "A_4"]
    assert unique(["a", "b", "a"]) == ["a", "b", "a_2"]
    tables = "CREATE TABLE t (id INT, a INT); CREATE TABLE t_2 (id INT, b INT)"
    query = "SELECT x.a, z.b FROM t x JOIN t y ON x.a = y.id JOIN t_2 z ON z.id = y.id WHERE x.id > {}"
    found = verdict("SELECT id, a FROM t WHERE id > 1", query.format(2), also=tables)
    assert isinstance(found, Match)
    aliases = re.findall(r"R\(\w+\) (\w+)", _sql(found))
    assert len(aliases) == len(set(aliases)) == 3
    workspace = Workspace()
    workspace.read(tables)
    said = to_sql(workspace.query(query.format(2)).form)
    aliases = re.findall(r"R\(\w+\) (\w+)", said)
    assert len(aliases) == len(set(aliases)) == 3, said


def test_a_key_that_may_be_null_does_not_find_its_row_again() -> None:
    refused(verdict("SELECT code, size FROM part", "SELECT color FROM part WHERE size > 1", "unique"), "COLUMN.MISSING")


def test_integer_bounds_are_known() -> None:
    """sal > 2147483646 leaves one INT; the other side of the bound leaves none."""
    assert verdict("SELECT ename, sal FROM emp WHERE sal = 2147483647", "SELECT ename FROM emp WHERE sal > 2147483646")


def _sql(match: Match) -> str:
    return to_sql(match.rewrite)


@pytest.mark.parametrize(
    ("view", "query"),
    [
        ("CAST(a AS TINYINT) < 200", "CAST(a AS TINYINT) IS NOT NULL"),
        ("b * b <= 127", "b * b IS NOT NULL"),
        ("a * 1000000 < 3000000000", "a * 1000000 IS NOT NULL"),
        ("-b < 128", "-b IS NOT NULL"),
    ],
)
def test_a_counterexample_that_only_an_error_would_give(view: str, query: str) -> None:
    """Where arithmetic leaves its type Spark has an error for an answer, which tells nothing apart."""
    tables = "CREATE TABLE t (a INT, b TINYINT)"
    found = verdict(f"SELECT a, b FROM t WHERE {view}", f"SELECT a, b FROM t WHERE {query}", also=tables, evidence=True)
    assert getattr(found, "evidence", None) is None, found


def test_a_counterexample_has_values_that_its_columns_can_have() -> None:
    tables = "CREATE TABLE t (a INT, b TINYINT, v VARCHAR(3), d DECIMAL(3,1))"
    view = "SELECT * FROM t WHERE a < 3000000000 AND b < 1000 AND v < 'long text' AND d < 5000.5"
    found = verdict(view, "SELECT * FROM t", also=tables, evidence=True)
    assert isinstance(found, NoMatch)
    assert found.evidence is not None
    rows = [r for t in (*found.evidence.one, *found.evidence.other) for r in t.rows]
    for a, b, v, d in rows:
        assert abs(a or 0) < 2**31
        assert abs(b or 0) < 2**7
        assert len(v or "") <= 3
        assert abs(d or 0) < 100


def test_a_counterexample_is_as_plain_as_it_can_be() -> None:
    view = "SELECT ename, sal FROM emp WHERE sal > 9800"
    found = verdict(view, "SELECT ename FROM emp WHERE sal > 9700", evidence=True)
    assert isinstance(found, NoMatch)
    assert isinstance(found.evidence, TwoDatabases)
    rows = {row for table in (*found.evidence.one, *found.evidence.other) for row in table.rows if table.name == "emp"}
    assert {(row[1], row[3]) for row in rows} <= {("a", 9701), ("a", 0)}
