"""``syncsql demo``: sections 2 and 3 of the paper as a story, and how views that ask for the same share the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from syncsql.reading import table_of
from syncsql.render import grid

if TYPE_CHECKING:
    from syncsql.session import Database

_TUPLES = [("a", 78, 1), ("a", 105, 2), ("b", 110, 3), ("c", 97, 4), ("a", 76, 5), ("c", 103, 7)]
_NEXT = """
── To go on

   syncsql shell DIR                 try statements of your own; .help lists what there is
   README.md, section "In Python"    the same from Python, with your own data
   notebooks/01_quick_start.ipynb    the first of six notebooks, with their outputs
"""


class Story:
    """Rooms report temperatures, and views keep track of the hot ones."""

    def __init__(self, db: Database) -> None:
        self._db = db

    def tell(self) -> None:
        self._say("1. A source of raw tuples, and a stream over it: the key says what is an insertion, what an update.")
        self._sql("REGISTER SOURCE TemperatureSource (char RoomID, int Temperature) From port5501")
        self._sql("CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID")
        self._say("2. A view keeps track of the rooms above 80 degrees; a second one, over it, of those above 100.")
        self._sql(
            "CREATE STREAMED VIEW HotRooms1 AS\nSELECT RoomID, Temperature FROM R(RoomTempStr) WHERE Temperature > 80"
        )
        self._sql("CREATE STREAMED VIEW Q4 AS\nSELECT RoomID, Temperature FROM R(HotRooms1) WHERE Temperature > 100")
        self._say("3. The same, refreshed every 2 and every 4 time units: synchronization streams are SQL themselves.")
        for n in (2, 4):
            self._sql(f"CREATE STREAMED VIEW Sync{n} AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint mod {n} = 0")
        self._sql(
            "CREATE STREAMED VIEW HotRoomsEvery2 AS\n"
            "SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80"
        )
        self._sql(
            "CREATE STREAMED VIEW Q4Every4 AS\n"
            "SELECT RoomID, Temperature FROM R[Sync4](HotRoomsEvery2) WHERE Temperature > 100"
        )
        self._say("4. Tuples arrive, and time moves on to 8.")
        for room, temperature, at in _TUPLES:
            self._db.push("TemperatureSource", [(room, temperature)], at=at)
        print(grid(["RoomID", "Temperature", "timestamp"], _TUPLES))
        print(f"\n{self._db.advance(to=8)}")
        self._say("5. The tagged stream: + inserts, u updates. Every answer is a stream of the same form; - deletes.")
        self._streams("RoomTempStr", "HotRooms1", "Q4")
        self._say("6. With synchronization, what happens between two points comes out at the next one, as one change.")
        self._streams("HotRoomsEvery2", "Q4Every4")
        self._say("7. The relation at any time: the hot rooms at 4 and at 8.")
        hot = self._db.views["HotRooms1"]
        print("\n\n".join(f"HotRooms1 at {at}\n{table_of(hot.relation(at=at))}" for at in (4, 8)))
        self._say(
            "8. Where another view is proved to have the answer already, it is taken from there. Such a view is\n"
            "   virtual: an advance does nothing for it. That is why 4. did not name all of them."
        )
        rows = [(name, *self._kept(name)) for name in ("HotRooms1", "Q4", "HotRoomsEvery2", "Q4Every4")]
        print(grid(["view", "runs", "computed from"], rows))
        self._say("9. A query that nobody has asked before: which view answers it, how, and why not the others.")
        asked = "SELECT RoomID FROM R[Sync4](RoomTempStr) WHERE Temperature > 90"
        print(f"   EXPLAIN SHARING {asked}\n\n{self._db.plan(asked)}")
        print(_NEXT)

    def _say(self, text: str) -> None:
        print(f"\n── {text}\n", flush=True)

    def _sql(self, text: str) -> None:
        print("   " + text.replace("\n", "\n   "))
        self._db.sql(text)

    def _streams(self, *names: str) -> None:
        handles = [self._db.views[n] if n in self._db.views else self._db.streams[n] for n in names]
        print("\n\n".join(f"{h.name}\n{table_of(h.changes())}" for h in handles))

    def _kept(self, name: str) -> tuple[str, str]:
        """How a view runs, and what it reads."""
        edges = [e.out for e in self._db.graph().edges if e.into == name and not e.when]
        virtual = any(n.virtual for n in self._db.graph().nodes if n.name == name)
        return "virtual" if virtual else "at every advance", ", ".join(edges)
