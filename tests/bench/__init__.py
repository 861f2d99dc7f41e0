"""Benchmarks: ``python -m tests.bench`` runs them all, ``python -m tests.bench a c`` some. Each states a ratio to
something that is measured in the same run, since times alone say more about the machine than about the software."""
