"""A graph as SVG. A notebook shows it as a picture, which knows no page around it: letters therefore lie on boxes of
their own colour, and what lies on the page is of a grey and an orange that can be seen on white and on black."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from syncsql.render import text
from views.layout import Box, Layout, Point, layered

# What is drawn in a box: its name, a line about it, the text that is shown when a pointer rests on it, and its classes.
Drawn = tuple[str, str, str, str]
# From, into, label, class.
Line = tuple[str, str, str, str]

_MARGIN, _HEIGHT, _PAD, _ARROW = 8.0, 42.0, 12.0, 7.0
# Widths of a letter, on the large side: fonts differ.
_NAME, _SMALL = 7.8, 5.9

_STYLE = """
.syncsql-graph text { fill: #1f2328; font-family: system-ui, sans-serif; font-size: 13px; }
.syncsql-graph .name { font-weight: 600; }
.syncsql-graph .small { font-size: 10.5px; }
.syncsql-graph .legend { font-size: 10.5px; fill: #808080; }
.syncsql-graph rect { stroke: #6e7781; fill: #e9ebee; stroke-width: 1.5; }
.syncsql-graph .stream rect { stroke: #2f7fd1; fill: #dcebfa; }
.syncsql-graph .view rect { stroke: #2c974b; fill: #daf3e0; }
.syncsql-graph .virtual rect { stroke-dasharray: 6 4; stroke: #1a7f37; stroke-width: 2.4; fill: #f3fbf5; }
.syncsql-graph .edge rect { stroke: none; fill: #e9ebee; }
.syncsql-graph path { stroke: #858585; fill: none; stroke-width: 1.4; }
.syncsql-graph .head { fill: #858585; stroke: none; }
.syncsql-graph .when path { stroke-dasharray: 2 3; }
.syncsql-graph .shared path { stroke: #d9730d; stroke-width: 2.4; }
.syncsql-graph .shared .head { fill: #d9730d; stroke: none; }
"""


def drawn(boxes: Mapping[str, Drawn], lines: Sequence[Line]) -> str:
    sizes = {n: (_width(name, about), _HEIGHT) for n, (name, about, _, _) in boxes.items()}
    rooms = [_SMALL * len(label) + 2 * _ARROW + (14 if label else 0) for _, _, label, _ in lines]
    layout = layered(sizes, [(out, into) for out, into, _, _ in lines], rooms)
    parts = [_line(line, path) for line, path in zip(lines, layout.paths, strict=True)]
    parts += [_box(boxes[str(n)], box) for n, box in layout.boxes.items()]
    legend, width = _legend(boxes, lines, layout)
    width, height = max(layout.width, width) + 2 * _MARGIN, layout.height + 2 * _MARGIN + (30 if legend else 0)
    size = f'width="{width:.0f}" height="{height:.0f}" viewBox="{-_MARGIN} {-_MARGIN} {width:.0f} {height:.0f}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="syncsql-graph" {size} role="img">'
        f"<style>{_STYLE}</style>{''.join(parts)}{legend}</svg>"
    )


def _width(name: str, about: str) -> float:
    return max(_NAME * len(name), _SMALL * len(about)) + 2 * _PAD


def _box(what: Drawn, box: Box) -> str:
    name, about, hint, classes = what
    middle, y = box.x + box.width / 2, box.y + box.height / 2
    title = f"<title>{text(hint)}</title>" if hint else ""
    return (
        f'<g class="{classes}">{title}<rect x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" '
        f'height="{box.height:.1f}" rx="5"/>'
        f'<text class="name" text-anchor="middle" x="{middle:.1f}" y="{y - 2:.1f}">{text(name)}</text>'
        f'<text class="small" text-anchor="middle" x="{middle:.1f}" y="{y + 13:.1f}">{text(about)}</text></g>'
    )


def _line(line: Line, path: Sequence[Point]) -> str:
    _, _, label, classes = line
    (x, y), steps = path[0], []
    for number, (nx, ny) in enumerate(path[1:]):
        last = number == len(path) - 2
        nx -= _ARROW if last else 0
        half = (x + nx) / 2
        steps.append(f"C{half:.1f},{y:.1f} {half:.1f},{ny:.1f} {nx:.1f},{ny:.1f}" if number % 2 else f"H{nx:.1f}")
        x, y = nx, ny
    head = f"M{x + _ARROW:.1f},{y:.1f} l{-_ARROW},-3.5 v7 z"
    shown = ""
    if label:
        width = _SMALL * len(label) + 8
        shown = (
            f'<rect x="{x - width:.1f}" y="{y - 7:.1f}" width="{width:.1f}" height="14" rx="7"/>'
            f'<text class="small" text-anchor="middle" x="{x - width / 2:.1f}" y="{y + 3.5:.1f}">{text(label)}</text>'
        )
    begin = f"M{path[0][0]:.1f},{path[0][1]:.1f}"
    return f'<g class="edge {classes}"><path d="{begin} {" ".join(steps)}"/><path class="head" d="{head}"/>{shown}</g>'


def _legend(boxes: Mapping[str, Drawn], lines: Sequence[Line], layout: Layout) -> tuple[str, float]:
    """What is not told by the words in the boxes, where it occurs; and how wide that is."""
    y, x, parts = layout.height + 24, 0.0, []
    said = []
    if any("virtual" in classes for _, _, _, classes in boxes.values()):
        said.append(("virtual", "virtual: derived when it is read"))
    if any(classes == "shared" for _, _, _, classes in lines):
        said.append(("shared", "shared: the query was rewritten over this view"))
    if any(label and classes != "when" for _, _, label, classes in lines):
        said.append(("", "a name at an arrow: the synchronization stream; none: every tick"))
    for classes, words in said:
        if classes == "virtual":
            parts.append(f'<g class="view virtual"><rect x="{x}" y="{y - 10}" width="24" height="13" rx="3"/></g>')
        elif classes == "shared":
            parts.append(f'<g class="shared"><path d="M{x},{y - 4} h24"/></g>')
        x += 30 if classes else 0
        parts.append(f'<text class="legend" x="{x:.1f}" y="{y}">{words}</text>')
        x += _SMALL * len(words) * 0.9 + 18
    return "".join(parts), x
