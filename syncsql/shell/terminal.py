"""The shell on a terminal: history, completion, statements of many lines."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.filters import completion_is_selected
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from pygments.lexers.sql import SqlLexer

from syncsql.shell.commands import Leave
from syncsql.shell.completion import complete
from syncsql.shell.names import Names, names_of
from syncsql.shell.reading import pieces
from syncsql.shell.shell import Shell

PROMPT = "syncsql> "
_MORE = "    ...> "


def history() -> History:
    """Kept in a file; where none can be written, for this session alone."""
    file = Path(os.environ.get("SYNCSQL_HISTORY") or Path.home() / ".syncsql_history")
    try:
        file.open("a").close()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(file))


def converse(shell: Shell) -> int:
    """Asks and answers until the user leaves."""
    names = _Names(shell)
    prompt: PromptSession[str] = PromptSession(
        history=history(), completer=names, complete_while_typing=False, multiline=True,
        key_bindings=_keys(), lexer=PygmentsLexer(SqlLexer), auto_suggest=AutoSuggestFromHistory(),
        prompt_continuation=_MORE, bottom_toolbar=lambda: names.toolbar + _ending(get_app().current_buffer.text),
    )  # fmt: skip
    shell.later(names.learn_functions)
    while True:
        try:
            text = prompt.prompt(PROMPT)
            for piece in pieces(f"{text}\n")[0]:
                if not shell.perform(piece):
                    break
            names.look()
        except KeyboardInterrupt:
            continue
        except (EOFError, Leave):
            return 0


def _ending(text: str) -> str:
    """What is said of a statement that goes on in a second line."""
    return " · a statement ends with ; and Ctrl-C drops it" if "\n" in text else ""


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter", filter=~completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        """Enter ends a statement that is complete, and else begins its next line."""
        buffer = event.current_buffer
        _, rest = pieces(f"{buffer.text}\n")
        if rest and buffer.text.strip():
            buffer.newline()
        else:
            buffer.validate_and_handle()

    @keys.add("enter", filter=completion_is_selected)
    def _(event: KeyPressEvent) -> None:
        """Enter in the list of completions takes the one that is selected."""
        event.current_buffer.complete_state = None

    return keys


class _Names(Completer):
    """The names as they were after the last statement."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._functions: tuple[str, ...] = ()
        self.look()

    def look(self) -> None:
        self._names: Names = names_of(self._shell.db, self._functions)
        time = self._shell.closed
        mode = " · read only" if self._shell.read_only else ""
        self.toolbar = f" {self._shell.db._engine.root.name} · {f'time {time}' if time >= 0 else 'no time yet'}{mode}"

    def learn_functions(self) -> None:
        found = (row[0] for row in self._shell.db.spark.sql("SHOW FUNCTIONS").collect())
        self._functions = tuple(f for f in found if f.isidentifier())
        self.look()

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:
        for found in complete(document.text_before_cursor, self._names, document.text_after_cursor):
            yield Completion(found.text, -found.replaces, display_meta=found.kind)
