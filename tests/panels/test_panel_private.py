"""Panels use only the public attributes of their base class, so that it can change inside."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

BASE = Path("app/panels/panel.py")


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def classes(path: Path) -> Iterator[ast.ClassDef]:
    yield from (
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.ClassDef)
    )


def own(node: ast.ClassDef) -> set[str]:
    """The private methods and attributes of a class: what it defines, and what it assigns to ``self``."""
    names = {part.name for part in node.body if isinstance(part, ast.FunctionDef)}
    return {name for name in names | {part.attr for part in of_self(node, ast.Store)} if is_private(name)}


def of_self(node: ast.ClassDef, context: type[ast.expr_context]) -> Iterator[ast.Attribute]:
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and isinstance(part.ctx, context) and ast.unparse(part.value) == "self":
            yield part


def test_panels_use_nothing_private_of_their_base(root: Path) -> None:
    (base,) = classes(root / BASE)
    private = own(base)
    assert {"_refresh", "_show"} <= private
    panels = [
        (path, node)
        for path in sorted((root / "app" / "panels").rglob("*.py"))
        for node in classes(path)
        if any(isinstance(name, ast.Name) and name.id == base.name for name in node.bases)
    ]
    assert len(panels) > 20
    uses = [
        f"{path.relative_to(root)}:{part.lineno}: {part.attr}"
        for path, node in panels
        for part in (*of_self(node, ast.Load), *of_self(node, ast.Store))
        if part.attr in private
    ]
    defined = [f"{path.relative_to(root)}: {name}" for path, node in panels for name in own(node) & private]
    assert not uses + defined, "\n".join(uses + defined)
