"""Equal sub-plans of different views run once."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from syncsql.session import Database, connect

SETUP = """
REGISTER SOURCE Src (k INT, g INT, v INT);
REGISTER SOURCE Names (g INT, name STRING);
CREATE STREAM S OVER Src KEY k;
CREATE STREAM N OVER Names KEY g;
CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0
"""
# Both sum up the same groups first. What is above differs so much that neither view can answer the other.
SUMS = "SELECT g, sum(v) AS t, count(*) AS n FROM R[Sync2](S) GROUP BY g"
FIRST = f"SELECT max(t) AS most, sum(n) AS all_n FROM ({SUMS}) d WHERE t > 3"
SECOND = f"SELECT m.name, x.t AS total, x.n FROM ({SUMS}) x, R(N) m WHERE m.g = x.g AND x.n > 1"
THIRD = f"SELECT t, count(*) AS groups FROM ({SUMS}) d WHERE n < 4 GROUP BY t"


def rows(frame: DataFrame) -> list[tuple[object, ...]]:
    return [tuple(row.values()) for row in frame.toArrow().to_pylist()]


def feed(db: Database, at: int) -> None:
    db.push("Src", [((at * 3 + i) % 7, (at + i) % 3, (at * 5 + i) % 6) for i in range(at % 4)], at=at)
    if at % 5 == 0:
        db.push("Names", [(at // 5 % 3, f"name {at}")], at=at)
    db.advance(to=at)


def parts(db: Database) -> list[str]:
    return [p.name for p in db._engine.registry.parts()]


def test_a_common_part_is_computed_once_and_goes_with_its_last_reader(tmp_path: Path, spark: SparkSession) -> None:
    shared = connect(tmp_path / "shared", spark)
    alone = connect(tmp_path / "alone", spark, sharing=False)
    made = {3: ("First", FIRST), 7: ("Second", SECOND), 11: ("Third", THIRD)}
    for db in (shared, alone):
        db.sql(SETUP)
    for at in range(1, 20):
        if at == 14:
            shared.close()
            shared = connect(tmp_path / "shared", spark)
        for db in (shared, alone):
            feed(db, at)
            if at in made:
                name, query = made[at]
                db.sql(f"CREATE STREAMED VIEW {name} AS {query}")
        assert len(parts(shared)) == (1 if at >= 7 else 0)
    part = parts(shared)[0]
    graph = shared.graph()
    assert {e.into for e in graph.edges if e.out == part} == {"First", "Second", "Third"}
    assert str(graph).count("Third") == 1
    assert part in graph._repr_svg_()
    assert ("First", "a part shared with Second, Third") in [row[:3:2] for row in shared.sharing().rows]
    for name in ("First", "Second", "Third"):
        assert part in str(shared.views[name].explain())
        assert "Src" not in str(shared.views[name].explain())
        assert rows(shared.views[name].changes()) == rows(alone.views[name].changes()), name
        assert rows(shared.views[name].points()) == rows(alone.views[name].points()), name
        assert sorted(rows(shared.views[name].relation()), key=repr) == sorted(
            rows(alone.views[name].relation()), key=repr
        )
    assert part not in list(shared.views)
    for name in ("First", "Third"):
        shared.sql(f"DROP VIEW {name}")
        assert parts(shared) == [part]
    shared.sql("DROP VIEW Second")
    assert parts(shared) == []
    assert not any(tmp_path.glob(f"shared/streams/{part}*"))
    shared.close()
    alone.close()


def test_a_part_goes_with_the_view_that_it_is_computed_from(tmp_path: Path, spark: SparkSession) -> None:
    sums = "SELECT g, sum(v) AS t, count(*) AS n FROM R(S) WHERE v >= 2 GROUP BY g"
    made = {
        1: ("Base", "SELECT k, g, v FROM R(S) WHERE v >= 1"),
        3: ("First", f"SELECT max(t) AS most, sum(n) AS all_n FROM ({sums}) d WHERE t > 3"),
        5: ("Second", f"SELECT m.name, x.t AS total, x.n FROM ({sums}) x, R(N) m WHERE m.g = x.g AND x.n > 1"),
    }
    with connect(tmp_path / "shared", spark) as shared, connect(tmp_path / "alone", spark, sharing=False) as alone:
        for db in (shared, alone):
            db.sql(SETUP)
            for at in range(1, 14):
                feed(db, at)
                if at in made:
                    db.sql("CREATE MATERIALIZED STREAMED VIEW {} AS {}".format(*made[at]))
                if at == 8:
                    before = [p.execution.inputs for p in db._engine.registry.parts()]
                    db.sql("DROP VIEW Base")
                    after = [p.execution.inputs for p in db._engine.registry.parts()]
                    assert (before, after) == (([{"base"}], []) if db is shared else ([], []))
        for name in ("First", "Second"):
            assert rows(shared.views[name].changes()) == rows(alone.views[name].changes()), name
