"""The pointer, the range and the ruler of the timeline."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.profile.selection import TimeRange
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas
from generators.timelines import timeline

LINE = timeline([("core0", "VECTOR", [[(n * 10.0, 5.0, f"op{n}", "VECTOR") for n in range(1000)]])])
WIDTH, GUTTER = 1184, 184


@pytest.fixture
def display(qapp: QApplication) -> Display:
    return Display()


@pytest.fixture
def canvas(qtbot: QtBot, display: Display) -> TimelineCanvas:
    made = TimelineCanvas(display)
    qtbot.addWidget(made)
    made.resize(WIDTH, 300)
    made.show()
    made.show_timeline(Shown(Model.of(LINE), Look(), Place(WIDTH, 300, GUTTER)))
    qtbot.waitUntil(lambda: not made.preparation.active)
    return made


def shown_in(canvas: TimelineCanvas) -> Shown:
    assert canvas.shown is not None
    return canvas.shown


def moment_under(canvas: TimelineCanvas, x: int) -> float:
    return shown_in(canvas).scene().time(x)


def test_the_label_stays_under_the_pointer_when_the_view_moves(canvas: TimelineCanvas) -> None:
    shown_in(canvas).navigation.show_stretch(4910.0, 4920.0)
    QTest.mouseMove(canvas, QPoint(700, 150))
    assert canvas.stage.marks.cursor == pytest.approx(moment_under(canvas, 700))
    before = canvas.stage.marks.cursor
    acts: tuple[Callable[[], None], ...] = (
        lambda: canvas.pan(0.5),
        lambda: shown_in(canvas).navigation.zoom_at(4915.0, 3),
        canvas.fit,
        canvas.back,
    )
    for act in acts:
        act()
        assert canvas.stage.marks.cursor == pytest.approx(moment_under(canvas, 700))
        assert canvas.stage.marks.cursor != before
        before = canvas.stage.marks.cursor


def test_the_label_is_back_at_the_pointer_after_a_drag(canvas: TimelineCanvas) -> None:
    QTest.mouseMove(canvas, QPoint(400, 20))
    QTest.mousePress(canvas, Qt.MouseButton.LeftButton, pos=QPoint(400, 20))
    QTest.mouseMove(canvas, QPoint(800, 20))
    QTest.mouseRelease(canvas, Qt.MouseButton.LeftButton, pos=QPoint(800, 20))
    assert canvas.stage.marks.cursor == pytest.approx(moment_under(canvas, 800))


def test_with_only_a_range_the_view_goes_there(canvas: TimelineCanvas) -> None:
    canvas.set_range(TimeRange(4000.0, 4100.0))
    canvas.focus_selection()
    view = shown_in(canvas).view
    assert view.start <= 4000 < 4100 <= view.end
    assert view.span < 200
    canvas.focus_selection()  # a second time shows all again
    assert shown_in(canvas).view.span > 9000
    canvas.set_selected(np.array([3]))
    canvas.focus_selection()  # what is selected comes first
    assert shown_in(canvas).view.end < 100


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("stretch", [(4911.0, 4919.0), (4000.0, 6000.0), (4914.9, 4915.1)])
def test_a_range_hides_no_number_of_the_ruler(
    canvas: TimelineCanvas, display: Display, theme: Theme, stretch: tuple[float, float]
) -> None:
    display.set(theme=theme)
    shown_in(canvas).navigation.show_stretch(4910.0, 4920.0)
    place = shown_in(canvas).place
    numbers = QRect(GUTTER, place.ruler // 2, WIDTH - GUTTER, place.ruler - place.ruler // 2)
    free = canvas.grab(numbers).toImage()
    canvas.set_range(TimeRange(*stretch))
    assert canvas.grab(numbers).toImage() == free
    QTest.mouseMove(canvas, QPoint(640, 100))  # nor does the moment under the pointer
    assert canvas.grab(numbers).toImage() == free
    flags = canvas.grab(QRect(GUTTER, 0, WIDTH - GUTTER, place.ruler // 2)).toImage()
    accent = QColor(theme.accent)
    assert any(flags.pixelColor(x, y) == accent for x in range(flags.width()) for y in range(0, flags.height(), 2))


def test_the_ruler_tells_nearby_moments_apart(canvas: TimelineCanvas) -> None:
    shown_in(canvas).navigation.show_stretch(4910.0, 4920.0)
    shown = shown_in(canvas)
    clock, look, around = shown.model.clock, shown.look, (shown.view.start, shown.view.end)
    assert clock.moment(4913.2, look, around) == "4.9132 ms"
    said = [clock.moment(moment_under(canvas, x), look, around) for x in range(GUTTER, WIDTH, 20)]
    assert all(one != other for one, other in pairwise(said))
