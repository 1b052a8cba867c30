"""A press that outlives what it was about does nothing; and slices that are pointed at elsewhere can still be seen."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.profile.arrays import I64
from app.profile.timeline import Timeline
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas
from generators.timelines import timeline

LEFT = Qt.MouseButton.LeftButton
SIZE = 1200, 400
MANY = 4000


def lanes(count: int) -> Timeline:
    return timeline([("p", f"t{lane}", [[(0.0, 50.0, "a", ""), (60.0, 30.0, "b", "")]]) for lane in range(count)])


def shown_of(line: Timeline) -> Shown:
    return Shown(Model.of(line), Look(), Place(*SIZE))


@pytest.fixture
def canvas(qtbot: QtBot) -> TimelineCanvas:
    canvas = TimelineCanvas(Display())
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show_timeline(shown_of(lanes(5)))
    canvas.show()
    qtbot.waitUntil(lambda: not canvas.preparation.active)
    return canvas


def name_of(canvas: TimelineCanvas, lane: int) -> QPoint:
    """A point on the name of a lane."""
    assert canvas.shown is not None
    y = canvas.shown.scene().lane_y(lane)
    assert y is not None
    return QPoint(100, round(y))


def move(canvas: TimelineCanvas, place: QPoint) -> None:
    at = QPointF(place)
    event = QMouseEvent(QEvent.Type.MouseMove, at, canvas.mapToGlobal(at), LEFT, LEFT, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(canvas, event)


def press_and_drag(canvas: TimelineCanvas, first: int, last: int) -> QPoint:
    """Takes the name of a lane to that of another one; returns where the button is still held."""
    start, end = name_of(canvas, first), name_of(canvas, last) + QPoint(0, 9)
    QTest.mousePress(canvas, LEFT, Qt.KeyboardModifier.NoModifier, start)
    move(canvas, start + QPoint(0, 8))
    move(canvas, end)
    assert canvas.gestures.drag.mode == "order"
    return end


def another_profile(canvas: TimelineCanvas) -> None:
    canvas.show_timeline(shown_of(lanes(2)))


def more_of_the_file(canvas: TimelineCanvas) -> None:
    former, shown = canvas.shown, shown_of(lanes(1))
    assert former is not None
    shown.like(former)
    canvas.show_timeline(shown)


def nothing(canvas: TimelineCanvas) -> None:
    canvas.show_timeline(None)


CHANGES = [another_profile, more_of_the_file, nothing]


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
@pytest.mark.parametrize("moves", [False, True], ids=["released", "moved"])
def test_a_lane_that_is_gone_is_not_moved(
    canvas: TimelineCanvas, change: Callable[[TimelineCanvas], None], moves: bool
) -> None:
    held = press_and_drag(canvas, 4, 2)
    change(canvas)
    assert canvas.gestures.drag.mode == ""
    assert canvas.stage.marks.carried is None
    if moves:
        move(canvas, held + QPoint(0, 20))
    QTest.mouseRelease(canvas, LEFT, Qt.KeyboardModifier.NoModifier, held)
    assert canvas.shown is None or not canvas.shown.lanes.any_moved
    canvas.grab()


def test_a_pin_that_is_gone_is_not_moved(canvas: TimelineCanvas) -> None:
    shown = canvas.shown
    assert shown is not None
    for lane in (0, 1, 2):
        shown.lanes.toggle_pin(lane)
    held = press_and_drag(canvas, 2, 0)
    canvas.unpin_all()
    QTest.mouseRelease(canvas, LEFT, Qt.KeyboardModifier.NoModifier, held)
    assert canvas.gestures.drag.mode == ""
    assert shown.lanes.choice.pins == ()
    assert not shown.lanes.any_moved


def test_a_click_on_lanes_that_changed_meanwhile_selects_nothing(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    shown = canvas.shown
    assert shown is not None
    place = name_of(canvas, 3)
    QTest.mousePress(canvas, LEFT, Qt.KeyboardModifier.NoModifier, place)
    shown.lanes.toggle_pin(0)  # all others move down
    with qtbot.assertNotEmitted(canvas.lanes_chosen):
        QTest.mouseRelease(canvas, LEFT, Qt.KeyboardModifier.NoModifier, place)


def of_one_name(count: int) -> Timeline:
    return timeline([("p", "t", [[(float(number), 1.0, "work", "") for number in range(count)]])])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_pointing_at_everything_leaves_a_lane_its_colour(qtbot: QtBot, theme: Theme) -> None:
    display = Display()
    display.set(theme=theme)
    canvas = TimelineCanvas(display)
    qtbot.addWidget(canvas)
    canvas.resize(*SIZE)
    canvas.show_timeline(Shown(Model.of(of_one_name(MANY)), display.look, Place(*SIZE)))
    canvas.show()
    qtbot.waitUntil(lambda: not canvas.preparation.active)
    shown = canvas.shown
    assert shown is not None
    before = canvas.grab().toImage()
    every: I64 = np.arange(MANY)
    canvas.set_hovered(every)
    image = canvas.grab().toImage()
    scene = shown.scene()
    box = scene.slice_box(0)
    last = scene.slice_box(MANY - 1)
    assert box is not None
    assert last is not None
    middle = round(box.y + box.height / 2)
    columns = range(round(box.x) + 4, round(last.x) - 4)
    assert [image.pixel(x, middle) for x in columns] == [before.pixel(x, middle) for x in columns]
    for edge in (round(box.y), round(box.y + box.height)):  # the outline reaches from the first to the last
        near = [[QColor(image.pixel(x, y)) for y in (edge - 1, edge)] for x in (columns[0], columns[-1])]
        assert all(QColor(theme.hover) in pixels for pixels in near)


def test_slices_that_are_wide_have_outlines_of_their_own(qtbot: QtBot) -> None:
    from app.views.timeline.body import outlined

    shown = Shown(Model.of(of_one_name(10)), Look(), Place(*SIZE))
    scene = shown.scene()
    assert len(outlined(scene, np.arange(10))) == 10
    assert len(outlined(scene, np.array([2, 7]))) == 2
    dense = Shown(Model.of(of_one_name(100_000)), Look(), Place(*SIZE)).scene()
    assert len(outlined(dense, np.arange(100_000))) == 1
    assert len(outlined(dense, np.concatenate((np.arange(1000), np.arange(90_000, 91_000))))) == 2


@pytest.mark.parametrize("seed", range(4))
def test_outlines_of_very_many_slices_are_those_of_all_of_them(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    from app.views.timeline import body

    random = np.random.default_rng(seed)
    count = 20_000
    duration, gap = random.exponential(1, count), random.exponential(1, count)
    duration[random.random(count) < 0.002] *= 2000
    gap[random.random(count) < 0.002] *= 3000
    start = np.cumsum(duration + gap) - duration
    slices = [(begin, length, "work", "") for begin, length in zip(start.tolist(), duration.tolist(), strict=True)]
    shown = Shown(Model.of(timeline([("p", "t", [slices])])), Look(), Place(*SIZE))
    index = np.flatnonzero(random.random(count) < 0.9)
    whole = shown.view
    for start_share, end_share in ((0, 1), (0.1, 0.9), (0.317, 0.9), (0.45, 1)):
        length = whole.end - whole.start
        shown.navigation.show(
            replace(whole, start=whole.start + start_share * length, end=whole.start + end_share * length)
        )
        quick = body.outlined(shown.scene(), index)
        with monkeypatch.context() as patch:
            patch.setattr(body, "DENSE", count)
            assert quick == body.outlined(shown.scene(), index)
        assert len(quick) > 10
