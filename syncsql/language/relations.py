"""Taking SyncSQL's relations off a query: what is left in FROM are plain names, which Spark SQL can read.

``R[Sync](S) x`` leaves ``S x`` and the note that this S has the sync stream Sync; ``A ∪ B`` leaves a subquery
``(SELECT * FROM A UNION ALL SELECT * FROM B)``; ``R(S).TS`` in an expression leaves ``S.TS``. Whether a word stands
where a relation is expected is seen by following SELECT, FROM, JOIN, commas and parentheses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from syncsql.errors import ParseError, Span
from syncsql.language.operators import FORMS, is_operator, is_qualifier, is_symbol, read_operator
from syncsql.language.rewriting import Edit, Rewritten
from syncsql.language.tokens import Token
from syncsql.language.words import CLAUSES, NOT_ALIASES, QUERY_STARTS

_SET_OPERATIONS = {"∪": "UNION ALL", "∩": "INTERSECT", "-": "EXCEPT"}


@dataclass(frozen=True)
class Relation:
    """What was written around the name of a relation, whose own place is ``span``."""

    span: Span
    sync: str | None
    sync_span: Span | None


@dataclass(frozen=True)
class Relations:
    """The edits that leave plain names, and what they took away, by where the name starts in the user's text."""

    edits: list[Edit] = field(default_factory=list)
    by_start: dict[int, Relation] = field(default_factory=dict)


def find_relations(source: Rewritten, tokens: Sequence[Token]) -> Relations:
    """All relations of a query and of the queries inside it."""
    scan = _Scan(source, tokens)
    at = 0
    while at < len(tokens):
        at = scan.step(at)
    return scan.found


@dataclass
class _Level:
    """One level of parentheses: whether it holds a query, and whether its FROM list is being read."""

    query: bool = False
    in_from: bool = False


class _Scan:
    def __init__(self, source: Rewritten, tokens: Sequence[Token]) -> None:
        self.source = source
        self.tokens = tokens
        self.found = Relations()
        self.levels = [_Level()]
        self.expected: set[int] = set()  # tokens at which a relation is expected
        self.operands: set[int] = set()  # those of them behind a set operation
        self.set_operations: set[int] = set()

    def step(self, at: int) -> int:
        """Handle the token number ``at`` and return the number of the next one to look at."""
        token = self.tokens[at]
        if at in self.expected:
            if at not in self.operands:
                self._combine(at)
            if is_operator(self.tokens, at):
                return self._take_off(at)
            self._refuse_lookalike(at)
        elif is_symbol(self.tokens, at) or (is_qualifier(self.tokens, at) and not self._is_field(at)):
            return self._qualify(at)
        if token.text in ("∪", "∩") and at not in self.set_operations:
            raise self._error(token, f"`{token.text}` is not expected here", "it stands between two relations of FROM")
        if token.text == "(":
            self._open(at)
        elif token.text == ")" and len(self.levels) > 1:
            self.levels.pop()
        else:
            self._follow(at)
        return at + 1

    def _follow(self, at: int) -> None:
        """Keep track of where in its query the scan is."""
        token, level = self.tokens[at], self.levels[-1]
        if self._is_field(at):
            return
        if token.word == "SELECT":
            level.query, level.in_from = True, False
        elif token.word == "FROM" and level.query and not self._is_distinct_from(at):
            level.in_from = True
            self.expected.add(at + 1)
        elif level.in_from and (token.word == "JOIN" or token.text == ","):
            self.expected.add(at + 1)
        elif token.word in CLAUSES and not (token.word == "WINDOW" and self._is_call(at)):
            level.in_from = False

    def _open(self, at: int) -> None:
        inner = self.tokens[at + 1].word if at + 1 < len(self.tokens) else ""
        joins = at in self.expected and inner not in QUERY_STARTS
        self.levels.append(_Level(in_from=joins))
        if joins:
            self.expected.add(at + 1)

    def _is_field(self, at: int) -> bool:
        return at > 0 and self.tokens[at - 1].text == "."

    def _is_call(self, at: int) -> bool:
        return at + 1 < len(self.tokens) and self.tokens[at + 1].text == "("

    def _is_distinct_from(self, at: int) -> bool:
        """``IS [NOT] DISTINCT FROM`` has a FROM that begins no list."""
        before = [token.word for token in self.tokens[max(0, at - 2) : at]]
        return before in (["IS", "DISTINCT"], ["NOT", "DISTINCT"])

    def _take_off(self, at: int) -> int:
        operator = read_operator(self.source, self.tokens, at)
        span = self.source.span(operator.name.start, operator.name.end)
        self.found.edits.extend(operator.edits)
        self.found.by_start[span.start] = Relation(span, operator.sync, operator.sync_span)
        return operator.end

    def _qualify(self, at: int) -> int:
        operator = read_operator(self.source, self.tokens, at)
        head = self.tokens[at]
        if operator.end >= len(self.tokens) or self.tokens[operator.end].text != ".":
            raise self._error(head, f"`{head.text}` is not expected here", "a relation stands in FROM")
        if operator.sync is not None:
            raise self._error(
                head,
                "a synchronized relation cannot qualify a column",
                f"name the relation in FROM, as in R[{operator.sync}]({operator.name.value}) x, and write x.column",
            )
        self.found.edits.extend(operator.edits)
        return operator.end

    def _combine(self, first: int) -> None:
        """``A ∪ B ∩ C``: the relations that begin here, up to the last set operation, become one subquery."""
        end = self._end(first)
        operations: list[int] = []
        while end < len(self.tokens) - 1 and self.tokens[end].text in _SET_OPERATIONS:
            operations.append(end)
            end = self._end(end + 1)
        if not operations:
            return
        edits = self.found.edits
        edits.append(Edit(self.tokens[first].start, self.tokens[first].start, "(SELECT * FROM "))
        for at in operations:
            symbol = self.tokens[at]
            edits.append(Edit(symbol.start, symbol.end, f" {_SET_OPERATIONS[symbol.text]} SELECT * FROM "))
            self.expected.add(at + 1)
            self.operands.add(at + 1)
            self.set_operations.add(at)
        last = self.tokens[end - 1].end
        edits.append(Edit(last, last, ")"))

    def _end(self, at: int) -> int:
        """The number of the token behind the relation that begins here, its alias included."""
        tokens = self.tokens
        if at >= len(tokens):
            return at
        if is_operator(tokens, at):
            at = read_operator(self.source, tokens, at).end
        elif tokens[at].text == "(":
            at = self._behind_parentheses(at)
        elif tokens[at].is_name:
            at = self._behind_parentheses(at + 1)
        else:
            return at
        if at < len(tokens) and tokens[at].word == "AS":
            return self._behind_parentheses(min(at + 2, len(tokens)))
        if at < len(tokens) and tokens[at].is_name and tokens[at].word not in NOT_ALIASES:
            return self._behind_parentheses(at + 1)
        return at

    def _behind_parentheses(self, at: int) -> int:
        """``at``, or where the parentheses that open there are closed."""
        if at >= len(self.tokens) or self.tokens[at].text != "(":
            return at
        depth = 0
        for number in range(at, len(self.tokens)):
            depth += {"(": 1, ")": -1}.get(self.tokens[number].text, 0)
            if depth == 0:
                return number + 1
        return len(self.tokens)

    def _refuse_lookalike(self, at: int) -> None:
        """``R_Sync(S)`` would be read as a table function of that name."""
        token = self.tokens[at]
        if self._is_call(at) and token.word.startswith("R_"):
            raise self._error(token, f"`{token.text}` is not a relation", f"write R[{token.text[2:] or 'Sync'}](…)")

    def _error(self, token: Token, message: str, hint: str) -> ParseError:
        span = self.source.span(token.start, token.end)
        return ParseError("PARSE.RELATION", message, text=self.source.original, span=span, hint=f"{hint}; {FORMS}")
