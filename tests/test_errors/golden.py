"""A golden file of what a user sees: sections of steps, each with the text that it gave.

A section begins with ``=== title`` and has a database of its own; ``== title`` heads a few steps. A step is SQL behind
``sql> `` (its further lines behind ``   > ``), Python behind ``>>> `` (``... ``) with ``db`` in scope, or a command
behind ``$ ``. The lines up to the next step are what it said: an error, or the result. Lines with ``#`` are remarks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

PROMPTS = {"sql> ": "   > ", ">>> ": "... ", "$ ": "  > "}


@dataclass
class Step:
    """``prompt`` says of what kind ``text`` is."""

    prompt: str
    text: str
    said: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        first, *others = self.text.split("\n")
        yield self.prompt + first
        yield from (PROMPTS[self.prompt] + line for line in others)
        yield from self.said


@dataclass
class Section:
    """A title, and steps between lines that are kept as they are: headings, remarks and blank ones."""

    title: str
    parts: list[Step | str] = field(default_factory=list)

    def steps(self) -> list[Step]:
        return [p for p in self.parts if isinstance(p, Step)]

    def __str__(self) -> str:
        lines = [f"=== {self.title}"]
        for part in self.parts:
            lines += part.lines() if isinstance(part, Step) else [part]
        return "\n".join(lines)

    def run(self, perform: Callable[[Step], str]) -> str:
        """The section's text with what its steps say now."""
        again = Section(self.title)
        for part in self.parts:
            if isinstance(part, Step):
                # A blank line ends a step in the file, so none is kept inside.
                said = [line for line in perform(part).splitlines() if line.strip()]
                again.parts.append(Step(part.prompt, part.text, said))
            else:
                again.parts.append(part)
        return str(again)


def read(path: Path) -> list[Section]:
    sections: list[Section] = []
    for line in path.read_text(encoding="utf-8").rstrip("\n").split("\n"):
        if line.startswith("=== "):
            sections.append(Section(line.removeprefix("=== ")))
        elif sections:
            _add(sections[-1], line)
    return sections


def _add(section: Section, line: str) -> None:
    prompt = next((p for p in PROMPTS if line.startswith(p)), None)
    step = section.parts[-1] if section.parts and isinstance(section.parts[-1], Step) else None
    if prompt is not None:
        section.parts.append(Step(prompt, line.removeprefix(prompt)))
    elif step is None or line.startswith(("== ", "#")) or not line.strip():
        section.parts.append(line)
    elif not step.said and line.startswith(PROMPTS[step.prompt]):
        step.text += "\n" + line.removeprefix(PROMPTS[step.prompt])
    else:
        step.said.append(line)


def replace(path: Path, old: Section, new: str) -> None:
    """Puts the text of a section that was run again in the place of the old one."""
    text = path.read_text(encoding="utf-8")
    assert text.count(str(old)) == 1
    path.write_text(text.replace(str(old), new), encoding="utf-8")
