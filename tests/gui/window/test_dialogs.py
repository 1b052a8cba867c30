"""What all dialogs have in common."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

LOOPS = {"exec", "exec_", "getSaveFileName", "getSaveFileNames"}


def calls(path: Path) -> Iterator[str]:
    """Calls of methods that wait in a loop of events."""
    text = path.read_text("utf-8")
    if not any(f".{name}(" in text for name in LOOPS):
        return  # parsing all modules takes seconds
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOOPS:
            yield f"{path.name}: {ast.unparse(node.func)}"


def test_no_dialog_waits_for_its_answer(root: Path) -> None:
    """``exec`` destroys a dialog that deletes itself before its choice can be read, and whatever is captured around
    it may be gone when it returns. Dialogs are opened; signals bring the answer."""
    waiting = {call for path in sorted((root / "app").rglob("*.py")) for call in calls(path)}
    assert waiting == {"application.py: application.exec"}
