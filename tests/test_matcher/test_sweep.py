"""Soundness: of random pairs of a view and a query, no rewrite gives other rows than the query.

A matcher that always says no would pass, so the pairs that are rewritable by construction are counted too.
"""

from __future__ import annotations

import random

import pytest

from matcher.decide import Matcher
from matcher.verdict import Match
from matcher.workspace import Workspace
from syncsql.language import parse_statement
from tests.test_matcher.duck import Database, plain, rewritten
from tests.test_matcher.pairs import SCHEMA, Example, Generator

_RATE = 0.9


def check(example: Example, database: Database, fills: int) -> bool:
    """Whether the query was rewritten onto the view; the rewrite is executed over ``fills`` databases."""
    workspace = database.workspace
    workspace.drop_view("v")
    workspace.read(f"CREATE VIEW v AS {example.view.sql()}")
    decision = Matcher(workspace).decide(example.query.sql(), every=True)
    matches = [v for _, v in decision.verdicts if isinstance(v, Match)]
    if not matches:
        return False
    query = plain(parse_statement(example.query.sql()))
    sql = rewritten(matches[0].rewrite, decision.names)
    for _ in range(fills):
        database.fill()
        database.views()
        expected, found = database.answer(query), database.answer(sql)
        assert found == expected, (
            f"view:  {example.view.sql()}\nquery: {example.query.sql()}\nmade:  {sql}\n{database.show()}\n"
            f"missing {expected - found}\ntoo many {found - expected}"
        )
    return True


def sweep(seed: int, count: int, fills: int) -> tuple[int, int, int, int]:
    rng = random.Random(seed)
    generator = Generator(rng)
    workspace = Workspace()
    workspace.read(SCHEMA)
    database = Database(workspace, rng)
    made = {True: [0, 0], False: [0, 0]}
    for _ in range(count):
        example = generator.example()
        made[example.rewritable][0] += check(example, database, fills)
        made[example.rewritable][1] += 1
    yes, rewritable = made[True]
    maybe, others = made[False]
    return yes, rewritable, maybe, others


def _report(found: tuple[int, int, int, int]) -> None:
    yes, rewritable, maybe, others = found
    print(f"\nrewritten: {yes} of {rewritable} that are rewritable by construction, {maybe} of {others} others")
    assert yes >= _RATE * rewritable


@pytest.mark.parametrize("seed", range(10))
def test_a_thousand_pairs(seed: int) -> None:
    _report(sweep(seed, 100, 3))


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(1000, 1040))
def test_twenty_thousand_pairs(seed: int) -> None:
    _report(sweep(seed, 500, 3))
