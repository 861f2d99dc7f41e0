"""Plans as text."""

from __future__ import annotations

from matcher.workspace import Workspace
from syncsql.algebra.relations import tree
from syncsql.language import Query, parse_statement

SCHEMA = """
REGISTER SOURCE Source (ID INT, X INT);
CREATE STREAM A OVER Source KEY ID;
CREATE STREAM B OVER Source KEY ID;
"""


def shown(text: str) -> str:
    workspace = Workspace()
    workspace.read(SCHEMA)
    statement = parse_statement(text)
    assert isinstance(statement, Query)
    return tree(workspace.plan(statement)[0])


def test_columns_of_one_name_are_told_with_their_relation() -> None:
    assert shown("SELECT a.ID, b.X FROM R(A) a, R(B) b WHERE a.ID = b.ID AND a.X > 1").splitlines() == [
        "Project A.ID AS ID, B.X AS X",
        "  Filter (A.ID = B.ID) AND (A.X > 1)",
        "    Inner join on TRUE",
        "      R(A)",
        "      R(B)",
    ]


def test_a_relation_that_is_read_twice_has_numbers() -> None:
    assert shown("SELECT a.ID FROM R(A) a JOIN R(A) b ON a.ID = b.X GROUP BY a.ID").splitlines() == [
        "Project ID",
        "  Aggregate by A#1.ID",
        "    Inner join on A#1.ID = A#2.X",
        "      R(A) #1",
        "      R(A) #2",
    ]


def test_columns_that_nobody_can_confuse_stay_as_they_are() -> None:
    assert shown("SELECT X FROM R(A) WHERE X > 1").splitlines()[1] == "  Filter X > 1"
