"""A link to a view is copied by the menu, the program closed, and started again at the same place."""

from __future__ import annotations

from pathlib import Path

from desktop import clipboard
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from journeys.conftest import Start


def copied(program: Program) -> str:
    program.menu("Edit", "Copy link to this view")
    return until(lambda: now if (now := clipboard.text(program.desktop)).startswith("tilesight:") else None, "a link")


def test_a_copied_view_is_there_after_a_new_start(start: Start, samples: Path) -> None:
    first = start(samples / "resnet-1472-tiles")
    first.hands.click(first.find("filler", "Timeline").middle)
    first.hands.press("w", "w", "w", "period")
    first.find("label", lambda name: name.startswith("Duration"))
    link = copied(first)
    assert {"panel=timeline", "select=slice"} <= {part.partition(":")[0] for part in link.split("&")}
    assert "&view.canvas.start=" in link
    first.hands.press("ctrl+q")
    first.wait_ended()

    second = start("--goto", link)
    second.find("label", lambda name: name.startswith("Duration"))
    until(lambda: copied(second) == link, "the same panel, part of the timeline and selection")
    assert not second.has(BUTTONS, "Dismiss")  # there is nothing to say
