"""What can stand at the cursor, told from the words before it; a list too long is better than a name forgotten."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from syncsql.files import KINDS
from syncsql.shell.commands import COMMANDS
from syncsql.shell.names import Names
from syncsql.shell.reading import pieces

STARTS = (
    "SELECT", "WITH", "REGISTER SOURCE", "CREATE STREAM", "CREATE STREAMED VIEW", "CREATE COMPLETE VIEW",
    "CREATE OR REPLACE STREAMED VIEW", "CREATE MATERIALIZED VIEW", "CREATE VIRTUAL VIEW", "DROP VIEW", "DROP STREAM",
    "DROP SOURCE", "EXPLAIN PLAN", "EXPLAIN SKIN", "EXPLAIN SHARING", "SHOW SOURCES", "SHOW STREAMS", "SHOW VIEWS",
    "SHOW ADVANCES", "SHOW SHARING", "DESCRIBE", "VERIFY VIEW",
)  # fmt: skip
KEYWORDS = (
    "ALL", "AND", "AS", "AT", "BETWEEN", "BY", "CASE", "CAST", "COMPLETE", "DISTINCT", "ELSE", "EMIT FULL", "END",
    "EXCEPT", "FROM", "GROUP BY", "HAVING", "IN", "INTERSECT", "IS NOT NULL", "IS NULL", "JOIN", "KEY", "KEY NULL",
    "LIKE", "NOT", "NULL", "Now", "ON", "OPERATION BY", "OR", "OVER", "SELECT", "STREAMED", "THEN", "TIMESTAMP BY",
    "TS", "UNION", "UNION ALL", "VALUES", "WHEN", "WHERE",
)  # fmt: skip
# After these words a name of this kind follows.
_BEFORE_SOURCE = {"OVER", "PUSH", "QUARANTINE", "DROP SOURCE"}
_BEFORE_VIEW = {"WATCH", "VERIFY VIEW", "DROP VIEW", "REPLACE VIEW"}
_BEFORE_RELATION = {"FROM", "JOIN", "CHANGES", "RELATION", "DROP STREAM"}
_BEFORE_ANY = {"DESCRIBE", "DESC"}
_WORDS = ("statement", "command", "keyword")
_STRING = re.compile(r"'[^']*'")
_WORD = re.compile(r"`[^`]*`?|[\w.]+|[^\s\w]")


@dataclass(frozen=True)
class Candidate:
    """``text`` for the last ``replaces`` characters before the cursor; ``kind`` is shown beside it."""

    text: str
    kind: str
    replaces: int


def complete(before: str, names: Names, after: str = "") -> list[Candidate]:
    """The candidates for the text up to the cursor, the likeliest first; ``after`` is the text behind it."""
    _, piece = pieces(before)
    typed = re.search(r"[\w`]*$", piece)
    word = typed.group() if typed is not None else ""
    path = re.match(r"\.?\s*PUSH\s+\S+\s+(?:FROM\s+)?'?(?P<path>[^\s()']*)$", piece, re.IGNORECASE)
    if path is not None:
        return [*_files(path["path"]), *_matching(["VALUES"], "keyword", path["path"])]
    if _STRING.sub("", piece).count("'") % 2:
        return []
    return _dedupe(_candidates(piece, word, names, piece + after.partition(";")[0]))


def _candidates(piece: str, word: str, names: Names, whole: str) -> Iterator[Candidate]:
    head = piece[: len(piece) - len(word)]
    if not head.strip() or head.strip() == ".":
        if not head.strip():
            yield from _matching(STARTS, "statement", word)
        yield from _matching([c.name for c in COMMANDS], "command", word)
        return
    words = [w.upper() for w in _WORD.findall(head.lstrip(" ."))]
    last, two = words[-1], " ".join(words[-2:])
    if last.endswith(".") and last[:-1]:
        yield from _matching(_columns_of(last[:-1], whole, names), "column", word)
    elif two in _BEFORE_SOURCE or last in _BEFORE_SOURCE:
        yield from _matching(names.sources, "source", word)
    elif two in _BEFORE_VIEW or last in _BEFORE_VIEW or words[-2:] == ["R", "["]:
        yield from _matching(names.views, "view", word)
    elif two in _BEFORE_RELATION or last in _BEFORE_RELATION or words[-2:] == ["R", "("] or two == "] (":
        yield from _relations(names, word)
        if last in ("FROM", "JOIN"):
            yield from _matching([f"R({name})" for name in names.relations], "relation", word)
    elif last in _BEFORE_ANY:
        yield from _matching(names.sources, "source", word)
        yield from _relations(names, word)
    elif (starts := [s for s in STARTS if s.startswith(" ".join(words) + " ")]) and words[0] != "SELECT":
        done = len(" ".join(words)) + 1
        yield from _matching([s[done:] for s in starts], "keyword", word)
        if words == ["EXPLAIN"]:
            yield from _matching(["SELECT"], "keyword", word)
    else:
        yield from _matching(_columns(whole, names), "column", word)
        yield from _matching(KEYWORDS, "keyword", word)
        yield from _relations(names, word)
        if word:
            yield from _matching(names.functions, "function", word)


def _relations(names: Names, word: str) -> Iterator[Candidate]:
    yield from _matching(names.streams, "stream", word)
    yield from _matching(names.views, "view", word)
    yield from _matching(["clockStr"], "stream", word)


def _columns(piece: str, names: Names) -> list[str]:
    """The columns of the relations that the piece names; of all where it names none."""
    known = {**names.relations, **names.sources}
    said = {w.upper() for w in re.findall(r"\w+", piece)}
    read = [columns for name, columns in known.items() if name.upper() in said] or list(known.values())
    return list(dict.fromkeys(c for columns in read for c in columns))


def _columns_of(qualifier: str, piece: str, names: Names) -> list[str]:
    """The columns of a relation by its alias or its name."""
    by_name = {n.upper(): columns for n, columns in names.relations.items()}
    aliased = re.findall(rf"\b(\w+)\)?\s+(?:AS\s+)?{re.escape(qualifier)}\b", piece, re.IGNORECASE)
    for name in (qualifier, *aliased):
        if name.upper() in by_name:
            return [*by_name[name.upper()], "TS"]
    return []


def _matching(choices: Iterable[str], kind: str, word: str) -> Iterator[Candidate]:
    """The choices that begin with ``word``; keywords in the case in which they are being typed."""
    lower = kind in _WORDS and word.islower()
    for choice in choices:
        if choice.upper().startswith(word.upper().lstrip("`")):
            needs_quotes = kind not in _WORDS and re.fullmatch(r"\w+|R\(\w+\)", choice) is None
            text = f"`{choice}`" if needs_quotes else choice.lower() if lower else choice
            yield Candidate(text, kind, len(word))


def _files(typed: str) -> Iterator[Candidate]:
    """Files of rows, and directories on the way to them."""
    home, _, name = typed.rpartition("/")
    place = Path(f"{home}/" if home or typed.startswith("/") else ".").expanduser()
    try:
        entries = sorted(place.iterdir())
    except OSError:
        return
    for entry in entries:
        if entry.name.startswith(name) and not entry.name.startswith(".") and (entry.is_dir() or entry.suffix in KINDS):
            yield Candidate(entry.name + ("/" if entry.is_dir() else ""), "file", len(name))


def _dedupe(found: Iterable[Candidate]) -> list[Candidate]:
    first: dict[str, Candidate] = {}
    for candidate in found:
        first.setdefault(candidate.text.upper(), candidate)
    return list(first.values())
