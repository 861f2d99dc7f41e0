"""What a continuous query cannot say, refused at its place in the user's text."""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from syncsql.errors import SyncSQLError, UnsupportedError
from syncsql.language import Query

_PART_NAMES = {"order": "ORDER BY", "limit": "LIMIT", "offset": "OFFSET", "windows": "WINDOW", "qualify": "QUALIFY",
               "laterals": "LATERAL VIEW", "pivots": "PIVOT", "sample": "TABLESAMPLE", "sort": "SORT BY",
               "cluster": "CLUSTER BY", "distribute": "DISTRIBUTE BY", "hint": "a hint", "into": "INTO",
               "by_name": "BY NAME", "version": "VERSION AS OF", "when": "TIMESTAMP AS OF"}  # fmt: skip
_PART_HINTS = {
    "order": "a relation has no order: sort what relation() gives",
    "limit": "take the first rows of what relation() gives",
}


@dataclass(frozen=True)
class Refusals:
    """Errors about ``query``, each at the part that it is about."""

    query: Query

    def placed(self, error: SyncSQLError, node: exp.Expr) -> SyncSQLError:
        """The error at ``node``, or at what is around it where nothing in it has a place."""
        around: exp.Expr | None = node
        while around is not None and (span := self.query.span_of(around)) is None:
            around = around.parent
        return error if around is None else error.at(self.query.text, span)

    def without(self, part: str, value: object, node: exp.Expr, where: str = "") -> SyncSQLError:
        """The refusal of a part of ``node``, at that part where it has a place."""
        error = unsupported(f"{_PART_NAMES.get(part, part.upper())}{where}", _PART_HINTS.get(part))
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, exp.Expr):
                error = error.at(self.query.text, self.query.span_of(item))
        return self.placed(error, node)


def unsupported(what: str, hint: str | None = None) -> SyncSQLError:
    return UnsupportedError("UNSUPPORTED.QUERY", f"{what} is not supported in a continuous query", hint=hint)
