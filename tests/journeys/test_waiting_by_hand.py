"""From slice to slice along what waited for what, the critical path, and what a change would save."""

from __future__ import annotations

from pathlib import Path

from desktop.program import Program
from desktop.waiting import until
from generators import flag_trace
from generators.schedules import as_timeline, pipeline
from journeys.conftest import Start


def details(program: Program) -> list[str]:
    """The lines that Details shows."""
    lines = program.find("panel", "Details").all(("filler", "label"), bool)
    return [line.name.replace("\u00a0", " ") for line in lines]


def wait_for(program: Program, told: str) -> None:
    until(lambda: any(told in line for line in details(program)), f"{told} in Details: {details(program)}")


def select(program: Program, name: str) -> None:
    """Selects the first slice of a name by a search in the timeline."""
    program.hands.click(program.find("filler", "Timeline").middle)
    program.hands.press("ctrl+f")
    program.type_into_field(name, program.window())
    program.hands.press("Return")
    wait_for(program, name)
    program.hands.press("Escape")
    program.rest()


def test_brackets_walk_along_what_waited_for_what(start: Start, tmp_path: Path) -> None:
    program = start(flag_trace.write(tmp_path / "flags.json"))
    select(program, "VADD")
    wait_for(program, "after its lane had waited 1.12 µs for MTE2")
    program.hands.press("bracketleft")
    wait_for(program, "1.12 µs for MTE2")
    wait_for(program, "WAIT_FLAG.MTE2.VECTOR.0")
    program.hands.press("bracketleft")
    wait_for(program, "SET_FLAG.MTE2.VECTOR.0")
    program.hands.press("bracketleft")
    wait_for(program, "LOAD")
    program.hands.press("bracketright", "bracketright", "bracketright")
    wait_for(program, "after its lane had waited 1.12 µs for MTE2")


def test_the_critical_path_is_marked_and_a_change_is_estimated(start: Start, tmp_path: Path) -> None:
    program = start(flag_trace.write(tmp_path / "flags.json"))
    select(program, "VADD")
    program.hands.press("c")
    legend = "Colours: Critical path, Waiting"
    until(lambda: program.has((), lambda name: name.startswith(legend)), "the path in the legend")
    program.command("what if this took half")
    notices = program.find("text", "Notices")
    until(lambda: "If slice “VADD” took 50 % of its time: estimated saving" in notices.text, "an estimate")
    assert "at most" in notices.text
    program.hands.click(program.find(("push button", "button"), "Other factor…").middle)
    dialog = program.window("What if")
    until(lambda: dialog.all("label", lambda text: "estimated saving" in text), "an estimate")
    program.hands.press("ctrl+a")
    program.hands.type("0")
    until(lambda: dialog.all("label", lambda text: "took 0 %" in text), "the estimate of another factor")
    program.hands.press("Escape")
    program.gone("What if")


def test_without_flags_and_arrows_there_is_no_path(start: Start, tmp_path: Path) -> None:
    program = start(flag_trace.write(tmp_path / "alone.json", as_timeline(pipeline())))
    select(program, "LOAD")
    program.hands.press("c")
    assert program.find("text", "Notices").text.startswith("No flags or arrows in the file")
