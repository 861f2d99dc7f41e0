"""Who may import whom: the arrows between the packages, held for every module."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
_BASE = {"syncsql.errors", "syncsql.render"}

ALLOWED: dict[str, set[str]] = {
    "syncsql.errors": set(),
    "syncsql.render": set(),
    "syncsql.language": _BASE,
    "syncsql.algebra": {*_BASE, "syncsql.language"},
    "matcher": {*_BASE, "syncsql.language", "syncsql.algebra"},
    "syncsql.stream": {*_BASE, "syncsql.language", "syncsql.algebra"},
    "syncsql.operators": {*_BASE, "syncsql.language", "syncsql.algebra", "syncsql.stream", "syncsql.storage"},
    "syncsql.storage": {*_BASE, "syncsql.language", "syncsql.algebra", "syncsql.stream"},
    "syncsql.dataflow": {
        *_BASE, "syncsql.language", "syncsql.algebra", "syncsql.stream", "syncsql.operators", "syncsql.storage",
    },
    "views": {*_BASE, "syncsql.language", "syncsql.algebra", "syncsql.dataflow", "syncsql.storage", "matcher"},
}  # fmt: skip
WITHOUT_SPARK = ("syncsql.errors", "syncsql.render", "syncsql.language", "syncsql.algebra", "matcher")
_SPARK = ("pyspark", "delta", "deltalake", "py4j")


def _package(module: str) -> str | None:
    """The part of the project that a module belongs to; None for a module of others."""
    if module.split(".")[0] in ("matcher", "views"):
        return module.split(".")[0]
    return ".".join(module.split(".")[:2]) if module.split(".")[0] == "syncsql" else None


def _imports(path: Path) -> list[str]:
    found: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [a.name for a in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.append(node.module)
    return found


def _modules() -> list[tuple[str, Path]]:
    paths = [p for root in ("syncsql", "matcher", "views") for p in sorted((ROOT / root).rglob("*.py"))]
    return [(".".join(p.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"), p) for p in paths]


@pytest.mark.parametrize(("module", "path"), _modules(), ids=[m for m, _ in _modules()])
def test_arrows(module: str, path: Path) -> None:
    mine = _package(module)
    if mine not in ALLOWED:
        return
    for name in _imports(path):
        theirs = _package(name)
        if theirs is not None and theirs != mine:
            assert theirs in ALLOWED[mine], f"{module} must not import {name}"
        if mine in WITHOUT_SPARK:
            assert name.split(".")[0] not in _SPARK, f"{module} must not import {name}"
