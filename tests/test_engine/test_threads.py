"""Views that are computed at the same time do not wait for each other."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from syncsql.algebra.expressions import Column
from syncsql.stream.flow import Flow


def test_two_flows_are_made_at_the_same_time() -> None:
    """Each thread is within the pairs of one flow, or the lines of another, while the other thread makes the same."""
    barrier = Barrier(2)

    def flow(number: int) -> Flow:
        def pairs() -> str:
            barrier.wait(timeout=10)
            return f"pairs {number}"

        return Flow((Column("a", "a"),), None, pairs, lambda: "before")

    with ThreadPoolExecutor(2) as pool:
        made = list(pool.map(lambda number: flow(number).lines, range(2)))
    assert all(f"pairs {number}" in text for number, text in enumerate(made))
