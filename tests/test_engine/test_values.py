"""Values and names at the ends of what Spark takes: every answer is what Spark gives for the rows."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from pyspark.sql import SparkSession

from syncsql.errors import BindError
from syncsql.session import Database, connect

_MOST = 2**63 - 1


def rows(frame: Any) -> list[tuple[Any, ...]]:
    return sorted((tuple(r.values()) for r in frame.toArrow().to_pylist()), key=repr)


def verified(db: Database) -> None:
    for name in db.views:
        assert db.views[name].verify().ok, str(db.views[name].verify())


def test_a_column_equal_to_many_of_another_type_is_no_key(spark: SparkSession, tmp_path: Path) -> None:
    """1 is equal to '1' and to '01': the key of one side does not tell which row of the other a pair has."""
    with connect(tmp_path / "db", spark) as db:
        db.sql("""
            REGISTER SOURCE A (k INT); REGISTER SOURCE B (k STRING, w INT); REGISTER SOURCE C (k BIGINT);
            CREATE STREAM SA OVER A KEY k; CREATE STREAM SB OVER B KEY k; CREATE STREAM SC OVER C KEY k;
            CREATE STREAMED VIEW Texts AS SELECT a.k, b.w FROM R(SA) a, R(SB) b WHERE a.k = b.k;
            CREATE STREAMED VIEW Numbers AS SELECT a.k FROM R(SA) a, R(SC) c WHERE a.k = c.k
        """)
        db.push("A", [(1,)], at=1)
        db.push("B", [("1", 1), ("01", 2), ("2", 3)], at=1)
        db.push("C", [(1,)], at=1)
        db.advance(to=1)
        assert rows(db.views.Texts.relation()) == [(1, 1), (1, 2)]
        assert rows(db.views.Numbers.changes()) == [("+", 1, 1)]
        assert "key: k\n" in str(db.views.Numbers.describe())
        verified(db)


def test_sums_and_averages_keep_every_digit(spark: SparkSession, tmp_path: Path) -> None:
    """Of numbers of which two do not fit into one, and of decimals with more digits than Spark's division keeps."""
    with connect(tmp_path / "db", spark) as db:
        db.sql("""
            REGISTER SOURCE Src (k INT, v BIGINT, d DECIMAL(28, 18), e DECIMAL(38, 10), f DECIMAL(20, 2));
            CREATE STREAM S OVER Src KEY k;
            CREATE STREAMED VIEW Averages AS
                SELECT avg(v) AS v, avg(d) AS d, avg(e) AS e, avg(f) AS f, avg(-d) AS n FROM R(S);
            CREATE STREAMED VIEW Sums AS SELECT k % 2 AS g, sum(v) AS s FROM R(S) GROUP BY k % 2
        """)
        unit = Decimal("1E-18"), Decimal("1E-10"), Decimal("0.01")
        db.push("Src", [(1, _MOST, *unit), (2, -_MOST - 1, *unit), (4, 0, *unit)], at=1)
        db.push("Src", [(1, _MOST - 1, *(2 * u for u in unit))], at=2)
        db.advance(to=2)
        verified(db)
        assert rows(db.views.Sums.relation()) == [(0, -_MOST - 1), (1, _MOST - 1)]
        [(_, d, _, _, n)] = rows(db.views.Averages.relation())
        assert (d, n) == (Decimal("1.3333E-18"), Decimal("-1.3333E-18"))
        # A row of before goes while its opposite comes; then the average of numbers whose sum is none.
        db.push("Src", [(1, -_MOST, *unit), (2, _MOST, *unit)], at=3)
        db.advance(to=3)
        db.sql("DROP VIEW Sums")
        db.push("Src", [(1, _MOST, None, None, None)], at=4)
        db.advance(to=4)
        verified(db)


def test_names_that_the_engine_has_too(spark: SparkSession, tmp_path: Path) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql("""
            REGISTER SOURCE Src (k INT, `Größe` INT, s STRUCT<`a-b`: INT, x: INT>);
            CREATE STREAM S OVER Src KEY k;
            CREATE STREAMED VIEW Ours AS SELECT k AS _at, `Größe` AS _before, k + 1 AS `_ts`, s AS _ FROM R(S);
            CREATE STREAMED VIEW Alone AS SELECT DISTINCT _at, _before AS _change_type, _.`a-b` AS _w FROM R(Ours);
            CREATE STREAMED VIEW Fields AS SELECT struct(k AS `a b`, `Größe` AS `c,d`) AS f FROM R(S);
            CREATE STREAMED VIEW Most AS SELECT max(f) AS `größt` FROM R(Fields)
        """)
        assert rows(db.streams.S.changes()) == rows(db.views.Fields.changes()) == []
        db.push("Src", [(1, 5, {"a-b": 7, "x": 8})], at=1)
        db.push("Src", spark.sql("SELECT 1 AS k, 6 AS `Größe`, named_struct('a-b', 7, 'x', 9) AS s"), at=2)
        db.advance(to=2)
        assert db.views.Ours.relation().columns == ["_at", "_before", "_ts", "_"]
        assert rows(db.views.Ours.relation()) == [(1, 6, 2, {"a-b": 7, "x": 9})]
        assert rows(db.views.Alone.changes()) == [("+", 1, 5, 7, 1), ("+", 1, 6, 7, 2), ("-", 1, 5, 7, 2)]
        assert rows(db.views.Most.relation()) == [({"a b": 1, "c,d": 6},)]
        verified(db)


def in_zone(spark: SparkSession, zone: str) -> SparkSession:
    session = spark.newSession()
    session.conf.set("spark.sql.session.timeZone", zone)
    return session


def test_times_without_a_zone_are_the_same_however_they_come(spark: SparkSession, tmp_path: Path) -> None:
    """A TIMESTAMP is read in the database's zone; a tick of a TIMESTAMP_NTZ or DATE depends on no zone at all."""
    session = in_zone(spark, "America/New_York")
    noon, day = dt.datetime(2024, 7, 1, 12), dt.date(2024, 7, 1)
    types = {"TIMESTAMP": (noon, 16), "TIMESTAMP_NTZ": (noon, 12), "DATE": (day, 0)}
    for type_, (value, hour) in types.items():
        with connect(tmp_path / type_, session, tick_seconds=3600) as db:
            db.sql(f"REGISTER SOURCE Src (n INT, t {type_}) TIMESTAMP BY t; CREATE STREAM S OVER Src KEY NULL")
            db.sql("CREATE STREAMED VIEW V AS SELECT n, TS % 24 AS h, CAST(t AS STRING) AS s FROM R(S)")
            db.push("Src", [(1, value), (2, str(value))])
            db.push("Src", pd.DataFrame({"n": [3], "t": [value]}))
            db.push("Src", session.sql(f"SELECT 4 AS n, {type_}'{value}' AS t UNION ALL SELECT 5, {type_}'{value}'"))
            db.push("Src", session.sql(f"SELECT 6 AS n, '{value}' AS t"))
            db.advance(to=500_000)
            assert rows(db.views.V.relation()) == [(n, hour, str(value)) for n in range(1, 7)]


def test_a_push_is_read_in_the_zone_of_the_database(spark: SparkSession, tmp_path: Path) -> None:
    """By whatever session. What tells its zone, and what has none in its type, needs no other one."""
    noon = dt.datetime(2024, 7, 1, 12)
    create = "REGISTER SOURCE Src (n INT, t TIMESTAMP, u TIMESTAMP_NTZ); CREATE STREAM S OVER Src KEY NULL"
    with connect(tmp_path / "db", in_zone(spark, "America/New_York")) as db:
        db.sql(create)
        db.push("Src", [(1, noon, noon), (2, str(noon), str(noon)), (3, f"{noon}+02:00", noon.replace(tzinfo=dt.UTC))])
    for zone in ("Asia/Kolkata", "UTC", "America/New_York"):
        other = in_zone(spark, zone)
        with connect(tmp_path / "db", other) as db:
            db.push("Src", [(1, noon, noon)])
            local = f"TIMESTAMP_NTZ'{noon}'"
            db.push("Src", other.sql(f"SELECT 1 AS n, {local} AS t, {local} AS u"))
            db.push("Src", other.sql(f"SELECT 2 AS n, '{noon}' AS t, '{noon}' AS u"))
            db.push("Src", other.sql(f"SELECT 3 AS n, '{noon}+02:00' AS t, TIMESTAMP'{noon}Z' AS u"))
            # There is no such time in New York, where an hour is left out.
            left_out = dt.datetime(2024, 3, 10, 2, 30)
            db.push("Src", [(4, left_out, left_out)])
            db.push("Src", other.sql(f"SELECT 4 AS n, '{left_out}' AS t, TIMESTAMP_NTZ'{left_out}' AS u"))
            db.advance()
            summer, east = dt.timedelta(hours=4), dt.timedelta(hours=2)
            wanted = {(1, noon + summer, noon), (2, noon + summer, noon), (3, noon - east, noon - summer)}
            wanted.add((4, left_out + dt.timedelta(hours=5), left_out))
            found = rows(db.streams.S.relation())
            assert {(n, t.astimezone(dt.UTC).replace(tzinfo=None), u) for n, t, u in found} == wanted


def test_ticks_of_times_are_exact(spark: SparkSession, tmp_path: Path) -> None:
    """Also far away, and where a tick is no whole number of microseconds."""
    times = ["2256-01-01 00:00:00.999999", "1969-12-31 23:59:59.5", "9999-12-31 23:59:59.999999"]
    for tick in (1, Fraction(1, 44100), Fraction(7, 3)):
        with connect(tmp_path / f"db{tick.denominator}", in_zone(spark, "UTC"), tick_seconds=tick) as db:
            db.sql("REGISTER SOURCE Src (t TIMESTAMP) TIMESTAMP BY t; CREATE STREAM S OVER Src KEY NULL")
            db.push("Src", [(t,) for t in times])
            db.push("Src", spark.sql(f"SELECT explode(array({', '.join(map(repr, times))})) AS t"))
            ticks = [row[-1] for row in rows(db.sources.Src.tuples())]
            assert sorted(ticks) == sorted(2 * sorted(set(ticks)))
            assert len(ticks) == 4
            assert len(rows(db.sources.Src.quarantine())) == 2


def test_a_rejected_row_may_hold_anything(spark: SparkSession, tmp_path: Path) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (k INT NOT NULL, m MAP<DATE, INT>)")
        db.push("Src", [(None, {dt.date(2024, 1, 1): 1}), {("k", 1): [{2: b"x"}]}, (1, {dt.date(2024, 1, 1): 1})])
        assert len(rows(db.sources.Src.tuples())) == 1
        assert [r[-1] for r in rows(db.sources.Src.quarantine())] == [
            '[null,{"2024-01-01":1}]', '{"(\'k\', 1)":[{"2":"b\'x\'"}]}'
        ]  # fmt: skip


def test_answers_do_not_depend_on_the_session_that_goes_on(spark: SparkSession, tmp_path: Path) -> None:
    """A row that goes away is the one that came, though another session would write its time in another way."""
    noon = dt.datetime(2024, 7, 1, 12, tzinfo=dt.UTC)
    with connect(tmp_path / "db", in_zone(spark, "America/New_York")) as db:
        db.sql("""
            REGISTER SOURCE Src (t TIMESTAMP, op STRING); CREATE STREAM S OVER Src KEY NULL OPERATION BY op;
            CREATE MATERIALIZED STREAMED VIEW V AS SELECT CAST(t AS STRING) AS s FROM R(S);
            CREATE VIRTUAL STREAMED VIEW Hours AS SELECT hour(CAST(s AS TIMESTAMP)) AS h FROM R(V) WHERE s > '2'
        """)
        db.push("Src", [(noon, "+")], at=1)
        db.advance(to=1)
    with connect(tmp_path / "db", in_zone(spark, "Asia/Kolkata")) as db:
        db.push("Src", [(noon, "-")], at=2)
        db.advance(to=2)
        assert rows(db.views.V.changes()) == [("+", "2024-07-01 08:00:00", 1), ("-", "2024-07-01 08:00:00", 2)]
        assert rows(db.views.Hours.changes()) == [("+", 8, 1), ("-", 8, 2)]
        verified(db)


def test_bounds_of_windows_beyond_all_time(spark: SparkSession, tmp_path: Path) -> None:
    """A row that is valid for ever says so by the greatest number there is, or by Infinity; NaN is greater than all."""
    far, near = 2**63 - 1, 2**31 - 1
    with connect(tmp_path / "db", spark) as db:
        db.sql("""
            REGISTER SOURCE Src (k INT, b BIGINT, i INT, d DOUBLE); CREATE STREAM S OVER Src KEY k;
            CREATE STREAMED VIEW Until AS SELECT k FROM R(S) WHERE Now <= b AND Now - 5 < i;
            CREATE STREAMED VIEW Since AS SELECT k FROM R(S) WHERE d <= Now;
            CREATE STREAMED VIEW Around AS SELECT k FROM R(S) WHERE b > Now - 9223372036854775807 AND Now < d + 1
        """)
        nan, infinite = float("nan"), float("inf")
        db.push("Src", [(1, far, near, infinite), (2, -far - 1, -near - 1, nan), (3, 4, 2, -infinite)], at=1)
        db.push("Src", [(4, far - 1, 3, 2.5), (5, None, None, None)], at=2)
        for to in (2, 5, 9):
            db.advance(to=to)
            verified(db)
        assert rows(db.views.Until.relation()) == [(1,)]
        assert rows(db.views.Since.relation()) == [(3,), (4,)]


def test_many_extremes_at_once(spark: SparkSession, tmp_path: Path) -> None:
    """Each makes the text of the query longer, and not twice as long."""
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (k INT, v INT); CREATE STREAM S OVER Src KEY k")
        calls = ", ".join(f"min(v + {n}) AS a{n}, max(k - v % {n + 2}) AS b{n}" for n in range(3))
        db.sql(f"CREATE STREAMED VIEW V AS SELECT v % 2 AS g, {calls} FROM R(S) GROUP BY v % 2")
        for at in (1, 2):
            db.push("Src", [(k, (k * at) % 5) for k in range(6)], at=at)
            db.advance(to=at)
        verified(db)


def test_columns_that_are_called_as_those_of_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (op STRING, ts INT); CREATE STREAM S OVER Src KEY op")
        db.push("Src", [("x", 7)], at=1)
        db.advance(to=1)
        changes = db.streams.S.changes()
        assert changes.columns == ["_op", "op", "ts", "_ts"]
        assert rows(changes.select("_op", "op", "ts", "_ts")) == [("+", "x", 7, 1)]


def test_a_bag_that_cannot_compare_its_rows(spark: SparkSession, tmp_path: Path) -> None:
    with connect(tmp_path / "db", spark) as db:
        db.sql("REGISTER SOURCE Src (k INT, m MAP<STRING, INT>, op STRING)")
        db.sql("CREATE STREAM S OVER Src KEY k OPERATION BY op")
        with pytest.raises(BindError, match=r"STREAM.ROWS\] - takes out an equal row, and column `m` is MAP"):
            db.sql("CREATE STREAM B OVER Src KEY NULL OPERATION BY op")
        db.sql("CREATE STREAM A OVER Src KEY NULL; CREATE STREAMED VIEW V AS SELECT k, m['a'] AS x FROM R(S)")
        db.push("Src", [(1, {"a": 1}, "+"), (1, {"a": 2}, "u"), (2, None, "+")], at=1)
        db.advance(to=1)
        assert set(rows(db.views.V.relation())) == {(1, 2), (2, None)}
