"""A layered drawing of an acyclic graph, by the four steps of Sugiyama: layers, order, places, and paths.

Layers are columns from left to right. An edge that passes a column goes through a place of its own there, so that it
never crosses a box. Enough for a person's graph of some forty boxes; nothing here knows what the boxes are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

_SWEEPS = 8
# Heights: between two places of a column, of an edge's place in a column that it passes, and for each edge into a box.
GAP, LANE, PORT = 14.0, 12.0, 17.0
# The room between two columns in which edges change their height.
CURVE = 40.0

Name = Any
Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    """Where a node is drawn: its left upper corner and its size."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Layout:
    """``paths`` has the points of each edge, in the order of the edges: from a box to the end of its column, and then
    by turns a curve to the next column and a level line through it, the last one into a box."""

    boxes: dict[Name, Box]
    paths: tuple[tuple[Point, ...], ...]
    width: float
    height: float


def layered(
    sizes: Mapping[Name, tuple[float, float]], edges: Sequence[tuple[Name, Name]], lengths: Sequence[float]
) -> Layout:
    """``sizes`` are the width and the least height of each node, ``lengths`` that of the level line of each edge in
    front of the box that it goes into."""
    layer = _layers(sizes, edges)
    chains = [_chain(number, edge, layer) for number, edge in enumerate(edges)]
    columns: list[list[Name]] = [[] for _ in range(1 + max(layer.values(), default=-1))]
    for name, at in layer.items():
        columns[at].append(name)
    for chain in chains:
        for step, lane in enumerate(chain[1:-1], 1):
            columns[layer[chain[0]] + step].append(lane)
    links = [pair for chain in chains for pair in pairwise(chain)]
    _order(columns, links)
    coming: dict[Name, list[int]] = defaultdict(list)
    for number, (_, into) in enumerate(edges):
        coming[into].append(number)
    heights = {n: max(h, PORT * len(coming[n]) + 6) for n, (_, h) in sizes.items()}
    middle = _places(columns, links, heights)
    left, right = _columns(columns, sizes, edges, lengths, layer)

    boxes = {n: Box(left[layer[n]], middle[n] - heights[n] / 2, sizes[n][0], heights[n]) for n in sizes}
    paths: list[tuple[Point, ...]] = []
    for number, chain in enumerate(chains):
        at, begin, end = layer[chain[0]], boxes[chain[0]], boxes[chain[-1]]
        # Edges come in from above to below in the order of where they come from.
        among = sorted(coming[chain[-1]], key=lambda n: (middle[chains[n][-2]], n))
        port = middle[chain[-1]] + PORT * (among.index(number) - (len(among) - 1) / 2)
        points = [(begin.x + begin.width, middle[chain[0]]), (right[at], middle[chain[0]])]
        for step, lane in enumerate(chain[1:], 1):
            y = port if lane == chain[-1] else middle[lane]
            points += [(right[at + step - 1] + CURVE, y), (end.x if lane == chain[-1] else right[at + step], y)]
        paths.append(tuple(points))
    bottom = max((b.y + b.height for b in boxes.values()), default=0.0)
    lowest = max((y for path in paths for _, y in path), default=0.0)
    return Layout(boxes, tuple(paths), right[-1] if right else 0.0, max(bottom, lowest + LANE))


def _layers(nodes: Mapping[Name, object], edges: Sequence[tuple[Name, Name]]) -> dict[Name, int]:
    """The layer of a node is the length of the longest way to it."""
    before: dict[Name, list[Name]] = defaultdict(list)
    for out, into in edges:
        before[into].append(out)
    found: dict[Name, int] = {}

    def layer(name: Name) -> int:
        if name not in found:
            found[name] = 1 + max(map(layer, before[name]), default=-1)
        return found[name]

    return {name: layer(name) for name in nodes}


def _chain(number: int, edge: tuple[Name, Name], layer: Mapping[Name, int]) -> list[Name]:
    """The nodes of an edge with a lane for each column between them."""
    out, into = edge
    return [out, *((number, at) for at in range(layer[out] + 1, layer[into])), into]


def _order(columns: list[list[Name]], links: Sequence[tuple[Name, Name]]) -> None:
    """Each column in the order of its neighbours' mean place, to and fro: few crossings."""
    before, after = _neighbours(links)
    for sweep in range(_SWEEPS):
        forth = sweep % 2 == 0
        for at in range(len(columns)) if forth else reversed(range(len(columns))):
            other = at - 1 if forth else at + 1
            if not 0 <= other < len(columns):
                continue
            place = {name: i for i, name in enumerate(columns[other])}
            near = before if forth else after
            means = {n: _mean([place[m] for m in near[n]], i) for i, n in enumerate(columns[at])}
            columns[at].sort(key=means.__getitem__)


def _places(
    columns: list[list[Name]], links: Sequence[tuple[Name, Name]], heights: Mapping[Name, float]
) -> dict[Name, float]:
    """The middle of each node and lane: near those of its neighbours, in order and apart."""
    before, after = _neighbours(links)
    size = {name: heights.get(name, LANE) for column in columns for name in column}
    middle: dict[Name, float] = {}
    for column in columns:
        y = 0.0
        for name in column:
            middle[name] = y + size[name] / 2
            y += size[name] + GAP
    for sweep in range(_SWEEPS):
        near = before if sweep % 2 == 0 else after
        for column in columns if sweep % 2 == 0 else columns[::-1]:
            wanted = [_mean([middle[m] for m in near[n]], middle[n]) for n in column]
            middle.update(zip(column, apart(wanted, [size[n] for n in column]), strict=True))
    top = min((middle[n] - size[n] / 2 for n in middle), default=0.0)
    return {name: y - top for name, y in middle.items()}


def apart(wanted: Sequence[float], sizes: Sequence[float]) -> list[float]:
    """The places nearest to the wanted ones (least squares) in the given order, without overlap: neighbours that are
    too near each other form a block, which goes to the mean of what its members want (pool adjacent violators).

    >>> apart([0.0, 0.0], [10.0, 10.0])
    [-12.0, 12.0]
    """
    offsets = [0.0]
    for one, other in pairwise(sizes):
        offsets.append(offsets[-1] + (one + other) / 2 + GAP)
    blocks: list[tuple[float, int]] = []
    for value, offset in zip(wanted, offsets, strict=False):
        total, count = value - offset, 1
        while blocks and blocks[-1][0] / blocks[-1][1] > total / count:
            more, members = blocks.pop()
            total, count = total + more, count + members
        blocks.append((total, count))
    starts = [total / count for total, count in blocks for _ in range(count)]
    return [start + offset for start, offset in zip(starts, offsets, strict=False)]


def _columns(
    columns: list[list[Name]], sizes: Mapping[Name, tuple[float, float]], edges: Sequence[tuple[Name, Name]],
    lengths: Sequence[float], layer: Mapping[Name, int],
) -> tuple[list[float], list[float]]:  # fmt: skip
    """Where each column begins and ends."""
    left, right, x = [], [], 0.0
    for at, column in enumerate(columns):
        if at:
            x += CURVE + max(room for room, (_, into) in zip(lengths, edges, strict=True) if layer[into] == at)
        left.append(x)
        x += max(sizes[n][0] for n in column if n in sizes)
        right.append(x)
    return left, right


def _neighbours(links: Sequence[tuple[Name, Name]]) -> tuple[dict[Name, list[Name]], dict[Name, list[Name]]]:
    before: dict[Name, list[Name]] = defaultdict(list)
    after: dict[Name, list[Name]] = defaultdict(list)
    for out, into in links:
        before[into].append(out)
        after[out].append(into)
    return before, after


def _mean(values: Sequence[float], otherwise: float) -> float:
    return sum(values) / len(values) if values else otherwise
