"""A process with no Spark but a session of Spark Connect: starts a server, runs the quick start, prints what it saw.

Run as ``python -m tests.test_sessions.over_connect HOME``.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark
from delta import configure_spark_with_delta_pip
from pyspark.sql import SparkSession

from tests.test_sessions.quick_start import seen

_SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"


@contextmanager
def server(home: Path) -> Iterator[str]:
    """What Spark's ``start-connect-server.sh`` starts, with Delta; gives its address."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    settings = {
        "spark.jars.packages": configure_spark_with_delta_pip(SparkSession.Builder())._options["spark.jars.packages"],
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.connect.grpc.binding.port": str(port),
        "spark.ui.enabled": "false",
    }
    submit = [str(Path(pyspark.__file__).parent / "bin" / "spark-submit"), "--master", "local[2]", "--class", _SERVER]
    flags = [word for name, value in settings.items() for word in ("--conf", f"{name}={value}")]
    with (home / "server.log").open("w") as log:
        # Its tasks run Python of ours, which must be the same Python.
        process = subprocess.Popen(
            [*submit, *flags, "spark-internal"], cwd=home, stdout=log, stderr=log,
            env=os.environ | {"PYSPARK_PYTHON": sys.executable},
        )  # fmt: skip
    try:
        while process.poll() is None and not _listens(port):
            time.sleep(0.2)
        yield f"sc://localhost:{port}"
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("localhost", port)) == 0


def main(home: Path) -> None:
    with server(home) as address:
        spark = SparkSession.Builder().remote(address).getOrCreate()
        shown = seen(home, spark)
        spark.stop()
    print(json.dumps(shown))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
