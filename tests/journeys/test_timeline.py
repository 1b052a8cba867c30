"""Finding one's way in the timeline by keys and mouse, and notes."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.accessible import Node
from desktop.hands import MIDDLE
from desktop.program import BUTTONS, Program
from desktop.waiting import until
from journeys.conftest import Start


def shown(program: Program) -> str:
    """The stretch of time that the timeline says it shows."""
    names = [label.name for label in program.find("panel", "Timeline").all("label", lambda name: " – " in name)]
    return names[0] if names else ""


def changes(program: Program, before: str) -> str:
    return until(lambda: now if (now := shown(program)) != before else None, f"another view than {before}")


def test_zoom_by_keys_and_back_and_forth(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    whole = until(lambda: shown(program), "the view")
    program.hands.click(program.find("filler", "Timeline").middle)
    program.hands.press("w")
    nearer = changes(program, whole)
    program.hands.press("d")
    beside = changes(program, nearer)
    program.hands.press("BackSpace")
    assert changes(program, beside) == nearer
    program.hands.press("BackSpace")
    assert changes(program, nearer) == whole
    program.hands.press("shift+BackSpace", "shift+BackSpace")
    until(lambda: shown(program) == beside, "the last view again")
    program.hands.press("0")
    assert changes(program, beside) == whole


def test_zoom_by_wheel_and_a_range_by_dragging(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    whole = until(lambda: shown(program), "the view")
    canvas = program.find("filler", "Timeline")
    program.hands.wheel(canvas.middle, 3, modifiers=["ctrl"])
    nearer = changes(program, whole)
    program.hands.wheel(canvas.middle, -3, modifiers=["ctrl"])
    changes(program, nearer)
    left, top, width, height = canvas.box
    program.hands.drag((left + width // 2, top + height - 12), (left + width // 2 + 200, top + height - 12))
    chip = program.find(("push button", "button"), lambda name: "range" in name.lower() or "–" in name)
    program.hands.click(chip.middle)
    until(lambda: not program.has(("push button", "button"), chip.name), "no range")


def selected(program: Program, name: str) -> None:
    """Waits until the details are about this lane."""
    about = program.find("panel", "Details")
    until(lambda: about.all(("filler", "label"), lambda text: text == name), f"details of {name}")


def test_lanes_are_hidden_and_moved_and_stand_there_the_next_time(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    whole = until(lambda: shown(program), "the view")
    left, top, width, height = program.find("filler", "Timeline").box
    bottom, first_lane = top + height - 12, (left + 60, top + 76)
    program.hands.double_click((left + 60, top + 52))  # the first process begins as a strip
    program.rest()
    program.hands.drag((left + width // 2, bottom), (left + width // 2 + 150, bottom), MIDDLE)
    nearer = changes(program, whole)
    program.hands.press("BackSpace")
    assert changes(program, nearer) == whole
    program.hands.click(first_lane)
    selected(program, "SCALAR")
    program.hands.press("alt+Down")
    program.rest()
    program.hands.press("h")
    chip = program.find(("push button", "button"), "Remove filter: 1 lane hidden")
    program.hands.click(chip.middle)
    until(lambda: not program.has(("push button", "button"), chip.name), "the lane is shown again")
    program.hands.drag((left + 60, top + 76 + 48), (left + 60, top + 70))  # the third lane to the top
    program.hands.click(first_lane)
    selected(program, "MTE1")
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0

    again = start(samples / "matmul_leakyrelu.bin")
    again.find("filler", "Timeline")
    for place, name in enumerate(("MTE1", "FLOWCTRL", "SCALAR")):
        again.hands.click((first_lane[0], first_lane[1] + 24 * place))
        selected(again, name)


def offered(program: Program) -> list[str]:
    """What the list below the search field says."""
    return [cell.name for tree in program.tree.all("tree") for cell in tree.children]


def test_notes_are_made_renamed_found_again_and_removed(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.hands.click(program.find("filler", "Timeline").middle)
    program.hands.press("k")
    program.type_into_field("first wave", program.window())
    program.hands.press("Return")
    program.rest()
    program.hands.press("F2")
    program.type_into_field("second wave", program.window())
    program.hands.press("Return")
    program.rest()
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0

    again = start(samples / "matmul_leakyrelu.bin")
    again.find("filler", "Timeline")
    again.hands.press("slash")
    again.hands.type("second wave")
    until(lambda: "second wave" in offered(again), "the note is found")
    again.hands.press("Down", "Return")
    again.rest()
    again.hands.press("Escape", "Delete")
    again.rest()
    again.hands.press("slash")
    again.hands.type("second wave")
    until(lambda: "No matches" in offered(again), "the note is gone")


def legend(program: Program, begin: str) -> Node:
    """The legend, when it says that colours begin with this."""
    return program.find((), lambda name: name.startswith(f"Colours: {begin}"))


def test_colours_are_chosen_and_the_legend_leaves_one(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    legend(program, "Waiting, CUBE")
    program.menu("View", "Colour by", "Process")
    left, top, _, height = legend(program, "Waiting, core0.cubecore0").box
    program.find(("push button", "button"), "Colour: process")
    program.hands.click((left + 12, top + height // 2))
    chip = program.find(("push button", "button"), "Remove filter: Only colour “Waiting”").name
    program.rest()
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0

    again = start(samples / "matmul_leakyrelu.bin")
    again.click(("push button", "button"), chip)
    until(lambda: not again.has(("push button", "button"), chip), "all colours")
    again.find(("push button", "button"), "Colour: process")


def test_colours_by_an_argument_are_searched_filtered_and_restored(start: Start, tmp_path: Path) -> None:
    kinds = ["AI_CORE", "MIX", "AI_CORE", "MIX", "AI_CORE"]
    events = [
        {"ph": "X", "pid": 1, "tid": 1, "ts": place, "dur": 1, "name": "op", "args": {"id": place, "Task Type": kind}}
        for place, kind in enumerate(kinds)
    ]
    path = tmp_path / "trace.json"
    path.write_text(json.dumps(events))
    program = start(path)
    program.menu("View", "Colour by", "Argument…")
    dialog = program.window("Colour by argument")
    program.find("label", "2 arguments")
    program.type_into_field("task", dialog)
    program.hands.press("Return")
    program.gone("Colour by argument")
    left, top, _, height = legend(program, "AI_CORE, MIX").box
    program.hands.click((left + 12, top + height // 2))
    chip = program.find(BUTTONS, "Remove filter: Only colour “AI_CORE”").name
    program.rest()
    program.hands.press("ctrl+q")
    assert program.wait_ended() == 0

    again = start(path)
    again.find(BUTTONS, "Colour: Task Type")
    again.click(BUTTONS, chip)
    legend(again, "AI_CORE, MIX")
    again.menu("View", "Colour by", "Argument…")
    again.window("Colour by argument")
    again.hands.press("Escape")
    again.gone("Colour by argument")
