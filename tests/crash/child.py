"""The process that is killed: ``python -m tests.crash.child CONFIG`` with a JSON object as its only argument.

It opens the database, which recovers it, and goes on with the script. With ``die`` it kills itself at that commit step
since its start, ``before``, ``during`` or ``after`` the step (with ``group`` its driver too); the step goes to standard
error first. With ``large`` every result is written by Spark's tasks, and with ``linger`` Spark needs so many
milliseconds more for every row of the files during which the process dies. With ``hold`` it only opens the database
and waits.
"""

from __future__ import annotations

import functools
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock, Timer
from typing import Any

from deltalake import DeltaTable
from pyspark import SparkConf, SparkContext
from pyspark.java_gateway import launch_gateway
from pyspark.sql import DataFrame, SparkSession

from syncsql.session import connect
from syncsql.storage import bulk, limits
from syncsql.storage.deltalog import NewFile
from syncsql.storage.parquet import Kernel, Place
from syncsql.storage.table import APPLICATION, Table
from tests.crash.script import Client, load_marks


def attached() -> SparkSession:
    """The session of a driver JVM that another process started, and that outlives this one."""
    gateway = launch_gateway()
    jvm: Any = gateway.jvm
    session = jvm.org.apache.spark.sql.classic.SparkSession.getDefaultSession().get()
    context = jvm.org.apache.spark.api.java.JavaSparkContext(session.sparkContext())
    conf = SparkConf(_jvm=jvm, _jconf=context.getConf())
    return SparkSession(SparkContext(gateway=gateway, jsc=context, conf=conf), session)


class Death:
    """Counts the commit steps of this process, and ends it at one of them."""

    def __init__(self, at: int, when: str, group: bool) -> None:
        self._at, self._when, self._group = at, when, group
        self._count = 0
        self._guard = Lock()

    def reach(self, when: str, what: str, delay: float = 0) -> bool:
        """Whether the step is the one to die at: at once, or after a delay."""
        with self._guard:
            self._count += when == self._when
            if when != self._when or self._count != self._at:
                return False
            print(f"died {when} {what}", file=sys.stderr, flush=True)
            if not delay:
                self.die()
            Timer(delay, self.die).start()
            return True

    def die(self) -> None:
        if self._group:
            os.killpg(0, signal.SIGKILL)
        os.kill(os.getpid(), signal.SIGKILL)

    def watch(self, owner: Any, name: str, what: Callable[..., str | None]) -> None:
        original = getattr(owner, name)

        @functools.wraps(original)
        def watched(*args: Any, **kwargs: Any) -> Any:
            label = what(*args, **kwargs)
            if label is None:
                return original(*args, **kwargs)
            self.reach("before", label)
            result = original(*args, **kwargs)
            self.reach("after", label)
            return result

        setattr(owner, name, watched)


def interrupt(death: Death, linger: int) -> None:
    """Death while Spark's tasks write files: the driver has got the command, and goes on."""
    original = bulk.write

    def interrupted(frame: DataFrame, places: Sequence[Place], kernel: Kernel | None = None) -> list[list[NewFile]]:
        if death.reach("during", f"files for {len(places)} tables", delay=0.1):
            sleep = f"java_method('java.lang.Thread', 'sleep', {linger}L) IS NOT NULL"
            frame = frame.filter(sleep) if linger else frame
        return original(frame, places, kernel)

    bulk.write = interrupted


def inject(death: Death, root: Path) -> None:
    """Every step that changes what is stored goes through one of these."""

    def at(path: Path | str) -> str:
        return str(Path(path).relative_to(root))

    def made(table: Table) -> str | None:
        return None if DeltaTable.is_deltatable(str(table.path)) else f"create {at(table.path)}"

    def erased(path: Any, *args: Any, **kwargs: Any) -> str | None:
        return f"erase {at(path)}" if root in Path(path).parents and Path(path).exists() else None

    def written(table: Table, *args: Any, number: int | None = None, **kwargs: Any) -> str | None:
        application = kwargs.get("application", APPLICATION)
        # What was committed before the last death is not committed again.
        there = number is not None and (table.delta.transaction_version(application) or 0) >= number
        return None if there else f"write {at(table.path)}"

    death.watch(Table, "create", made)
    death.watch(Table, "add", written)
    death.watch(DeltaTable, "delete", lambda table, *args, **kwargs: "delete")
    death.watch(Path, "rename", lambda path, *args: f"rename {at(path)}" if root in path.parents else None)
    death.watch(shutil, "rmtree", erased)


def main(config: dict[str, Any]) -> None:
    root = Path(config["root"])
    spark = attached() if "PYSPARK_GATEWAY_PORT" in os.environ else None
    if config.get("large"):
        limits.SMALL_ROWS = 0
    if config.get("die"):
        death = Death(config["die"], config["when"], config.get("group", False))
        interrupt(death, config.get("linger", 0))
        inject(death, root)
    print("start", flush=True)
    with connect(root, spark, sharing=False) as db:
        print("open", flush=True)
        if config.get("hold"):
            time.sleep(600)
        Client(root).resume(db, load_marks(Path(config["marks"])), lambda place: print(place, flush=True))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
