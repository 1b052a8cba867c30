"""Functions of numpy that take tens of times as long as what `app/profile/arrays.py` has for the same, by whom they are
called."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

APP = Path(__file__).resolve().parents[1] / "app"
EXEMPT = {
    "app/analysis/compare/alignment.py": "intersect1d of arrays that are known to be distinct, with their places",
    "app/formats/ascend_trace/slices.py": "intersect1d of arrays that are known to be distinct, with their places",
}
"""Where each of them may be called, and why."""
INSTEAD = {
    "unique": "distinct",
    "union1d": "union",
    "setdiff1d": "others",
    "setxor1d": "distinct",
    "intersect1d": "distinct",
    "isin": "among",
    "in1d": "among",
    "at": "combine_at",
}


def slow_calls(source: str) -> Iterator[tuple[int, str]]:
    """(line, function of numpy) of each call of one that hashes, or of `ufunc.at`. `np.unique` that returns places or
    counts as well sorts, and is allowed."""
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        name, of = node.func.attr, node.func.value
        combines = isinstance(of, ast.Attribute) and _is_numpy(of.value) and name == "at"
        places = name == "unique" and any((word.arg or "").startswith("return_") for word in node.keywords)
        if combines or (_is_numpy(of) and name in INSTEAD and not places):
            yield node.lineno, name


def _is_numpy(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id in ("np", "numpy")


def test_nothing_hashes_or_adds_item_by_item() -> None:
    found = {
        f"{file.relative_to(APP.parent).as_posix()}:{line}: {name}; use {INSTEAD[name]} of app.profile.arrays"
        for file in APP.rglob("*.py")
        if file.relative_to(APP.parent).as_posix() not in EXEMPT
        for line, name in slow_calls(file.read_text(encoding="utf-8"))
    }
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("path", EXEMPT)
def test_each_exemption_is_needed(path: str) -> None:
    assert list(slow_calls((APP.parent / path).read_text(encoding="utf-8")))


@pytest.mark.parametrize(
    ("source", "name"),
    [
        ("np.unique(a)", "unique"),
        ("np.unique(a, axis=0)", "unique"),
        ("np.union1d(a, b)", "union1d"),
        ("np.add.at(a, b, c)", "at"),
        ("widget.at(a)", ""),
        ("np.unique(a, return_inverse=True)", ""),
        ("np.isin(a, b)", "isin"),
        ("np.isinf(a)", ""),
    ],
)
def test_what_the_guard_sees(source: str, name: str) -> None:
    assert [found for _, found in slow_calls(source)] == ([name] if name else [])
