"""Records are Structs: making the class of a dataclass takes 0.4 to 0.7 ms, of a Struct 0.02; there are hundreds."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ABSTRACT = {"Sequence", "Mapping"}
"""Bases with a metaclass of their own, which a Struct cannot have beside it."""


def dataclasses(code: str) -> Iterator[tuple[str, set[str]]]:
    """The names of a module's dataclasses, and of the bases of each."""
    if "dataclass" not in code:
        return  # parsing all modules takes seconds
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ClassDef) and any("dataclass" in ast.unparse(one) for one in node.decorator_list):
            yield node.name, {ast.unparse(base).partition("[")[0] for base in node.bases}


def test_records_are_structs(root: Path) -> None:
    plain = [
        f"{path}: {name}"
        for path in (root / "app").rglob("*.py")
        for name, bases in dataclasses(path.read_text("utf-8"))
        if not bases & ABSTRACT
    ]
    assert plain == []


@pytest.mark.parametrize(
    ("code", "bases"),
    [
        ("@dataclass\nclass A: pass", [("A", set())]),
        ("@dataclasses.dataclass(frozen=True)\nclass A(Sequence[int]): pass", [("A", {"Sequence"})]),
        ("class A(Struct): pass", []),
    ],
)
def test_the_probe_sees_dataclasses(code: str, bases: list[tuple[str, set[str]]]) -> None:
    assert list(dataclasses(code)) == bases
