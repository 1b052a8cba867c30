"""A trace of the PyTorch style: what has no thread of its own is found, told, counted; so is what is not shown."""

from __future__ import annotations

from pathlib import Path

from desktop.program import Program
from desktop.waiting import until
from generators import torch_trace
from generators.torch_trace import Style
from journeys.conftest import Start


def details(program: Program) -> list[str]:
    """The lines that Details shows."""
    return [line.name for line in program.find("panel", "Details").all(("filler", "label"), bool)]


def wait_for(program: Program, told: str) -> None:
    until(lambda: any(told in line for line in details(program)), f"{told} in Details")


def test_requests_and_instants_are_found_and_told_with_their_arguments(start: Start, tmp_path: Path) -> None:
    path = tmp_path / "trace_view.json"
    events = torch_trace.write(path, 400, style=Style(bare=True))
    program = start(path)
    for name, told in (("collect", "generation"), ("read", "data")):
        program.hands.click(program.find("filler", "Timeline").middle)
        program.hands.press("ctrl+f")
        program.type_into_field(name, program.window())
        program.hands.press("Return")
        wait_for(program, told)
    unseen = sum(event["ph"] == "O" for event in events)
    issue = f"{unseen} events are not shown: {unseen} × kind that is not drawn"
    table = program.show_panel("Issues").find("table")
    assert table.cell(0, 1).name.startswith(issue)
