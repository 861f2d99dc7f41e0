"""What was found before, for when the same is asked again: verdicts, and what is contained in time.

A verdict is about a query and a view as they are, and stays true whatever else comes or goes, with one exception. What
an event-based synchronization stream has as its points is told by a name, and the stream of that name may be made anew.
So verdicts that such a stream had a part in are kept apart, to be forgotten when anything is replaced.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from matcher.block import Query, syncs
from matcher.verdict import Verdict
from matcher.view import View
from syncsql.algebra.sync import Sync, events_in

_MOST = 50_000

_Asked = tuple[Query, View]
_Pair = tuple[Sync, Sync]


@dataclass
class Memory:
    _lasting: dict[_Asked, Verdict] = field(default_factory=dict)
    _of_events: dict[_Asked, Verdict] = field(default_factory=dict)
    _in_time: dict[_Pair, bool] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self._lasting) + len(self._of_events)

    def verdict(self, query: Query, view: View) -> Verdict | None:
        found = self._lasting.get((query, view))
        return self._of_events.get((query, view)) if found is None else found

    def keep(self, query: Query, view: View, verdict: Verdict) -> None:
        by_events = any(_has_events(s) for s in (*syncs(query), view.sync))
        kept = self._of_events if by_events else self._lasting
        if len(kept) >= _MOST:
            kept.clear()
        kept[query, view] = verdict

    def in_time(self, due: Sync, view: Sync) -> bool | None:
        return self._in_time.get((due, view))

    def keep_in_time(self, due: Sync, view: Sync, contained: bool) -> None:
        if len(self._in_time) >= _MOST:
            self._in_time.clear()
        self._in_time[due, view] = contained

    def forget_events(self) -> None:
        """Forgets what a name may have had a part in that stands for something else now."""
        self._of_events.clear()
        self._in_time.clear()

    def forget(self) -> None:
        self._lasting.clear()
        self.forget_events()


def _has_events(sync: Sync) -> bool:
    return any(True for _ in events_in(sync.points))
