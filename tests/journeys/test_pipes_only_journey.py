"""A trace of the newer tools: only its pipes are shown, by key, button and palette, and a mark is gone to."""

from __future__ import annotations

from pathlib import Path

from desktop.program import BUTTONS, Program
from desktop.waiting import until
from generators import device_trace
from journeys.conftest import Start


def hidden(program: Program) -> str:
    """What the line below the timeline says is hidden."""
    labels = program.find("panel", "Timeline").all("label", lambda name: name.endswith(" hidden"))
    return labels[0].name if labels else ""


def test_only_pipes_are_shown_and_a_mark_is_gone_to(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    path.write_bytes(device_trace.text(device_trace.everything(60)))
    program = start(path)
    program.hands.click(program.find("filler", "Timeline").middle)
    assert not hidden(program)
    program.hands.press("shift+p")
    said = until(lambda: hidden(program), "what is hidden")
    assert "lanes and" in said
    program.click(BUTTONS, lambda name: name.startswith("Pipes only"))
    until(lambda: not hidden(program), "everything is shown")
    program.command("pipes only")
    until(lambda: hidden(program) == said, "the same is hidden")
    program.hands.click(program.find("filler", "Timeline").middle)
    program.hands.press("ctrl+f")
    program.type_into_field("MarkStamp35", program.window())
    program.hands.press("Return")
    details = program.find("panel", "Details")
    until(lambda: details.all(("filler", "label"), lambda name: name == "MarkStamp35"), "the mark in Details")
