"""What the algebra knows and the engine does not run yet is bound, and refused when it is compiled."""

from __future__ import annotations

import pytest

from matcher.workspace import Workspace
from syncsql.algebra.relations import Join, Node, Windowed, walk
from syncsql.dataflow.compiler import _refuse
from syncsql.errors import BindError, UnsupportedError
from syncsql.language import Query, parse_statement

SCHEMA = "CREATE TABLE t (a INT, b INT, s STRING); CREATE TABLE u (k INT, x INT)"


def plan(text: str):  # type: ignore[no-untyped-def]
    workspace = Workspace()
    workspace.read(SCHEMA)
    statement = parse_statement(text)
    assert isinstance(statement, Query)
    return workspace.plan(statement)[0]


def _refuse_all(node: Node) -> None:
    for inner in walk(node):
        _refuse(inner)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.a)", "UNSUPPORTED.EXPRESSION"),
        ("SELECT a FROM t WHERE a NOT IN (SELECT k FROM u)", "UNSUPPORTED.EXPRESSION"),
        ("SELECT a, (SELECT max(x) FROM u WHERE k = a) AS m FROM t", "UNSUPPORTED.EXPRESSION"),
        ("SELECT a, rank() OVER (ORDER BY b) AS r FROM t", "UNSUPPORTED.EXPRESSION"),
        ("SELECT count(DISTINCT a) AS n FROM t", "UNSUPPORTED.AGGREGATE"),
        ("SELECT stddev(a) AS n FROM t", "UNSUPPORTED.AGGREGATE"),
    ],
)
def test_refused_by_the_engine(text: str, code: str) -> None:
    with pytest.raises(UnsupportedError) as error:
        _refuse_all(plan(text))
    assert error.value.code == code


def test_a_correlated_subquery_reads_its_outer_row() -> None:
    inner = plan("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.a AND x > b)").input.predicate
    assert [c.name for c in inner.params] == ["a", "b"]
    assert [c.name for c in inner.args] == ["a", "b"]


def test_an_unknown_name_in_a_subquery_is_still_an_error() -> None:
    with pytest.raises(BindError, match="no column `nowhere`"):
        plan("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = nowhere)")


def test_over_and_outer_joins_are_nodes() -> None:
    assert any(isinstance(n, Windowed) for n in walk(plan("SELECT sum(a) OVER (PARTITION BY b) AS s FROM t")))
    joins = [n.kind for n in walk(plan("SELECT t.a FROM t FULL JOIN u ON a = k")) if isinstance(n, Join)]
    assert joins == ["full"]


def test_over_cannot_stand_in_where() -> None:
    with pytest.raises(BindError, match="OVER"):
        plan("SELECT a FROM t WHERE rank() OVER (ORDER BY b) = 1")


def test_not_like_is_not_like() -> None:
    assert plan("SELECT a FROM t WHERE s NOT LIKE 'x%'").input.predicate.op == "NOT"
