"""Random sets of queries that are near each other, and the check that advice for them changes no answer."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from dataclasses import replace

from matcher.advice import Advice, cost_of, sources_of
from matcher.advise import advise
from matcher.block import relations
from matcher.verdict import Match
from matcher.workspace import Workspace
from syncsql.algebra.sync import Ticks
from syncsql.language import parse_statement
from tests.test_matcher.duck import Database, plain, rewritten
from tests.test_matcher.pairs import Generator, Shape


def query_set(rng: random.Random, families: int, size: int) -> list[str]:
    """A few families of queries: in each other constants, columns, conditions and groupings of one query."""
    generator = Generator(rng)
    found = []
    for _ in range(families):
        first = generator.query()
        for _ in range(size):
            found.append(_varied(first, generator, rng).sql())
    rng.shuffle(found)
    return found


def _varied(shape: Shape, generator: Generator, rng: random.Random) -> Shape:
    where = tuple(_other_constant(c, rng) for c in shape.where)
    if rng.random() < 0.3:
        where = (*where, generator.condition(shape.tables))
    varied = replace(shape, where=where)
    roll = rng.random()
    if roll < 0.3 and varied.groups is None:
        return replace(varied, items=generator.named([generator.expression(shape.tables)], "q"))
    if roll < 0.5 and varied.groups:
        groups = varied.groups[1:]
        items = [e for e, _ in varied.items if e != varied.groups[0]]
        return replace(varied, groups=groups, items=generator.named(items, "q"), having=())
    return varied


def _other_constant(condition: str, rng: random.Random) -> str:
    return re.sub(r"(?<=[<>=] )\d+$", lambda m: str(int(m.group()) + rng.choice((0, 1, 2, 5))), condition)


def check(schema: str, queries: Sequence[str], rng: random.Random, fills: int = 3, views: str = "") -> Advice:
    """The advice, after each rewrite gave the query's rows over random databases, and its costs were added up."""
    workspace = Workspace()
    workspace.read(schema)
    if views:
        workspace.read(views)
    advice = advise(workspace, queries)
    known = set(workspace.views)
    for statement in advice.statements:
        workspace.read(statement)
    assert {p.name.lower() for p in advice.proposals} <= set(workspace.views) - known
    assert advice.after <= advice.before
    assert bool(advice.proposals) == (advice.after < advice.before)
    for proposal in advice.proposals:
        users = [q.label for q in advice.queries if proposal.name in sources_of(q.after)]
        assert set(users) <= set(proposal.serves)
        assert proposal.serves
    for query in advice.queries:
        assert cost_of(query.after) <= cost_of(query.before)
        own = {p.name for p in advice.proposals} & set(sources_of(query.after))
        assert bool(own) == (query.why is None)
        if query.after.chosen is not None:
            _up_to_date(query.after.chosen, workspace)
    _same_rows(advice, Database(workspace, rng), fills)
    return advice


def _up_to_date(match: Match, workspace: Workspace) -> None:
    """By the arithmetic of tick sets alone: a view that is read has every point at which it is read."""
    for scan in relations(match.rewrite):
        if scan.kind == "view":
            have = workspace.views[scan.name.lower()].sync.points
            if isinstance(scan.sync.points, Ticks) and isinstance(have, Ticks):
                assert scan.sync.points.times.issubset(have.times)


def _same_rows(advice: Advice, database: Database, fills: int) -> None:
    for _ in range(fills):
        database.fill()
        database.views()
        for query in advice.queries:
            if query.after.chosen is None:
                continue
            expected = database.answer(plain(parse_statement(query.after.text)))
            found = database.answer(rewritten(query.after.chosen.rewrite, query.after.names))
            assert found == expected, f"{query.after.text}\n{query.after.sql()}\n{advice}\n{database.show()}"
        for proposal in advice.proposals:
            if proposal.decision.chosen is not None:
                expected = database.answer(f'SELECT * FROM "{proposal.name}"')
                found = database.answer(rewritten(proposal.decision.chosen.rewrite, proposal.decision.names))
                assert found == expected, f"{proposal.statements}\n{proposal.decision.sql()}\n{database.show()}"
