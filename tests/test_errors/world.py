"""Performing the steps of the golden file: each section in a database of its own, all in one Spark session."""

from __future__ import annotations

import ast
import datetime as dt
import decimal
import io
import os
import re
import shlex
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pandas as pd
import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import syncsql
from syncsql.cli import main
from syncsql.errors import SyncSQLError
from syncsql.render import grid
from syncsql.session import connect
from tests.test_errors.golden import Step

_MAIN = "import sys; from syncsql.cli import main; sys.exit(main())"


class World:
    """``home`` is shown as /home, the database in it is /home/db."""

    def __init__(self, home: Path, spark: SparkSession) -> None:
        self._home, self._spark = home, spark
        self._here = os.getcwd()
        os.chdir(home)
        self.db = connect(home / "db", spark)
        self._names: dict[str, Any] = {
            "db": self.db, "spark": spark, "connect": connect, "syncsql": syncsql, "Path": Path, "pd": pd, "pa": pa,
            "dt": dt, "Decimal": decimal.Decimal, "F": F, "home": home,
        }  # fmt: skip

    def close(self) -> None:
        os.chdir(self._here)
        self._names["db"].close()

    def perform(self, step: Step) -> str:
        """What the step says, without what differs from run to run."""
        does = {"sql> ": self._sql, ">>> ": self._python, "$ ": self._command}[step.prompt]
        try:
            said = does(step.text)
        except SyncSQLError as error:
            said = str(error)
        except Exception as error:
            said = f"UNEXPECTED {type(error).__name__}: {error}"
        return self._plain(said)

    def _plain(self, text: str) -> str:
        text = text.replace(str(self._home), "/home").replace(f"process {os.getpid()}", "process 4711")
        text = re.sub(r"\S*/syncsql-spark-\w+\.log", "/tmp/syncsql-spark.log", text)
        return "\n".join(line.rstrip() for line in text.split("\n"))

    def _sql(self, text: str) -> str:
        return _shown(self._names["db"].sql(text))

    def _python(self, text: str) -> str:
        """Runs statements; shows the value of the last one where it is an expression."""
        body = ast.parse(text).body
        last = body.pop() if isinstance(body[-1], ast.Expr) else None
        exec(compile(ast.Module(body, []), "<step>", "exec"), self._names)
        if last is None:
            return ""
        return _shown(eval(compile(ast.Expression(last.value), "<step>", "eval"), self._names))

    def _command(self, text: str) -> str:
        """``VARIABLE=value syncsql …`` runs as a process of its own, ``syncsql …`` in this one."""
        words = shlex.split(text)
        setting: dict[str, str] = {}
        while "=" in words[0]:
            name, _, value = words.pop(0).partition("=")
            setting[name] = value.replace("/home", str(self._home))
        assert words.pop(0) == "syncsql"
        words = [w.replace("/home", str(self._home)) for w in words]
        if setting:
            run = subprocess.run(
                [sys.executable, "-c", _MAIN, *words], capture_output=True, text=True, check=False,
                env=os.environ | {"PYTHONPATH": self._here} | setting,
            )  # fmt: skip
            return f"{run.stdout}{run.stderr.rstrip()}\nexit code {run.returncode}"
        out = io.StringIO()
        shared = patch("syncsql.session.connect", lambda path, **options: connect(path, self._spark, **options))
        width = patch.dict(os.environ, {"COLUMNS": "80"})
        with shared, width, redirect_stdout(out), redirect_stderr(out):
            try:
                code: Any = main(words)
            except SystemExit as error:
                code = error.code
        return f"{out.getvalue().rstrip()}\nexit code {code}"


def _shown(value: Any) -> str:
    if isinstance(value, DataFrame):
        return grid(value.columns, [tuple(r) for r in value.collect()])
    return "" if value is None else str(value)
