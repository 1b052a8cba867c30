"""All panels of every family on one picture for each theme and size, for the eyes of whoever changed something.

The sheets lie in ``build/journeys``; ``--sheets`` makes those of all sizes. What can be told without eyes is asserted
on the way: every tab that is clicked comes to the front, and its panel is drawn on the theme's ground."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QImage

from desktop.accessible import Node
from desktop.eyes import Picture, luminance, save
from desktop.program import Program, started
from desktop.server import desktop
from desktop.waiting import until
from journeys.conftest import LEFT_BEHIND
from journeys.families import write_all

COLUMNS = 6
SCROLL_BUTTONS = 90
"""Pixels at the end of a bar that may hold buttons."""
SIZES = [
    (1280, 800, 1, ("Dark",)),
    (1280, 800, 1, ("Light",)),
    (1920, 1080, 1, ("Light", "Dark")),
    (2560, 1600, 2, ("Light", "Dark")),
]
"""Width and height of the screen, its scale, and the themes that are looked at. Only the first is always made."""


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    sizes = SIZES if metafunc.config.getoption("--sheets") else SIZES[:1]
    metafunc.parametrize(
        ("width", "height", "scale", "themes"),
        sizes,
        ids=lambda value: "-".join(value) if isinstance(value, tuple) else str(value),
    )


def test_contact_sheets(
    tmp_path: Path, home: Path, samples: Path, width: int, height: int, scale: int, themes: Sequence[str]
) -> None:
    files = write_all(tmp_path / "files", samples)
    folder = tmp_path / "desktop"
    folder.mkdir()
    LEFT_BEHIND.mkdir(parents=True, exist_ok=True)
    with (
        desktop(folder, width, height) as screen,
        started(screen, home, list(files.values()), scale=scale) as program,
    ):
        program.fill_screen()
        until(lambda: len(profiles(program)) == len(files), "a tab for each family")
        for theme in themes:
            program.menu("View", "Appearance", theme)
            until(lambda: bright(program.eyes.look()) == (theme == "Light"), f"the theme {theme}")  # noqa: B023
            pictures = [picture for _ in files for picture in panels_of_next(program)]
            assert all(bright(picture) == (theme == "Light") for picture in pictures)
            name = f"sheet-{theme.lower()}-{width}x{height}@{scale}.png"
            save(sheet(pictures, width // scale), LEFT_BEHIND / name)


def profiles(program: Program) -> list[Node]:
    """The tabs of open profiles."""
    bars = program.tree.all("page tab list")[:1]
    return [tab for bar in bars for tab in bar.children if tab.role == "page tab"]


def panels_of_next(program: Program) -> Iterator[Picture]:
    """Goes to the next profile, and clicks through the tabs of all groups of docks at once."""
    before = program.window().name
    program.hands.press("ctrl+Tab")
    program.window(lambda name: name != before)
    program.eyes.still()
    bars = program.tree.all("page tab list")[1:]  # the first is that of the profiles
    groups = [[tab for tab in bar.children if tab.role == "page tab" and inside(tab, bar)] for bar in bars]
    yield program.eyes.still()
    for place in range(1, max((len(tabs) for tabs in groups), default=0)):
        for tab in (tabs[place] for tabs in groups if place < len(tabs)):
            click_tab(program, tab)
        yield program.eyes.still()


def inside(tab: Node, bar: Node) -> bool:
    """Whether a tab can be clicked: where they do not fit beside one another they scroll; of a group one shows."""
    return tab.box[2] > 1 and bar.box[0] <= tab.box[0] and tab.middle[0] < bar.box[0] + bar.box[2] - SCROLL_BUTTONS


def click_tab(program: Program, tab: Node) -> None:
    """Clicks a tab and waits until its panel is in front; tabs inside a panel go when that goes behind another."""
    if tab.again().gone:
        return
    program.hands.click(tab.again().middle)
    until(lambda: (now := tab.again()).gone or "selected" in now.states, f"the panel {tab.name}")


def bright(picture: Picture) -> bool:
    """Whether most of a picture is light."""
    return bool(np.median(luminance(picture[::7, ::7])) > 0.3)


def sheet(pictures: list[Picture], width: int) -> Picture:
    """All pictures side by side, each ``width`` / 2 pixels wide."""
    small = [shrunk(picture, width // 2) for picture in pictures]
    height = small[0].shape[0]
    rows = -(-len(small) // COLUMNS)
    whole = np.full((rows * (height + 8), COLUMNS * (width // 2 + 8), 3), 128, dtype=np.uint8)
    for place, picture in enumerate(small):
        top, left = place // COLUMNS * (height + 8), place % COLUMNS * (width // 2 + 8)
        whole[top : top + height, left : left + picture.shape[1]] = picture
    return whole


def shrunk(picture: Picture, width: int) -> Picture:
    height, full, _ = picture.shape
    image = QImage(picture.data, full, height, 3 * full, QImage.Format.Format_RGB888)
    size = QSize(width, round(height * width / full))
    scaled = image.scaled(
        size, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    ).convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(scaled.constBits(), np.uint8).reshape(size.height(), scaled.bytesPerLine())
    return lines[:, : 3 * width].reshape(size.height(), width, 3).copy()
