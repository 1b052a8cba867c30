"""No file needs another that needs it, imports for the type checker included: import-linter does not count those."""

from __future__ import annotations

import ast
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
LAYERS = sorted(path.parent.name for path in (ROOT / "app").glob("*/__init__.py"))


def modules() -> dict[str, Path]:
    """Every module of the program by its name."""
    found = {}
    for path in (ROOT / "app").rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """What of ``known`` a file imports, at run time or for the type checker. Of the file of a package only what it
    imports at once: a panel or a format is described there, and its parts, which know that, are imported when used."""
    names: set[str] = set()
    tree = ast.parse(path.read_text("utf-8"))
    for node in tree.body if path.name == "__init__.py" else ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            whole = {f"{node.module}.{alias.name}" for alias in node.names}
            names |= whole & known.keys() or {node.module} & known.keys()
    return names


@pytest.mark.parametrize("layer", LAYERS)
def test_no_circle_of_imports(layer: str) -> None:
    known = modules()
    inside = {name: path for name, path in known.items() if f"{name}.".startswith(f"app.{layer}.")}
    sorter = TopologicalSorter({name: imported(path, known) - {name} for name, path in inside.items()})
    try:
        sorter.prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))
