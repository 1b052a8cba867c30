"""The timeline under real mouse, wheel and commands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from msgspec.structs import replace as with_counters
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPainter, QWheelEvent
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.profile.file_state import TimeNote
from app.profile.selection import TimeRange
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.timeline import view as views
from app.views.timeline.model import Model
from app.views.timeline.scene import Place
from app.views.timeline.state import Shown
from app.views.timeline.view import View
from app.widgets.canvas import Canvas
from app.widgets.display import Display
from app.widgets.timeline.canvas import TimelineCanvas
from app.widgets.timeline.overview import Overview, busy_rows
from app.widgets.timeline.pick import in_sight
from app.widgets.timeline.picture import draw_timeline
from generators.timelines import counter, random_timeline, timeline, with_flows

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
PLAIN, CTRL, SHIFT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
)
GUTTER, RULER = 184, 42
LINE = with_flows(
    timeline(
        [
            ("core0", "SCALAR", [[(10.0, 10.0, "ADD", "startup"), (30.0, 20.0, "LOAD", "startup")]]),
            ("core0", "CUBE", [[(20.0, 40.0, "MMAD", "CUBE")], [(25.0, 5.0, "inner", "")]]),
            ("core1", "SCALAR", [[(0.0, 100.0, "whole", "startup")]]),
        ]
    ),
    [(0, 2)],
)


@pytest.fixture
def display() -> Display:
    return Display()


@pytest.fixture
def canvas(qtbot: QtBot, display: Display) -> TimelineCanvas:
    """Ten pixels to a microsecond, from 0 to 100."""
    canvas = TimelineCanvas(display)
    qtbot.addWidget(canvas)
    canvas.resize(GUTTER + 1000, 300)
    canvas.show_timeline(Shown(Model.of(LINE), Look(), Place(GUTTER + 1000, 300)))
    canvas.show()
    qtbot.waitUntil(lambda: not canvas.preparation.active)
    shown_in(canvas).navigation.view = View(0.0, 100.0)
    canvas.redraw()
    return canvas


def shown_in(canvas: TimelineCanvas) -> Shown:
    assert canvas.shown is not None
    return canvas.shown


def at(canvas: TimelineCanvas, time: float, index: int) -> QPoint:
    """A point at ``time`` on the row of slice ``index``."""
    scene = shown_in(canvas).scene()
    placed = scene.layout.row_y(scene.model.rows.row_of(index))
    assert placed is not None
    return QPoint(round(scene.x(time)), round(scene.body.y + placed[0] + placed[1] / 2 - scene.view.top))


def ruler(canvas: TimelineCanvas, time: float) -> QPoint:
    return QPoint(round(shown_in(canvas).scene().x(time)), 10)


def drag(
    canvas: TimelineCanvas, start: QPoint, end: QPoint, button: Qt.MouseButton = LEFT, keys: Qt.KeyboardModifier = PLAIN
) -> None:
    QTest.mousePress(canvas, button, keys, start)
    for step in (0.3, 0.7, 1.0):
        moved = start + (end - start) * step
        event_to = QPointF(moved)
        QApplication.sendEvent(canvas, mouse_move(canvas, event_to, button, keys))
    QTest.mouseRelease(canvas, button, keys, end)


def mouse_move(canvas: TimelineCanvas, place: QPointF, button: Qt.MouseButton, keys: Qt.KeyboardModifier) -> QEvent:
    from PySide6.QtGui import QMouseEvent

    return QMouseEvent(QEvent.Type.MouseMove, place, canvas.mapToGlobal(place), Qt.MouseButton.NoButton, button, keys)


def turn(canvas: TimelineCanvas, place: QPoint, notches: float, keys: Qt.KeyboardModifier = PLAIN) -> None:
    event = QWheelEvent(
        QPointF(place),
        QPointF(canvas.mapToGlobal(place)),
        QPoint(),
        QPoint(0, round(120 * notches)),
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(canvas, event)


def test_it_is_a_canvas_that_the_keyboard_reaches(canvas: TimelineCanvas) -> None:
    assert isinstance(canvas, Canvas)
    assert canvas.focusPolicy() == Qt.FocusPolicy.StrongFocus
    assert canvas.accessibleName() == "Timeline"
    assert canvas.accessibleDescription() == "5 slices on 3 lanes"


def test_a_click_selects_and_one_beside_clears(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    with qtbot.waitSignal(canvas.chosen, check_params_cb=lambda index: index == 1):
        QTest.mouseClick(canvas, LEFT, PLAIN, at(canvas, 40, 1))
    with qtbot.waitSignal(canvas.chosen, check_params_cb=lambda index: index is None):
        QTest.mouseClick(canvas, LEFT, PLAIN, at(canvas, 5, 1))
    canvas.set_selected(np.array([1]))
    assert "LOAD" in canvas.accessibleDescription()


def test_keys_walk_lanes_rows_and_slices_and_say_where_they_are(canvas: TimelineCanvas) -> None:
    canvas.chosen.connect(lambda index: canvas.set_selected(np.array([index])))
    canvas.lanes_chosen.connect(lambda lanes, _: canvas.set_selected(np.zeros(0, np.int64), lanes))
    assert not canvas.walk(1, 0)
    said = []
    for act in (
        *(lambda: canvas.walk(0, 1), lambda: canvas.walk(0, 1)),
        *(lambda: canvas.choose(adding=False), lambda: canvas.walk(0, 1), lambda: canvas.walk(0, 1)),
        *(lambda: canvas.walk_to_end(1), lambda: canvas.walk(0, -1), lambda: canvas.walk(0, -1)),
        *(lambda: canvas.choose(adding=False), lambda: canvas.walk_to_end(1), lambda: canvas.walk_to_end(-1)),
    ):
        act()
        said.append(canvas.accessibleDescription().split(",")[0])
    assert said == [
        *("core0 / SCALAR", "core0 / CUBE", "MMAD", "inner", "core1 / SCALAR"),
        *("whole", "core0 / CUBE", "core0 / SCALAR", "ADD", "LOAD", "ADD"),
    ]
    canvas.stage.one_lane = True
    canvas.set_selected(np.zeros(0, np.int64))
    canvas.walk(0, 1)
    assert canvas.accessibleDescription().startswith("ADD, ")


def test_pointing_tells_the_slice_and_leaving_tells_none(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    told: list[object] = []
    canvas.pointed.connect(told.append)
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(at(canvas, 40, 1)), Qt.MouseButton.NoButton, PLAIN))
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(at(canvas, 41, 1)), Qt.MouseButton.NoButton, PLAIN))
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert told == [1, None]
    assert canvas.tip_at(at(canvas, 40, 1)).startswith("LOAD\n")


def test_moving_the_pointer_does_not_paint_the_data_again(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    canvas.grab()
    before = canvas.painting.image
    assert before is not None
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(at(canvas, 40, 1)), Qt.MouseButton.NoButton, PLAIN))
    canvas.grab()
    assert canvas.painting.image is before


@pytest.mark.parametrize("where", ["ruler", "rows"])
def test_a_drag_is_the_measure_and_the_range(qtbot: QtBot, canvas: TimelineCanvas, where: str) -> None:
    live: list[TimeRange | None] = []
    canvas.range_dragged.connect(live.append)
    start, end = (ruler(canvas, 5), ruler(canvas, 75)) if where == "ruler" else (at(canvas, 2, 0), at(canvas, 75, 0))
    with qtbot.waitSignal(canvas.range_chosen) as chosen:
        drag(canvas, start, end)
    stretch = chosen.args[0]
    assert stretch.start == pytest.approx(5 if where == "ruler" else 2)
    assert stretch.end == pytest.approx(75)
    assert len(live) == 4
    assert live[-1] is None, "figures that follow the drawing would keep this range after it is cleared"
    assert not canvas.stage.marks.dragged


def test_another_button_during_a_drag_cancels_it(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    live: list[TimeRange | None] = []
    canvas.range_dragged.connect(live.append)
    QTest.mousePress(canvas, LEFT, PLAIN, ruler(canvas, 5))
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(ruler(canvas, 60)), LEFT, PLAIN))
    QTest.mousePress(canvas, Qt.MouseButton.RightButton, PLAIN, ruler(canvas, 60))
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(ruler(canvas, 75)), Qt.MouseButton.NoButton, PLAIN))
    assert len(live) == 2
    assert live[-1] is None
    assert canvas.stage.marks.range is None


def test_edges_of_the_range_move_alone(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    canvas.set_range(TimeRange(20.0, 60.0))
    with qtbot.waitSignal(canvas.range_chosen) as chosen:
        drag(canvas, ruler(canvas, 60), ruler(canvas, 85))
    assert (chosen.args[0].start, chosen.args[0].end) == (20.0, pytest.approx(85))
    canvas.set_range(TimeRange(20.0, 60.0))
    with qtbot.waitSignal(canvas.range_chosen) as chosen:
        drag(canvas, ruler(canvas, 20), ruler(canvas, 70))  # past the other edge
    assert (chosen.args[0].start, chosen.args[0].end) == (60.0, pytest.approx(70))


def test_a_dragged_edge_goes_to_slices_nearby_unless_shift_is_held(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    start, end = at(canvas, 5, 1), at(canvas, 50, 1) + QPoint(3, 0)
    with qtbot.waitSignal(canvas.range_chosen) as chosen:
        drag(canvas, start, end)
    assert chosen.args[0].end == 50.0
    with qtbot.waitSignal(canvas.range_chosen) as chosen:
        drag(canvas, start, end, keys=SHIFT)
    assert chosen.args[0].end == pytest.approx(50.3)


def test_a_short_wobble_is_a_click(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    with qtbot.assertNotEmitted(canvas.range_chosen), qtbot.waitSignal(canvas.chosen):
        drag(canvas, at(canvas, 40, 1), at(canvas, 40, 1) + QPoint(2, 1))


def test_ctrl_drag_zooms_to_the_stretch_and_back_returns(canvas: TimelineCanvas) -> None:
    drag(canvas, at(canvas, 2, 0), at(canvas, 62, 0), keys=CTRL)
    view = shown_in(canvas).view
    assert view.start == pytest.approx(2)
    assert view.end == pytest.approx(62)
    canvas.back()
    assert (shown_in(canvas).view.start, shown_in(canvas).view.end) == (0.0, 100.0)
    canvas.forward()
    assert shown_in(canvas).view == view


def test_the_middle_button_zooms_in_and_out_and_pans(canvas: TimelineCanvas) -> None:
    shown_in(canvas).navigation.view = View(40.0, 60.0)
    drag(canvas, QPoint(700, 150), QPoint(600, 150), MIDDLE, SHIFT)
    assert shown_in(canvas).view.start == pytest.approx(42.0)
    canvas.back()
    assert shown_in(canvas).view.start == 40.0
    QTest.mousePress(canvas, MIDDLE, SHIFT, QPoint(700, 150))
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(600, 150), MIDDLE, SHIFT))
    assert shown_in(canvas).view.start == pytest.approx(42.0)
    assert canvas.handle_escape()
    assert shown_in(canvas).view.start == 40.0
    QTest.mouseRelease(canvas, MIDDLE, SHIFT, QPoint(600, 150))
    drag(canvas, QPoint(GUTTER + 250, 280), QPoint(GUTTER + 750, 280), MIDDLE)
    assert (shown_in(canvas).view.start, shown_in(canvas).view.end) == pytest.approx((45.0, 55.0))
    assert canvas.stage.range is None
    drag(canvas, QPoint(GUTTER + 250, 280), QPoint(GUTTER + 750, 280), MIDDLE, CTRL)
    assert (shown_in(canvas).view.start, shown_in(canvas).view.end) == pytest.approx((40.0, 60.0))
    QTest.mouseClick(canvas, MIDDLE, PLAIN, at(canvas, 42, 1))
    assert shown_in(canvas).view.span == pytest.approx(20 / 0.9)
    QTest.mouseClick(canvas, MIDDLE, CTRL, at(canvas, 42, 1))
    assert shown_in(canvas).view.span == pytest.approx(60 / 0.9)


def test_a_drag_to_zoom_is_framed_and_leaves_the_range(canvas: TimelineCanvas) -> None:
    canvas.set_range(TimeRange(20.0, 60.0))
    QTest.mousePress(canvas, MIDDLE, PLAIN, QPoint(GUTTER + 100, 280))
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(GUTTER + 300, 280), MIDDLE, PLAIN))
    marks = canvas.stage.marks
    assert (marks.range, marks.dragged) == (TimeRange(20.0, 60.0), True)
    assert marks.zoom is not None
    assert canvas.cursor().shape() == Qt.CursorShape.CrossCursor
    canvas.grab()
    assert canvas.handle_escape()
    assert canvas.stage.marks.zoom is None
    QTest.mouseRelease(canvas, MIDDLE, PLAIN, QPoint(GUTTER + 300, 280))
    assert shown_in(canvas).view == View(0.0, 100.0)


def test_an_area_is_a_range_with_the_lanes_that_it_crosses(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    ranges: list[TimeRange] = []
    canvas.range_chosen.connect(ranges.append)
    with qtbot.waitSignal(canvas.lanes_chosen) as lanes:
        drag(canvas, at(canvas, 2, 0), at(canvas, 75, 3), keys=CTRL | SHIFT)
    (stretch,) = ranges
    assert (stretch.start, stretch.end) == pytest.approx((2.0, 75.0))
    assert lanes.args == [(0, 1), False]
    assert canvas.stage.marks.crossed == ()


def test_a_pin_is_offered_beside_the_name_under_the_pointer(canvas: TimelineCanvas) -> None:
    place = QPoint(11, at(canvas, 50, 0).y())
    before = canvas.grab(QRect(0, place.y() - 8, 20, 16)).toImage()
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(100, place.y()), Qt.MouseButton.NoButton, PLAIN))
    assert canvas.grab(QRect(0, place.y() - 8, 20, 16)).toImage() != before
    assert canvas.tip_at(place) == "Click to pin this lane to the top (P)"
    QTest.mouseClick(canvas, LEFT, PLAIN, place)
    assert shown_in(canvas).lanes.choice.pins == (0,)
    place = QPoint(11, at(canvas, 50, 0).y())
    assert canvas.tip_at(place) == "Click to unpin this lane (P)"
    QTest.mouseClick(canvas, LEFT, PLAIN, place)
    assert shown_in(canvas).lanes.choice.pins == ()


def test_ctrl_click_adds_a_slice(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    with qtbot.waitSignal(canvas.choosing.toggled) as toggled, qtbot.assertNotEmitted(canvas.chosen):
        QTest.mouseClick(canvas, LEFT, CTRL, at(canvas, 40, 1))
    assert toggled.args == [1]
    assert shown_in(canvas).view == View(0.0, 100.0)


def test_shift_click_selects_all_lanes_in_between(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    canvas.set_selected(np.empty(0, np.int64), (0,))
    name = QPoint(100, at(canvas, 50, 4).y())
    with qtbot.waitSignal(canvas.lanes_chosen) as chosen:
        QTest.mouseClick(canvas, LEFT, SHIFT, name)
    assert chosen.args == [(0, 1, 2), False]


def test_a_name_is_dragged_to_another_place(canvas: TimelineCanvas) -> None:
    upper, lower = QPoint(100, at(canvas, 50, 0).y()), QPoint(100, at(canvas, 50, 3).y() + 14)
    QTest.mousePress(canvas, LEFT, PLAIN, upper)
    for y in (upper.y() + 8, lower.y()):
        QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(100, y), LEFT, PLAIN))
    assert canvas.cursor().shape() == Qt.CursorShape.ClosedHandCursor
    assert canvas.stage.marks.drop_y is not None
    canvas.grab()
    QTest.mouseRelease(canvas, LEFT, PLAIN, lower)
    assert shown_in(canvas).lanes.choice.lane_order == (1, 0)
    assert canvas.stage.marks.carried is None
    assert canvas.arrangement.any_moved
    canvas.set_selected(np.empty(0, np.int64), (0,))
    canvas.arrangement.move_lane(-1)
    assert not canvas.arrangement.any_moved


def test_lanes_are_hidden_by_key_and_shown_where_something_on_them_is_wanted(canvas: TimelineCanvas) -> None:
    canvas.set_selected(np.empty(0, np.int64), (0, 1))
    assert canvas.arrangement.can_hide()
    canvas.arrangement.hide_lanes()
    assert shown_in(canvas).lanes.hidden == {0, 1}
    assert canvas.anything_hidden
    canvas.reveal_lane(1)
    assert shown_in(canvas).lanes.hidden == {0}
    canvas.show_all()
    assert not canvas.anything_hidden


def test_a_double_click_zooms_to_the_slice(canvas: TimelineCanvas) -> None:
    QTest.mouseDClick(canvas, LEFT, PLAIN, at(canvas, 27, 3))
    view = shown_in(canvas).view
    assert view.start < 25 < 30 < view.end
    assert view.span == pytest.approx(5 / 0.9)


def test_a_double_click_on_the_ruler_zooms_to_the_range(canvas: TimelineCanvas) -> None:
    canvas.set_range(TimeRange(20.0, 60.0))
    QTest.mouseDClick(canvas, LEFT, PLAIN, ruler(canvas, 40))
    assert (shown_in(canvas).view.start, shown_in(canvas).view.end) == (20.0, 60.0)


def test_ctrl_and_the_wheel_zoom_at_the_pointer_as_one_gesture(canvas: TimelineCanvas) -> None:
    place = at(canvas, 40, 1)
    for _ in range(4):
        turn(canvas, place, 1, CTRL)
    view = shown_in(canvas).view
    assert view.span == pytest.approx(100 / 1.25**4)
    assert shown_in(canvas).scene().time(place.x()) == pytest.approx(40, abs=0.01)
    canvas.back()
    assert shown_in(canvas).view.span == 100.0


def test_the_wheel_scrolls_rows_and_with_shift_pans(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    canvas.resize(GUTTER + 1000, 100)
    shown_in(canvas).lanes.fold_all(False)
    turn(canvas, QPoint(600, 60), -1)
    assert shown_in(canvas).view.top == 60
    turn(canvas, QPoint(600, 60), 5)
    assert shown_in(canvas).view.top == 0
    shown_in(canvas).navigation.view = View(40.0, 60.0)
    turn(canvas, QPoint(600, 60), -1, SHIFT)
    assert shown_in(canvas).view.start == pytest.approx(42.0)


def test_names_fold_and_select(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    rows = shown_in(canvas).layout.height
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(11, RULER + 10))
    assert shown_in(canvas).lanes.choice.folded_groups == {0}
    QTest.mouseDClick(canvas, LEFT, PLAIN, QPoint(500, RULER + 10))
    assert shown_in(canvas).layout.height == rows
    with qtbot.waitSignal(canvas.lanes_chosen, check_params_cb=lambda *told: told == ((0, 1), False)):
        QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(30, RULER + 10))
    assert shown_in(canvas).layout.height == rows
    with qtbot.waitSignal(canvas.lanes_chosen, check_params_cb=lambda *told: told == ((1,), False)):
        QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(40, at(canvas, 40, 2).y()))
    assert not shown_in(canvas).lanes.choice.folded_lanes


def test_a_lane_is_folded_by_its_triangle_a_double_click_or_a_command(canvas: TimelineCanvas) -> None:
    height = at(canvas, 40, 2).y()
    chosen: list[tuple[tuple[int, ...], bool]] = []
    canvas.lanes_chosen.connect(lambda lanes, add: chosen.append((lanes, add)))
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(24, height))
    assert shown_in(canvas).lanes.choice.folded_lanes == {1}
    assert chosen == []
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(24, height))
    assert not shown_in(canvas).lanes.choice.folded_lanes
    QTest.mouseDClick(canvas, LEFT, PLAIN, QPoint(60, height))
    assert shown_in(canvas).lanes.choice.folded_lanes == {1}
    canvas.set_selected(np.empty(0, np.int64), (1,))
    canvas.stage.here = None
    assert canvas.can_fold()
    canvas.toggle_fold()
    assert not shown_in(canvas).lanes.choice.folded_lanes
    canvas.set_selected(np.array([0]))
    assert not canvas.can_fold()  # its lane has one row
    canvas.choose_lane()
    assert chosen[-1] == ((0,), False)


def test_steps_stop_at_folded_processes_which_a_key_unfolds(canvas: TimelineCanvas) -> None:
    shown, chosen = shown_in(canvas), []
    canvas.lanes_chosen.connect(lambda lanes, _: chosen.append(lanes))
    canvas.lanes_chosen.connect(lambda lanes, _: canvas.set_selected(np.empty(0, np.int64), lanes))
    shown.lanes.toggle_group(0)
    canvas.step_lane(1)
    assert chosen == [(0, 1)]
    assert shown.lanes.choice.folded_groups == {0}
    canvas.step_lane(1)
    canvas.step_lane(-1)
    assert chosen == [(0, 1), (2,), (0, 1)]
    canvas.toggle_fold()
    assert not shown.lanes.choice.folded_groups
    canvas.toggle_fold()  # the whole process is selected still
    assert shown.lanes.choice.folded_groups == {0}
    canvas.toggle_process()
    assert not shown.lanes.choice.folded_groups
    canvas.set_selected(np.array([0]))
    assert canvas.can_fold_process()
    canvas.toggle_process()
    assert shown.lanes.choice.folded_groups == {0}


def test_a_selected_lane_becomes_the_range_or_a_note(canvas: TimelineCanvas) -> None:
    ranges: list[TimeRange] = []
    notes: list[tuple[TimeRange, str]] = []
    canvas.range_chosen.connect(ranges.append)
    canvas.notes.wanted.connect(lambda stretch, name: notes.append((stretch, name)))
    wanted: tuple[tuple[int, ...], ...] = ((1,), (0, 1))
    for lanes in wanted:
        canvas.set_selected(np.empty(0, np.int64), lanes)
        canvas.selection_to_range()
        canvas.note_selection()
    model = shown_in(canvas).model
    slices = model.timeline.slices
    for lanes, stretch in zip(wanted, ranges, strict=True):
        index = np.array([one for one in range(len(slices.start)) if model.lane_of(one) in lanes])
        assert stretch == shown_in(canvas).model.stretch_of(index)
    assert [stretch for stretch, _ in notes] == ranges
    assert [name for _, name in notes] == [model.lane_label(1), "2 lanes"]
    view = shown_in(canvas).view
    canvas.focus_selection()
    assert shown_in(canvas).view != view
    canvas.set_selected(np.empty(0, np.int64), (99,))  # of another profile
    canvas.selection_to_range()
    assert len(ranges) == 2


def test_a_lane_that_is_folded_away_or_left_out_is_revealed(canvas: TimelineCanvas) -> None:
    canvas.filtering.filter_lanes("CUBE")
    shown_in(canvas).lanes.toggle_group(1)
    canvas.reveal_lane(2)
    shown = shown_in(canvas)
    assert shown.lanes.filter == ""
    assert shown.layout.lane_bands[2].kind == "lane"


def test_a_selected_lane_is_tinted(canvas: TimelineCanvas) -> None:
    place = QPoint(GUTTER - 6, at(canvas, 40, 2).y())
    before = canvas.grab().toImage().pixelColor(place)
    canvas.set_selected(np.empty(0, np.int64), (1,))
    after = canvas.grab().toImage().pixelColor(place)
    assert before != after
    assert after.blue() > before.blue() or after.red() != before.red()


def test_the_border_of_the_names_can_be_dragged(canvas: TimelineCanvas) -> None:
    drag(canvas, QPoint(GUTTER, 200), QPoint(260, 200))
    assert shown_in(canvas).place.gutter == 260
    drag(canvas, QPoint(260, 200), QPoint(5, 200))
    assert shown_in(canvas).place.gutter == 64


def test_commands_move_the_view(canvas: TimelineCanvas) -> None:
    canvas.zoom(2.0)
    assert shown_in(canvas).view.span == pytest.approx(50)
    start = shown_in(canvas).view.start
    canvas.pan(0.1)
    assert shown_in(canvas).view.start == pytest.approx(start + 5)
    canvas.fit()
    assert shown_in(canvas).view.span == pytest.approx(102)
    canvas.resize(GUTTER + 1000, 100)
    canvas.scroll_rows(2)
    assert shown_in(canvas).view.top > 0
    shown_in(canvas).navigation.scroll_to(0)
    assert shown_in(canvas).view.top == 0


def test_stepping_keeps_the_zoom_and_the_row(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    canvas.chosen.connect(lambda index: canvas.set_selected(np.array([index])))
    canvas.step_item(1)
    assert canvas.selected.tolist() == [0]
    canvas.step_item(1)
    assert canvas.selected.tolist() == [1]
    with qtbot.assertNotEmitted(canvas.chosen):
        canvas.step_item(1)
    canvas.zoom(20.0)
    span = shown_in(canvas).view.span
    canvas.step_item(-1)
    assert canvas.selected.tolist() == [0]
    assert shown_in(canvas).view.span == pytest.approx(span)
    assert in_sight(shown_in(canvas), np.array([0]))


def test_focus_twice_shows_everything(canvas: TimelineCanvas) -> None:
    canvas.set_selected(np.array([3]))
    canvas.focus_selection()
    assert shown_in(canvas).view.span < 10
    canvas.focus_selection()
    assert shown_in(canvas).view.span > 100


def test_the_selection_becomes_the_range(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    canvas.set_selected(np.array([0, 2]))
    with qtbot.waitSignal(canvas.range_chosen) as chosen:
        canvas.selection_to_range()
    assert chosen.args[0] == TimeRange(10.0, 60.0)


def test_without_a_timeline_nothing_happens(qtbot: QtBot) -> None:
    canvas = TimelineCanvas(Display())
    qtbot.addWidget(canvas)
    canvas.show()
    for act in (canvas.fit, canvas.back, canvas.forward, canvas.focus_selection, canvas.selection_to_range):
        act()
    canvas.zoom(2)
    canvas.pan(1)
    canvas.scroll_rows(1)
    canvas.step_item(1)
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(50, 50))
    turn(canvas, QPoint(50, 50), 1)
    assert canvas.tip_at(QPoint(50, 50)) == ""
    assert not canvas.grab().isNull()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_everything_at_once_is_painted(canvas: TimelineCanvas, display: Display, theme: Theme) -> None:
    display.set(theme=theme)
    canvas.set_range(TimeRange(20.0, 60.0))
    canvas.set_selected(np.array([0]))
    canvas.set_hovered((1, 2))
    canvas.grab()
    canvas.set_selected(np.array([0, 1, 3]))
    image = canvas.grab().toImage()
    shown, place = canvas.shown, at(canvas, 40, 1)
    assert shown is not None
    assert image.pixelColor(place).name().upper() in [colour.upper() for colour in shown.shades.fill[1:]]
    below = [image.pixelColor(QPoint(place.x(), y)) for y in range(place.y(), place.y() + 16)]
    assert QColor(theme.selection) in below  # its foot, besides the outline of what is pointed at
    canvas.set_selected(np.array([1]))
    alone = canvas.grab().toImage()
    assert alone.pixelColor(place) == image.pixelColor(place)  # one alone keeps its colour, too, inside of a frame
    framed = [alone.pixelColor(QPoint(place.x(), y)) for y in range(place.y(), place.y() + 16)]
    assert QColor(theme.selection) in framed
    canvas.set_selected(np.empty(0, np.int64), lanes=(0,))
    image = canvas.grab().toImage()
    assert image.pixelColor(QPoint(1, at(canvas, 40, 1).y())) == QColor(theme.selection)


@pytest.mark.parametrize("part", ["canvas", "overview"])
def test_a_drag_with_pauses_is_one_gesture(
    qtbot: QtBot, canvas: TimelineCanvas, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "TOGETHER", -1.0)
    shown = shown_in(canvas)
    shown.navigation.view = before = View(20.0, 40.0)
    overview = Overview(canvas, Display())
    qtbot.addWidget(overview)
    overview.resize(GUTTER + 1000, 36)
    overview.show()
    window = overview.window_box()
    inside = QPoint(round(window.x + window.width / 2), 18)
    widget, button, keys, start = (
        (overview, LEFT, PLAIN, inside)
        if part == "overview"
        else (canvas, MIDDLE, Qt.KeyboardModifier.ShiftModifier, QPoint(GUTTER + 300, 60))
    )
    QTest.mousePress(widget, button, keys, start)
    for way in (20, 40, 60):
        QTest.mouseMove(widget, start + QPoint(way, 0))
    QTest.mouseRelease(widget, button, keys, start + QPoint(60, 0))
    assert shown.view != before
    shown.navigation.back()
    assert shown.view == before


def test_dragging_in_the_overview_pans_and_zooms(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    overview = Overview(canvas, Display())
    qtbot.addWidget(overview)
    overview.resize(GUTTER + 1000, 36)
    overview.show()
    shown_in(canvas).navigation.view = View(20.0, 40.0)
    window = overview.window_box()
    inside = QPoint(round(window.x + window.width / 2), 18)
    QTest.mousePress(overview, LEFT, PLAIN, inside)
    QTest.mouseMove(overview, inside + QPoint(100, 0))
    QTest.mouseRelease(overview, LEFT, PLAIN, inside + QPoint(100, 0))
    assert shown_in(canvas).view.start == pytest.approx(30.2, abs=0.2)
    assert shown_in(canvas).view.span == pytest.approx(20)
    edge = QPoint(round(overview.window_box().x + overview.window_box().width), 18)
    QTest.mousePress(overview, LEFT, PLAIN, edge)
    QTest.mouseMove(overview, edge + QPoint(200, 0))
    QTest.mouseRelease(overview, LEFT, PLAIN, edge + QPoint(200, 0))
    assert shown_in(canvas).view.span == pytest.approx(40.4, abs=0.4)
    before = shown_in(canvas).view
    edge = QPoint(round(overview.window_box().x), 18)
    QTest.mousePress(overview, LEFT, PLAIN, edge)
    QTest.mouseMove(overview, edge + QPoint(100, 0))
    assert shown_in(canvas).view != before
    assert overview.cancel()
    assert shown_in(canvas).view == before
    assert not overview.cancel()
    QTest.mouseRelease(overview, LEFT, PLAIN, edge)
    QTest.mousePress(overview, LEFT, PLAIN, edge)
    QTest.mousePress(overview, Qt.MouseButton.RightButton, PLAIN, edge)
    QTest.mouseMove(overview, edge + QPoint(50, 0))
    assert shown_in(canvas).view == before  # the menu of the right button takes the release of the left one
    for button in (Qt.MouseButton.RightButton, LEFT):
        QTest.mouseRelease(overview, button, PLAIN, edge)
    QTest.mouseClick(overview, LEFT, PLAIN, QPoint(GUTTER + 20, 18))
    assert shown_in(canvas).view.start < 5


def test_the_overview_is_drawn_in_pieces_and_shows_all_rows(
    qtbot: QtBot, canvas: TimelineCanvas, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.widgets.timeline.overview.AT_ONCE", 1)  # a row at a time
    overview, theme = Overview(canvas, Display()), Display().theme
    qtbot.addWidget(overview)
    overview.resize(GUTTER + 1000, 36)
    shown_in(canvas).navigation.view = View(0.0, 1.0)
    overview.show()
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in overview.findChildren(QTimer)))
    box, image = overview.box, overview.grab().toImage()
    low, left, right = round(box.y + box.height - 2), round(box.x + 100), round(box.x + box.width)
    line = [image.pixelColor(x, low) for x in range(left, right)]
    assert any(colour != QColor(theme.surface) for colour in line)
    pieces = sum(1 for _ in busy_rows(shown_in(canvas), 100))
    assert pieces == shown_in(canvas).model.rows.count


def drawn(theme: Theme, line_slices: int = 2000) -> QImage:
    image = QImage(1000, 500, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    with QPainter(image) as painter:
        draw_timeline(painter, QRectF(20, 10, 960, 480), random_timeline(line_slices, 30), Look(theme=theme))
    return image


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_picture_holds_the_whole_timeline(qapp: QApplication, theme: Theme) -> None:
    image = drawn(theme)
    colours = {image.pixelColor(x, y).name() for x in range(210, 980, 7) for y in range(60, 440, 5)}
    assert len(colours) > 8
    assert image.pixelColor(5, 5) == QColor(theme.surface)


def test_an_svg_has_real_rectangles_and_texts(qapp: QApplication, tmp_path: Path) -> None:
    generator = QSvgGenerator()
    generator.setFileName(str(tmp_path / "timeline.svg"))
    generator.setSize(QSize(900, 400))
    generator.setViewBox(QRectF(0, 0, 900, 400))
    with QPainter(generator) as painter:
        draw_timeline(painter, QRectF(0, 0, 900, 400), LINE, Look())
    text = (tmp_path / "timeline.svg").read_text()
    assert text.count("<rect") >= 5
    assert "SCALAR" in text


@pytest.mark.parametrize("start", [0.0, 1.7e15])
def test_the_deepest_zoom_still_paints(qtbot: QtBot, canvas: TimelineCanvas, start: float) -> None:
    line = with_flows(
        timeline([("p", "t", [[(start, 100.0, "first", ""), (start + 200, 0.5, "second", "")]])]), [(0, 1), (1, 0)]
    )
    canvas.show_timeline(Shown(Model.of(line), Look(), Place(GUTTER + 1000, 300)))
    canvas.set_range(TimeRange(start, start + 200.5))
    canvas.set_selected(np.array([0]))
    canvas.set_hovered((1,))
    for _ in range(100):
        shown_in(canvas).navigation.zoom_at(start + 200.25, 4.0)
    bounds = shown_in(canvas).bounds
    assert shown_in(canvas).view.span == pytest.approx(bounds.shortest, rel=0.01)
    assert not canvas.grab().isNull()
    canvas.pan(-3.0)
    assert not canvas.grab().isNull()
    canvas.fit()
    assert shown_in(canvas).view.span > 200


def test_m_marks_the_selection_else_the_range_else_a_moment(canvas: TimelineCanvas) -> None:
    wanted: list[tuple[object, ...]] = []
    canvas.notes.wanted.connect(lambda *note: wanted.append(note))
    canvas.note_selection()
    assert wanted == [(TimeRange(50, 50), "Note 1")]
    wanted.clear()
    canvas.set_range(TimeRange(3, 9))
    canvas.note_selection()
    canvas.set_selected(np.array([1]))
    canvas.note_selection()
    canvas.set_selected(np.array([0, 2]))
    canvas.note_selection()
    assert wanted == [
        (TimeRange(3, 9), "Range"),
        (TimeRange(30, 50), "LOAD"),
        (TimeRange(10, 60), "2 slices"),
    ]


def test_k_notes_the_moment_under_the_pointer(canvas: TimelineCanvas) -> None:
    wanted: list[tuple[object, ...]] = []
    canvas.notes.wanted.connect(lambda *note: wanted.append(note))
    canvas.note_here()
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(at(canvas, 40, 1)), Qt.MouseButton.NoButton, PLAIN))
    canvas.note_here()
    assert [note[0] for note in wanted] == [TimeRange(50, 50), TimeRange(40, 40)]
    assert wanted[0][1:] == ("Note 1",)


def test_notes_are_chosen_renamed_focused_and_become_the_range(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    notes = (TimeNote(20, 40, "work"), TimeNote(70, 70, "here"))
    canvas.set_notes(notes, None)
    strip = RULER + 5
    with qtbot.waitSignal(canvas.choosing.note_chosen, check_params_cb=lambda index: index == 0):
        QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(GUTTER + 250, strip))
    with qtbot.waitSignal(canvas.choosing.note_chosen, check_params_cb=lambda index: index is None):
        QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(GUTTER + 950, strip))
    canvas.set_notes(notes, 0)
    with qtbot.waitSignal(canvas.range_chosen, check_params_cb=lambda stretch: stretch == TimeRange(20, 40)):
        canvas.selection_to_range()
    canvas.notes.rename()
    assert canvas.notes.field.isVisible()
    assert canvas.notes.field.selectedText() == "work"
    QTest.keyClicks(canvas.notes.field, "more")
    with qtbot.waitSignal(canvas.notes.renamed, check_params_cb=lambda *told: told == (0, "more")):
        QTest.keyClick(canvas.notes.field, Qt.Key.Key_Return)
    assert not canvas.notes.field.isVisible()
    canvas.notes.edit(1)
    QTest.keyClicks(canvas.notes.field, "other")
    with qtbot.assertNotEmitted(canvas.notes.renamed):
        QTest.keyClick(canvas.notes.field, Qt.Key.Key_Escape)
    canvas.focus_selection()
    assert (shown_in(canvas).view.start, shown_in(canvas).view.end) == pytest.approx((19, 41), abs=0.2)
    QTest.mouseDClick(canvas, LEFT, PLAIN, QPoint(GUTTER + 500, strip))
    assert canvas.notes.field.isVisible()
    canvas.notes.field.hide()


def test_pins_follow_the_selection_then_the_pointer(canvas: TimelineCanvas) -> None:
    canvas.toggle_pin()
    assert not canvas.any_pinned
    canvas.set_selected(np.array([4]))
    canvas.toggle_pin()
    assert shown_in(canvas).lanes.choice.pins == (2,)
    QApplication.sendEvent(canvas, mouse_move(canvas, QPointF(at(canvas, 40, 1)), Qt.MouseButton.NoButton, PLAIN))
    assert (canvas.current_lane(), canvas.lane_to_pin()) == (0, 2)
    canvas.set_selected(np.empty(0, np.int64))
    canvas.toggle_pin()
    assert shown_in(canvas).lanes.choice.pins == (2, 0)
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(6, at(canvas, 40, 4).y()))
    assert shown_in(canvas).lanes.choice.pins == (0,)
    canvas.unpin_all()
    assert not canvas.any_pinned


def test_a_counter_says_that_it_cannot_be_pinned(canvas: TimelineCanvas) -> None:
    process, name = (int(LINE.strings.find(text)[0]) for text in ("core1", "LOAD"))
    tracks = counter(process, name, np.array([1.0]), np.array([2.0]))
    shown = Shown(Model.of(with_counters(LINE, counters=tracks)), Look(), Place(GUTTER + 1000, 300))
    canvas.show_timeline(shown)
    band = next(each for each in shown.layout.in_view(0, 10_000) if each.kind == "counter")
    assert canvas.why_no_pin == ""
    over = QPointF(GUTTER + 50, shown.scene().body.y + band.y + band.height / 2)
    QApplication.sendEvent(canvas, mouse_move(canvas, over, Qt.MouseButton.NoButton, PLAIN))
    assert canvas.why_no_pin == "Counters cannot be pinned, only lanes of slices"
    canvas.set_selected(np.array([4]))
    assert canvas.why_no_pin == ""


def test_notes_and_pins_are_in_the_picture(canvas: TimelineCanvas) -> None:
    plain = canvas.grab().toImage()
    canvas.set_notes((TimeNote(20, 40, "work"), TimeNote(70, 70, "here")), 1)
    noted = canvas.grab().toImage()
    assert noted.pixelColor(GUTTER + 380, RULER + 8).name().upper() == LIGHT.categories[0]
    assert noted.pixelColor(GUTTER + 700, 290).name().upper() == LIGHT.categories[0]
    assert noted != plain
    canvas.set_notes((), None)
    assert canvas.grab().toImage() == plain
    shown_in(canvas).lanes.toggle_pin(2)
    pinned = canvas.grab().toImage()
    accent = {pinned.pixelColor(x, y).name().upper() for x in range(4, 18) for y in range(RULER, RULER + 24)}
    assert LIGHT.accent in accent


def test_the_strip_says_how_many_notes_there_are(canvas: TimelineCanvas) -> None:
    """Also where another one needs no more lines."""
    names = QRect(0, RULER, GUTTER - 6, 16)
    canvas.set_notes((TimeNote(20, 20, "one"),), None)
    one = canvas.grab(names).toImage()
    canvas.set_notes((TimeNote(20, 20, "one"), TimeNote(70, 70, "two")), None)
    assert canvas.grab(names).toImage() != one


def test_ctrl_adds_a_lane_and_folds_nothing(qtbot: QtBot, canvas: TimelineCanvas) -> None:
    place = QPoint(60, at(canvas, 40, 2).y())
    with qtbot.waitSignal(canvas.lanes_chosen, check_params_cb=lambda *told: told == ((1,), True)):
        QTest.mouseClick(canvas, LEFT, CTRL, place)
    assert not shown_in(canvas).lanes.choice.folded_lanes
