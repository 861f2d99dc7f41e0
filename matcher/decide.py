"""The decision for a query: a verdict for every view, and which match is used."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from matcher.block import Query
from matcher.contain import rows_of
from matcher.context import Context
from matcher.facts import Facts
from matcher.prover import Effort
from matcher.rewrite import Rewriter
from matcher.sqltext import to_sql
from matcher.verdict import Match, NoMatch, Unknown, Verdict
from matcher.workspace import Workspace


@dataclass(frozen=True)
class Decision:
    query: Query
    names: tuple[str, ...]
    verdicts: tuple[tuple[str, Verdict], ...]
    chosen: Match | None = None

    def sql(self, plain: bool = False) -> str | None:
        return None if self.chosen is None else to_sql(self.chosen.rewrite, plain, self.names)

    def __str__(self) -> str:
        lines = []
        for name, verdict in self.verdicts:
            if isinstance(verdict, Match):
                lines.append(f"{name}: match" + (f" ({verdict.partial})" if verdict.partial else ""))
                lines.append("  " + to_sql(verdict.rewrite, False, self.names))
                lines += [f"  - {s}" for s in verdict.proof]
            elif isinstance(verdict, NoMatch):
                lines.append(f"{name}: no match [{verdict.code}] {verdict.reason}")
                if verdict.hint:
                    lines.append(f"  hint: {verdict.hint}")
                if verdict.evidence:
                    lines.append("  " + str(verdict.evidence).replace("\n", "\n  "))
            elif isinstance(verdict, Unknown):
                lines.append(f"{name}: unknown, {verdict.why}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        return {"verdicts": [{"view": n, **v.to_dict()} for n, v in self.verdicts], "rewrite": self.sql()}


@dataclass
class Matcher:
    workspace: Workspace
    effort_ms: int = 200
    _cache: dict[Any, Verdict] = field(default_factory=dict)

    def decide(self, text: str) -> Decision:
        query, names = self.workspace.query(text)
        verdicts = []
        for view in self.workspace.views.values():
            context = Context(Facts(self.workspace), Effort(self.effort_ms), rows_of)
            verdicts.append((view.name, Rewriter(context, lambda a, b: False).match(query, view)))
        chosen = next((v for _, v in verdicts if isinstance(v, Match)), None)
        return Decision(query, names, tuple(verdicts), chosen)
