"""Context menus of cells, chips and tabs of panels, ranges that are typed, and folders that are opened again."""

from __future__ import annotations

import shutil
from pathlib import Path

from desktop.eyes import changed
from desktop.program import BUTTONS, TABS, Program
from desktop.waiting import until
from journeys.conftest import Start


def menu(program: Program, place: tuple[int, int], *keys: str) -> None:
    """Opens the context menu at a place and chooses in it by keys; Qt tells assistive tools nothing of its items."""
    before = program.eyes.still()
    program.hands.click(place, button=3)
    until(lambda: changed(before, program.eyes.look()) > 2000, "a menu")
    program.hands.press(*keys)


def test_rows_like_a_cell_a_typed_range_and_the_menu_of_a_tab(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.find("filler", "Timeline")
    a_typed_range_shows_as_a_chip_whose_menu_clears_it(program)
    only_rows_with_the_value_of_a_cell(program)
    the_menu_of_a_tab_closes_its_panel(program)


def a_typed_range_shows_as_a_chip_whose_menu_clears_it(program: Program) -> None:
    program.hands.press("ctrl+r")
    dialog = program.window("Range")
    until(lambda: (at := dialog.focused) is not None and at.name == "Range: From", "the start has the keyboard")
    program.type_into_field("1 us", dialog)
    program.hands.press("Return", "Tab")
    program.type_into_field("3 us", dialog)
    program.hands.press("Return")
    chip = program.find(BUTTONS, lambda name: name.startswith("range 1.") and "3." in name)
    program.hands.press("Escape")
    program.gone("Range")
    menu(program, chip.middle, "Down", "Down", "Down", "Return")  # set, add a note, clear
    until(lambda: not program.has(BUTTONS, lambda name: name.startswith("range 1.")), "no range")


def only_rows_with_the_value_of_a_cell(program: Program) -> None:
    program.show_panel("Operator")
    program.click("check box", "Table")
    table = program.find("table", lambda name: "lock" in name)
    assert table.rows == 2
    menu(program, table.cell(1, 0).middle, "Down", "Down", "Right", "Down", "Return")  # copy, Filter: by column, only
    until(lambda: table.again().rows == 1 and table.again().cell(0, 0).name == "1", "one row")
    program.hands.press("Escape")
    until(lambda: table.again().rows == 2, "all rows")


def the_menu_of_a_tab_closes_its_panel(program: Program) -> None:
    tab = program.find(TABS, "Operator")
    menu(program, tab.middle, "Down", "Return")
    until(lambda: not program.has(TABS, "Operator"), "no tab of the closed panel")


def test_a_folder_is_opened_once_and_reload_finds_what_came_later(start: Start, samples: Path, tmp_path: Path) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    shutil.copy(samples / "matmul_leakyrelu.bin", folder / "first.bin")
    program = start(folder)
    program.find("filler", "Timeline")
    program.open(folder)
    program.rest()
    assert len([tab for window in program.windows for tab in window.each(TABS, of_the_first)]) == 1
    shutil.copy(samples / "resnet_inference.popef", folder / "later.popef")
    program.hands.press("F5")
    program.find(TABS, lambda name: name.startswith(("later", "resnet")))


def of_the_first(name: str) -> bool:
    return name.startswith("matmul")
