"""Ways through the two dialogs of Export."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from desktop.accessible import Node
from desktop.program import BUTTONS, ROOT, Program
from desktop.waiting import until

DIALOG = "Export"
LIST = "What to export"


def offered(program: Program) -> Node:
    """Opens the list of what can be exported."""
    program.hands.press("ctrl+e")
    return until(lambda: _list(program), "the list of what to export")


def choose(program: Program, title: str, detail: str = "") -> Node:
    """Opens the list and makes ``title`` current, with the arrow keys; its line. ``detail``: the beginning of what it
    is exported as, where a table and a picture have the same title."""
    lines = offered(program)
    row = until(lambda: _row(lines, title, detail), f"{title} {detail} listed") - 1
    program.hands.press("Home", *["Down"] * row)
    until(lambda: "selected" in _cells(lines)[2 * row].states, f"{title} is chosen")
    return _cells(lines)[2 * row]


def listed(lines: Node) -> int:
    """How many lines the list has that are not hidden."""
    return len(_cells(lines)) // 2


def asked_where(program: Program) -> Node:
    """The file dialog that follows the list."""
    until(lambda: _list(program) is None, "the list is closed")
    return program.window(DIALOG)


def write_to(program: Program, path: Path, *, new: bool = True) -> None:
    """Types the path into the file dialog, and waits for the file (``new``: where none was)."""
    asked_where(program)
    program.type_path(path, DIALOG)
    if new:
        until(path.exists, f"{path.name} is written")


def cancel(program: Program) -> None:
    """Esc until no dialog is left."""
    while any(window.name.startswith(DIALOG) for window in program.windows):
        program.hands.press("Escape")
        program.rest()


def by_command_line(profile: Path, table: str, out: Path, *more: str) -> bytes:
    """What ``tilesight export`` writes of the same table."""
    command = [sys.executable, str(ROOT / "main.py"), "export", str(profile), "--table", table, "-o", str(out)]
    subprocess.run([*command, *more], check=True, capture_output=True)
    return out.read_bytes()


def press_button(program: Program, name: str) -> None:
    program.click(BUTTONS, name)


def _row(lines: Node, title: str, detail: str) -> int:
    """The number of the line from 1; 0: none yet."""
    cells = _cells(lines)
    if len(cells) % 2:  # the list is being filled
        return 0
    pairs = zip(cells[::2], cells[1::2], strict=True)
    rows = (row for row, (what, how) in enumerate(pairs, 1) if what.name == title and how.name.startswith(detail))
    return next(rows, 0)


def _cells(lines: Node) -> list[Node]:
    """Two for each line of the list."""
    return [cell for cell in lines.again().children if cell.role == "tree item"]


def _list(program: Program) -> Node | None:
    dialogs = (window for window in program.windows if window.name.startswith(DIALOG))
    return next((lines for dialog in dialogs for lines in dialog.each("tree", LIST)), None)
