"""What is different in a session of Spark Connect, which is a client of a server.

A DataFrame there is a plan that the server analyzes whenever it is asked for something, and SQL text is a part of it as
it was written. So a name in the text must be known when the DataFrame is read, which may be much later: the relations
that it refers to become parts of the plan, and no name is ever made in the session.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pyspark import SparkContext
from pyspark.sql import DataFrame, SparkSession

NAME = "_syncsql_"
_REFERENCE = re.compile(rf"(?<=\bFROM ){NAME}\d+\b")


def is_connect(session: SparkSession) -> bool:
    """PySpark's two kinds of sessions have the same methods and no class in common."""
    return not isinstance(session, SparkSession)


def bound(session: SparkSession, text: str, frames: Mapping[str, DataFrame]) -> DataFrame:
    """The query ``text``, in which ``FROM name`` stands for the DataFrame of that name."""
    named: dict[str, Any] = {name: frames[name] for name in set(_REFERENCE.findall(text)) & frames.keys()}
    if not named:
        return session.sql(text)
    text = text.replace("{", "{{").replace("}", "}}")
    return session.sql(_REFERENCE.sub(lambda m: f"{{{m[0]}}}" if m[0] in named else m[0], text), **named)


# PySpark's annotations know the classic session alone.
def second_session(session: Any) -> SparkSession:
    """A session of its own on the same server, with the settings of ``session`` as they are now."""
    clone: SparkSession = session.cloneSession()
    return clone


def is_stopped(session: Any) -> bool:
    """Of either kind. A classic session ends with the context of the process."""
    if is_connect(session):
        return bool(session.is_stopped)
    return session.sparkContext is not SparkContext._active_spark_context


def release(session: Any) -> None:
    """Gives a :func:`second_session` back. Its ``stop`` would end a server that was started with the user's session."""
    if not is_stopped(session):
        session.client.release_session()
        session.client.close()
