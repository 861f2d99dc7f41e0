"""Functions of Spark that sqlglot knows under another name which does not mean quite the same.

It reads ``log10(a)`` as ``LOG(10, a)``, which rounds differently; it writes ``percentile_cont`` as an approximation,
``to_char`` without its format and ``parse_json(a)`` as ``a``; and it takes ``GROUP BY window(…)`` for a WINDOW clause.
A query must mean what Spark means by it, so these calls are read under a name that sqlglot does not know, and stay
`exp.Anonymous`.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from syncsql.language.rewriting import Edit
from syncsql.language.tokens import Token

KEPT = {"ARRAY_SIZE", "LOG10", "LOG2", "PARSE_JSON", "PERCENTILE_CONT", "PERCENTILE_DISC", "TO_CHAR", "TO_VARCHAR"}
KEPT |= {"TRY_PARSE_JSON", "WINDOW"}


_PREFIX = "syncsql_keeps_"


def keep_functions(tokens: Sequence[Token]) -> list[Edit]:
    """The edits that give such calls names which sqlglot has never heard of."""
    return [
        Edit(token.start, token.end, _PREFIX + token.text)
        for at, token in enumerate(tokens[:-1])
        if token.word in KEPT and tokens[at + 1].text == "(" and (at == 0 or tokens[at - 1].text != ".")
    ]


def rename_functions(tree: exp.Expr) -> None:
    """Give the calls their own names again, now that they are read."""
    for call in tree.find_all(exp.Anonymous):
        if call.name.startswith(_PREFIX):
            call.set("this", call.name.removeprefix(_PREFIX))
