"""A printed query is read again as the same query."""

from __future__ import annotations

import pytest

from syncsql.language import Query, parse_statement, print_query

PRINTED = [
    ("select a from s", "SELECT a FROM R(s)"),
    ("select x.a from R[`my sync`](`my stream`) x", "SELECT x.a FROM R[`my sync`](`my stream`) AS x"),
    ("select a from R(s, t) -- comment", "SELECT a FROM R[t](s)"),
    ("with c as (select * from R[t](s)) select * from c", "WITH c AS (SELECT * FROM R[t](s)) SELECT * FROM c"),
    ("select s.a from s, R[t](u)", "SELECT s.a FROM R(s) CROSS JOIN R[t](u)"),
    ("select a from (R(s) x join R[t](u) y on x.a = y.a)", "SELECT a FROM (R(s) AS x JOIN R[t](u) AS y ON x.a = y.a)"),
    ("select 'R(s)' as relation_0_ from s", "SELECT 'R(s)' AS relation_0_ FROM R(s)"),
    ("select like(a, b) = c from s", "SELECT (a LIKE b) = c FROM R(s)"),
    ("select rlike(a, 'x') is null from s", "SELECT (a RLIKE 'x') IS NULL FROM R(s)"),
    ("select log10(a), array_size(b) from s", "SELECT LOG10(a), ARRAY_SIZE(b) FROM R(s)"),
    ("select to_char(a, '99') from s", "SELECT TO_CHAR(a, '99') FROM R(s)"),
    (
        "select percentile_cont(0.5) within group (order by a desc) from s",
        "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a DESC) FROM R(s)",
    ),
    (
        "select window(ts, '5 minutes').start, sum(a) over window from s groupby window(ts, '5 minutes') "
        "window window as (order by a)",
        "SELECT WINDOW(ts, '5 minutes').start, SUM(a) OVER window FROM R(s) GROUP BY WINDOW(ts, '5 minutes') "
        "WINDOW window AS (ORDER BY a)",
    ),
    ("select * from range(10) r", "SELECT * FROM RANGE(10) AS r"),
    (
        "select a, sum(b) from R[t](s) where a in (select a from R(u)) group by a having sum(b) > 1 order by a limit 2",
        "SELECT a, SUM(b) FROM R[t](s) WHERE a IN (SELECT a FROM R(u)) GROUP BY a HAVING SUM(b) > 1 ORDER BY a LIMIT 2",
    ),
]


@pytest.mark.parametrize(("text", "expected"), PRINTED, ids=[text for text, _ in PRINTED])
def test_print(text: str, expected: str) -> None:
    query = parse_statement(text)
    assert isinstance(query, Query)
    before = repr(query.tree)
    assert print_query(query.tree) == expected
    assert repr(query.tree) == before
    again = parse_statement(expected)
    assert isinstance(again, Query)
    assert again == query
    assert hash(again) == hash(query)
    assert print_query(again.tree) == expected
