"""VERIFY: no difference in random worlds at random times, and exactly what was tampered with where something was."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from syncsql.cli import main
from syncsql.dataflow.batch import Batch
from syncsql.dataflow.registry import View
from syncsql.dataflow.verify import CLOSE, Verified
from syncsql.dataflow.view import Continuous
from syncsql.language import Query, parse_statement
from syncsql.session import Database, connect
from syncsql.storage.stored import Stored
from syncsql.stream.names import AT, CHANGE
from tests.oracle.worlds import LAST, World, world
from tests.test_engine.test_oracle import build, random_cuts

_VIEWS = 8
ROOMS = """
    REGISTER SOURCE Temps (room STRING, degrees INT);
    CREATE STREAM RoomStr OVER Temps KEY room;
    CREATE STREAM TempStr OVER Temps KEY NULL;
    CREATE STREAMED VIEW Every2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
    CREATE STREAMED VIEW Hot AS SELECT room, degrees FROM R[Every2](RoomStr) WHERE degrees > 80;
    CREATE COMPLETE VIEW Counts AS SELECT degrees, count(*) AS n FROM R(TempStr) GROUP BY degrees;
    CREATE STREAMED VIEW Since AS SELECT h.room, h.TS AS since FROM R(Hot) h;
    CREATE STREAMED VIEW Both AS SELECT h.degrees FROM R(Hot) h, R(Counts) c WHERE h.degrees = c.degrees
"""


def stored(db: Database, view: str) -> Stored:
    entry = db._engine.registry.get(view)
    assert isinstance(entry, View)
    assert entry.stored is not None
    entry.stored.refresh()
    return entry.stored


def bag(db: Database, view: str, at: int) -> Counter[tuple[Any, ...]]:
    """The stored relation with its hidden columns."""
    with db._engine.sessions.scratch(0) as scratch:
        found = stored(db, view)
        cells = ", ".join(f"`{c}`" for c in found.columns)
        rows = scratch.session.sql(f"SELECT {cells} FROM ({found.at(scratch, at)})").collect()
    return Counter(tuple(r) for r in rows)


def differing(verified: Verified) -> tuple[Counter[tuple[Any, ...]], Counter[tuple[Any, ...]]]:
    sides: dict[str, Counter[tuple[Any, ...]]] = {"missing": Counter(), "extra": Counter()}
    for what, times, row in verified.differing:
        sides[what][row] += times
    return sides["missing"], sides["extra"]


@pytest.fixture
def rooms(db: Database) -> Database:
    db.sql(ROOMS)
    for at, room, degrees in [(1, "a", 90), (1, "b", 70), (2, "b", 95), (3, "a", 85), (5, "c", 90), (5, "b", 20)]:
        db.push("Temps", [(room, degrees)], at=at)
    db.advance(to=6)
    return db


# Random worlds


def check_world(world_: World, path: Path, spark: SparkSession) -> None:
    rng = random.Random(world_.seed)
    with build(world_, path, spark, random_cuts(rng)) as db:
        for query in world_.views:
            verified = db.views[query.name].verify(rng.choice((None, *range(LAST))))
            assert verified.ok, f"{verified}\n{query.syncsql()}"
        for query in rng.sample(world_.views, 5):
            tamper(db, query.name, rng)


def tamper(db: Database, view: str, rng: random.Random) -> None:
    """One point of the log loses its lines, gets them twice, or has another value; VERIFY gives the difference that
    this makes to the relation, to the row."""
    log = stored(db, view).log
    points = log.arrow()[AT].to_pylist()
    if not points:
        return
    at, way = rng.choice(points), rng.choice(("drop", "double", "change"))
    before = bag(db, view, LAST)
    if way == "drop":
        log.delta.delete(f"{AT} = {at}")
    elif way == "double":
        log.write(log.arrow(at - 1, at))
    else:
        column = rng.choice([f.name for f in stored(db, view).row.fields])
        log.delta.update(updates={column: "NULL"}, predicate=f"{AT} = {at}")
    after = bag(db, view, LAST)
    verified = db.views[view].verify()
    assert (verified.missing, verified.extra) == ((before - after).total(), (after - before).total()), (view, way, at)
    assert verified.rows == after.total()
    if verified.missing + verified.extra <= 10:
        assert differing(verified) == (before - after, after - before)


@pytest.mark.parametrize("seed", range(300, 302))
def test_random_worlds_and_random_tampering(seed: int, tmp_path: Path, spark: SparkSession) -> None:
    check_world(world(seed, _VIEWS), tmp_path / "db", spark)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(2000, 2050))
def test_random_worlds_and_random_tampering_sweep(seed: int, tmp_path: Path, spark: SparkSession) -> None:
    check_world(world(seed, _VIEWS), tmp_path / "db", spark)


@pytest.mark.parametrize("seed", range(310, 311))
def test_views_that_are_made_while_time_moves_on(seed: int, tmp_path: Path, spark: SparkSession) -> None:
    world_ = world(seed, _VIEWS)
    rng = random.Random(seed)
    with connect(tmp_path / "db", spark) as db:
        for statement in world_.statements[:-_VIEWS]:
            db.sql(statement)
        waiting, created = list(world_.views), {}
        for at in range(LAST + 1):
            for source, row, moment in world_.pushes:
                if moment == at:
                    db.push(source, [row], at=at)
            if rng.random() < 0.4 or at == LAST:
                db.advance(to=at)
                for _ in range(rng.randrange(_VIEWS)):
                    if waiting:
                        query = waiting.pop(0)
                        created[query.name] = at
                        db.sql(f"CREATE STREAMED VIEW {query.name} AS {query.syncsql()}")
        for name, since in created.items():
            for at in {rng.randint(since, LAST), LAST}:
                verified = db.views[name].verify(at)
                assert verified.ok, f"{verified}\nmade at {since}: {world_.views[int(name[1:])].syncsql()}"


# By hand


def test_the_value_that_comes_out(rooms: Database) -> None:
    verified = rooms.sql("VERIFY VIEW Hot AT 4")
    assert isinstance(verified, Verified)
    assert str(verified) == "Hot at 4: 2 rows, as the streams give them"
    assert rooms.views.Hot.verify(at=4) == verified
    assert rooms.sql("VERIFY VIEW Hot") == rooms.views.Hot.verify(at=6)
    assert verified.to_dict() == {
        "view": "Hot", "at": 4, "ok": True, "rows": 2, "missing": 0, "extra": 0, "differing": [], "notes": []
    }  # fmt: skip


def test_a_row_too_many_in_the_folded_relation(rooms: Database) -> None:
    relation = stored(rooms, "Counts").relation
    rows = relation.arrow()
    relation.write(rows.slice(0, 1))
    first = rows.slice(0, 1).to_pylist()[0]
    verified = rooms.views.Counts.verify()
    assert differing(verified) == (Counter(), Counter([(first["degrees"], first["n"])]))
    # What reads the view is computed from the streams all the same.
    assert rooms.views.Both.verify().ok


def test_a_row_that_is_missing_and_one_that_is_another(rooms: Database) -> None:
    log = stored(rooms, "Hot").log
    log.delta.delete(f"room = 'c' AND {CHANGE} = 'insert'")
    log.delta.update(updates={"degrees": "99"}, predicate="room = 'a' AND degrees = 85")
    verified = rooms.views.Hot.verify()
    assert str(verified) == "\n".join(
        [
            "Hot at 6 is wrong: 2 missing, 1 extra, of 1 row",
            "row is   times  room  degrees",
            "-------  -----  ----  -------",
            "missing  1      a     85",
            "extra    1      a     99",
            "missing  1      c     90",
        ]
    )
    assert "<td>missing</td>" in verified._repr_html_()
    assert not rooms.views.Hot.verify(at=4).ok
    assert rooms.views.Hot.verify(at=2).ok


def test_many_differences_are_counted_and_a_few_are_shown(db: Database) -> None:
    db.sql("REGISTER SOURCE S (x INT); CREATE STREAM T OVER S KEY NULL; CREATE STREAMED VIEW V AS SELECT x FROM R(T)")
    db.push("S", [(n,) for n in range(100)], at=1)
    db.advance(to=1)
    stored(db, "V").log.delta.delete()
    verified = db.views.V.verify()
    assert (verified.rows, verified.missing, verified.extra) == (0, 100, 0)
    assert str(verified).splitlines()[-1] == "… and 90 more"


def test_what_history_alone_tells_is_read_as_it_is_stored(rooms: Database) -> None:
    verified = rooms.views.Since.verify()
    assert verified.ok
    assert verified.notes == ("`Hot` is read as it is stored, for the TS of its rows",)
    rooms.sql("CREATE STREAMED VIEW Moments AS SELECT TS FROM R(TempStr) WHERE degrees > 80")
    rooms.sql("CREATE STREAMED VIEW Then AS SELECT room FROM R[Moments](RoomStr)")
    assert rooms.views.Then.verify().notes == ("the insertions of `Moments` are time points, read as they are stored",)


def test_a_query_can_be_verified_too(rooms: Database) -> None:
    query: Any = rooms.sql("SELECT room FROM R[Every2](Hot) WHERE degrees > 85")
    assert query.verify().ok
    rooms.push("Temps", [("d", 99)], at=7)
    rooms.advance(to=8)
    assert query.verify().rows == 2


def test_emit_full_and_windows(rooms: Database) -> None:
    rooms.sql("""
        CREATE STREAMED VIEW Every3 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 3 = 0;
        CREATE STREAMED VIEW Full AS
            SELECT r.room, t.degrees FROM R[Every2](RoomStr) r, R[Every3](TempStr) t WHERE r.room = t.room EMIT FULL;
        CREATE STREAMED VIEW Recent AS SELECT room FROM R(RoomStr) WHERE TS > Now - 3
    """)
    rooms.advance(to=13)
    for view in ("Full", "Recent"):
        for at in range(6, 14):
            assert rooms.views[view].verify(at).ok


# Floating point


def floats(db: Database, values: list[float]) -> None:
    db.sql("""
        REGISTER SOURCE S (k INT, x DOUBLE);
        CREATE STREAM T OVER S KEY NULL;
        CREATE STREAMED VIEW V AS SELECT k, sum(x) AS s, avg(x) AS a, count(*) AS n FROM R(T) GROUP BY k
    """)
    db.push("S", [(n % 3, x) for n, x in enumerate(values)], at=1)
    db.advance(to=1)


def test_sums_of_doubles_do_not_depend_on_the_order(db: Database) -> None:
    rng = random.Random(7)
    values = [rng.uniform(-1, 1) * 10 ** rng.randrange(-20, 20) for _ in range(300)]
    cancelling = [1e16, 1e16, 1e16, 1.0, 2.0, 3.0, -1e16, -1e16, -1e16]
    floats(db, [*values, *(-v for v in values), *cancelling])
    assert db.views.V.verify().ok
    assert sorted(r["s"] for r in db.views.V.relation().collect()) == [1.0, 2.0, 3.0]


def test_nan_and_the_infinities_are_equal_to_themselves(db: Database) -> None:
    floats(db, [float("nan"), float("inf"), float("-inf"), 1.0, 2.0, 3.0])
    assert db.views.V.verify().ok


@pytest.mark.parametrize(("units", "found"), [(CLOSE - 1, False), (100 * CLOSE, True)])
def test_a_sum_may_be_off_by_the_last_places_and_no_more(db: Database, units: int, found: bool) -> None:
    floats(db, [1.0, 2.0, 3.0])
    stored(db, "V").log.delta.update(updates={"s": f"s + {units * 2.0**-52!r}"}, predicate="k = 0")
    verified = db.views.V.verify()
    assert verified.ok is not found
    assert differing(verified)[0] == (Counter([(0, 1.0, 1.0, 1)]) if found else Counter())


def test_doubles_that_nobody_adds_up_are_compared_exactly(db: Database) -> None:
    db.sql(
        "REGISTER SOURCE S (x DOUBLE); CREATE STREAM T OVER S KEY NULL; CREATE STREAMED VIEW V AS SELECT x FROM R(T)"
    )
    db.push("S", [(1.0,), (float("nan"),), (None,)], at=1)
    db.advance(to=1)
    assert db.views.V.verify().ok
    stored(db, "V").log.delta.update(updates={"x": "1.0000000000000002"}, predicate="x = 1.0")
    assert (db.views.V.verify().missing, db.views.V.verify().extra) == (1, 1)


def test_the_average_of_large_integers(db: Database) -> None:
    db.sql("""
        REGISTER SOURCE S (x BIGINT);
        CREATE STREAM T OVER S KEY NULL;
        CREATE STREAMED VIEW V AS SELECT avg(x) AS a FROM R(T)
    """)
    db.push("S", [(2**53 + 1,), (-(2**53),)], at=1)
    db.advance(to=1)
    assert [tuple(r) for r in db.views.V.relation().collect()] == [(0.5,)]
    assert db.views.V.verify().ok


# The batch query by itself


@pytest.mark.parametrize(
    "text",
    [
        "SELECT r.room, h.degrees FROM {RoomStr} r LEFT JOIN {TempStr} h ON r.room = h.room AND h.degrees > 80",
        "SELECT r.room AS a, h.room AS b FROM {RoomStr} r FULL JOIN {TempStr} h ON r.degrees = h.degrees + 5",
        "SELECT r.room FROM {RoomStr} r LEFT ANTI JOIN {TempStr} h ON r.room = h.room AND h.degrees = 70",
        "SELECT count(DISTINCT degrees) AS n, sum(DISTINCT degrees) AS s FROM {TempStr} t",
        "SELECT room, row_number() OVER (PARTITION BY room ORDER BY degrees) AS n FROM {TempStr} t",
        "SELECT room FROM {RoomStr} r EXCEPT ALL SELECT room FROM {TempStr} t WHERE degrees > 90",
    ],
)
def test_the_batch_query_is_what_spark_says(text: str, rooms: Database, spark: SparkSession) -> None:
    """Also for what no incremental operator computes yet."""
    engine = rooms._engine
    query = parse_statement(text.format(RoomStr="R(RoomStr)", TempStr="R(TempStr)"))
    assert isinstance(query, Query)
    continuous = Continuous.of(query, engine.registry, engine.tick_seconds)
    for name in ("RoomStr", "TempStr"):
        rooms.streams[name].relation().createOrReplaceTempView(f"plain_{name}")
    expected = spark.sql(text.format(RoomStr="plain_RoomStr", TempStr="plain_TempStr")).collect()
    with engine.sessions.scratch(0) as scratch:
        batch = Batch(engine.registry, scratch, engine.runner.first_point)
        found = scratch.sql(batch._with(batch._plan(continuous.plan, 6))).collect()
    assert Counter(map(tuple, found)) == Counter(map(tuple, expected))


# The command


def test_the_command_says_which_view_is_wrong(
    rooms: Database,
    tmp_path: Path,
    spark: SparkSession,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("syncsql.session.connect", lambda path, **options: connect(path, spark, **options))
    assert main(["verify", str(tmp_path / "db")]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "4 views verified, none is wrong"
    stored(rooms, "Hot").log.delta.delete("room = 'a'")
    assert main(["verify", str(tmp_path / "db")]) == 1
    said = capsys.readouterr().out
    assert "Hot at 6 is wrong: 1 missing, 0 extra, of 1 row" in said
    # Since reads the TS of Hot, which only the stored view can tell.
    assert said.splitlines()[-1] == "4 views verified, 2 wrong"
    assert main(["verify", str(tmp_path / "db"), "Counts", "--at", "3"]) == 0
