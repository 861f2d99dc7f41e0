"""Who feeds whom: what the graph holds, and that its drawing can be read."""

from __future__ import annotations

import random
from itertools import pairwise
from xml.etree import ElementTree

import pytest

from syncsql.session import Database
from views.graph import Edge, Graph, Node
from views.layout import GAP, Box, apart, layered

SVG = "{http://www.w3.org/2000/svg}"


def random_graph(rng: random.Random, count: int) -> tuple[dict[str, tuple[float, float]], list[tuple[str, str]]]:
    names = [f"n{i}" for i in range(count)]
    edges = []
    for number in range(2, count):
        for out in rng.sample(names[:number], min(number, rng.choice((1, 1, 1, 2, 4)))):
            edges.append((out, names[number]))
    return {n: (rng.uniform(40, 200), 42.0) for n in names}, edges


def overlap(one: Box, other: Box) -> bool:
    across = one.x < other.x + other.width and other.x < one.x + one.width
    return across and one.y < other.y + other.height and other.y < one.y + one.height


def inside(box: Box, x: float, y: float) -> bool:
    return box.x < x < box.x + box.width and box.y < y < box.y + box.height


@pytest.mark.parametrize("seed", range(40))
def test_boxes_are_apart_and_every_edge_joins_its_boxes_and_crosses_none(seed: int) -> None:
    rng = random.Random(seed)
    sizes, edges = random_graph(rng, 2 + seed)
    layout = layered(sizes, edges, [rng.uniform(10, 80) for _ in edges])
    boxes = list(layout.boxes.values())
    assert set(layout.boxes) == set(sizes)
    assert not any(overlap(a, b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert all(b.x >= 0 and b.x + b.width <= layout.width + 1e-6 for b in boxes)
    assert all(b.y >= -1e-6 and b.y + b.height <= layout.height + 1e-6 for b in boxes)
    ends = set()
    for (out, into), path in zip(edges, layout.paths, strict=True):
        begin, end = layout.boxes[out], layout.boxes[into]
        assert path[0] == (begin.x + begin.width, pytest.approx(begin.y + begin.height / 2))
        assert path[-1][0] == end.x
        assert end.y < path[-1][1] < end.y + end.height
        ends.add((into, round(path[-1][1], 3)))
        for (x, y), (nx, ny) in pairwise(path):
            assert x <= nx
            for step in range(11):
                at = x + (nx - x) * step / 10, y + (ny - y) * step / 10
                assert not any(inside(b, *at) for b in boxes), f"{out} to {into} crosses a box at {at}"
    # Each edge has its own place at the box that it goes into: labels do not lie on each other.
    assert len(ends) == len(edges)


def test_apart_moves_no_more_than_needed() -> None:
    assert apart([0.0, 100.0], [10.0, 10.0]) == [0.0, 100.0]
    assert apart([5.0, 5.0, 5.0], [10.0, 10.0, 10.0]) == [5.0 - 10 - GAP, 5.0, 5.0 + 10 + GAP]


def some_graph() -> Graph:
    nodes = (
        Node("Doors & <Gates>", "source", "source"),
        Node("S", "stream", "stream, key a"),
        Node("V", "view", "STREAMED", "SELECT a FROM R(S) WHERE a < 3 AND b > '\"'"),
        Node("W", "view", "STREAMED, virtual", "SELECT a FROM R(S) WHERE a < 2", virtual=True),
    )
    return Graph(nodes, (Edge("Doors & <Gates>", "S"), Edge("S", "V", "Sync<2>"), Edge("V", "W", shared=True)))


def test_the_drawing_has_every_box_edge_and_label_and_escapes_names() -> None:
    graph = some_graph()
    svg = ElementTree.fromstring(graph._repr_svg_())
    groups = [(g.get("class") or "").split() for g in svg.iter(f"{SVG}g")]
    shown = ["".join(t.itertext()) for t in svg.iter(f"{SVG}text")]
    assert {n.name for n in graph.nodes} | {n.about for n in graph.nodes} <= set(shown)
    assert "Sync<2>" in shown
    assert [t.text for t in svg.iter(f"{SVG}title")] == [n.text for n in graph.nodes if n.text]
    assert sum("edge" in c for c in groups) == len(graph.edges)
    assert ["edge", "shared"] in groups
    assert ["view", "virtual"] in groups


def test_the_legend_tells_only_what_occurs() -> None:
    assert "virtual:" in some_graph()._repr_svg_()
    plain = Graph((Node("A", "source", "source"), Node("B", "stream", "stream, a bag")), (Edge("A", "B"),))
    assert "virtual:" not in plain._repr_svg_()
    assert "shared:" not in plain._repr_svg_()


def test_text() -> None:
    assert str(some_graph()).splitlines() == [
        "Doors & <Gates>   -- source",
        "  S   -- stream, key a",
        "    V   -- STREAMED (at Sync<2>)",
        "      W   -- STREAMED, virtual (shared)",
    ]
    assert str(Graph((), ())) == "nothing is there yet"
    ElementTree.fromstring(Graph((), ())._repr_svg_())


def test_of_a_database(db: Database) -> None:
    db.sql("""
        REGISTER SOURCE TemperatureSource (RoomID STRING, Temperature INT);
        CREATE STREAM RoomTempStr OVER TemperatureSource KEY RoomID;
        CREATE STREAM TempStr OVER TemperatureSource KEY NULL;
        CREATE STREAMED VIEW Sync2 AS SELECT Timepoint FROM R(clockStr) WHERE Timepoint % 2 = 0;
        CREATE STREAMED VIEW HotSync AS SELECT R.TS FROM R(TempStr) R WHERE R.Temperature > 120;
        CREATE STREAMED VIEW HotRooms AS
            SELECT RoomID, Temperature FROM R[Sync2](RoomTempStr) WHERE Temperature > 80;
        CREATE STREAMED VIEW VeryHot AS
            SELECT RoomID, Temperature FROM R[sync2](RoomTempStr) WHERE Temperature > 100;
        CREATE STREAMED VIEW AtEvents AS SELECT RoomID FROM R[HotSync](RoomTempStr);
    """)
    graph = db.graph()
    assert [(n.name, n.kind, n.virtual) for n in graph.nodes] == [
        ("TemperatureSource", "source", False),
        ("RoomTempStr", "stream", False),
        ("TempStr", "stream", False),
        ("HotSync", "view", False),
        ("HotRooms", "view", False),
        ("VeryHot", "view", True),
        ("AtEvents", "view", False),
    ]
    assert set(graph.edges) == {
        Edge("TemperatureSource", "RoomTempStr"),
        Edge("TemperatureSource", "TempStr"),
        Edge("TempStr", "HotSync"),
        Edge("RoomTempStr", "HotRooms", "Sync2"),
        Edge("HotRooms", "VeryHot", "Sync2", shared=True),
        Edge("RoomTempStr", "AtEvents", "HotSync"),
        Edge("HotSync", "AtEvents", when=True),
    }
    assert graph.to_dict()["edges"][0]["out"] == "TemperatureSource"
