"""Every form of every statement, except for what is inside a query."""

from __future__ import annotations

import pytest

from syncsql.language import (
    ColumnDef,
    CreateStream,
    CreateView,
    Describe,
    Drop,
    Explain,
    Query,
    RegisterSource,
    Show,
    Statement,
    Verify,
    parse_script,
    parse_statement,
)

STATEMENTS: list[tuple[str, Statement]] = [
    ("REGISTER SOURCE s (a INT)", RegisterSource("s", (ColumnDef("a", "INT"),))),
    (
        "register source s (a int not null, string b, c bigint null) timestamp by a from 'kafka topic'",
        RegisterSource(
            "s",
            (ColumnDef("a", "INT", False), ColumnDef("b", "STRING"), ColumnDef("c", "BIGINT")),
            "a",
            "kafka topic",
        ),
    ),
    (
        "REGISTER SOURCE `my source` (`a b` INT) FROM tcp://host:5501 TIMESTAMP BY `a b`",
        RegisterSource("my source", (ColumnDef("a b", "INT"),), "a b", "tcp://host:5501"),
    ),
    ("CREATE STREAM s OVER src KEY a", CreateStream("s", "src", ("a",))),
    ("CREATE STREAM s OVER src KEY a, b", CreateStream("s", "src", ("a", "b"))),
    ("create stream s over src key (a, `b c`)", CreateStream("s", "src", ("a", "b c"))),
    ("CREATE STREAM s OVER src KEY NULL", CreateStream("s", "src", None)),
    ("CREATE STREAM s OVER src KEY `NULL`", CreateStream("s", "src", ("NULL",))),
    ("CREATE STREAM s OVER src KEY a OPERATION BY op", CreateStream("s", "src", ("a",), "op")),
    ("CREATE STREAM s OVER src OPERATION BY op KEY NULL", CreateStream("s", "src", None, "op")),
    (
        "REGISTER SOURCE IF NOT EXISTS s (a INT)",
        RegisterSource("s", (ColumnDef("a", "INT"),), if_not_exists=True),
    ),
    ("CREATE STREAM if not exists s OVER src KEY a", CreateStream("s", "src", ("a",), if_not_exists=True)),
    ("DROP VIEW v", Drop("VIEW", "v")),
    ("DROP STREAM IF EXISTS s", Drop("STREAM", "s", True)),
    ("drop source `a b`;", Drop("SOURCE", "a b")),
    ("SHOW SOURCES", Show("SOURCES")),
    ("show streams", Show("STREAMS")),
    ("SHOW VIEWS", Show("VIEWS")),
    ("SHOW SHARING", Show("SHARING")),
    ("SHOW ADVANCES ;", Show("ADVANCES")),
    ("DESCRIBE v", Describe("v")),
    ("desc `v w`", Describe("v w")),
    ("VERIFY VIEW v", Verify("v")),
    ("verify view `at` at 12;", Verify("at", 12)),
]


@pytest.mark.parametrize(("text", "expected"), STATEMENTS, ids=[text for text, _ in STATEMENTS])
def test_statement(text: str, expected: Statement) -> None:
    assert parse_statement(text) == expected


TYPES = [
    ("int", "INT"),
    ("integer", "INT"),
    ("long", "BIGINT"),
    ("short", "SMALLINT"),
    ("byte", "TINYINT"),
    ("real", "FLOAT"),
    ("double", "DOUBLE"),
    ("char", "STRING"),
    ("char(10)", "STRING"),
    ("varchar(20)", "STRING"),
    ("text", "STRING"),
    ("boolean", "BOOLEAN"),
    ("binary", "BINARY"),
    ("date", "DATE"),
    ("timestamp", "TIMESTAMP"),
    ("timestamp_ntz", "TIMESTAMP_NTZ"),
    ("decimal", "DECIMAL(10,0)"),
    ("decimal(5)", "DECIMAL(5,0)"),
    ("numeric(10, 2)", "DECIMAL(10,2)"),
    ("array<int>", "ARRAY<INT>"),
    ("map<string, array<long>>", "MAP<STRING,ARRAY<BIGINT>>"),
    ("struct<x: int, Y string not null>", "STRUCT<x: INT, Y: STRING NOT NULL>"),
    ("interval day to second", "INTERVAL DAY TO SECOND"),
    ("interval year", "INTERVAL YEAR"),
]


@pytest.mark.parametrize(("written", "spark"), TYPES)
def test_type_before_or_behind_the_name(written: str, spark: str) -> None:
    for column in (f"col {written}", f"{written} col"):
        statement = parse_statement(f"REGISTER SOURCE s ({column} NOT NULL, other INT)")
        assert isinstance(statement, RegisterSource)
        assert statement.columns == (ColumnDef("col", spark, False), ColumnDef("other", "INT"))


def test_two_types_are_a_name_and_a_type() -> None:
    statement = parse_statement("REGISTER SOURCE s (date timestamp, timestamp date, `int` int)")
    assert isinstance(statement, RegisterSource)
    assert [(c.name, c.type) for c in statement.columns] == [
        ("date", "TIMESTAMP"),
        ("timestamp", "DATE"),
        ("int", "INT"),
    ]


@pytest.mark.parametrize(
    ("head", "mode", "replace"),
    [
        ("CREATE VIEW v AS SELECT", "STREAMED", False),
        ("CREATE STREAMED VIEW v AS SELECT", "STREAMED", False),
        ("create complete view v as select", "COMPLETE", False),
        ("CREATE VIEW v AS SELECT COMPLETE", "COMPLETE", False),
        ("CREATE COMPLETE VIEW v AS SELECT COMPLETE", "COMPLETE", False),
        ("CREATE OR REPLACE VIEW v AS SELECT", "STREAMED", True),
        ("CREATE OR REPLACE COMPLETE VIEW v AS SELECT", "COMPLETE", True),
    ],
)
def test_view(head: str, mode: str, replace: bool) -> None:
    view = parse_statement(f"{head} a FROM R(S)")
    assert isinstance(view, CreateView)
    assert (view.name, view.mode, view.query.mode, view.replace) == ("v", mode, mode, replace)


@pytest.mark.parametrize("kind", ["", "PLAN", "SKIN", "SHARING"])
def test_explain(kind: str) -> None:
    explain = parse_statement(f"EXPLAIN {kind} SELECT a FROM R(S)")
    assert isinstance(explain, Explain)
    assert explain.kind == (kind or "PLAN")
    assert explain.query == parse_statement("SELECT STREAMED a FROM R(S)")


def test_script_and_places() -> None:
    script = """-- rooms; and more
    ; ; CREATE STREAM s OVER src KEY a, b;
    SELECT ';', "; --" FROM R(S) /* ; */ EMIT FULL -- the end;
    ; EXPLAIN SELECT ';' FROM R(S); SHOW VIEWS"""
    stream, query, explain, show = parse_script(script)
    assert isinstance(stream, CreateStream)
    assert isinstance(query, Query)
    assert isinstance(explain, Explain)
    assert show == Show("VIEWS")
    assert [script[s.start : s.end] for s in stream.key_span] == ["a", "b"]
    assert stream.name_span is not None
    assert script[stream.name_span.start : stream.name_span.end] == "s"
    assert stream.source_span is not None
    assert script[stream.source_span.start : stream.source_span.end] == "src"
    assert query.sql == """SELECT ';', "; --" FROM R(S) /* ; */ EMIT FULL"""
    assert query.sql == script[query.span.start : query.span.end]
    assert query.emit_full
    assert explain.query.sql == "SELECT ';' FROM R(S)"
    assert parse_script(" -- nothing\n ;") == ()
