"""Two traces on one axis: keys move both, a slice marks its match, both are aligned, swapped, exported and parted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

from desktop.accessible import Node
from desktop.eyes import changed
from desktop.program import Program
from desktop.waiting import until
from journeys.conftest import Start
from journeys.exporting import choose, write_to

BODY = 42 + 24 + 12
"""Pixels from the top of a timeline to its first lane: the ruler, the name of the process, half a row."""
BUTTONS = ("push button", "button")
ONLY_WORK = "Remove filter: Only slices named “work”"
SVG = "{http://www.w3.org/2000/svg}"


def trace(path: Path, *, late: float) -> Path:
    """Two lanes with a short slice and a long one; the long one of the second begins ``late`` and takes as much
    longer."""
    events: list[dict[str, object]] = [{"ph": "M", "pid": 1, "name": "process_name", "args": {"name": "core"}}]
    for tid in (1, 2):
        events.append({"ph": "M", "pid": 1, "tid": tid, "name": "thread_name", "args": {"name": f"lane{tid}"}})
        more = late if tid == 2 else 0.0
        events.append({"ph": "X", "pid": 1, "tid": tid, "name": "warm up", "ts": 0, "dur": 100})
        events.append({"ph": "X", "pid": 1, "tid": tid, "name": "work", "ts": 200 + more, "dur": 800 + more})
    path.write_text(json.dumps({"traceEvents": events}))
    return path


def says(program: Program, part: str) -> str:
    """What the line between the timelines says, once it contains ``part``."""
    panel = program.find("panel", "Timeline")
    return until(lambda: next((line.name for line in panel.all((), lambda name: part in name)), ""), f"it says {part}")


def test_two_timelines_on_one_axis(start: Start, tmp_path: Path) -> None:
    before, after = trace(tmp_path / "before.json", late=0), trace(tmp_path / "after.json", late=80)
    program = start("--baseline", before, after)
    says(program, "1 differs in duration")
    lower = program.find("filler", "Timeline of the baseline")
    upper = program.find("filler", "Timeline")

    def both_change(*keys: str) -> None:
        both_change_by(lambda: program.hands.press(*keys))

    def both_change_by(act: Callable[[], object]) -> None:
        program.rest()
        sights = [program.eyes.look(part.box) for part in (upper, lower)]
        act()
        for part, sight in zip((upper, lower), sights, strict=True):
            until(lambda part=part, sight=sight: changed(sight, program.eyes.look(part.box)), "both move")  # type: ignore[misc]

    def on(part: Node, *, lane: int) -> tuple[int, int]:
        """A place on the long slice of a lane."""
        left, top, width, _ = part.box
        return left + width * 3 // 5, top + BODY + 24 * lane

    program.hands.click(on(upper, lane=1))
    says(program, "1 of 1: +80.0 µs (+10.0 %)")
    both_change("w")
    both_change("BackSpace")
    program.command("align timelines at this")
    until(lambda: program.has("combo box", "Aligned at a slice"), "both are aligned at the slice")
    program.command("align timelines at the end")
    until(lambda: program.has("combo box", "Aligned at the end of a slice"), "both end at the same place")
    both_change_by(lambda: program.command("only slices with this name"))
    both_change_by(lambda: program.hands.click(program.find(BUTTONS, ONLY_WORK).middle))
    until(lambda: not program.has(BUTTONS, ONLY_WORK), "all slices are shown again")
    program.hands.click(on(lower, lane=0))
    says(program, "difference 0 ns")
    program.hands.press("n")
    says(program, "1 of 1: +80.0 µs (+10.0 %)")
    choose(program, "Timeline", "image")
    program.hands.press("Return")
    write_to(program, tmp_path / "both.svg")
    texts = {text.text or "" for text in ElementTree.parse(tmp_path / "both.svg").getroot().iter(f"{SVG}text")}
    assert any("before.json" in text for text in texts)
    assert sum(text.strip() == "0 ns" for text in texts) <= 2
    program.menu("Compare", "Swap baseline")
    says(program, "Baseline: after.json")
    program.menu("Compare", "End comparison")
    until(lambda: not program.has("filler", "Timeline of the baseline"), "one timeline")
