"""Errors: the code, the part of the text that is underlined, and a word of the hint."""

from __future__ import annotations

import pytest

from syncsql.errors import ParseError
from syncsql.language import parse_statement

ERRORS = [
    ("", "PARSE.EMPTY", None, "begins with"),
    (" ; -- nothing", "PARSE.EMPTY", None, "begins with"),
    ("SHOW VIEWS; DROP VIEW v", "PARSE.SEVERAL_STATEMENTS", "DROP VIEW v", "script"),
    ("SELCT a FROM s", "PARSE.UNKNOWN_STATEMENT", "SELCT", "`SELECT`"),
    ("INSERT INTO s VALUES (1)", "PARSE.UNKNOWN_STATEMENT", "INSERT", "REGISTER"),
    ("5", "PARSE.UNKNOWN_STATEMENT", "5", "SELECT"),
    # definitions
    ("REGISTER SURCE s (a INT)", "PARSE.SYNTAX", "SURCE", "REGISTER SOURCE"),
    ("REGISTER SOURCE (a INT)", "PARSE.SYNTAX", "(", "REGISTER SOURCE"),
    ("REGISTER SOURCE s (a strng)", "PARSE.UNKNOWN_TYPE", "strng", "STRING"),
    ("REGISTER SOURCE s (intt a)", "PARSE.UNKNOWN_TYPE", "intt", "INT"),
    ("REGISTER SOURCE s (a foo)", "PARSE.UNKNOWN_TYPE", "foo", "BIGINT"),
    ("REGISTER SOURCE s (a ARRAY<foo>)", "PARSE.UNKNOWN_TYPE", "foo", "BIGINT"),
    ("REGISTER SOURCE s (a DECIMAL(50,2))", "PARSE.UNKNOWN_TYPE", "DECIMAL", "38"),
    ("REGISTER SOURCE s (a ARRAY<INT)", "PARSE.SYNTAX", ")", "ARRAY<INT>"),
    ("REGISTER SOURCE s (a INTERVAL)", "PARSE.SYNTAX", ")", "DAY TO SECOND"),
    ("REGISTER SOURCE s (a, b INT)", "PARSE.SYNTAX", "a", "name TYPE"),
    ("REGISTER SOURCE s ()", "PARSE.SYNTAX", ")", "name TYPE"),
    ("REGISTER SOURCE s (a INT, A STRING)", "PARSE.DUPLICATE_COLUMN", "A", "upper and lower"),
    ("REGISTER SOURCE s (a INT) FROM", "PARSE.SYNTAX", "", "port5501"),
    ("REGISTER SOURCE s (a INT) FROM x y", "PARSE.SYNTAX", "y", "REGISTER SOURCE"),
    ("CREATE STREAM s OVER src", "PARSE.MISSING_KEY_CLAUSE", "s", "KEY NULL"),
    ("CREATE STREAM s OVER src OPERATION BY o", "PARSE.MISSING_KEY_CLAUSE", "s", "KEY NULL"),
    ("CREATE STREAM s OVER src KEY", "PARSE.SYNTAX", "", "KEY NULL"),
    ("CREATE STREAM s OVER src KEY a, a", "PARSE.DUPLICATE_COLUMN", "a", "upper"),
    ("CREATE STREAM s KEY a", "PARSE.SYNTAX", "KEY", "OVER source"),
    ("CREATE STREAM OVER src KEY a", "PARSE.SYNTAX", "OVER", "CREATE STREAM name"),
    ("CREATE OR REPLACE STREAM s OVER src KEY a", "PARSE.SYNTAX", "STREAM", "VIEW"),
    ("CREATE TABLE t AS SELECT 1", "PARSE.SYNTAX", "TABLE", "CREATE STREAM"),
    ("CREATE VIEW v SELECT 1", "PARSE.SYNTAX", "SELECT", "VIEW name AS"),
    ("CREATE VIEW v (a) AS SELECT 1", "PARSE.SYNTAX", "(", "SELECT x AS name"),
    ("CREATE VIEW v AS DROP VIEW w", "PARSE.SYNTAX", "DROP", "AS SELECT"),
    ("DROP TABLE t", "PARSE.SYNTAX", "TABLE", "VIEW | STREAM | SOURCE"),
    ("DROP VIEW a, b", "PARSE.SYNTAX", ",", "one name"),
    ("SHOW VIEW", "PARSE.SYNTAX", "VIEW", "`VIEWS`"),
    ("DESCRIBE", "PARSE.SYNTAX", "", None),
    ("EXPLAIN SHOW VIEWS", "PARSE.SYNTAX", "SHOW", "SKIN"),
    # texts that do not end
    ("SELECT 'a FROM s", "PARSE.UNTERMINATED", "'a FROM s", "with '"),
    ("SELECT 1;\nSELECT `a\nFROM s", "PARSE.UNTERMINATED", "`a", "with `"),
    ("SELECT a /* FROM s", "PARSE.UNTERMINATED", "/* FROM s", "*/"),
    ("SELECT ‘a FROM s", "PARSE.CHARACTER", "‘a", "quote"),
    ("SELECT a ⋈ b FROM s", "PARSE.CHARACTER", "⋈", "quote"),
    # queries
    ("SELECT a FRM s", "PARSE.SYNTAX", "s", "FROM"),
    ("SELECT a\nFROM s\n WHER a = 1", "PARSE.SYNTAX", "a", "WHERE"),
    ("SELECT a FROM s WHERE", "PARSE.SYNTAX", "WHERE", "check"),
    ("SELECT a FROM ℜ(s) x WHERE (x.a ≤ 1", "PARSE.SYNTAX", "1", "check"),
    ("SELECT a FROM R[Sync₂](s) x y z", "PARSE.SYNTAX", "y", "check"),
    ("SELECT FROM s", "PARSE.SYNTAX", "SELECT", "SELECT *"),
    ("SELECT a, FROM s", "PARSE.SYNTAX", ",", "comma"),
    ("SELECT f(a,) FROM s", "PARSE.SYNTAX", ",", "comma"),
    ("SELECT a FROM s GROUP BY", "PARSE.SYNTAX", "SELECT a FROM s GROUP BY", "group by"),
    ("SELECT a INTO t FROM s", "PARSE.SYNTAX", None, "CREATE VIEW"),
    ("SELECT a FROM s FOR UPDATE", "PARSE.SYNTAX", None, "FOR UPDATE"),
    ("WITH c AS (SELECT 1) INSERT INTO t SELECT * FROM c", "PARSE.SYNTAX", None, "SELECT"),
    ("SELECT :x FROM s", "PARSE.PARAMETER", None, "value"),
    ("SELECT a FROM db.s", "PARSE.QUALIFIED_NAME", "s", "`s`"),
    ("SELECT a = b IN (1, 2) FROM s", "PARSE.AMBIGUOUS_COMPARISON", "a = b IN (1, 2", "parentheses"),
    ("SELECT a < b = TRUE FROM s", "PARSE.AMBIGUOUS_COMPARISON", "a < b", "parentheses"),
    # relations
    ("SELECT a FROM R()", "PARSE.SYNTAX", ")", "R[Sync](S)"),
    ("SELECT a FROM R(SELECT 1)", "PARSE.SYNTAX", "SELECT", "R[Sync](S)"),
    ("SELECT a FROM R[x]s", "PARSE.SYNTAX", "s", "R[Sync](S)"),
    ("SELECT a FROM R[x](s, y)", "PARSE.SYNTAX", ",", "R(S, Sync)"),
    ("SELECT a FROM ℜx(s)", "PARSE.SYNTAX", "ℜx", "ℜ_Sync(S)"),
    ("SELECT a FROM ℜ_{x(s)", "PARSE.SYNTAX", "(", "ℜ_{Sync}(S)"),
    ("SELECT a FROM R_Sync(s)", "PARSE.RELATION", "R_Sync", "R[Sync]"),
    ("SELECT ℜ(s) FROM s", "PARSE.RELATION", "ℜ", "FROM"),
    ("SELECT ℜ_x(s).a FROM s", "PARSE.RELATION", "ℜ_x", "x.column"),
    ("SELECT R[x](s).a FROM s", "PARSE.RELATION", "R", "x.column"),
    ("SELECT R[x](s) FROM s", "PARSE.RELATION", "R", "in FROM"),
    ("SELECT a FROM s ∪", "PARSE.RELATION", "∪", "between"),
    ("SELECT a FROM s UNION SELECT a ∪ b FROM s", "PARSE.RELATION", "∪", "between"),
    # modes
    ("SELECT a FROM (SELECT STREAMED b FROM s)", "PARSE.NESTED_STREAMED", "STREAMED", "outermost"),
    ("WITH c AS (SELECT COMPLETE 1) SELECT * FROM c", "PARSE.NESTED_STREAMED", "COMPLETE", "outermost"),
    ("SELECT a FROM s UNION SELECT STREAMED a FROM t", "PARSE.NESTED_STREAMED", "STREAMED", "outermost"),
    ("SELECT DISTINCT STREAMED a FROM s", "PARSE.SYNTAX", "STREAMED", "behind SELECT"),
    ("CREATE COMPLETE VIEW v AS SELECT STREAMED a FROM s", "PARSE.CONFLICTING_MODE", "STREAMED", "leave STREAMED"),
    ("SELECT a FROM (SELECT b FROM s EMIT FULL)", "PARSE.NESTED_EMIT", "EMIT FULL", "end of the whole"),
]


@pytest.mark.parametrize(("text", "code", "underlined", "hint"), ERRORS, ids=[text for text, *_ in ERRORS])
def test_error(text: str, code: str, underlined: str | None, hint: str | None) -> None:
    with pytest.raises(ParseError) as caught:
        parse_statement(text)
    error = caught.value
    assert error.code == code
    if underlined is not None:
        assert error.span is not None
        assert error.text == text
        assert text[error.span.start : error.span.end] == underlined
    if hint is not None:
        assert hint in (error.hint or "")
    assert "sqlglot" not in str(error)
    assert "Token" not in str(error)


def test_what_an_error_looks_like() -> None:
    with pytest.raises(ParseError) as caught:
        parse_statement("SELECT a\nFROM ℜ_Sync₂(s) x\nWHERE x.a ≤ ) 1")
    assert str(caught.value) == "\n".join(
        [
            "[PARSE.SYNTAX] something is missing here: <= is not complete",
            "line 3: WHERE x.a ≤ ) 1",
            "                    ^",
            "Hint: check the SQL around this place",
        ]
    )
