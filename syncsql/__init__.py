"""SyncSQL: incremental, shared, exactly refreshed views for Spark and Delta."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from syncsql.errors import SyncSQLError
    from syncsql.session import Database, connect

# Imported when first asked for: the language and the matcher are used without Spark.
_HOMES = {"connect": "syncsql.session", "Database": "syncsql.session", "SyncSQLError": "syncsql.errors"}

__all__ = ["Database", "SyncSQLError", "connect"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'syncsql' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_HOMES[name]), name)
