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
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from syncsql.errors import StorageError


@dataclass(frozen=True)
class NewFile:
    """A Parquet file that was written and not committed yet; ``stats`` are its statistics as Delta has them."""

    name: str
    size: int
    stats: str


def commit_text(
    added: Sequence[NewFile], removed: Sequence[str], note: Mapping[str, str], numbers: Mapping[str, int],
    data_change: bool,
) -> str:  # fmt: skip
    """The lines of a commit. ``note`` is kept with it and shown in the table's history, ``numbers`` are the last ones
    of applications. Without ``data_change`` readers see the same rows, but for some that were given up."""
    now = int(1000 * time.time())
    how = {"operation": "WRITE", "operationParameters": {"mode": "Overwrite" if removed else "Append"}}
    if not data_change:
        how = {"operation": "OPTIMIZE", "operationParameters": {}}
    lines: list[dict[str, Any]] = [{"commitInfo": {"timestamp": now, **how, "engineInfo": "syncsql", **note}}]
    for application, number in numbers.items():
        lines.append({"txn": {"appId": application, "version": number, "lastUpdated": now}})
    for path in removed:
        lines.append({"remove": {"path": path, "deletionTimestamp": now, "dataChange": data_change}})
    for file in added:
        told = {"path": file.name, "partitionValues": {}, "size": file.size, "modificationTime": now}
        lines.append({"add": {**told, "dataChange": data_change, "stats": file.stats}})
    return "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)


def is_committed(table: Path, version: int) -> bool:
    """Whether somebody has made this version. The file of an old one may be gone again, where a checkpoint is later."""
    return _commit_file(table, version).exists() or _last_checkpoint(table) >= version


def forget_before(table: Path, version: int) -> None:
    """Takes away the log of versions before ``version``, as far as a checkpoint has what came of them."""
    log = table / "_delta_log"
    checkpoints = [v for v in map(_version, log.glob("*.checkpoint*.parquet")) if v is not None and v <= version]
    for file in log.iterdir() if checkpoints else ():
        made = _version(file)
        if made is not None and made < max(checkpoints):
            file.unlink()


def commit(table: Path, version: int, text: str) -> bool:
    """Whether the commit took place; it does not where somebody else has made that version."""
    if is_committed(table, version):
        return False
    # Linked, not written in place: a commit is there as a whole or not at all, whenever this process may end.
    written = table / "_delta_log" / f"_commit_{uuid.uuid4()}.json.tmp"
    written.write_text(text, encoding="utf-8")
    try:
        os.link(written, _commit_file(table, version))
    except FileExistsError:
        return False
    except OSError as error:
        raise StorageError(
            "DATABASE.UNUSABLE", f"{table} cannot be written to: {error.strerror}",
            hint="a database needs a file system with hard links, as the local ones of Linux and macOS are",
        ) from error  # fmt: skip
    finally:
        written.unlink()
    return True


def _version(file: Path) -> int | None:
    """The version that a file of the log is about."""
    number = file.name.split(".")[0]
    return int(number) if number.isdecimal() else None


def _last_checkpoint(table: Path) -> int:
    try:
        return int(json.loads((table / "_delta_log" / "_last_checkpoint").read_text())["version"])
    except (FileNotFoundError, ValueError):
        # None yet, or one that somebody is just writing.
        return -1


def _commit_file(table: Path, version: int) -> Path:
    return table / "_delta_log" / f"{version:020}.json"
