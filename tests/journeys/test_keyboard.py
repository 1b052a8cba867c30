"""Without the mouse: who has the keyboard, what Esc ends, what a held key does, menus by their letters."""

from __future__ import annotations

from pathlib import Path

from desktop.program import Program
from desktop.waiting import until
from journeys.conftest import Start
from journeys.test_timeline import changes, shown

RANGE = ("push button", "button")


def ranged(program: Program) -> bool:
    """Whether figures are limited to a range: its chip stands in the status bar."""
    return program.has(RANGE, lambda name: name.startswith("range "))


def focused(program: Program, name: str) -> None:
    """Waits until the control of that name has the keyboard (the current page tabs always say that they have)."""

    def has_it() -> bool:
        return any("focused" in node.states for node in program.window().all(("filler", "text"), name))

    until(has_it, f"the keyboard in {name}")


def counted(program: Program) -> str:
    """How many slices the line below the timeline is about: those of the selected lane."""
    names = [label.name for label in program.find("panel", "Timeline").all("label", lambda name: " slices" in name)]
    return names[0] if names else ""


def test_keys_act_at_once_after_opening_and_after_switching_tabs(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    whole = until(lambda: shown(program), "the view")
    program.hands.press("w")
    nearer = changes(program, whole)
    program.show_panel("Roofline")
    program.show_panel("Timeline")
    program.hands.press("s")
    assert changes(program, nearer) == whole
    program.hands.press("ctrl+5")
    program.hands.press("ctrl+1", "w")
    changes(program, whole)


def test_a_held_key_is_one_step_back_and_down_selects_lanes(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    whole = until(lambda: shown(program), "the view")
    program.hands.hold("w", 1.5)
    program.rest()
    assert shown(program) != whole
    program.hands.press("BackSpace")
    until(lambda: shown(program) == whole, "the view before the key was held")
    down_selects_lanes_one_after_the_other(program)


def test_escape_ends_the_innermost_first_and_menus_leave_the_range_alone(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    until(lambda: shown(program), "the view")
    program.hands.press("period", "r")
    until(lambda: ranged(program), "a range")
    program.hands.press("ctrl+f")
    focused(program, "Find slices by name")
    program.hands.type("mmad")
    program.find(("label", "filler"), lambda name: name.endswith(" matches"))
    program.hands.press("Tab", "Return")  # the first switch of the search, which is there while the field is used
    until(lambda: (at := program.focused) is not None and at.name == "Match case", "the keyboard in the switch")
    program.find(("label", "filler"), "No matches")
    program.hands.press("Return", "shift+Tab", "Escape")
    focused(program, "Timeline")
    program.click("combo box", lambda name: True)
    program.rest()
    program.hands.press("Escape")
    program.rest()
    assert ranged(program)
    program.hands.press("ctrl+1", "Escape")
    until(lambda: not ranged(program), "no range")
    menus_open_by_letters_and_leave_the_range_alone(program)


def menus_open_by_letters_and_leave_the_range_alone(program: Program) -> None:
    program.hands.press("period", "r")
    until(lambda: ranged(program), "a range")
    for key in ("alt+v", "F10"):
        program.hands.press(key)
        program.rest()
        program.hands.press("Escape", "Escape")
        program.rest()
    assert ranged(program)
    focused(program, "Timeline")


def down_selects_lanes_one_after_the_other(program: Program) -> None:
    before = until(lambda: counted(program), "all slices")
    seen = [before]
    for _ in range(3):
        program.hands.press("Down")
        seen.append(until(lambda: now if (now := counted(program)) != seen[-1] else None, "another lane"))
    program.hands.press("Up")
    until(lambda: counted(program) == seen[2], "the lane above")


def test_a_sample_is_opened_looked_through_and_closed_without_the_mouse(start: Start) -> None:
    program = start()
    for _ in range(12):
        program.hands.press("Tab")
        cards = [node for node in program.window().all(RANGE) if "focused" in node.states]
        if any("sample" in node.name.lower() for node in cards):
            break
    program.hands.press("Return")
    until(lambda: program.has("page tab", lambda name: name != ""), "the docks of the sample")
    program.rest()
    program.hands.press("F6", "F6", "Tab", "Tab")
    program.rest()
    program.hands.press("ctrl+w")
    until(lambda: program.has(RANGE, lambda name: "sample" in name.lower()), "the start page")
