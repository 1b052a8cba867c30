"""The theme changed both ways in a running window: nothing of the other one is left, and every table can be read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from app.views.look import DARK, LIGHT, Theme
from desktop.accessible import Node
from desktop.eyes import Picture, changed, contrast, packed
from desktop.hands import Place
from desktop.program import BUTTONS, TABS, Program
from desktop.waiting import until
from journeys.conftest import Start
from journeys.families import write_all

READABLE = 4.5
"""Contrast of text against its ground (WCAG 2.2, AA)."""
SIDE = 6
"""Pixels: a square of the other theme's ground is left over; letters of its colour are thinner."""
LEAST = 100
"""Such squares; fewer are in pictures, such as the program's sign."""
TABLES = ("table", "tree", "tree table", "list")
WAYS = ((DARK, LIGHT), (LIGHT, DARK))
"""The theme to change to, and the one before."""


def change(program: Program, theme: Theme) -> None:
    program.menu("View", "Appearance", theme.name.capitalize())
    until(lambda: covered(program.eyes.look(), theme) > 10_000, f"the theme {theme.name}")
    program.rest()


def covered(picture: Picture, theme: Theme) -> int:
    """Squares in the grounds of a theme, one for each place of their corner."""
    total = 0
    pixels = packed(picture)
    for colour in (theme.surface, theme.raised):
        same = pixels == int(colour[1:], 16)
        for _ in range(SIDE - 1):
            same = same[:-1, :-1] & same[1:, :-1] & same[:-1, 1:] & same[1:, 1:]
        total += int(same.sum())
    return total


def clean(program: Program, old: Theme, where: str) -> Picture:
    """The screen at rest; nothing of ``old`` is on it."""
    picture = program.eyes.still()
    assert covered(picture, old) < LEAST, f"{where}: the theme {old.name} is left"
    return picture


def looks_right(program: Program, old: Theme, where: str) -> None:
    """Nothing of ``old`` is on the screen, and all tables that are shown can be read."""
    picture = clean(program, old, where)
    for window in program.windows:
        for table in window.all(TABLES):
            left, top, width, height = table.box
            if min(width, height) > SIDE and table.child_count:
                got = contrast(picture[max(top, 0) : top + height, max(left, 0) : left + width])
                assert got >= READABLE, f"{where}: {table.name} has a contrast of {got:.1f}"


def profiles(program: Program) -> list[Node]:
    """The tabs of open profiles."""
    bars = program.tree.all("page tab list")[:1]  # none while the start page is shown
    return [tab for bar in bars for tab in bar.children if tab.role == "page tab"]


def test_families_follow(start: Start, samples: Path, tmp_path: Path) -> None:
    """A few; ``tests/gui/window/test_theme_switch_panels.py`` has all."""
    every = write_all(tmp_path / "files", samples)
    files = [every[family] for family in ("ascend", "poplar", "popef")]
    program = start(*files)
    until(lambda: len(profiles(program)) == len(files), "a tab for each family")
    program.fill_screen()
    for theme, old in WAYS:
        change(program, theme)
        for _ in files:
            before = program.window().name
            looks_right(program, old, f"{before}, {theme.name}")
            program.hands.press("ctrl+Tab")
            program.window(lambda name: name != before)  # noqa: B023 (called at once)


def test_the_start_page_and_the_list_of_samples(start: Start) -> None:
    program = start()
    for theme, old in WAYS:
        change(program, theme)
        looks_right(program, old, f"start page, {theme.name}")


@contextmanager
def popped_up(program: Program, where: str, old: Theme, pointer: Place) -> Iterator[None]:
    """Something appears on the screen inside the block; it is of the new theme, can be read, and goes by Esc and by
    moving the pointer back to where it was."""
    before = program.eyes.still()
    yield
    until(lambda: changed(before, program.eyes.look()) > 2_000, where)
    picture = clean(program, old, f"{where}, {old.name} before")
    rows, columns = np.nonzero((before != picture).any(axis=2))
    got = contrast(picture[rows.min() : rows.max(), columns.min() : columns.max()])
    assert got >= READABLE, f"{where}: a contrast of {got:.1f}"
    program.hands.press("Escape", "Escape")
    program.hands.move(pointer)
    until(lambda: changed(before, program.eyes.look()) < 2_000, f"the end of {where}")


def test_whatever_pops_up(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.show_panel("Operator")
    program.click("check box", "Table")
    table = program.find("table", lambda name: "lock" in name)
    column = table.box[0] + 30, table.box[1] + 8
    for theme, old in WAYS:
        change(program, theme)
        program.hands.move(column)
        with popped_up(program, "palette", old, column):
            program.hands.press("ctrl+shift+p")
        with popped_up(program, "menu of a column", old, column):
            program.hands.click(column, button=3)
        with popped_up(program, "filter of a column", old, column):
            program.hands.click(column, button=3)
            program.rest()
            program.hands.press("Down", "Return")
            program.rest()
        with popped_up(program, "where to export", old, column):
            program.hands.press("ctrl+e")
            program.window("Export")
            program.hands.press("Return")
            program.find("text", "File name:")
        with popped_up(program, "tool tip", old, column):
            program.hands.move(program.find(BUTTONS, "Reload").middle)


def test_what_stands_beside_the_window(start: Start, samples: Path) -> None:
    program = start(samples / "matmul_leakyrelu.bin")
    program.show_panel("Operator")
    program.panel_menu("Operator", "Up", "Return")
    program.window("Operator")
    program.click(TABS, "Summary")
    program.hands.press("question")
    program.window("Keyboard shortcuts")
    for theme, old in WAYS:
        change(program, theme)
        looks_right(program, old, f"a floating panel and the keys, {theme.name}")
