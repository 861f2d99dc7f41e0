"""The tagger's pass over columns against the law told row by row, for keys of many types."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from syncsql.stream.names import AT, BEFORE, CHANGE, NET, SEQ, TS
from syncsql.stream.upserts import Upserts

START = 10
Key = Callable[[random.Random], Any]

KEYS: dict[str, tuple[pa.DataType, Key]] = {
    "BIGINT": (pa.int64(), lambda r: r.choice([-(2**63), -1, 0, 7, 2**63 - 1])),
    "STRING": (pa.string(), lambda r: r.choice(["", "a", "A", "ä", "a "])),
    "BOOLEAN": (pa.bool_(), lambda r: r.random() < 0.5),
    "DOUBLE": (pa.float64(), lambda r: r.choice([0.0, -0.0, float("nan"), -float("nan"), float("inf"), 1.5])),
    "FLOAT": (pa.float32(), lambda r: r.choice([0.0, -0.0, float("nan"), 1.5])),
    "ARRAY": (pa.list_(pa.float64()), lambda r: r.choice([[], [0.0], [-0.0], [float("nan")], [1.0, None]])),
    "STRUCT": (pa.struct([("x", pa.int32()), ("y", pa.string())]), lambda r: {"x": r.randrange(2), "y": None}),
}


def same(value: Any) -> Any:
    """What Spark takes for the same key."""
    return repr([x + 0.0 for x in value if x is not None]) if isinstance(value, list) and None not in value else (
        repr(value + 0.0).replace("-nan", "nan") if isinstance(value, float) else repr(value)
    )  # fmt: skip


def tagged(rows: list[dict[str, Any]], key: list[str]) -> list[tuple[Any, ...]]:
    """The law: the first tuple of a key is an insert; before a point the key has the row of its last earlier point."""
    lines = []
    ordered = sorted(rows, key=lambda r: (r[AT], r[SEQ]))
    for n, row in enumerate(ordered):
        mine = [(m, r) for m, r in enumerate(ordered) if [same(r[k]) for k in key] == [same(row[k]) for k in key]]
        earlier = [r for _, r in mine if r[AT] < row[AT]]
        if row[AT] > START:
            word = "insert" if mine[0][0] == n else "update_postimage"
            net = all(m <= n for m, r in mine if r[AT] == row[AT])
            before = None if not earlier else {c: earlier[-1][c] for c in (*key, "v")}
            lines.append((row[AT], row[SEQ], word, net, repr(row["v"]), repr(before)))
    return sorted(lines)


@pytest.mark.parametrize("types", [[name] for name in KEYS] + [["BIGINT", "STRING"], ["DOUBLE", "ARRAY", "BOOLEAN"]])
def test_upserts_keep_the_law(types: list[str]) -> None:
    rng = random.Random(",".join(types))
    names = [f"k{n}" for n in range(len(types))]
    rows = [
        {**{k: KEYS[t][1](rng) for k, t in zip(names, types, strict=True)}, "v": n, AT: rng.randint(11, 16), SEQ: n}
        for n in range(60)
    ]
    # One row of before for each key that some tuples have, as the relation holds it.
    held = {tuple(same(r[k]) for k in names): {**r, AT: rng.randint(1, START), SEQ: 0, "v": -1} for r in rows[:20]}
    rows += held.values()
    rng.shuffle(rows)
    schema = pa.schema([*((k, KEYS[t][0]) for k, t in zip(names, types, strict=True)), ("v", pa.int64()),
                        (AT, pa.int64()), (SEQ, pa.int64())])  # fmt: skip
    table = pa.Table.from_pylist(rows, schema=schema)
    upserts = Upserts((*names, "v"), tuple(names), START)
    lines = upserts.log(table).to_pylist()
    found = [(r[AT], r[SEQ], r[CHANGE], r[NET], repr(r["v"]), repr(r[BEFORE])) for r in lines]
    expected = tagged(table.to_pylist(), names)
    assert sorted(found) == expected

    [[log, relation]] = upserts.log_and_relation(iter(table.to_batches(max_chunksize=7)))
    assert log.to_pylist() == lines or repr(log.to_pylist()) == repr(lines)
    last = {}
    for row in sorted(table.to_pylist(), key=lambda r: (r[AT], r[SEQ])):
        last[tuple(same(row[k]) for k in names)] = (row[AT], row["v"])
    assert sorted((r[TS], r["v"]) for r in relation.to_pylist()) == sorted(last.values())


def test_nothing_to_tag() -> None:
    schema = pa.schema([("k", pa.string()), (AT, pa.int64()), (SEQ, pa.int64())])
    upserts = Upserts(("k",), ("k",), START)
    assert upserts.log(schema.empty_table()).num_rows == 0
    assert list(upserts.log_and_relation(iter(()))) == []
