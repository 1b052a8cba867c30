"""Getting to a place by name or number, finding anything, the palette, context menus, lanes."""

from __future__ import annotations

from pathlib import Path

from desktop import clipboard
from desktop.eyes import changed
from desktop.program import Program
from desktop.waiting import until
from journeys.conftest import Start

AMONG_LANES = 242
ROW = 24
"""Pixels from the top of the timeline to where names of lanes stand, whatever stands above them."""


def test_by_mouse_and_by_name(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.find("filler", "Timeline")
    the_name_of_a_lane_selects_it_and_its_menu_is_about_it(program)
    the_menu_of_a_cell_and_of_a_header(program)
    go_to_a_lane_a_line_and_an_instruction(program)
    the_palette_knows_other_words(program)


def detailed(program: Program, title: str) -> None:
    """Waits until the details are of a thing with that title."""
    until(lambda: program.has(("filler", "label"), title), f"details of {title}")


def menu(program: Program, place: tuple[int, int], *keys: str) -> None:
    """Opens the context menu at a place and chooses in it by keys; Qt tells assistive tools nothing of its items."""
    before = program.eyes.still()
    program.hands.click(place, button=3)
    until(lambda: changed(before, program.eyes.look()) > 2000, "a menu")
    program.hands.press(*keys)


def go_to_a_lane_a_line_and_an_instruction(program: Program) -> None:
    program.hands.press("ctrl+p")
    program.hands.type("cubecore0 cube")
    program.hands.press("Return")  # before the list is there: it is waited for
    detailed(program, "CUBE")
    program.hands.press("ctrl+p")
    program.hands.type("leaky.cpp:71")
    program.hands.press("Return")
    detailed(program, "matmul_leaky.cpp:71")
    program.hands.press("ctrl+p")
    program.hands.type("0x1124438c")
    program.hands.press("Return")
    until(lambda: program.has("label", lambda text: text.endswith("0x1124438c")), "the instruction at that address")


def test_a_cell_and_a_source_line_are_found(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.find("filler", "Timeline")
    program.hands.press("slash")
    program.hands.type("tiling.h")
    lines = until(lambda: next(iter(program.tree.all("tree")), None), "the list of what was found")
    until(lambda: lines.again().rows > 5, "files, source lines and cells")
    program.hands.press("Down", "Return")
    until(lambda: program.has("combo box", "matmul_leaky_tiling.h"), "the source in front")
    program.hands.press("Escape")
    program.hands.press("slash")
    program.hands.type("Ascend910B4")
    until(lambda: program.tree.all("tree") and program.tree.all("tree")[0].rows > 1, "a cell of a table")
    program.rest()
    program.hands.press("Return")
    until(lambda: program.has("list", "Tables of this profile"), "the tables in front")


def the_palette_knows_other_words(program: Program) -> None:
    program.command("dark mode")
    until(lambda: program.eyes.look().mean() < 110, "a dark window")
    program.command("hit rate")
    until(lambda: program.has("combo box", "Lines: hits"), "the cache panel in front")
    program.hands.press("ctrl+shift+p")
    program.hands.type("source texts")
    program.rest()  # the list of tables arrives a moment later
    program.hands.press("Return")
    until(lambda: program.has("table", "Source texts"), "the table of source texts")


def the_name_of_a_lane_selects_it_and_its_menu_is_about_it(program: Program) -> None:
    left, top, _, _ = program.find("filler", "Timeline").box
    folded = left + 60, top + AMONG_LANES
    before = program.eyes.still()
    program.hands.double_click(folded)  # a process that begins as a strip
    until(lambda: changed(before, program.eyes.look()) > 2000, "its lanes")
    name = folded[0], folded[1] + ROW
    program.hands.click(name)
    program.find("label", "Lane")
    program.find("label", "Longest slice")
    until(lambda: not program.has("label", lambda text: text.startswith("3,767 slices")), "statistics of the lane")
    unpinned = program.eyes.still()
    menu(program, name, "Down", "Return")  # the first is to pin it
    until(lambda: changed(unpinned, program.eyes.look()) > 2000, "the lane above its heading")


def the_menu_of_a_cell_and_of_a_header(program: Program) -> None:
    program.show_panel("Operator")
    program.click("check box", "Table")
    table = program.find("table", lambda name: "lock" in name)
    menu(program, table.cell(1, 0).middle, "Down", "Return")
    until(lambda: clipboard.text(program.desktop) == "1", "the cell in the clipboard")
    left, top, _, _ = table.box
    menu(program, (left + 30, top + 8), "Down", "Down", "Down", "Return")  # filter, ascending, descending
    until(lambda: table.cell(0, 0).name == "1", "the rows in falling order")
