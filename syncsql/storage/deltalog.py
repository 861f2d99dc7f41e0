"""Commits to the log of a Delta table on a local path, as Delta's protocol has them.

A commit is a file of JSON lines that is named by its version, and takes place if there is no file of that name yet.
``deltalake`` makes the same commits, but works out the whole list of a table's files anew after each: with a thousand
small files that takes 0.1 s for one row, and the tables here get a file at every advance. Written here a commit takes
1 ms, however many there were before.
"""

from __future__ import annotations

import json
import os
import time
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class NewFile:
    """A Parquet file that was written and not committed yet; ``stats`` are its statistics as Delta has them."""

    name: str
    size: int
    stats: str


@dataclass(frozen=True)
class Numbered:
    """The number under which an application commits: Delta keeps the last one of each."""

    application: str
    number: int


def commit_text(
    added: Iterable[NewFile], removed: Iterable[str], overwrite: bool, note: Mapping[str, str], by: Numbered | None
) -> str:
    """The lines of a commit. ``note`` is kept with it and shown in the table's history."""
    now = int(1000 * time.time())
    mode = "Overwrite" if overwrite else "Append"
    told = {"timestamp": now, "operation": "WRITE", "operationParameters": {"mode": mode}, "engineInfo": "syncsql"}
    lines: list[dict[str, Any]] = [{"commitInfo": {**told, **note}}]
    if by is not None:
        lines.append({"txn": {"appId": by.application, "version": by.number, "lastUpdated": now}})
    lines += ({"remove": {"path": path, "deletionTimestamp": now, "dataChange": True}} for path in removed)
    for file in added:
        told = {"path": file.name, "partitionValues": {}, "size": file.size, "modificationTime": now}
        lines.append({"add": {**told, "dataChange": True, "stats": file.stats}})
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)


def is_committed(table: Path, version: int) -> bool:
    return _commit_file(table, version).exists()


def commit(table: Path, version: int, text: str) -> bool:
    """Whether the commit took place; it does not where somebody else has made that version."""
    # Linked, not written in place: a commit is there as a whole or not at all, whenever this process may end.
    written = table / "_delta_log" / f"_commit_{uuid.uuid4()}.json.tmp"
    written.write_text(text, encoding="utf-8")
    try:
        os.link(written, _commit_file(table, version))
    except FileExistsError:
        return False
    finally:
        written.unlink()
    return True


def _commit_file(table: Path, version: int) -> Path:
    return table / "_delta_log" / f"{version:020}.json"
