"""``syncsql shell DIR``: statements and commands, one after the other, on a terminal or from a script."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from threading import Event

from pyspark.errors import PySparkException
from rich.console import Console

from syncsql import session
from syncsql.dataflow.diagnosis import said, spark_message
from syncsql.dataflow.verify import Verified
from syncsql.errors import EngineError, SyncSQLError
from syncsql.handles import QueryHandle
from syncsql.language import Explain, parse_script
from syncsql.render import Report
from syncsql.session import Database
from syncsql.shell.commands import Leave, find
from syncsql.shell.display import Display
from syncsql.shell.reading import Piece, script
from syncsql.shell.watch import Watch
from syncsql.storage.lock import writer_of

_CANCEL_SECONDS = 0.3


class Cancelled(Exception):
    """The user pressed Ctrl-C while something ran."""


class Shell:
    """``watched`` has the streams and views whose changes are shown after each advance."""

    def __init__(self, db: Database, display: Display, read_only: bool) -> None:
        self.db, self.display, self.read_only = db, display, read_only
        self.watched: list[str] = []
        self.cancelled = Event()
        self._follows = False
        # Spark is only ever called from this thread: an interrupt in the middle of a call would confuse what it says.
        self._worker = ThreadPoolExecutor(1, "statement")

    @property
    def closed(self) -> int:
        """The time up to which every point is computed; −1 before the first advance."""
        return self.db._engine.closed

    def perform(self, piece: Piece) -> bool:
        """Whether the piece could be carried out; what it says is shown. Leaving is up to the caller."""
        begun = time.monotonic()
        try:
            self.within_reach(lambda: self._run(piece))
        except Cancelled:
            self.display.note(self._after_cancelling())
            return False
        except SyncSQLError as error:
            self.display.error(error)
            return False
        if self.display.is_terminal:
            self.display.note(f"{time.monotonic() - begun:.1f} s")
        return True

    def _run(self, piece: Piece) -> None:
        try:
            command = find(piece.placed, piece.dotted)
            if command is not None:
                command[0].perform(self, piece.placed, command[1])
            else:
                self._statement(piece.placed)
        except PySparkException as error:
            raise EngineError("QUERY.FAILED", f"the answer cannot be computed: {spark_message(error)}") from error
        except (SyncSQLError, Leave):
            raise
        except Exception as error:
            raise EngineError("SHELL.UNEXPECTED", said(error), hint="this is a bug") from error

    def _statement(self, text: str) -> None:
        statements = parse_script(text)
        result = self.db.sql(text)
        if isinstance(result, QueryHandle):
            self.display.frame(result.relation())
        elif isinstance(result, Verified):
            self.display.report(result.report, is_data=True)
        elif isinstance(result, Report):
            last = statements[-1]
            is_plan = isinstance(last, Explain) and last.kind == "PLAN"
            (self.display.plan if is_plan else self.display.report)(result)
        elif result is not None:
            self.display.say(str(result))

    def follow(self, name: str, until: int | None) -> None:
        self._follows = True
        try:
            Watch(self, name, until).run()
        finally:
            self._follows = False

    # Cancelling

    def within_reach(self, work: Callable[[], None]) -> None:
        """Runs ``work``, which Ctrl-C ends: its jobs are cancelled until it gives up. What came to its end all the
        same, or follows until it is told to end, is not cancelled."""
        self.cancelled.clear()
        running: Future[None] = self._worker.submit(work)
        try:
            running.result()
        except KeyboardInterrupt:
            self.cancelled.set()
            # A line in between would break what WATCH draws; to leave it is not to cancel it.
            if not self._ended(running) and not self._follows:
                self.display.note("cancelling …")
            while not self._ended(running):
                self.db.spark.sparkContext.cancelAllJobs()
            if running.exception() is not None:
                raise Cancelled from None

    @staticmethod
    def _ended(running: Future[None]) -> bool:
        try:
            return not wait([running], _CANCEL_SECONDS).not_done
        except KeyboardInterrupt:
            return False

    def later(self, work: Callable[[], None]) -> None:
        """Has ``work`` done before the next statement, while the user is still typing it."""
        self._worker.submit(work)

    def _after_cancelling(self) -> str:
        last = self.db._engine.advances()[-1:]
        if last and last[0].status != "done" and not self.read_only:
            time = f"time stays at {self.closed}" if self.closed >= 0 else "time has not begun"
            return f"cancelled; {time}, and the next ADVANCE carries on to {last[0].end}"
        return "cancelled"

    def close(self) -> None:
        self._worker.shutdown()


def run(root: Path, keep_going: bool) -> int:
    """The exit code: 1 where a piped script has an error."""
    display = Display(Console(highlight=False), Console(stderr=True, highlight=False))
    holder = writer_of(root)
    interactive = sys.stdin.isatty()
    if interactive:
        display.note("Starting Spark …")
    is_new = not (root / "_catalog").exists()
    with session.connect(root, read_only=holder is not None) as db:
        if holder is not None:
            display.note(
                f"process {holder} writes to {root}: it is opened for reading only, WATCH follows its advances"
            )
        shell = Shell(db, display, holder is not None)
        try:
            if not interactive:
                return run_script(shell, sys.stdin, keep_going)
            from syncsql.shell.terminal import converse

            display.note(f"New database {root}" if is_new else repr(db))
            return converse(shell)
        finally:
            shell.close()


def run_script(shell: Shell, lines: Iterable[str], keep_going: bool) -> int:
    code = 0
    try:
        for piece in script(lines):
            if not shell.perform(piece):
                code = 1
                if not keep_going:
                    break
    except Leave:
        pass
    return code
