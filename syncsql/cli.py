"""The command line: ``syncsql demo``, ``run``, ``show``, ``verify``, ``shell``, ``match`` and ``advise``."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

from syncsql.errors import EngineError, SyncSQLError
from syncsql.files import KINDS, load
from syncsql.render import counted


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        code: int | None = options.run(options)
    except SyncSQLError as error:
        print(_placed(error, options), file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as error:
        message = _spark_says(error)
        if message is None:
            raise
        print(f"[QUERY.FAILED] the answer cannot be computed: {message}", file=sys.stderr)
        return 1
    return code or 0


def _spark_says(error: Exception) -> str | None:
    """What Spark has raised while an answer was computed; None where it was not Spark."""
    # Only here, since the matcher's commands need neither Spark nor the time to load it.
    from pyspark.errors import PySparkException

    from syncsql.dataflow.diagnosis import spark_message

    return spark_message(error) if isinstance(error, PySparkException) else None


def _placed(error: SyncSQLError, options: argparse.Namespace) -> SyncSQLError:
    """The error with the name of the file that its text was read from."""
    for path in vars(options).values():
        if isinstance(path, Path) and path.is_file() and error.text == path.read_text("utf-8", "replace"):
            return error.in_file(path)
    return error


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="syncsql", description="SQL for continuous queries on Spark and Delta.")
    commands = parser.add_subparsers(metavar="command")

    def usage(options: argparse.Namespace) -> int:
        parser.print_help(sys.stderr)
        return 2

    parser.set_defaults(run=usage)

    demo = commands.add_parser("demo", help="the paper's temperature application, told as a story")
    demo.set_defaults(run=_demo)

    run = commands.add_parser("run", help="run a script of SyncSQL statements")
    run.add_argument("script", type=Path, help="a file of statements; the answer of the last one is shown")
    run.add_argument("--database", type=Path, required=True, metavar="DIR", help="where it is kept; made if need be")
    run.add_argument(
        "--input", action="append", default=[], metavar="SOURCE=FILE", help="rows for a source: .csv, .json or .parquet"
    )
    run.add_argument("--advance", type=int, metavar="T", help="compute every point up to T")
    run.set_defaults(run=_run)

    show = commands.add_parser("show", help="what a database holds")
    show.add_argument("database", type=Path, metavar="DIR")
    show.add_argument("name", nargs="?", help="a source, stream or view; without it a summary")
    show.add_argument("--changes", action="store_true", help="its stream instead of its relation")
    show.add_argument("--since", type=int, metavar="T", help="changes after T")
    show.add_argument("--until", type=int, metavar="T", help="changes up to T")
    show.add_argument("--at", type=int, metavar="T", help="the relation at an earlier time")
    show.set_defaults(run=_show)

    verify = commands.add_parser("verify", help="views against what the streams give for them in plain batch queries")
    verify.add_argument("database", type=Path, metavar="DIR")
    verify.add_argument("views", nargs="*", metavar="VIEW", help="these views; without any, all")
    verify.add_argument("--at", type=int, metavar="T", help="at an earlier time instead of the present")
    verify.set_defaults(run=_verify)

    shell = commands.add_parser("shell", help="statements one by one, on a terminal or from a script")
    shell.add_argument("database", type=Path, metavar="DIR")
    shell.add_argument("-k", "--keep-going", action="store_true", help="a script goes on after an error")
    shell.set_defaults(run=_shell)

    match = commands.add_parser("match", help="which views answer a query, and why the others do not; needs no Spark")
    match.add_argument("--schema", type=Path, required=True, metavar="FILE", help="CREATE TABLE statements")
    match.add_argument("--views", type=Path, required=True, metavar="FILE", help="CREATE VIEW statements")
    match.add_argument("--query", type=Path, required=True, metavar="FILE", help="the query")
    match.set_defaults(run=_match)

    advise = commands.add_parser("advise", help="which views would make a set of queries cheaper; needs no Spark")
    advise.add_argument("--schema", type=Path, required=True, metavar="FILE", help="CREATE TABLE statements")
    advise.add_argument("--views", type=Path, metavar="FILE", help="CREATE VIEW statements of views that there are")
    advise.add_argument("--queries", type=Path, required=True, metavar="FILE", help="the queries")
    advise.set_defaults(run=_advise)
    for command in (match, advise):
        command.add_argument("--json", action="store_true", help="plain data instead of text")
        command.add_argument(
            "--budget", type=int, default=200, metavar="MS", help="time for one proof, in milliseconds"
        )
    return parser


# run


def _run(options: argparse.Namespace) -> None:
    text = _read(options.script)
    inputs = [_split(i) for i in options.input]
    from syncsql.language import parse_script
    from syncsql.session import connect

    # A script with an error changes nothing, and needs no Spark to be refused.
    parse_script(text)
    with connect(options.database) as db:
        result = db.sql(text)
        for source, path in inputs:
            pushed = db.push(source, load(db.spark, path))
            print(pushed)
            if pushed.quarantined:
                print(f"  syncsql show {options.database} {source}   tells which and why")
        if options.advance is not None:
            print(db.advance(to=options.advance))
        if result is not None:
            _print_result(result)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise EngineError("FILE.UNREADABLE", f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise EngineError("FILE.UNREADABLE", f"{path}: this is no text in UTF-8") from None


def _split(text: str) -> tuple[str, Path]:
    source, equals, path = text.partition("=")
    if not equals or not source or Path(path).suffix not in KINDS:
        raise EngineError(
            "INPUT.FORM", f"--input {text}: SOURCE=FILE expected, with a file that ends in .csv, .json or .parquet"
        )
    if not Path(path).exists():
        raise EngineError("FILE.UNREADABLE", f"{path}: there is no such file")
    return source, Path(path)


def _print_result(result: Any) -> None:
    from syncsql.reading import table_of

    print(f"\n{result}")
    if hasattr(result, "changes"):
        print(table_of(result.relation() if getattr(result, "mode", "") == "COMPLETE" else result.changes()))


# show


def _show(options: argparse.Namespace) -> None:
    from syncsql.handles import SourceHandle
    from syncsql.reading import table_of
    from syncsql.session import connect

    with connect(options.database, read_only=True) as db:
        if options.name is None:
            print(db)
            for what in ("SOURCES", "STREAMS", "VIEWS"):
                print(f"\n{db.sql(f'SHOW {what}')}")
            return
        handle = db[options.name]
        print(f"{handle.describe()}\n")
        if isinstance(handle, SourceHandle):
            print(f"tuples\n{table_of(handle.tuples())}\n\nquarantine\n{table_of(handle.quarantine())}")
        elif options.changes or options.since is not None or options.until is not None:
            print(table_of(handle.changes(options.since, options.until)))
        else:
            print(table_of(handle.relation(options.at)))


# verify


def _verify(options: argparse.Namespace) -> int:
    """1 where any view differs, or cannot be computed; the others are verified all the same."""
    from syncsql.session import connect

    with connect(options.database, read_only=True) as db:
        if options.views:
            views = [db.views[name] for name in options.views]
        else:
            views = [v for v in (db.views[name] for name in db.views) if v.exists_at(options.at)]
        wrong = failed = 0
        for view in views:
            try:
                verified = view.verify(options.at)
            except EngineError as error:
                failed += 1
                print(error, flush=True)
            else:
                wrong += not verified.ok
                print(verified, flush=True)
    print(f"{counted(len(views) - failed, 'view')} verified, {wrong or 'none is'} wrong")
    if failed:
        print(f"{counted(failed, 'view')} could not be verified")
    return int(wrong + failed > 0)


# shell


def _shell(options: argparse.Namespace) -> int:
    from syncsql.shell.shell import run

    return run(options.database, options.keep_going)


# match and advise


def _match(options: argparse.Namespace) -> None:
    from matcher.cli import run_match

    run_match(options)


def _advise(options: argparse.Namespace) -> None:
    from matcher.cli import run_advise

    run_advise(options)


# demo


def _demo(options: argparse.Namespace) -> None:
    from syncsql.demo import Story
    from syncsql.session import connect
    from syncsql.storage.sessions import check_java

    check_java()
    print("Starting Spark (the first time, Delta's jars are fetched) …", flush=True)
    with tempfile.TemporaryDirectory(prefix="syncsql-demo-") as home, connect(Path(home) / "db") as db:
        Story(db).tell()
