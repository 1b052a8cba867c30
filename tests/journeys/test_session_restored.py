"""The program is killed with three profiles open; the next start offers them, and opens them as they were."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from desktop.program import BUTTONS, TABS, Program
from desktop.waiting import until
from generators import popef
from generators.popef import guide_blobs
from journeys.conftest import Start

BEFORE, AFTER, OPERATOR = "before", "after", "matmul_leakyrelu"
PAIR = "after.popef vs. before.popef (baseline)"
RESTORE = "Restore 3 profiles"


def named(text: str) -> Callable[[str], bool]:
    return lambda name: name.startswith(text)


def session(home: Path) -> str:
    """What is on the disk of the sessions."""
    folder = home / "data" / "tilesight" / "sessions"
    return "".join(path.read_text() for path in folder.glob("window-*/session.json"))


def crash(program: Program) -> None:
    os.kill(program.pid, signal.SIGKILL)
    program.wait_ended()


def open_three(start: Start, samples: Path, folder: Path) -> Program:
    """A model, another one that is compared with it, and an operator."""
    for name, size in ((BEFORE, 3), (AFTER, 800)):
        popef.write(folder / f"{name}.popef", [*guide_blobs(), popef.tensor("planted", (size,), 3)])
    program = start(folder / f"{BEFORE}.popef", folder / f"{AFTER}.popef", samples / f"{OPERATOR}.bin")
    dragged, target = (program.find(TABS, named(name)).middle for name in (BEFORE, AFTER))
    program.rest()
    program.hands.drag(dragged, target)
    program.find(BUTTONS, named(PAIR))
    return program


def test_what_a_crash_closed_is_offered_and_restored(start: Start, samples: Path, tmp_path: Path, home: Path) -> None:
    first = open_three(start, samples, tmp_path)
    until(lambda: "&baseline=" in session(home) and OPERATOR in session(home), "the session on the disk")
    crash(first)

    again = start()
    again.click(BUTTONS, RESTORE)
    again.find(BUTTONS, named(PAIR))
    again.window(AFTER)
    for name in (BEFORE, OPERATOR):
        again.find(TABS, named(name))
    assert not again.has(BUTTONS, RESTORE)
    again.hands.press("ctrl+q")
    assert again.wait_ended() == 0
    assert not session(home)

    last = start()
    assert not last.has(BUTTONS, RESTORE)  # nothing is offered after an orderly end


def test_a_zoom_that_no_signal_tells_is_restored(start: Start, samples: Path, home: Path) -> None:
    first = start(samples / "resnet-32-tiles-measured" / "graph.json")
    first.show_panel("Tile memory")
    until(lambda: "panel=tile_memory" in session(home), "the panel in the session")
    first.hands.press("w", "w")
    zoomed = until(lambda: now if "view.canvas" in (now := session(home)) else None, "the zoom in the session")
    crash(first)

    again = start()
    again.click(BUTTONS, named("Restore"))
    again.find("panel", "Tile memory")
    until(lambda: session(home) == zoomed, "the same session")


def test_a_missing_file_is_named_and_a_dismissed_session_is_gone(
    start: Start, samples: Path, tmp_path: Path, home: Path
) -> None:
    first = open_three(start, samples, tmp_path)
    until(lambda: "&baseline=" in session(home) and OPERATOR in session(home), "the session on the disk")
    other = start()  # it runs at the same time: what the first has open is not offered
    other.rest()
    assert not other.has(BUTTONS, RESTORE)
    other.hands.press("ctrl+q")
    other.wait_ended()
    crash(first)
    (tmp_path / f"{BEFORE}.popef").unlink()

    again = start()
    again.click(BUTTONS, RESTORE)
    again.window(AFTER)
    again.find("text", "Notices")
    until(lambda: f"{BEFORE}.popef no longer exists" in again.find("text", "Notices").text, "the missing file")
    until(lambda: AFTER in session(home), "its own session")
    crash(again)

    last = start()
    last.click(BUTTONS, "Dismiss")
    until(lambda: not session(home), "nothing is left to offer")
