"""The command line: ``syncsql demo``, ``run``, ``show``, ``verify``, ``shell``, ``match`` and ``advise``."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncsql.errors import EngineError, SyncSQLError
from syncsql.files import KINDS, load
from syncsql.render import Report, grid

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

    from syncsql.session import Database

_SHOWN = 50


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        code: int | None = options.run(options)
    except SyncSQLError as error:
        print(error, file=sys.stderr)
        return 1
    except BrokenPipeError:
        return 0
    except KeyboardInterrupt:
        return 130
    return code or 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="syncsql", description="SQL for continuous queries on Spark and Delta.")
    commands = parser.add_subparsers(required=True, metavar="command")

    demo = commands.add_parser("demo", help="the paper's temperature application, told as a story")
    demo.set_defaults(run=_demo)

    run = commands.add_parser("run", help="run a script of SyncSQL statements")
    run.add_argument("script", type=Path)
    run.add_argument("--database", type=Path, required=True, metavar="DIR")
    run.add_argument(
        "--input", action="append", default=[], metavar="SOURCE=FILE", help="rows for a source: .csv, .json or .parquet"
    )
    run.add_argument("--advance", type=int, metavar="T", help="compute every point up to T")
    run.set_defaults(run=_run)

    show = commands.add_parser("show", help="what a database holds")
    show.add_argument("database", type=Path, metavar="DIR")
    show.add_argument("name", nargs="?", help="a source, stream or view; without it a summary")
    show.add_argument("--changes", action="store_true", help="its stream instead of its relation")
    show.add_argument("--since", type=int, metavar="T")
    show.add_argument("--until", type=int, metavar="T")
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


def _table(frame: DataFrame) -> str:
    """At most the first rows of a result; a note says when there are more."""
    rows = frame.limit(_SHOWN + 1).collect()
    text = grid(frame.columns, [tuple(r) for r in rows[:_SHOWN]])
    return text if len(rows) <= _SHOWN else f"{text}\n… more than {_SHOWN} rows"


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
            print(db.push(source, load(db.spark, path)))
        if options.advance is not None:
            print(db.advance(to=options.advance))
        if result is not None:
            _print_result(result)


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise EngineError("FILE.UNREADABLE", f"{path}: {error.strerror}") from None


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
    print(result)
    if hasattr(result, "changes"):
        print(_table(result.relation() if getattr(result, "mode", "") == "COMPLETE" else result.changes()))


# show


def _show(options: argparse.Namespace) -> None:
    from syncsql.session import connect

    with connect(options.database, read_only=True) as db:
        if options.name is None:
            print(db)
            for what in ("SOURCES", "STREAMS", "VIEWS"):
                print(f"\n{db.sql(f'SHOW {what}')}")
            return
        quoted = "`" + options.name.replace("`", "``") + "`"
        print(db.sql(f"DESCRIBE {quoted}"))
        print()
        if options.name.lower() in [s.lower() for s in db.sources]:
            source = db.sources[options.name]
            print(f"tuples\n{_table(source.tuples())}\n\nquarantine\n{_table(source.quarantine())}")
            return
        lookup = db.streams if options.name.lower() in [s.lower() for s in db.streams] else db.views
        handle = lookup[options.name]
        if options.changes:
            print(_table(handle.changes(options.since, options.until)))
        else:
            print(_table(handle.relation(options.at)))


# verify


def _verify(options: argparse.Namespace) -> int:
    """1 where any view differs, or cannot be computed; the others are verified all the same."""
    from syncsql.session import connect

    with connect(options.database, read_only=True) as db:
        if options.views:
            views = [db.views[name] for name in options.views]
        else:
            views = [v for v in (db.views[name] for name in db.views) if v.exists_at(options.at)]
        wrong = 0
        for view in views:
            try:
                verified = view.verify(options.at)
            except EngineError as error:
                wrong += 1
                print(error, flush=True)
            else:
                wrong += not verified.ok
                print(verified, flush=True)
    count = f"{len(views)} view{'' if len(views) == 1 else 's'}"
    print(f"{count} verified, {wrong} wrong" if wrong else f"{count} verified, none is wrong")
    return int(wrong > 0)


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
    from syncsql.session import connect
    from syncsql.storage.sessions import check_java

    check_java()
    print("Starting Spark (the first time, Delta's jars are fetched) …\n", flush=True)
    with tempfile.TemporaryDirectory(prefix="syncsql-demo-") as home, connect(Path(home) / "db") as db:
        _Story(db).tell()


class _Story:
    """Sections 2 and 3 of the paper: rooms report temperatures, and views keep track of the hot ones."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def _say(self, text: str) -> None:
        print(f"\n── {text}\n", flush=True)

    def _sql(self, text: str) -> None:
        print("   " + text.replace("\n", "\n   "))
        self._db.sql(text)

    def _stream(self, name: str) -> None:
        handle = (self._db.streams if name in list(self._db.streams) else self._db.views)[name]
        print(f"\n{Report(name)}\n{_table(handle.changes())}")

    def tell(self) -> None:
        self._say("1. A source of raw tuples, and a stream over it: the key says what is an insertion, what an update.")
        self._sql("REGISTER SOURCE TemperatureSource (char RoomID, int Temperature) From port5501")
        self._sql("CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID")
        self._say("2. A view keeps track of the rooms above 80 degrees; a second one, over it, of those above 100.")
        self._sql(
            "CREATE STREAMED VIEW HotRooms1 AS\nSELECT RoomID, Temperature FROM R(RoomTempStr) WHERE Temperature > 80"
        )
        self._sql("CREATE STREAMED VIEW Q4 AS\nSELECT RoomID, Temperature FROM R(HotRooms1) WHERE Temperature > 100")
        self._say("3. The same, refreshed every 2 and every 4 time units: synchronization streams are SQL themselves.")
        for n in (2, 4):
            self._sql(f"CREATE STREAMED VIEW Sync{n} AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint mod {n} = 0")
        self._sql(
            "CREATE STREAMED VIEW HotRoomsEvery2 AS\n"
            "SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80"
        )
        self._sql(
            "CREATE STREAMED VIEW Q4Every4 AS\n"
            "SELECT RoomID, Temperature FROM R[Sync4](HotRoomsEvery2) WHERE Temperature > 100"
        )
        self._say("4. Tuples arrive, and time moves on to 8.")
        tuples = [("a", 78, 1), ("a", 105, 2), ("b", 110, 3), ("c", 97, 4), ("a", 76, 5), ("c", 103, 7)]
        for room, temperature, at in tuples:
            self._db.push("TemperatureSource", [(room, temperature)], at=at)
        print(grid(["RoomID", "Temperature", "timestamp"], tuples))
        print(f"\n{self._db.advance(to=8)}")
        self._say("5. The tagged stream: + inserts, u updates. Every answer is a stream of the same form; - deletes.")
        for name in ("RoomTempStr", "HotRooms1", "Q4"):
            self._stream(name)
        self._say("6. With synchronization, what happens between two points comes out at the next one, as one change.")
        for name in ("HotRoomsEvery2", "Q4Every4"):
            self._stream(name)
        self._say("7. The relation at any time: the hot rooms at 4 and at 8.")
        for at in (4, 8):
            print(f"HotRooms1 at {at}\n{_table(self._db.views['HotRooms1'].relation(at=at))}\n")
