"""The name of the package: ``app`` in the source, ``tilesight`` when installed.

Modules of the source import each other by ``from app.x import y``. A wheel contains the same modules with ``tilesight``
instead of ``app`` in import statements, so that it installs a single package with a name of its own.
"""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator, Sequence

SOURCE, INSTALLED = "app", "tilesight"
MODULE_IN_TEXT = re.compile(rf"\b{SOURCE}\.(?!json\b)[a-z_]\w*")
"""What looks like a module name in a text; ``app.json`` is a companion file of Poplar reports."""


@functools.cache  # what makes several wheels does it once
def renamed(source: str) -> str:
    """``source`` with the installed name of the package in its import statements; line numbers do not change.

    ValueError if the source's name would remain: in a text (other than a docstring), or as a variable bound by an
    import.
    """
    nodes = list(ast.walk(ast.parse(source)))
    _refuse_other_uses(nodes)
    lines = source.encode().splitlines(keepends=True)
    for line, column in sorted(_places(nodes), reverse=True):  # from the end, so that earlier columns stay valid
        text = lines[line - 1]
        if not text[column:].startswith(SOURCE.encode()):
            raise ValueError(f"line {line}: write the import on one line, with one space between its words")
        lines[line - 1] = text[:column] + INSTALLED.encode() + text[column + len(SOURCE) :]
    return b"".join(lines).decode()


def _places(nodes: Sequence[ast.AST]) -> Iterator[tuple[int, int]]:
    """(line, column in bytes) of the name in each import statement."""
    for node in nodes:
        if isinstance(node, ast.ImportFrom) and node.level == 0 and _is_own(node.module or ""):
            yield node.lineno, node.col_offset + len("from ")
        elif isinstance(node, ast.Import):
            yield from ((alias.lineno, alias.col_offset) for alias in node.names if _is_own(alias.name))


def _refuse_other_uses(nodes: Sequence[ast.AST]) -> None:
    docstrings = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    imported = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    bound = any(_is_own(alias.name) and alias.asname is None for alias in imported)
    for node in nodes:
        if isinstance(node, ast.Constant) and id(node) not in docstrings and _names_module(node.value):
            raise ValueError(f"line {node.lineno}: a text names a module of {SOURCE}; derive it from __name__")
        if bound and isinstance(node, ast.Name) and node.id == SOURCE:
            raise ValueError(f"line {node.lineno}: a wheel has no name {SOURCE}; write from {SOURCE}.x import y")


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == SOURCE


def _names_module(value: object) -> bool:
    return isinstance(value, str) and MODULE_IN_TEXT.search(value) is not None
