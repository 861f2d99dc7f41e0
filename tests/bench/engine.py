"""The engine: many refreshes in one job, few changes over large relations, chains of small views, joins."""

from __future__ import annotations

from pathlib import Path

from pyspark.sql import DataFrame, SparkSession

from syncsql.session import Database, connect
from tests.bench.measure import BareAppend, Machine, Timed, median_seconds

Row = tuple[str, str, str, str]


def many_points(spark: SparkSession, home: Path, scale: float) -> list[Row]:
    """(a) Keyed upserts, filter and count per group: a million refreshes against one snapshot of the same input."""
    machine, rows = Machine(spark), int(4_000_000 * scale)
    ticks = max(1, rows // 4)
    # Both sides are measured warm.
    for run in range(3):
        _points(machine, spark, home / f"a-warm{run}", rows // 10, ticks // 10, 1)
    found: list[Row] = []
    for points in (1_000, ticks):
        advance, snapshot, lines = _points(machine, spark, home / f"a{points}", rows, ticks, max(1, ticks // points))
        what = f"{rows:,} upserts, {points:,} refreshes, {lines:,} changes out, against a snapshot query"
        found.append(("a", f"{what} of {snapshot:.2f} s", f"{advance.seconds / snapshot:.1f} (goal 2.0)", str(advance)))
    return found


def _points(
    machine: Machine, spark: SparkSession, home: Path, rows: int, ticks: int, every: int
) -> tuple[Timed, float, int]:
    """An advance over all ticks, the seconds of a snapshot query over the same raw tuples, and the changes out."""
    with connect(home, spark) as db:
        db.sql(f"""
            REGISTER SOURCE Src (k INT, g INT, v INT, at BIGINT) TIMESTAMP BY at;
            CREATE STREAM S OVER Src KEY k;
            CREATE STREAMED VIEW Every AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % {every} = 0;
            CREATE STREAMED VIEW Counts AS
                SELECT g, count(*) AS n FROM R[Every](S) WHERE v > 500 GROUP BY g;
        """)
        db.push("Src", _upserts(spark, rows, 20_000, ticks))
        raw = str(home / "sources" / "src")
        snapshot = median_seconds(lambda: _snapshot(spark, raw).collect(), 5)
        with machine.timed() as advance:
            db.advance(to=ticks)
        return advance, snapshot, db.views["Counts"].changes().count()


def _upserts(spark: SparkSession, rows: int, keys: int, ticks: int) -> DataFrame:
    return spark.range(rows).selectExpr(
        f"CAST(pmod(hash(id), {keys}) AS INT) AS k",
        f"CAST(pmod(pmod(hash(id), {keys}), 100) AS INT) AS g",
        "CAST(pmod(hash(id, 1), 1000) AS INT) AS v",
        f"1 + id DIV {max(1, rows // ticks)} AS at",
    )


def _snapshot(spark: SparkSession, raw: str) -> DataFrame:
    """What somebody without views would run: the last row of each key, filtered and counted."""
    spark.read.format("delta").load(raw).createOrReplaceTempView("bench_raw")
    return spark.sql("""
        SELECT g, count(*) AS n FROM (
            SELECT *, row_number() OVER (PARTITION BY k ORDER BY at DESC, _push DESC, _pos DESC) AS nth FROM bench_raw)
        WHERE nth = 1 AND v > 500 GROUP BY g""")


def few_changes(spark: SparkSession, home: Path, scale: float) -> list[Row]:
    """(b) A thousand changes over a large relation, against one bare append."""
    machine, bare, found = Machine(spark), BareAppend(spark, home), []
    for size in (1_000_000, 5_000_000, 10_000_000):
        rows = int(size * scale)
        with connect(home / f"b{size}", spark) as db:
            db.sql("""
                REGISTER SOURCE Src (k INT, g INT, v INT, at BIGINT) TIMESTAMP BY at;
                CREATE STREAM S OVER Src KEY k;
                CREATE STREAMED VIEW Counts AS SELECT g, count(*) AS n, sum(v) AS t FROM R(S) GROUP BY g;
            """)
            db.push("Src", spark.range(rows).selectExpr(
                "CAST(id AS INT) AS k", "CAST(id % 1000 AS INT) AS g", "CAST(id % 977 AS INT) AS v", "1L AS at"
            ))  # fmt: skip
            db.advance(to=1)
            advances = []
            for at in range(2, 9):
                db.push("Src", [(i * 997 % rows, i % 1000, i + at, at) for i in range(1000)])
                with machine.timed() as advance:
                    db.advance(to=at)
                advances.append(advance)
        unit, middle = bare.seconds(), _median(advances)
        what = f"1,000 changes over {rows:,} rows (stream and view), against a bare append of {unit:.2f} s"
        found.append(("b", what, f"{middle.seconds / unit:.1f} (goal 6)", str(middle)))
    return found


def _median(times: list[Timed]) -> Timed:
    return sorted(times, key=lambda t: t.seconds)[len(times) // 2]


CHAIN = (
    "SELECT k, g, v FROM R({p}) WHERE v >= 0",
    "SELECT k, g, v + 1 AS v FROM R({p})",
    "SELECT g, count(*) AS n, sum(v) AS t FROM R({p}) GROUP BY g",
    "SELECT g, n, t FROM R({p}) WHERE n > 0",
    "SELECT a.g, a.n, b.t FROM R({p}) a, R({p}) b WHERE a.g = b.g",
    "SELECT DISTINCT n, t FROM R({p})",
    "SELECT n, max(t) AS t FROM R({p}) GROUP BY n",
    "SELECT n, t FROM R({p}) UNION SELECT n + 1, t FROM R({p})",
    "SELECT n, t FROM R({p}) WHERE t IS NOT NULL",
    "SELECT count(*) AS c, avg(t) AS a FROM R({p})",
)


def chained_views(spark: SparkSession, home: Path, scale: float) -> list[Row]:
    """(c) Ten chained views, ten changed rows: what a touched view costs, against a bare append."""
    machine, bare, found = Machine(spark), BareAppend(spark, home), []
    chains = {
        "filters": ("SELECT k, g, v FROM R({p}) WHERE v >= 0",) * 10,
        "all operators": CHAIN,
    }
    for name, chain in chains.items():
        with connect(home / f"c-{name}".replace(" ", "-"), spark) as db:
            _chain(db, chain)
            advances = []
            for at in range(1, 31):
                db.push("Src", [(i + at % 4, i % 3, (i * at) % 7, "x") for i in range(10)], at=at)
                with machine.timed() as advance:
                    db.advance(to=at)
                advances.append(advance)
        # The first rounds find the JVM cold.
        unit, middle = bare.seconds(), _median(advances[-15:])
        what = f"10 chained views ({name}), 10 changed rows: per view, against a bare append of {unit:.2f} s"
        found.append(("c", what, f"{middle.seconds / len(chain) / unit:.2f} (goal 1)", str(middle)))
    return found


def _chain(db: Database, chain: tuple[str, ...]) -> None:
    db.sql("REGISTER SOURCE Src (k INT, g INT, v INT, s STRING); CREATE STREAM S OVER Src KEY k")
    previous = "S"
    for number, query in enumerate(chain):
        db.sql(f"CREATE STREAMED VIEW V{number} AS {query.format(p=previous)}")
        previous = f"V{number}"


def join(spark: SparkSession, home: Path, scale: float) -> list[Row]:
    """(d) A join of two keyed streams with a million changes each, against the same join of the final relations."""
    machine, rows = Machine(spark), int(1_000_000 * scale)
    for run in range(3):
        _join(machine, home / f"d-warm{run}", spark, rows // 10)
    advance, snapshot, lines = _join(machine, home / "d", spark, rows)
    what = f"join of two streams, {rows:,} changes each, {lines:,} changes out, against one join of the relations"
    return [("d", f"{what} of {snapshot:.2f} s", f"{advance.seconds / snapshot:.1f}", str(advance))]


def _join(machine: Machine, home: Path, spark: SparkSession, rows: int) -> tuple[Timed, float, int]:
    ticks = max(1, rows // 4)
    with connect(home, spark) as db:
        db.sql("""
            REGISTER SOURCE Left (k INT, g INT, v INT, at BIGINT) TIMESTAMP BY at;
            REGISTER SOURCE Right (k INT, g INT, v INT, at BIGINT) TIMESTAMP BY at;
            CREATE STREAM L OVER Left KEY k;
            CREATE STREAM R2 OVER Right KEY k;
            CREATE STREAMED VIEW Joined AS SELECT a.k, a.v, b.v AS w FROM R(L) a, R(R2) b WHERE a.k = b.k;
        """)
        for source in ("Left", "Right"):
            db.push(source, _upserts(spark, rows, 100_000, ticks))
        with machine.timed() as advance:
            db.advance(to=ticks)
        lines = db.views["Joined"].changes().count()
        final = [db.streams[s].relation().drop("g") for s in ("L", "R2")]
        return advance, median_seconds(lambda: final[0].join(final[1], "k").count(), 5), lines


BENCHMARKS = {"a": many_points, "b": few_changes, "c": chained_views, "d": join}
