"""Who feeds whom: the sources, streams and views of a database, and what each is really computed from."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict, dataclass
from inspect import cleandoc
from typing import Any, Literal

from syncsql.algebra.relations import Scan, scans
from syncsql.algebra.sync import Sync, events_in
from syncsql.dataflow.registry import Registry, View
from views.drawing import drawn

Kind = Literal["source", "stream", "view"]


@dataclass(frozen=True)
class Node:
    """``about`` says in a few words what it is, ``text`` is the query of a view."""

    name: str
    kind: Kind
    about: str
    text: str = ""
    virtual: bool = False


@dataclass(frozen=True)
class Edge:
    """``into`` reads ``out``, at the points of ``sync`` (None: at every tick). ``shared`` where the query does not name
    ``out`` but was rewritten over it. An edge that only tells ``into`` when to refresh has ``when``."""

    out: str
    into: str
    sync: str | None = None
    shared: bool = False
    when: bool = False

    @property
    def label(self) -> str:
        return "tells when" if self.when else self.sync or ""


@dataclass(frozen=True)
class Graph:
    """Sources, streams, views, and the parts that views have in common. Views over the clock alone are not nodes: they
    are the names at edges."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @classmethod
    def of(cls, registry: Registry) -> Graph:
        nodes = [Node(s.name, "source", "source") for s in registry.sources()]
        edges: list[Edge] = []
        for stream in registry.streams():
            keys = "each tuple is +" if stream.definition.append_only else _key(stream.definition.key)
            nodes.append(Node(stream.name, "stream", f"stream, {keys}"))
            edges.append(Edge(stream.source.name, stream.name))
        for view in registry.computed():
            if view.feed is not None:
                nodes.append(_view(view))
                edges += _into(view, registry)
        return cls(tuple(nodes), tuple(edges))

    def __str__(self) -> str:
        """An indented tree from the sources on. A node that is fed by several stands under the first of them; the
        others only name it."""
        known = {n.name: n for n in self.nodes}
        going: dict[str, list[Edge]] = defaultdict(list)
        for edge in self.edges:
            going[edge.out].append(edge)
        fed = {e.into for e in self.edges}
        lines: list[str] = []
        told: set[str] = set()

        def tell(node: Node, edge: Edge | None, depth: int) -> None:
            again = node.name in told
            told.add(node.name)
            about = "see above" if again else node.about
            lines.append(f"{'  ' * depth}{node.name}   -- {about}{_how(edge)}")
            for after in [] if again else going[node.name]:
                tell(known[after.into], after, depth + 1)

        for node in self.nodes:
            if node.name not in fed:
                tell(node, None, 0)
        return "\n".join(lines) or "nothing is there yet"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        return {"nodes": [asdict(n) for n in self.nodes], "edges": [asdict(e) for e in self.edges]}

    def _repr_svg_(self) -> str:
        """The drawing: from left to right, virtual views dashed, shared edges in colour, edges with the name of their
        synchronization stream. As a picture and not as HTML: a notebook that does not trust its outputs shows the
        text instead, where it would leave the bare letters of a drawing inside HTML."""
        boxes = {n.name: (n.name, n.about, n.text, f"{n.kind}{' virtual' if n.virtual else ''}") for n in self.nodes}
        lines = [(e.out, e.into, e.label, "shared" if e.shared else "when" if e.when else "") for e in self.edges]
        return drawn(boxes, lines)


def _view(view: View) -> Node:
    if view.is_part:
        return Node(view.name, "view", "a part that views have in common")
    virtual = view.execution.virtual
    about = f"{view.definition.mode}{', virtual' if virtual else ''}"
    return Node(view.name, "view", about, cleandoc(view.definition.sql), virtual)


def _into(view: View, registry: Registry) -> list[Edge]:
    """What ``view`` reads, each once for every synchronization, and what only tells it when."""
    found: dict[tuple[str, Sync], Edge] = {}
    events: set[str] = set()
    for scan in scans(view.execution.plan):
        events |= {name.lower() for name in events_in(scan.sync.points)}
        if scan.kind != "clock":
            shared = scan.name.lower() not in view.inputs
            found.setdefault((scan.name, scan.sync), Edge(_named(scan, registry), view.name, _sync(scan.sync), shared))
    read = {e.out.lower() for e in found.values()}
    when = [Edge(_name(n, registry), view.name, when=True) for n in sorted(events - read)]
    return [*found.values(), *when]


def _named(scan: Scan, registry: Registry) -> str:
    return _name(scan.name, registry)


def _name(name: str, registry: Registry) -> str:
    """As its creator wrote it."""
    entry = registry.get(name)
    assert entry is not None
    return entry.name


def _sync(sync: Sync) -> str | None:
    return None if sync.is_clock else sync.name


def _key(key: tuple[str, ...] | None) -> str:
    return f"key {', '.join(key)}" if key else "a bag"


def _how(edge: Edge | None) -> str:
    if edge is None:
        return ""
    how = "tells it when" if edge.when else f"at {edge.sync}" if edge.sync else ""
    said = [s for s in (how, "shared" if edge.shared else "") if s]
    return f" ({', '.join(said)})" if said else ""
