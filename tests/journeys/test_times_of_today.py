"""A trace with timestamps of the present epoch: ranges, zoom and what Details says of a slice."""

from __future__ import annotations

from pathlib import Path

from desktop.program import Program
from desktop.waiting import until
from generators import epoch_trace
from journeys.conftest import Start
from journeys.test_timeline import changes, shown


def ends(program: Program) -> tuple[float, float]:
    """The view that the timeline names, in microseconds."""
    numbers, _, unit = shown(program).rpartition(" ")
    low, high = (float(text.replace(",", "").replace("−", "-")) for text in numbers.split(" – "))
    factor = {"ns": 1e-3, "µs": 1.0, "ms": 1e3, "s": 1e6}[unit]
    return low * factor, high * factor


def test_a_range_is_zoomed_to_again_and_again_and_its_slice_is_told_exactly(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "trace_view.json"
    steps = epoch_trace.write(path, 3_000, lanes=1)
    program = start(path)
    view = until(lambda: shown(program), "the view")
    left, top, width, height = program.find("filler", "Timeline").box
    middle, below = left + width // 2, top + height - 12
    for _ in range(3):
        low, high = ends(program)
        program.hands.drag((middle - 20, below), (middle + 20, below))
        program.hands.press("f")
        view = changes(program, view)
        nearer = ends(program)
        assert low < nearer[0] < nearer[1] < high  # the ends read differently however near they are
        assert nearer[1] - nearer[0] < 0.2 * (high - low)
    program.hands.press("f")  # a second time: all again
    changes(program, view)
    program.hands.press("period")  # the first slice
    said = until(lambda: in_file(program), "the timestamp of the file")
    assert said.removesuffix(" µs").replace(",", "") in {epoch_trace.microseconds(step.start) for step in steps}


def in_file(program: Program) -> str | None:
    """The timestamp that Details shows."""
    begin = "Start in the file: "
    lines = program.find("panel", "Details").all(("filler", "label"), lambda name: name.startswith(begin))
    return next((line.name.removeprefix(begin).replace("\u00a0", " ") for line in lines), None)
