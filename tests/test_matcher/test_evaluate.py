"""The dumb evaluator against DuckDB: random queries over random databases give the same bags."""

from __future__ import annotations

import random

import pytest

from matcher.evaluate import Evaluator
from matcher.values import NotComputable
from matcher.workspace import Workspace
from syncsql.language import parse_statement
from tests.test_matcher.duck import Database, comparable, plain
from tests.test_matcher.pairs import SCHEMA, Generator

_MORE = (
    "SELECT id FROM t WHERE a NOT IN (SELECT y FROM u)",
    "SELECT id, (SELECT max(x) FROM u WHERE u.k = t.k) AS m FROM t",
    "SELECT k FROM u WHERE EXISTS (SELECT 1 FROM t WHERE t.k = u.k AND t.a > u.y)",
    "SELECT a, b FROM t EXCEPT SELECT a, b FROM w",
    "SELECT a FROM t INTERSECT SELECT a FROM w",
    "SELECT a FROM w UNION SELECT b FROM w",
    "SELECT t.id, w.a FROM t FULL JOIN w ON t.a = w.a",
    "SELECT t.id FROM t LEFT ANTI JOIN w ON t.a = w.a",
    "SELECT a, nullif(b, 2) AS n, abs(a) AS m, greatest(a, b) AS g FROM w WHERE s LIKE '_b%' OR s IS NULL",
    "SELECT CASE a WHEN 1 THEN 'one' WHEN 2 THEN 'two' END AS c, a % 3 AS r FROM w",
    "SELECT f, count(*) AS n, max(f) AS m FROM w GROUP BY f HAVING f > 1.0",
)


def check(database: Database, workspace: Workspace, text: str) -> bool:
    asked = workspace.query(text)
    try:
        found = Evaluator(database.rows()).answer(asked.plan, len(asked.names))
    except NotComputable:
        return False
    expected = database.answer(plain(parse_statement(text)))
    mine = {tuple(comparable(v) for v in row): n for row, n in found.items()}
    assert mine == dict(expected), f"{text}\n{database.show()}"
    return True


@pytest.mark.parametrize("seed", range(4))
def test_random_queries(seed: int) -> None:
    rng = random.Random(seed)
    workspace = Workspace()
    workspace.read(SCHEMA)
    database = Database(workspace, rng)
    generator = Generator(rng)
    done = 0
    for number in range(60):
        if number % 10 == 0:
            database.fill()
        done += check(database, workspace, generator.query().sql())
    assert done > 40


@pytest.mark.parametrize("text", _MORE)
def test_constructs(text: str) -> None:
    workspace = Workspace()
    workspace.read(SCHEMA)
    database = Database(workspace, random.Random(text))
    for _ in range(5):
        database.fill()
        assert check(database, workspace, text)
