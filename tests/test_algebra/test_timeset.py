"""TimeSet against a dumb oracle: a Python set, computed tick by tick."""

from __future__ import annotations

import operator
import random
import re
import time
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from math import fmod, inf, lcm, nan
from typing import Any

import duckdb
import pytest

from syncsql.algebra.timeset import MAX_PERIOD, MAX_TICK, TimeSet, compare, congruence, gcd_cover
from syncsql.errors import BindError

HORIZON = 400  # ticks that the oracle looks at
CHECKED = 300  # ticks on which first_at_or_after is compared; the rest is room to find the answer

OPS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "<>": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def ticks(holds: Callable[[int], bool]) -> set[int]:
    return {t for t in range(HORIZON) if holds(t)}


def leaf(rng: random.Random) -> tuple[TimeSet, set[int]]:
    kind = rng.randrange(6)
    if kind == 0:
        p = rng.randint(1, 12)
        r = rng.randrange(p)
        return TimeSet.every(p, r), ticks(lambda t: t % p == r)
    if kind == 1:
        lo, hi = rng.choice([None, rng.randint(-5, 60)]), rng.choice([None, rng.randint(-5, 90)])
        return TimeSet.range(lo, hi), ticks(lambda t: (lo is None or t >= lo) and (hi is None or t <= hi))
    if kind == 2:
        points = {rng.randint(0, 80) for _ in range(rng.randint(0, 5))}
        return TimeSet.of(points), points
    if kind == 3:
        op, constant = rng.choice(list(OPS)), Fraction(rng.randint(-9, 200), rng.choice([1, 4]))
        return compare(op, constant), ticks(lambda t: OPS[op](t, constant))
    op, p, c = rng.choice(list(OPS)), rng.choice([-12, -7, -1, 1, 2, 3, 4, 6, 9, 10]), rng.randint(-11, 11)
    a, b = (1, 0) if kind == 4 else (rng.randint(-5, 5), rng.randint(-60, 60))
    return congruence(p, op, c, a, b), ticks(lambda t: OPS[op](int(fmod(a * t + b, p)), c))


def tree(rng: random.Random, depth: int) -> tuple[TimeSet, set[int]]:
    if depth == 0 or rng.random() < 0.15:
        return leaf(rng)
    x, xs = tree(rng, depth - 1)
    kind = rng.randrange(4)
    if kind == 3:
        return ~x, set(range(HORIZON)) - xs
    y, ys = tree(rng, depth - 1)
    return [(x & y, xs & ys), (x | y, xs | ys), (x - y, xs - ys)][kind]


def trees(n: int, seed: int, depth: int = 3) -> list[tuple[TimeSet, set[int]]]:
    rng = random.Random(seed)
    return [tree(rng, rng.randint(0, depth)) for _ in range(n)]


@pytest.mark.parametrize("seed", range(8))
def test_points_against_the_oracle(seed: int) -> None:
    rng = random.Random(seed)
    for x, expected in trees(100, seed):
        assert set(x.points(0, HORIZON - 1)) == expected, x
        assert [t in x for t in range(-3, HORIZON)] == [t in expected for t in range(-3, HORIZON)], x
        for _ in range(20):
            lo, hi = rng.randint(-5, CHECKED), rng.randint(-5, CHECKED)
            inside = sorted(t for t in expected if lo <= t <= hi)
            assert x.count(lo, hi) == len(inside)
            assert list(x.points(lo, hi)) == inside
            after = min((t for t in expected if t >= lo), default=None)
            found = x.first_at_or_after(lo)
            assert found == after if after is not None else found is None or found >= HORIZON, (x, lo)
            assert x.last_at_or_before(lo) == max((t for t in expected if t <= lo), default=None), (x, lo)
        assert not (x.is_empty and expected)
        assert x.is_empty == (x == TimeSet.empty())
        assert x.is_all == (x == TimeSet.all())


@pytest.mark.parametrize("seed", range(4))
def test_laws(seed: int) -> None:
    cases = [x for x, _ in trees(90, 100 + seed)]
    everything, nothing = TimeSet.all(), TimeSet.empty()
    for a, b, c in zip(cases[::3], cases[1::3], cases[2::3], strict=True):
        for left, right in [
            (a | b, b | a),
            (a & b, b & a),
            (~~a, a),
            (~(a | b), ~a & ~b),
            (a - b, a & ~b),
            (a & (b | c), (a & b) | (a & c)),
            ((a | b) | c, a | (b | c)),
            ((a & b) & c, a & (b & c)),
            (a | (a & b), a),
            ((a - b) | (a & b), a),
            (a | ~a, everything),
            (a & ~a, nothing),
            (a | nothing, a),
            (a & everything, a),
        ]:
            assert left == right
            assert hash(left) == hash(right)
        assert a.issubset(a | b)
        assert (a & b).issubset(a)


def test_equal_exactly_when_the_ticks_are() -> None:
    cases = trees(250, 7, depth=2)
    for x, xs in cases:
        for y, ys in cases:
            assert (x == y) == ((x - y).is_empty and (y - x).is_empty)
            if xs != ys:
                assert x != y


def test_one_set_has_one_form() -> None:
    assert TimeSet.range(0, None).pieces == TimeSet.all().pieces
    assert (TimeSet.every(2) | TimeSet.every(2, 1)).pieces == TimeSet.all().pieces
    assert (TimeSet.every(4, 1) | TimeSet.every(4, 3)).pieces == TimeSet.every(2, 1).pieces
    assert (TimeSet.range(3, 9) | TimeSet.range(10, 12)).pieces == TimeSet.range(3, 12).pieces
    assert TimeSet.of([3, 4, 5]).pieces == TimeSet.range(3, 5).pieces
    assert (~TimeSet.every(4, 1)).pieces == congruence(4, "<>", 1).pieces
    assert [(p.lo, p.hi, p.period, p.residues) for p in (compare("<", 10) | TimeSet.every(4, 1)).pieces] == [
        (0, 9, 1, (0,)),
        (13, None, 4, (1,)),
    ]


def test_sets_with_two_forms_are_still_equal() -> None:
    one = compare("<=", 8) | (TimeSet.every(4, 1) & compare(">=", 9))
    other = compare("<=", 9) | (TimeSet.every(4, 1) & compare(">=", 10))
    finite, listed = TimeSet.every(4) & TimeSet.range(0, 20), TimeSet.of([0, 4, 8, 12, 16, 20])
    assert one == other
    assert finite == listed
    assert len({one, other, finite, listed}) == 2


def test_a_timeset_is_frozen_and_checks_itself() -> None:
    x = TimeSet.of([3]) | TimeSet.of([7])
    with pytest.raises(AttributeError):
        x.pieces = ()  # type: ignore[misc]
    with pytest.raises(ValueError, match="overlap"):
        TimeSet(x.pieces[::-1])
    with pytest.raises(ValueError, match="offset"):
        TimeSet.every(4, 4)
    with pytest.raises(ValueError, match="comparison"):
        compare("!=", 3)
    assert x != "Timepoint IN (3, 7)"
    assert "3" not in x


def test_issubset_against_brute_force_over_a_whole_lcm() -> None:
    rng = random.Random(3)
    yes = 0
    for _ in range(1500):
        p, q = rng.randint(1, 30), rng.randint(1, 30)
        small = {rng.randrange(p) for _ in range(rng.randint(0, 3))}
        large = {r for r in range(q) if rng.random() < rng.choice([0.1, 0.9, 1.0])}
        lo, hi = rng.randint(0, 40), rng.randint(0, 400)
        x, y = TimeSet.empty(), TimeSet.empty()
        for r in small:
            x |= TimeSet.every(p, r)
        for r in large:
            y |= TimeSet.every(q, r)
        expected = all(t % q in large for t in range(lcm(p, q)) if t % p in small)
        assert x.issubset(y) == expected == (x - y).is_empty
        bounded = all(t % q in large for t in range(lo, hi + 1) if t % p in small)
        assert (x & TimeSet.range(lo, hi)).issubset(y) == bounded
        yes += expected
    assert 100 < yes < 1400


def test_the_papers_containments() -> None:
    assert TimeSet.every(4).issubset(TimeSet.every(2))
    assert not TimeSet.every(2).issubset(TimeSet.every(4))
    union = TimeSet.every(2) | TimeSet.every(5)  # Example 11
    assert list(union.points(0, 12)) == [0, 2, 4, 5, 6, 8, 10, 12]
    assert TimeSet.every(2).issubset(union)
    assert TimeSet.every(5).issubset(union)
    assert TimeSet.every(2) & TimeSet.every(5) == TimeSet.every(10)


@pytest.mark.parametrize(
    ("op", "constant", "expected"),
    [
        ("<", 2.5, TimeSet.range(0, 2)),
        ("<=", 2.5, TimeSet.range(0, 2)),
        (">", 2.5, TimeSet.range(3, None)),
        (">=", Decimal("2.5"), TimeSet.range(3, None)),
        ("=", Fraction(5, 2), TimeSet.empty()),
        ("<>", 2.5, TimeSet.all()),
        ("<>", 2, TimeSet.range(0, 1) | TimeSet.range(3, None)),
        (">", -7, TimeSet.all()),
        ("<", 0, TimeSet.empty()),
        ("<", inf, TimeSet.all()),
        (">", -inf, TimeSet.all()),
        ("=", inf, TimeSet.empty()),
        ("<", nan, TimeSet.all()),  # Spark: NaN is larger than any number
        (">", Decimal("NaN"), TimeSet.empty()),
        ("<>", nan, TimeSet.all()),
        ("<=", MAX_TICK, TimeSet.all()),
        (">", MAX_TICK, TimeSet.empty()),
        ("<", 10**30, TimeSet.all()),
    ],
)
def test_compare(op: str, constant: int, expected: TimeSet) -> None:
    assert compare(op, constant) == expected


def test_congruence_follows_sparks_sign() -> None:
    assert congruence(5, "=", -3, a=1, b=-8) == TimeSet.of([0, 5])  # (0-8) % 5 = (5-8) % 5 = -3
    assert congruence(5, "=", 2, a=1, b=-8) == TimeSet.every(5) & TimeSet.range(10, None)
    assert congruence(-4, "=", 1) == TimeSet.every(4, 1)
    assert congruence(4, "=", 5).is_empty
    assert congruence(4, "<", 9).is_all
    assert congruence(4, "<=", 1.5) == TimeSet.every(4) | TimeSet.every(4, 1)
    assert congruence(3, "<", nan, a=-1).is_all
    with pytest.raises(BindError, match=r"SYNC\.REMAINDER_BY_ZERO"):
        congruence(0, "=", 1)


def test_long_periods_without_expansion() -> None:
    started = time.process_time()
    assert TimeSet.every(1001) & TimeSet.every(1309) == TimeSet.every(lcm(1001, 1309))
    p, q = 1_000_000_007, 998_244_353
    both = TimeSet.every(p, 5) & TimeSet.every(q, 6)
    first = both.first_at_or_after(0)
    assert first is not None
    assert (first % p, first % q) == (5, 6)
    assert both == TimeSet.every(p * q, first)
    assert (TimeSet.every(6 * p) | TimeSet.every(2)) == TimeSet.every(2)
    assert TimeSet.every(6 * p).issubset(TimeSet.every(2))
    assert not TimeSet.every(2).issubset(TimeSet.every(p))
    assert (TimeSet.every(6 * p) - TimeSet.every(2)).is_empty
    day, hour = 86_400_000, 3_600_000
    early = congruence(day, "<", hour)
    assert early.count(0, 10 * day - 1) == 10 * hour
    assert (~early).first_at_or_after(day) == day + hour
    assert early.issubset(congruence(day, "<", 2 * hour))
    assert congruence(day, "<>", 0) == ~TimeSet.every(day)
    assert TimeSet.every(p * q) & TimeSet.every(2**61 - 1) == TimeSet.of([0])  # the next would be beyond 64 bits
    assert time.process_time() - started < 1


def test_sparse_unions_of_long_periods() -> None:
    p = 10_000_019
    some = TimeSet.empty()
    for r in range(0, 1000, 7):
        some |= TimeSet.every(p, r)
    assert some.count(0, 2 * p - 1) == 2 * 143
    assert (some | TimeSet.every(2 * p, 1)).count(0, 2 * p - 1) == 2 * 143 + 1


def test_too_long_is_said() -> None:
    with pytest.raises(BindError, match=r"SYNC\.PERIOD_TOO_LONG.* 3,000,000,021 ticks.*1,000,000") as error:
        TimeSet.every(3) | TimeSet.every(1_000_000_007)
    assert error.value.code == "SYNC.PERIOD_TOO_LONG"
    with pytest.raises(BindError, match="PERIOD_TOO_LONG"):
        congruence(1_000_000_007, "<", 300_000_000, a=3)
    # Within a short range nothing has to repeat.
    near = TimeSet.range(0, 100)
    assert ((TimeSet.every(3) & near) | (TimeSet.every(1_000_000_007) & near)).count(0, 100) == 34
    assert MAX_PERIOD == 1_000_000


def test_ten_thousand_containments_are_quick() -> None:
    rng = random.Random(1)
    sets = [x for x, _ in trees(100, 5, depth=1)] + [TimeSet.every(p, rng.randrange(p)) for p in range(1, 101)]
    pairs = [(rng.choice(sets), rng.choice(sets)) for _ in range(10_000)]
    started = time.process_time()
    for a, b in pairs:
        a.issubset(b)
    assert time.process_time() - started < 3


@pytest.mark.parametrize("seed", range(3))
def test_gcd_cover(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        sets = [
            TimeSet.every(p := rng.choice([4, 6, 10, 12, 30, 60]), rng.randrange(p))
            & TimeSet.range(rng.randint(0, 50), rng.choice([None, rng.randint(0, 200)]))
            for _ in range(rng.randint(1, 3))
        ]
        points = sorted({t for s in sets for t in s.points(0, 399)})
        cover = gcd_cover(sets)
        assert all(s.issubset(cover) for s in sets)
        if len(points) > 1:
            coarsest = max(g for g in range(1, 400) if all((t - points[0]) % g == 0 for t in points))
            assert cover == TimeSet.every(coarsest, points[0] % coarsest)
        else:
            assert cover == TimeSet.of(points)


def test_gcd_cover_of_the_paper() -> None:
    assert gcd_cover([TimeSet.every(4), TimeSet.every(6)]) == TimeSet.every(2)
    assert gcd_cover([TimeSet.every(4, 1), TimeSet.every(4, 3)]) == TimeSet.every(2, 1)
    assert gcd_cover([TimeSet.every(4), TimeSet.range(5, 6)]).is_all
    assert gcd_cover([]).is_empty


# -- texts -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def duck() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute("CREATE MACRO pmod(a, b) AS ((a % b) + b) % b")
    connection.execute(f"CREATE TABLE ticks AS SELECT t::BIGINT AS t FROM range(-20, {CHECKED}) r(t)")
    return connection


def from_spark(expression: str) -> str:
    """The few words in which the expressions differ between Spark and DuckDB."""
    expression = expression.replace("element_at(array(", "list_extract(list_value(")
    return re.sub(r"\b(\d+)L\b", r"\1::BIGINT", expression)


def check_sql(duck: duckdb.DuckDBPyConnection, x: TimeSet) -> None:
    release, contains = x.release_sql("t"), x.contains_sql("t")
    assert release is not None
    assert contains is not None
    rows = duck.execute(f"SELECT t, {from_spark(release)}, {from_spark(contains)} FROM ticks").fetchall()
    assert len(rows) == CHECKED + 20
    for t, released, member in rows:
        assert released == x.first_at_or_after(t), (x, t, release)
        assert member == (t in x), (x, t, contains)


def test_sql_against_the_methods(duck: duckdb.DuckDBPyConnection) -> None:
    checked = 0
    for x, _ in trees(300, 42):
        if x.release_sql("t") is not None:
            check_sql(duck, x)
            checked += 1
    assert checked > 270


def test_sql_of_many_residues_is_an_array(duck: duckdb.DuckDBPyConnection) -> None:
    rng = random.Random(9)
    many = TimeSet.empty()
    for r in rng.sample(range(211), 80):
        many |= TimeSet.every(211, r)
    assert "element_at" in (many.release_sql("t") or "")
    check_sql(duck, many)
    check_sql(duck, many & TimeSet.range(17, 290))


def test_sql_gives_up_where_a_table_is_better() -> None:
    x = TimeSet.empty()
    for r in range(0, 200, 2):
        x |= TimeSet.every(5000, r)
    assert x.release_sql("t") is None
    assert x.contains_sql("t") is None
    assert TimeSet.of(range(0, 200, 2)).release_sql("t") is None


def test_exact_texts_tell_sets_apart() -> None:
    """A description is shortened; a text that names a set must not be."""
    one, other = (TimeSet.of([*range(1, 17, 2), last]) for last in (17, 19))
    assert one.describe() == other.describe()
    assert one.exact != other.exact
    assert one.exact == TimeSet.of([*range(1, 18, 2)]).exact


def test_sql_text_and_null(duck: duckdb.DuckDBPyConnection) -> None:
    assert TimeSet.every(2).release_sql("ts") == "CASE WHEN ts <= 0L THEN 0L ELSE ts + pmod(0L - ts, 2L) END"
    assert TimeSet.every(4, 1).contains_sql("ts") == "(ts >= 1L AND pmod(ts, 4L) = 1L)"
    assert TimeSet.all().release_sql("a.`x y` + 1") == "CASE WHEN (a.`x y` + 1) <= 0L THEN 0L ELSE (a.`x y` + 1) END"
    assert TimeSet.empty().release_sql("t") == "CAST(NULL AS BIGINT)"
    assert TimeSet.empty().contains_sql("t") == "false"
    for x in (TimeSet.all(), TimeSet.every(3, 1), TimeSet.of([4]), congruence(7, ">", 3) & compare("<", 50)):
        null = duck.execute(f"SELECT {from_spark(x.release_sql('t') or '')} FROM (SELECT NULL::BIGINT t)").fetchone()
        assert null == (None,)


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (TimeSet.all(), "every tick"),
        (TimeSet.empty(), "never"),
        (TimeSet.every(2), "Timepoint mod 2 = 0"),
        (TimeSet.every(4, 1) & compare(">=", 10), "Timepoint >= 13 AND Timepoint mod 4 = 1"),
        (TimeSet.every(4, 1) & compare("<", 10), "Timepoint <= 9 AND Timepoint mod 4 = 1"),
        (TimeSet.every(2) | TimeSet.every(5), "Timepoint mod 10 IN (0, 2, 8) OR Timepoint mod 10 BETWEEN 4 AND 6"),
        (congruence(4, "<>", 1), "Timepoint mod 4 <> 1"),
        (congruence(60, "<", 10), "Timepoint mod 60 <= 9"),
        (TimeSet.range(3, 9), "Timepoint BETWEEN 3 AND 9"),
        (TimeSet.of([5]), "Timepoint = 5"),
        (TimeSet.of([5, 12]), "Timepoint IN (5, 12)"),
        (compare("<", 10) | TimeSet.every(4, 1), "Timepoint <= 9 OR (Timepoint >= 13 AND Timepoint mod 4 = 1)"),
    ],
)
def test_describe(x: TimeSet, text: str) -> None:
    assert x.describe() == text
    assert repr(x) == f"TimeSet({text})"


def test_describe_abbreviates() -> None:
    x = TimeSet.empty()
    for r in (0, 2, 5, 9, 14, 20, 27, 35, 44, 54):
        x |= TimeSet.every(61, r)
    assert x.describe() == "Timepoint mod 61 IN (0, 2, 5, 9, 14, 20, 27, 35, … (10 residues mod 61))"
    assert TimeSet.of(range(0, 40, 2)).describe() == "Timepoint IN (0, 2, 4, 6, 8, 10, 12, 14, … (20 points))"
