"""What SyncSQL adds to a query: relations, modes, chains of comparisons, words and signs of the paper."""

from __future__ import annotations

import pytest
from sqlglot import exp

from syncsql.errors import Span
from syncsql.language import Query, parse_statement, print_query, sync_of


def query(text: str) -> Query:
    statement = parse_statement(text)
    assert isinstance(statement, Query)
    return statement


def relations(text: str) -> list[tuple[str, str | None, str]]:
    tables = query(text).tree.find_all(exp.Table, bfs=False)
    return sorted((table.name, sync_of(table), table.alias) for table in tables)


FORMS = [
    ("S", "S", None),
    ("`S`", "S", None),
    ("`S 1`", "S 1", None),
    ("R(S)", "S", None),
    ("r ( S )", "S", None),
    ("R(`S 1`)", "S 1", None),
    ("R[Sync](S)", "S", "Sync"),
    ("R [ `Sy nc` ] ( S )", "S", "Sy nc"),
    ("R(S, Sync)", "S", "Sync"),
    ("ℜ(S)", "S", None),
    ("ℜ[Sync](S)", "S", "Sync"),
    ("ℜ(S, Sync)", "S", "Sync"),
    ("ℜ_Sync(S)", "S", "Sync"),
    ("ℜ_Sync₂(S₁)", "S1", "Sync2"),
    ("ℜ_{Sync}(S)", "S", "Sync"),
    ("R", "R", None),
    ("R(R)", "R", None),
    ("R[R](R)", "R", "R"),
]


@pytest.mark.parametrize(("form", "name", "sync"), FORMS, ids=[form for form, _, _ in FORMS])
@pytest.mark.parametrize("alias", ["", " x", " AS x", " R", " `R`"])
def test_relation(form: str, name: str, sync: str | None, alias: str) -> None:
    expected = (name, sync, alias.replace("AS", "").strip(" `"))
    for text in (
        "SELECT a FROM {}",
        "SELECT a FROM {} WHERE a > 1",
        "WITH c AS (SELECT a FROM {}) SELECT COMPLETE 1",
        "SELECT 1 WHERE EXISTS (SELECT a FROM {} GROUP BY a)",
        "SELECT 1 UNION ALL SELECT a FROM {}",
        "SELECT (SELECT max(a) FROM {}) AS m",
    ):
        assert relations(text.format(form + alias)) == [expected], text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT 1 FROM R[u](a) x, R(b), c y", [("a", "u", "x"), ("b", None, ""), ("c", None, "y")]),
        ("SELECT 1 FROM a JOIN R[u](b) ON a.i = b.i, R[v](c)", [("a", None, ""), ("b", "u", ""), ("c", "v", "")]),
        ("SELECT 1 FROM a LEFT JOIN R[u](b) x USING (i)", [("a", None, ""), ("b", "u", "x")]),
        ("SELECT 1 FROM a JOIN b USING (i), R[u](c) d", [("a", None, ""), ("b", None, ""), ("c", "u", "d")]),
        ("SELECT 1 FROM (R[u](a) JOIN R[v](b) ON a.i = b.i)", [("a", "u", ""), ("b", "v", "")]),
        ("SELECT 1 FROM R[u](a) p JOIN R[v](a) q ON p.i = q.i", [("a", "u", "p"), ("a", "v", "q")]),
        ("SELECT 1 FROM (SELECT * FROM R[u](a)) x, R[v](b)", [("a", "u", ""), ("b", "v", "")]),
        ("SELECT f(x, R[1]), R FROM R[u](a)", [("a", "u", "")]),
        ("SELECT EXTRACT(YEAR FROM R(a).d), R(a).e IS DISTINCT FROM f FROM R(a)", [("a", None, "")]),
        ("SELECT 1 FROM R[u](a) ∪ b x ∩ (SELECT * FROM R[v](c)), d", None),
        ("SELECT 1 FROM R[u](a) LATERAL VIEW explode(xs) e AS x, y WHERE x > 1", [("a", "u", "")]),
        ("SELECT /*+ BROADCAST(a) */ 1 FROM R[u](a)", [("a", "u", "")]),
    ],
)
def test_several_relations(text: str, expected: list[tuple[str, str | None, str]] | None) -> None:
    assert relations(text) == (expected or [("a", "u", ""), ("b", None, "x"), ("c", "v", ""), ("d", None, "")])


# Two texts that say the same, the second in plain Spark SQL.
SAME = [
    ("SELECT a FROM s WHERE 1 < a <= 5", "SELECT a FROM s WHERE 1 < a AND a <= 5"),
    ("SELECT a FROM s WHERE 1≤a≠b≥2", "SELECT a FROM s WHERE 1 <= a AND a <> b AND b >= 2"),
    ("SELECT a FROM s WHERE 0 <= a = b < 5", "SELECT a FROM s WHERE 0 <= a AND a = b AND b < 5"),
    ("SELECT a FROM s WHERE x OR 1 < a < 5 AND y", "SELECT a FROM s WHERE x OR 1 < a AND a < 5 AND y"),
    ("SELECT a FROM s WHERE NOT 1 < a < 5", "SELECT a FROM s WHERE NOT (1 < a AND a < 5)"),
    ("SELECT a FROM s WHERE (a < b) < (b < c < d)", "SELECT a FROM s WHERE (a < b) < (b < c AND c < d)"),
    ("SELECT 1 < a < 5 AS between FROM s", "SELECT (1 < a AND a < 5) AS between FROM s"),
    ("SELECT a FROM s JOIN t ON s.a - 1 < t.a < s.a", "SELECT a FROM s JOIN t ON s.a - 1 < t.a AND t.a < s.a"),
    ("SELECT a mod 2, (a) mod -b, mod(a, 2) FROM s", "SELECT a % 2, (a) % -b, a % 2 FROM s"),
    ("SELECT CASE WHEN a THEN b END mod 2 FROM s", "SELECT CASE WHEN a THEN b END % 2 FROM s"),
    (
        "SELECT a mod, mod FROM mod mod WHERE mod.mod mod 2 = 0",
        "SELECT a AS mod, mod FROM mod mod WHERE mod.mod % 2 = 0",
    ),
    ("SELECT groupby FROM s groupby WHERE groupby > 1", "SELECT groupby FROM s AS groupby WHERE groupby > 1"),
    ("SELECT a FROM s groupby a having a > 1", "SELECT a FROM s GROUP BY a HAVING a > 1"),
    ("SELECT a FROM s WHERE b = 1 groupby f(a)", "SELECT a FROM s WHERE b = 1 GROUP BY f(a)"),
    ("SELECT a FROM R(s) − R[x](t)", "SELECT a FROM (SELECT * FROM s EXCEPT SELECT * FROM R[x](t))"),
    ("SELECT a FROM s ∩ t WHERE −a < 1", "SELECT a FROM (SELECT * FROM s INTERSECT SELECT * FROM t) WHERE -a < 1"),
    (
        "SELECT a FROM s ∪ t ∩ u",
        "SELECT a FROM (SELECT * FROM s UNION ALL (SELECT * FROM t INTERSECT SELECT * FROM u))",
    ),
    ("SELECT ‘it's ∪ ≤’ FROM s", "SELECT 'it\\'s ∪ ≤' FROM s"),
    ("SELECT “x”, '≤ “', `Sync₂` FROM s -- ‘", "SELECT 'x', '≤ “', `Sync₂` FROM s"),
    ("(SELECT a FROM s)", "SELECT a FROM s"),
]


@pytest.mark.parametrize(("text", "plain"), SAME, ids=[text for text, _ in SAME])
def test_same_meaning(text: str, plain: str) -> None:
    assert query(text) == query(plain)


def test_different_meaning() -> None:
    assert query("SELECT a FROM R[x](s)") != query("SELECT a FROM R(s)")
    assert query("SELECT a FROM s WHERE (a < b) = c") != query("SELECT a FROM s WHERE a < b = c")
    assert query("SELECT a FROM s") != query("SELECT COMPLETE a FROM s")
    assert query("SELECT a FROM s") != query("SELECT a FROM s EMIT FULL")


@pytest.mark.parametrize(
    ("text", "mode", "columns"),
    [
        ("SELECT a FROM s", "STREAMED", "a"),
        ("SELECT STREAMED a FROM s", "STREAMED", "a"),
        ("SELECT complete a, b FROM s", "COMPLETE", "a, b"),
        ("SELECT COMPLETE * FROM s", "COMPLETE", "*"),
        ("SELECT COMPLETE DISTINCT a FROM s", "COMPLETE", "a"),
        ("SELECT COMPLETE (a) FROM s", "COMPLETE", "(a)"),
        ("SELECT COMPLETE NOT a FROM s", "COMPLETE", "NOT a"),
        ("SELECT COMPLETE CASE WHEN a THEN b END FROM s", "COMPLETE", "CASE WHEN a THEN b END"),
        ("SELECT COMPLETE 'x' FROM s", "COMPLETE", "'x'"),
        ("SELECT COMPLETE complete FROM s", "COMPLETE", "complete"),
        ("SELECT COMPLETE left(a, 2) FROM s", "COMPLETE", "LEFT(a, 2)"),
        ("SELECT COMPLETE mod(a, 2) FROM s", "COMPLETE", "a % 2"),
        ("WITH c AS (SELECT 1) SELECT COMPLETE a FROM c", "COMPLETE", "a"),
        ("(SELECT COMPLETE a FROM s) UNION ALL (SELECT b FROM t)", "COMPLETE", "a"),
        ("SELECT /*+ COALESCE(1) */ COMPLETE a FROM s", "COMPLETE", "a"),
        ("SELECT complete FROM s", "STREAMED", "complete"),
        ("SELECT complete, a FROM s", "STREAMED", "complete, a"),
        ("SELECT complete.a FROM s complete", "STREAMED", "complete.a"),
        ("SELECT complete AS a FROM s", "STREAMED", "complete AS a"),
        ("SELECT complete * 2 FROM s", "STREAMED", "complete * 2"),
        ("SELECT complete mod 2 FROM s", "STREAMED", "complete % 2"),
        ("SELECT complete IS NULL FROM s", "STREAMED", "complete IS NULL"),
        ("SELECT complete NOT IN (1) FROM s", "STREAMED", "NOT complete IN (1)"),
        ("SELECT complete[0] FROM s", "STREAMED", "complete[0]"),
        ("SELECT a, complete b FROM s", "STREAMED", "a, complete AS b"),
        ("SELECT (SELECT complete FROM t) FROM s", "STREAMED", "(SELECT complete FROM R(t))"),
    ],
)
def test_mode(text: str, mode: str, columns: str) -> None:
    found = query(text)
    assert found.mode == mode
    select = found.tree.find(exp.Select)
    assert select is not None
    assert ", ".join(print_query(column) for column in select.expressions) == columns


@pytest.mark.parametrize(
    ("text", "emit_full"),
    [
        ("SELECT a FROM s EMIT FULL", True),
        ("SELECT a FROM s ORDER BY a LIMIT 3 emit full;", True),
        ("SELECT a FROM s emit FULL JOIN t ON emit.a = t.a", False),
        ("SELECT emit full FROM s", False),
        ("SELECT a FROM s emit", False),
    ],
)
def test_emit_full(text: str, emit_full: bool) -> None:
    assert query(text).emit_full == emit_full


PLACES = "SELECT ‘x’, R₁.Temp + 1, count(Room)\nFROM ℜ_Sync₂(RoomTempStr) R₁ ∪ `a b`\nWHERE Now − 5 < R₁.TS ≤ Later"


@pytest.mark.parametrize(
    ("kind", "sql", "place"),
    [
        (exp.Literal, "'x'", "‘x’"),
        (exp.Column, "R1.Temp", "R₁.Temp"),
        (exp.Add, "R1.Temp + 1", "R₁.Temp + 1"),
        (exp.Count, "COUNT(Room)", "count(Room"),
        (exp.Table, "R[Sync2](RoomTempStr) AS R1", "RoomTempStr"),
        (exp.Table, "R(`a b`)", "`a b`"),
        (exp.LTE, "R1.TS <= Later", "R₁.TS ≤ Later"),
        (exp.And, "Now - 5 < R1.TS AND R1.TS <= Later", "Now − 5 < R₁.TS ≤ Later"),
    ],
)
def test_place_of_a_node(kind: type[exp.Expr], sql: str, place: str) -> None:
    script = "SHOW VIEWS; CREATE VIEW v₁ AS " + PLACES
    found = parse_statement(script.removeprefix("SHOW VIEWS; "))
    inside = found.query  # type: ignore[attr-defined]
    node = next(node for node in inside.tree.find_all(kind) if print_query(node) == sql)
    for same in (node, node.copy()):
        span = inside.span_of(same)
        assert inside.text[span.start : span.end] == place


def test_place_of_a_sync_stream() -> None:
    found = query(PLACES)
    tables = {table.name: table for table in found.tree.find_all(exp.Table)}
    span = found.sync_span_of(tables["RoomTempStr"])
    assert span is not None
    assert PLACES[span.start : span.end] == "Sync₂"
    assert found.sync_span_of(tables["a b"]) is None
    assert found.span_of(exp.column("new")) is None
    assert found.span == Span(0, len(PLACES))
