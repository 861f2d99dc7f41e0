"""The Spark sessions that the engine works in.

Small slices and large ones want opposite settings: a job over a few rows is fastest on one partition without adaptive
planning. So the engine works in two child sessions of the user's session, which share its context (of Spark Connect:
its server) and copy its SQL settings; the user's own session is never changed.
"""

from __future__ import annotations

import logging
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from pyspark.sql import SparkSession

from syncsql.errors import EngineError
from syncsql.storage import limits
from syncsql.storage.connect import is_connect, is_stopped, release, second_session
from syncsql.storage.scratch import Scratch
from syncsql.storage.settings import settings_of

# A few rows in one partition need neither exchanges nor generated code: a job is then a single task.
_SMALL = {
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.autoBroadcastJoinThreshold": "-1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.leafNodeDefaultParallelism": "1",
}
_COMMON = {
    "spark.sql.sources.parallelPartitionDiscovery.threshold": "100000",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    # Every job's plan is written out for Spark's own pages: a fifth of the time of a small job, read by nobody.
    "spark.sql.ui.explainMode": "simple",
    "spark.sql.maxPlanStringLength": "1000",
    # A text is nested as deep as the operators of a query are, and each level takes Spark a turn.
    "spark.sql.analyzer.maxIterations": "1000",
    # The language has its own rules for names, and the engine writes SQL in Spark's usual form.
    "spark.sql.caseSensitive": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.parser.escapedStringLiterals": "false",
}


@dataclass(frozen=True)
class Sessions:
    """``user`` for what is handed out, ``small`` and ``large`` for the engine's own work."""

    user: SparkSession
    small: SparkSession
    large: SparkSession
    kept: dict[str, str] = field(default_factory=dict)

    def keep(self, settings: Mapping[str, str]) -> None:
        """Computes with ``settings`` from now on, whatever the user's session has."""
        self.kept.update(settings)
        for session in (self.small, self.large):
            for name, value in settings.items():
                session.conf.set(name, value)

    def scratch(self, rows: int, changes: int | None = None, dry: bool = False) -> Scratch:
        """Where work on so many rows is done, ``changes`` of which are new."""
        small = rows <= limits.SMALL_ROWS
        few = small or (changes is not None and changes <= limits.SMALL_ROWS)
        return Scratch(self.small if small else self.large, small, few, dry, self.user)

    def reading(self, derived: bool) -> Scratch:
        """Where what is handed out is made: the user's session, unless something is ``derived`` there and would come
        out in another way than the engine computes it."""
        differs = derived and settings_of(self.user).items() != self.kept.items()
        return Scratch(self.large if differs else self.user)

    def setting(self, name: str, default: int) -> int:
        """A setting ``spark.syncsql.*`` of the user's session: a whole number that is not negative."""
        text = self.user.conf.get(name, str(default)) or ""
        if not text.strip().isdecimal():
            raise EngineError(
                "SETTING.VALUE", f"{name} is `{text}`: a whole number, zero or more, is expected",
                hint=f'spark.conf.set("{name}", "{default}") is the default',
            )  # fmt: skip
        return int(text)

    def is_set(self, name: str) -> bool:
        return bool(self.user.conf.get(name, ""))

    @property
    def is_stopped(self) -> bool:
        """Whether the user's session has come to its end."""
        return is_stopped(self.user)

    def close(self) -> None:
        """Gives back what a server keeps for the engine's sessions; others are gone when nobody has them."""
        for session in (self.small, self.large):
            if is_connect(session):
                release(session)


def child_sessions(user: SparkSession) -> Sessions:
    # What PySpark logs there is in the exception too, which says it to the user in our words.
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        logging.getLogger(name).setLevel(logging.CRITICAL)

    def child(settings: dict[str, str]) -> SparkSession:
        session = second_session(user) if is_connect(user) else _second_session(user)
        for name, value in settings.items():
            session.conf.set(name, value)
        return session

    return Sessions(user, child(_COMMON | _SMALL), child(_COMMON))


def _second_session(user: SparkSession) -> SparkSession:
    session = user.newSession()
    for name, value in user.conf.getAll.items():
        if name.startswith("spark.sql.") and session.conf.isModifiable(name):
            session.conf.set(name, value)
    return session


def build_session(app: str = "syncsql") -> SparkSession:
    """A local session tuned for Delta tables that change often; says in one sentence what is missing if it cannot."""
    check_java()
    from delta import configure_spark_with_delta_pip

    # Spark's workers for Python are to find what this process finds.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    cores = os.cpu_count() or 2
    builder = (
        SparkSession.Builder()
        .appName(app)
        .master(f"local[{cores}]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.driver.memory", os.environ.get("SYNCSQL_DRIVER_MEMORY", "4g"))
        .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
        .config("spark.sql.catalog.spark_catalog", "org.apache.spark.sql.delta.catalog.DeltaCatalog")
        .config("spark.databricks.delta.snapshotPartitions", "1")
        .config("spark.sql.shuffle.partitions", str(2 * cores))
        .config("spark.sql.session.timeZone", "UTC")
        .config("spark.sql.ui.retainedExecutions", "10")
        .config("spark.log.level", "ERROR")
        # Without it every column expression looks up the Python stack: half of the time that building a plan takes.
        .config("spark.python.sql.dataFrameDebugging.enabled", "false")
    )
    with _quiet() as log:
        try:
            return configure_spark_with_delta_pip(builder).getOrCreate()
        except Exception as error:
            raise EngineError(
                "SPARK.START", f"Spark could not be started: {str(error).splitlines()[0]}",
                hint=f"what it said is in {log}; the first start fetches Delta's jars from Maven Central",
            ) from error  # fmt: skip


@contextmanager
def _quiet() -> Iterator[Path]:
    """The JVM that starts meanwhile writes to a file instead of the terminal; what matters comes as an exception."""
    with tempfile.NamedTemporaryFile(prefix="syncsql-spark-", suffix=".log", delete=False) as log:
        terminal = os.dup(2)
        os.dup2(log.fileno(), 2)
        try:
            yield Path(log.name)
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)


def check_java() -> None:
    """Says in one sentence what to install where Spark cannot start."""
    home = os.environ.get("JAVA_HOME")
    java = os.path.join(home, "bin", "java") if home else shutil.which("java")
    needed = "install Java 17 or newer (for example `apt-get install openjdk-17-jre-headless`) and set JAVA_HOME"
    if java is None or not os.path.exists(java):
        where = f"JAVA_HOME is {home}, which has none" if home else "none was found"
        raise EngineError("JAVA.MISSING", f"Spark needs Java, and {where}: {needed}")
    try:
        run = subprocess.run([java, "-version"], capture_output=True, text=True, check=False, errors="replace")
        said = run.stderr if run.returncode == 0 else ""
    except OSError:
        said = ""
    version = re.search(r'version "?(?:1\.)?(\d+)', said)
    if version is None:
        raise EngineError("JAVA.UNUSABLE", f"Spark needs Java, and `{java}` does not run: {needed}")
    if int(version.group(1)) < 17:
        raise EngineError("JAVA.TOO_OLD", f"Spark needs Java 17, and `{java}` is Java {version.group(1)}: {needed}")
