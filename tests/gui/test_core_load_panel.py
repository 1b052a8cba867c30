"""The core load panel."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.formats.ascend_bin import FORMAT
from app.panels import picture
from app.panels.core_load.cards import PLOTS, CoreCards
from app.panels.core_load.panel import CoreLoadPanel
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.colours import contrast, text_on
from app.views.core_load import LEVELS, ground, shade
from app.views.look import DARK, LIGHT, Theme
from app.widgets.context import Context
from fakes.panels import Opened
from generators.ascend_bin import block
from generators.ascend_details import Shape, core_load
from generators.reading import profile_of

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def simt() -> Profile:
    return profile_of(FORMAT, block(0x0C, core_load(Shape(blocks=3), simt=True)))


def middle(cards: CoreCards, place: int) -> QPointF:
    grid = cards.grid()
    assert grid is not None
    return grid.card(place).center()


def test_figures_levels_and_advice_of_the_capture(opened: Opened, capture_mix: Profile) -> None:
    panel = opened(CoreLoadPanel, capture_mix)
    shown = panel.cards.picture
    told = {tile.name: (shown.figures[tile.row], tile.level) for tile in shown.cards[0].tiles}
    assert told == {"Cube0": ("413,123", 3), "Vector0": ("219,790", 2), "Vector1": ("408,574", 7)}
    assert panel.advice.text().splitlines()[1] == "▲ 2) core0 vector1 cache hit rate lower than other core."
    titles = [panel.shown_as.itemText(place) for place in range(panel.shown_as.count())]
    assert titles == ["Cycles", "Throughput", "L2 hit rate"]
    panel.shown_as.setCurrentIndex(1)
    shown = panel.cards.picture
    assert [shown.figures[tile.row] for tile in shown.cards[0].tiles] == ["5.87 MiB", "2.52 MiB", "2.52 MiB"]
    panel.shown_as.setCurrentIndex(2)
    shown = panel.cards.picture
    assert [shown.figures[tile.row] for tile in shown.cards[0].tiles] == ["93.6 %", "85.5 %", "84.3 %"]
    assert not panel.per_cycle.isVisible()


def test_the_tooltip_says_what_the_level_compares_with(opened: Opened, capture_mix: Profile) -> None:
    panel = opened(CoreLoadPanel, capture_mix)
    grid = panel.cards.grid()
    lines = panel.cards.describe(grid.tile_at(1, 0).center()).splitlines()
    assert lines[0] == "Core 1, Vector1"
    assert lines[1] == "Cycles: 409,526 cycles"
    assert lines[2].startswith("Level 7 of 10 among 4 vector sub-cores: mean 314,473.5 cycles"[:45])
    assert "Throughput: 2.52 MiB (2,641,408 B) to and from main memory" in lines
    cards = len(panel.cards.picture.cards)
    assert all(card.tiles for card in panel.cards.picture.cards)
    assert panel.idle.isVisible()
    panel.idle.setChecked(True)
    assert panel.idle.text() == f"{len(panel.cards.picture.cards) - cards} cores without load"
    assert panel.cards.describe(middle(panel.cards, 5)) == "Core 5: no load in the file"
    assert panel.cards.describe(QPointF(1, 1)) == ""


def test_cards_keys_and_the_table_share_the_selection(opened: Opened, context: Context, capture_mix: Profile) -> None:
    panel = opened(CoreLoadPanel, capture_mix)
    grid = panel.cards.grid()
    QTest.mouseClick(panel.cards, LEFT, PLAIN, grid.card(1).topLeft().toPoint() + QPointF(4, 4).toPoint())
    assert context.document.selection.value == Selection("core", (1,), "core_load")
    panel.as_table.click()
    assert panel.selected_rows().tolist() == [3, 4, 5]
    assert panel.shown_table().id == "core-load"
    panel.as_table.click()
    QTest.keyClick(panel.cards, Qt.Key.Key_Left)
    assert context.document.selection.value == Selection("core", (0,), "core_load")
    QTest.keyClick(panel.cards, Qt.Key.Key_Left)
    assert context.document.selection.value == Selection("core", (0,), "core_load")
    QTest.mouseMove(panel.cards, grid.tile_at(1, 0).center().toPoint())
    assert context.document.hover.value == Selection("core", (1,), "core_load")
    context.document.selection.set(Selection("core", (1,), "tables"))
    assert panel.cards.marks.selected == frozenset({1})


def test_an_empty_card_selects_nothing(opened: Opened, context: Context, capture_mix: Profile) -> None:
    panel = opened(CoreLoadPanel, capture_mix)
    QTest.mouseClick(panel.cards, LEFT, PLAIN, middle(panel.cards, 3).toPoint())
    assert context.document.selection.value is None


def test_simt_files_have_the_table_of_rates(opened: Opened, simt: Profile) -> None:
    panel = opened(CoreLoadPanel, simt)
    panel.shown_as.setCurrentIndex(3)
    assert panel.per_cycle.isVisible()
    assert panel.per_cycle.shown_table().id == "instructions-per-cycle"
    assert "no data" in {panel.cards.picture.figures[tile.row] for tile in panel.cards.picture.cards[0].tiles}


def test_without_a_load_it_says_so(opened: Opened, context: Context, simt: Profile) -> None:
    panel = opened(CoreLoadPanel, simt)
    nothing = profile_of(FORMAT, block(0x0C, b'{"op_detail":[{"core_id":0,"core_detail":[{}]}]}'))
    context.document.finish(context.document.add(nothing, job=2))
    QApplication.processEvents()
    assert "no figures" in panel.stack.empty.text
    context.document.finish(context.document.add(profile_of(FORMAT, block(0x05, b'{"name":"x"}')), job=3))
    QApplication.processEvents()
    assert "0x0C" in panel.stack.empty.text


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_numbers_and_names_read_well_on_every_level(theme: Theme) -> None:
    for level in range(-1, len(LEVELS)):
        assert contrast(theme.text, ground(level, theme)) >= 4.5
        assert contrast(text_on(shade(level, theme)), shade(level, theme)) >= 4.5


def test_the_picture_is_made_of_lines_and_letters(qtbot: QtBot, capture_mix: Profile, tmp_path: Path) -> None:
    plot = next(plot for plot in PLOTS if plot.id == "core-load-cycles")
    target = tmp_path / "cards.svg"
    picture.save(plot, capture_mix, target, (800, 450), "light")
    drawn = target.read_text(encoding="utf-8")
    assert "<image" not in drawn
    assert "413,960" in drawn
    assert "Core 19" in drawn


def test_a_small_place_makes_the_cards_smaller(qapp: QApplication, capture_mix: Profile) -> None:
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.surface))
    with QPainter(image) as painter:
        PLOTS[0].draw(painter, QRectF(0, 0, 300, 200), capture_mix, LIGHT)
    colours = {image.pixelColor(x, y).name().upper() for x in range(300) for y in range(200)}
    assert LEVELS[7] in colours
    below = {image.pixelColor(x, y).name().upper() for x in range(300) for y in range(196, 200)}
    assert below == {LIGHT.surface}
