"""The shell's own statements: the engine's verbs, and what a shell has.

Each is written like a statement, ``ADVANCE TO 8;``, or on one line with a dot, ``.advance 8``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from syncsql.errors import BindError, EngineError, ParseError, Span, SyncSQLError, did_you_mean
from syncsql.files import KINDS, load
from syncsql.render import Report

if TYPE_CHECKING:
    from syncsql.handles import StreamHandle, ViewHandle
    from syncsql.shell.shell import Shell

_NAME = r"(?P<name>`[^`]+`|\w+)"


class Leave(Exception):
    """The user is done."""


@dataclass(frozen=True)
class Command:
    """``form`` is what the text behind the name must look like."""

    name: str
    usage: str
    what: str
    form: str
    does: Callable[[Shell, re.Match[str]], None]

    def perform(self, shell: Shell, text: str, start: int) -> None:
        """``text`` ends with the command; what follows its name begins at ``start``."""
        match = re.compile(self.form, re.IGNORECASE | re.DOTALL).fullmatch(text, start)
        if match is None:
            raise ParseError(
                "SHELL.COMMAND", f"{self.name} is not written like this", text=text,
                span=Span(len(text) - len(text.lstrip()), len(text)), hint=self.usage,
            )  # fmt: skip
        try:
            self.does(shell, match)
        except SyncSQLError as error:
            said = match.groupdict()
            place = "rows" if error.about == "rows" else "name"
            raise error.at(text, Span(*match.span(place)) if said.get(place) else None) from None


def find(text: str, dotted: bool) -> tuple[Command, int] | None:
    """The command that ``text`` is, and where its arguments begin; None where it is a statement of SyncSQL."""
    head = re.match(r"\s*\.?(\w+|\?)\s*", text)
    word = head.group(1).upper() if head is not None else ""
    word = {"EXIT": "QUIT", "?": "HELP"}.get(word, word)
    for command in COMMANDS:
        if command.name == word and head is not None:
            return command, head.end()
    if dotted:
        raise ParseError(
            "SHELL.COMMAND", f"there is no command `.{word.lower()}`",
            hint=did_you_mean(f".{word.lower()}", [f".{c.name.lower()}" for c in COMMANDS]),
        )  # fmt: skip
    return None


def _plain(name: str) -> str:
    return name.strip("`")


def changing(shell: Shell, name: str) -> StreamHandle | ViewHandle:
    """The stream or view of this name."""
    db, plain = shell.db, _plain(name)
    if plain.lower() in (s.lower() for s in db.streams):
        return db.streams[plain]
    if plain.lower() in (v.lower() for v in db.views):
        return db.views[plain]
    raise BindError(
        "CATALOG.UNKNOWN", f"there is no stream or view `{plain}`", hint=did_you_mean(plain, [*db.streams, *db.views])
    )


def _number(match: re.Match[str], group: str) -> int | None:
    return None if match[group] is None else int(match[group])


def _push(shell: Shell, match: re.Match[str]) -> None:
    rows = match["rows"]
    at = _number(match, "at")
    found: Any
    if re.match(r"VALUES\b", rows, re.IGNORECASE):
        found = _values(shell, rows)
    else:
        path = Path(rows.strip("'")).expanduser()
        if path.suffix not in KINDS:
            raise EngineError(
                "INPUT.FORM", f"{path}: a file that ends in .csv, .json or .parquet is expected",
                hint="or rows: VALUES (…), (…)", about="rows",
            )  # fmt: skip
        found = load(shell.db.spark, path)
    pushed = shell.db.push(_plain(match["name"]), found, at)
    shell.display.say(str(pushed))
    if pushed.quarantined:
        shell.display.note(f"QUARANTINE {match['name']}; shows which and why")


def _values(shell: Shell, text: str) -> list[tuple[Any, ...]]:
    """Rows as Spark reads them, so that every literal of SQL can stand there."""
    from pyspark.errors import PySparkException

    from syncsql.dataflow.diagnosis import spark_message

    try:
        # Through Arrow times come with their zone; collected they would be times of this machine's zone.
        rows = shell.db.spark.sql(f"SELECT * FROM {text}").toArrow()
        return list(zip(*(c.to_pylist(maps_as_pydicts="strict") for c in rows.columns), strict=True))
    except PySparkException as error:
        raise EngineError(
            "INPUT.FORM",
            f"these are no rows: {spark_message(error)}",
            hint="VALUES ('a', 1), ('b', NULL)",
            about="rows",
        ) from None


def _advance(shell: Shell, match: re.Match[str]) -> None:
    since = shell.closed
    shell.display.say(str(shell.db.advance(_number(match, "to"))))
    for name in shell.watched:
        shell.display.changes(name, changing(shell, name).changes(since))


def _changes(shell: Shell, match: re.Match[str]) -> None:
    handle = changing(shell, match["name"])
    shell.display.frame(handle.changes(_number(match, "since"), _number(match, "until")))


def _relation(shell: Shell, match: re.Match[str]) -> None:
    shell.display.frame(changing(shell, match["name"]).relation(_number(match, "at")))


def _quarantine(shell: Shell, match: re.Match[str]) -> None:
    shell.display.frame(shell.db.sources[_plain(match["name"])].quarantine())


def _watch(shell: Shell, match: re.Match[str]) -> None:
    if match["name"].upper() == "OFF":
        shell.watched.clear()
        return
    handle = changing(shell, match["name"])
    if shell.read_only:
        shell.follow(handle.name, _number(match, "until"))
    elif handle.name not in shell.watched:
        shell.watched.append(handle.name)
        shell.display.note(f"after each ADVANCE the changes of {handle.name} are shown; WATCH OFF ends it")


def _help(shell: Shell, match: re.Match[str]) -> None:
    asked = (match["about"] or "").upper()
    shown = [c for c in COMMANDS if c.name == asked] or list(COMMANDS)
    rows = tuple((c.usage, c.what) for c in shown)
    notes = () if len(shown) == 1 else _MORE
    shell.display.report(Report("", ("command", "what it does"), rows, notes))


_MORE = (
    "",
    "Statements of SyncSQL end with `;` and may have many lines:",
    "  REGISTER SOURCE …    CREATE STREAM …    CREATE [STREAMED | COMPLETE] VIEW …    DROP …    SELECT …",
    "  EXPLAIN [PLAN | SKIN | SHARING] SELECT …    DESCRIBE name    VERIFY VIEW name [AT t]",
    "  SHOW SOURCES | STREAMS | VIEWS | ADVANCES | SHARING",
    "A command is written like a statement, ADVANCE TO 8; or on one line with a dot, .advance 8",
    "Tab completes, ↑ goes back in the history, Ctrl-C cancels a statement, Ctrl-D leaves.",
)


def _quit(shell: Shell, match: re.Match[str]) -> None:
    raise Leave


COMMANDS = (
    Command(
        "PUSH", "PUSH source VALUES (…), … | file [AT t]",
        "rows, or a file .csv .json .parquet, for a source; at the next tick without AT",
        rf"{_NAME}\s+(?:FROM\s+)?(?P<rows>VALUES\b.*?|'[^']*'|\S+)(?:\s+AT\s+(?P<at>\d+))?", _push,
    ),
    Command(
        "ADVANCE", "ADVANCE [TO t]", "compute every point up to t, or the next tick: nothing will come for it any more",
        r"(?:TO\b\s*(?=\d))?(?P<to>\d+)?", _advance,
    ),
    Command(
        "CHANGES", "CHANGES name [SINCE t] [UNTIL t]", "the operations of a stream or view: + u -",
        rf"{_NAME}(?:\s+(?:SINCE\s+)?(?P<since>\d+))?(?:\s+UNTIL\s+(?P<until>\d+))?", _changes,
    ),
    Command(
        "RELATION", "RELATION name [AT t]", "the relation of a stream or view, now or at t",
        rf"{_NAME}(?:\s+(?:AT\s+)?(?P<at>\d+))?", _relation,
    ),
    Command(
        "QUARANTINE", "QUARANTINE source", "the rows that could not be taken, and why", _NAME, _quarantine
    ),
    Command(
        "WATCH", "WATCH name [UNTIL t] | OFF",
        "its changes after each ADVANCE; where another process writes, as they come",
        rf"{_NAME}(?:\s+UNTIL\s+(?P<until>\d+))?", _watch,
    ),
    Command("HELP", "HELP [command]", "this list", r"\.?(?P<about>\w+)?", _help),
    Command("QUIT", "QUIT", "leave the shell, as Ctrl-D does", r"", _quit),
)  # fmt: skip
