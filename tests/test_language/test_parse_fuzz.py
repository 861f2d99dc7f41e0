"""Broken text gives a statement or a ParseError whose place is in the text, never another exception."""

from __future__ import annotations

import random
import re

import pytest

from syncsql.errors import ParseError
from syncsql.language import Query, Statement, parse_script, parse_statement, print_query

VALID = [
    "REGISTER SOURCE t (char a, b DECIMAL(10, 2) NOT NULL, c MAP<STRING, ARRAY<INT>>) TIMESTAMP BY a FROM port5501",
    "CREATE STREAM s OVER t KEY (a, `b c`) OPERATION BY op",
    "CREATE OR REPLACE STREAMED VIEW v₁ AS SELECT a, count(*) FROM ℜ_Sync₂(s) x WHERE Now − 5 < x.TS ≤ Now groupby a",
    "EXPLAIN SKIN WITH c AS (SELECT * FROM R[x](s)) SELECT COMPLETE DISTINCT(a) FROM c y ∪ ℜ_{z}(t) ∩ u EMIT FULL",
    "SELECT R(s).a mod 2, CASE WHEN a < b = c THEN 'x;' ELSE ‘y’ END FROM R(s, x) JOIN (R(t) JOIN u USING (a)) ON a=b",
    "SELECT sum(a) OVER (PARTITION BY b ORDER BY c) FROM s LATERAL VIEW explode(d) e AS f, g WHERE a NOT IN (SELECT 1)",
    "(SELECT STREAMED * FROM R[a](b)) UNION ALL (SELECT c::INT, d[0], e.f.g FROM h LIMIT 3) ORDER BY 1",
    "DROP VIEW IF EXISTS v; SHOW VIEWS; DESCRIBE v -- done",
]
PIECES = re.compile(r"\w+|\s+|[^\w\s]")


def broken(random_: random.Random) -> str:
    pieces = PIECES.findall(random_.choice(VALID))
    for _ in range(random_.randint(1, 3)):
        at = random_.randrange(len(pieces) or 1)
        match random_.randrange(5):
            case 0:
                pieces = pieces[:at]
            case 1:
                del pieces[at : at + random_.randint(1, 3)]
            case 2:
                pieces.insert(at, random_.choice(PIECES.findall(random_.choice(VALID))))
            case 3:
                pieces.insert(
                    at, random_.choice(["'", "`", '"', "(", ")", "/*", "--", "∪", "ℜ", "R(", "[", "‘", "mod", ";"])
                )
            case _:
                pieces = pieces[at:] + pieces[:at]
    return "".join(pieces)


def outcome(text: str) -> tuple[Statement, ...] | ParseError:
    try:
        return parse_script(text)
    except ParseError as error:
        return error


def check(seeds: range) -> None:
    for seed in seeds:
        text = broken(random.Random(seed))
        read = outcome(text)
        if isinstance(read, ParseError):
            assert read.text == text, text
            assert read.span is not None, text
            assert 0 <= read.span.start <= read.span.end <= len(text) + 1, text
            continue
        for statement in read:
            if isinstance(statement, Query):
                printed = print_query(statement.tree)
                again = parse_statement(printed)
                assert isinstance(again, Query)
                assert print_query(again.tree) == printed, text


def test_valid_texts() -> None:
    for text in VALID:
        assert parse_script(text)


def test_broken_texts() -> None:
    check(range(1500))


@pytest.mark.sweep
def test_many_broken_texts() -> None:
    check(range(1500, 20_000))


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    text = "SELECT " + "(" * 5000 + "1" + ")" * 5000
    with pytest.raises(ParseError, match="nested too deeply"):
        parse_statement(text)
