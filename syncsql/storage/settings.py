"""Settings of Spark that answers depend on. A database keeps those of the session that it was made in: an answer is
computed a piece at a time, by many sessions, and must be one answer."""

from __future__ import annotations

import datetime as dt
import re
from zoneinfo import ZoneInfo

from pyspark.sql import SparkSession

from syncsql.errors import EngineError

TIME_ZONE, ANSI = "spark.sql.session.timeZone", "spark.sql.ansi.enabled"
KEPT = (
    TIME_ZONE,
    ANSI,
    "spark.sql.decimalOperations.allowPrecisionLoss",
    "spark.sql.legacy.timeParserPolicy",
    "spark.sql.mapKeyDedupPolicy",
    "spark.sql.timestampType",
)
_OFFSET = re.compile(r"(?:UTC|GMT|UT)?([+-])(\d{1,2})(?::?(\d{2}))?")


def settings_of(session: SparkSession) -> dict[str, str]:
    return {name: str(session.conf.get(name)) for name in KEPT}


def zone_of(name: str) -> dt.tzinfo:
    """A time zone by the name that Spark has for it."""
    offset = _OFFSET.fullmatch(name)
    if offset is not None:
        sign, hours, minutes = offset.groups()
        past = dt.timedelta(hours=int(hours), minutes=int(minutes or 0))
        return dt.timezone(-past if sign == "-" else past)
    try:
        return ZoneInfo("UTC" if name == "Z" else name)
    except (OSError, ValueError):
        raise EngineError(
            "SETTING.VALUE", f"{TIME_ZONE} is `{name}`, which is no name of a time zone here",
            hint="for example America/New_York, UTC or +05:30",
        ) from None  # fmt: skip
