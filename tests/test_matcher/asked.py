"""One view, one query, one verdict."""

from __future__ import annotations

from matcher.decide import Matcher
from matcher.verdict import NoMatch, Verdict
from matcher.workspace import Workspace
from tests.test_matcher.cases import schema


def verdict(view: str, query: str, tables: str = "company", also: str = "", evidence: bool = False) -> Verdict:
    """The verdict on ``view`` for ``query`` over the tables of a schema file, and what ``also`` defines."""
    workspace = Workspace()
    workspace.read(schema(tables))
    workspace.read(f"{also.rstrip().rstrip(';')};\nCREATE VIEW v AS {view}" if also else f"CREATE VIEW v AS {view}")
    return dict(Matcher(workspace).decide(query, every=True, evidence=evidence).verdicts)["v"]


def refused(found: Verdict, code: str) -> None:
    assert isinstance(found, NoMatch)
    assert found.code == code, found
