"""Time containment two ways: Z3 on the symbolic form, and the exact arithmetic of tick sets."""

from __future__ import annotations

import random

import pytest

from matcher import time as matcher_time
from matcher.prover import Effort, Proved, Refuted
from matcher.time import time_contained, witness
from syncsql.algebra.sync import Sync, Ticks
from syncsql.algebra.timeset import TimeSet


def random_set(rng: random.Random, depth: int = 2) -> TimeSet:
    if depth == 0 or rng.random() < 0.3:
        if rng.random() < 0.3:
            low = rng.randint(0, 30)
            return TimeSet.range(low, low + rng.randint(0, 40) if rng.random() < 0.5 else None)
        period = rng.choice((1, 2, 3, 4, 6, 8, 12))
        return TimeSet.every(period, rng.randrange(period))
    one, other = random_set(rng, depth - 1), random_set(rng, depth - 1)
    return rng.choice((one | other, one & other, one - other))


@pytest.mark.parametrize("seed", range(5))
def test_z3_agrees_with_the_arithmetic(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = random.Random(seed)
    monkeypatch.setattr(matcher_time, "_MOST_RUNS", 10**9)
    for _ in range(40):
        one, other = random_set(rng), random_set(rng)
        a, b = Sync("A", Ticks(one)), Sync("B", Ticks(other))
        answer = time_contained(a, b, Effort(2000), lambda x, y: False)
        assert isinstance(answer, Proved) == one.issubset(other), (one, other)
        if isinstance(answer, Refuted):
            point = witness(a, b)
            assert point is not None
            assert point.point in one
            assert point.point not in other
