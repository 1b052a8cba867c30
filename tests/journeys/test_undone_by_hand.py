"""Ctrl+Z undoes what a hand did on the timeline: a range, a note and its name, a hidden lane."""

from __future__ import annotations

from pathlib import Path

from msgspec.json import decode

from desktop.program import BUTTONS, Program
from desktop.waiting import until
from journeys.conftest import Start


def notes(home: Path) -> list[str]:
    """The notes on the disk."""
    documents = [decode(path.read_bytes()) for path in home.glob("data/tilesight/files/*.json")]
    return [note["text"] for document in documents for note in document["notes"]]


def hidden(program: Program) -> bool:
    """Whether a chip says that lanes are hidden."""
    return program.has(BUTTONS, lambda name: "hidden" in name.lower() and "lane" in name.lower())


def test_a_note_and_a_hidden_lane_are_undone_and_redone(start: Start, samples: Path, home: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    canvas = program.find("filler", "Timeline")
    program.hands.click(canvas.middle)
    program.hands.press("m")
    program.hands.type("pool")  # P, O and L are keys of the timeline
    program.hands.press("Return")
    until(lambda: notes(home) == ["pool"], "the note")
    program.hands.press("Down", "h")
    until(lambda: hidden(program), "a chip of the hidden lane")
    program.hands.press("ctrl+z")
    until(lambda: not hidden(program), "the lane again")
    assert notes(home) == ["pool"]
    program.hands.press("ctrl+z")
    until(lambda: notes(home) == [], "no note")
    program.hands.press("ctrl+shift+z")
    until(lambda: notes(home) == ["pool"], "the note again, with its name")
    program.hands.press("ctrl+y")
    until(lambda: hidden(program), "the lane is hidden again")
