"""One writer per database: an advisory lock that the operating system gives back when the process dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from syncsql.errors import StorageError


class WriterLock:
    def __init__(self, root: Path) -> None:
        try:
            root.mkdir(parents=True, exist_ok=True)
            self._file = (root / "_lock").open("a+")
        except OSError as error:
            raise StorageError(
                "DATABASE.UNUSABLE", f"{root} cannot be the directory of a database: {error.strerror}"
            ) from None
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._file.seek(0)
            holder = self._file.read().strip()
            self._file.close()
            raise _locked(root, holder) from None
        self._file.truncate(0)
        self._file.write(str(os.getpid()))
        self._file.flush()

    def release(self) -> None:
        self._file.close()


def _locked(root: Path, holder: str) -> StorageError:
    if holder == str(os.getpid()):
        return StorageError(
            "DATABASE.LOCKED", f"database {root} is open for writing in this process already",
            hint="go on with what connect gave, or close it first",
        )  # fmt: skip
    return StorageError(
        "DATABASE.LOCKED", f"database {root} is open for writing by {f'process {holder}' if holder else 'another one'}",
        hint="close it there, or open it here with connect(path, read_only=True)",
    )  # fmt: skip


def writer_of(root: Path) -> str | None:
    """The process that has the database at ``root`` open for writing; None where nobody has."""
    if not (root / "_lock").exists():
        return None
    with (root / "_lock").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return file.read().strip() or "another process"
    return None
