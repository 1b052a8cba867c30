"""What a person does on a canvas comes to the same whatever its scene shows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import orjson
import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.ascend.diagram.figures import figures_of
from app.analysis.popef.values import first_slice
from app.formats.ascend_bin import FORMAT
from app.formats.ascend_memory_info import FORMAT as PLAN
from app.panels.blobs.strip import StripScene
from app.panels.cache.picture import CacheScene, picture_of
from app.panels.content.image import ImageScene, picture
from app.panels.memory_accesses.picture import scene_of
from app.panels.memory_paths.diagram import PathsScene
from app.panels.onchip.picture import PlanScene
from app.profile.popef import Blobs
from app.profile.strings import Strings
from app.store.payload import Values
from app.views import axis as spans
from app.views.axis import TileAxis
from app.views.blobs import filling
from app.views.cache import line_maps
from app.views.chart.model import Axis, Chart, Series
from app.views.look import DARK, LIGHT
from app.views.memory_accesses.records import Filter
from app.views.onchip import boxes_of
from app.views.plot import plot_picture
from app.widgets.abilities import HandlesEscape, HasItemMenus, HasPicture
from app.widgets.canvas import Canvas
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.display import Display
from app.widgets.floor.scene import FloorScene, floor_picture
from app.widgets.gestures import DOUBLE_CLICK
from app.widgets.heat.picture import heat_picture
from app.widgets.heat.scene import Block, HeatScene
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.cursor import cursor_box
from app.widgets.plane.scene import Scene
from app.widgets.plot.scene import PlotScene
from generators import ascend_paths, memory_plan
from generators.ascend_bin import small
from generators.reading import profile_of

LEFT, MIDDLE = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton
PLAIN, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


def plot() -> Scene:
    return PlotScene(plot_picture("Memory", "B", TileAxis(3000), [("code", np.arange(3000))]))


def heat() -> Scene:
    values = np.arange(40 * 3000, dtype=np.int32).reshape(40, 3000)
    return HeatScene(heat_picture("Cycles", values, "cycles", "Set", str, TileAxis(3000)))


def floor() -> Scene:
    return FloorScene(floor_picture("Memory", np.arange(3000.0), "B", 1500))


def strip() -> Scene:
    ids, size = np.zeros(60, np.int32), np.arange(1, 61, dtype=np.int64)
    rest = (np.zeros(60, np.int64),) * 3
    kinds = np.full(60, 2, np.int32)
    blobs = Blobs(Strings.of(["name"]), ids, np.cumsum(size) - size, kinds, ids, ids, ids, size, *rest)
    return StripScene(filling(blobs, compact=False), ["a.popef"])


def paths() -> Scene:
    section = profile_of(FORMAT, ascend_paths.file("910b-mix")).memory_paths
    assert section is not None
    return PathsScene(figures_of(section, 0), "bandwidth")


def accesses() -> Scene:
    section = profile_of(FORMAT, small()).memory_accesses
    assert section is not None
    return scene_of(section, Filter(), compact=True)


def cache() -> Scene:
    section = profile_of(FORMAT, small()).cache
    assert section is not None
    shown = line_maps(section)[0]
    return CacheScene(shown, picture_of(shown, "share"), lambda _map, _cell: None)


def onchip() -> Scene:
    plan = profile_of(PLAN, orjson.dumps(memory_plan.plan(12, scopes=3))).onchip
    assert plan is not None
    return PlanScene(plan, boxes_of(plan))


def chart() -> Scene:
    log = Axis("Ops/Byte", 0.01, 1000, log=True)
    points = ((0.1, 1.0), (1.0, 10.0), (10.0, 30.0))
    series = tuple(Series(number, f"line {number}", points=(point,)) for number, point in enumerate(points))
    return ChartScene(Chart("Chart", "heading", log, log, series), ChartPainter())


def image() -> Scene:
    numbers = np.arange(30.0 * 40).reshape(30, 40)
    values = Values(first_slice(numbers.shape), numbers, None)
    return ImageScene(values, picture(values))


SELECTING: tuple[Callable[[], Scene], ...] = (plot, heat, floor, strip, paths, accesses, cache, onchip, chart)
"""Scenes whose things can be selected."""
SCENES = (*SELECTING, image)


@pytest.fixture(params=SCENES, ids=lambda make: make.__name__)
def canvas(request: pytest.FixtureRequest, qtbot: QtBot) -> PlaneCanvas[Any]:
    made: PlaneCanvas[Any] = PlaneCanvas(Display())
    qtbot.addWidget(made)
    made.resize(760, 420)
    scene = request.param()
    made.set_scene(replace(scene, painter=ChartPainter(made)) if isinstance(scene, ChartScene) else scene)
    with qtbot.waitExposed(made):
        made.show()
    return made


def shown(canvas: PlaneCanvas[Any]) -> Any:
    """Its scene."""
    return canvas.scene


def turn(canvas: PlaneCanvas[Any], point: QPointF, up: int, keys: Qt.KeyboardModifier = CONTROL) -> None:
    none, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    canvas.wheelEvent(QWheelEvent(point, point, QPoint(), QPoint(0, up), none, keys, phase, False))


def seen(canvas: PlaneCanvas[Any]) -> float:
    """The share of the first axis that is seen."""
    assert canvas.history is not None
    return float(canvas.history.view.x.width / canvas.history.view.x.size)


def narrow(canvas: PlaneCanvas[Any], factor: float) -> None:
    """Zooms in about the middle, wherever the pointer is."""
    canvas._zoom_about(factor, canvas.layout_now().plot.center(), "")


def drag(canvas: PlaneCanvas[Any], button: Qt.MouseButton, start: QPointF, end: QPointF) -> None:
    QTest.mousePress(canvas, button, PLAIN, start.toPoint())
    for share in (0.3, 0.6, 1.0):
        point = start + (end - start) * share
        move = QMouseEvent(QEvent.Type.MouseMove, point, canvas.mapToGlobal(point), button, button, PLAIN)
        QApplication.sendEvent(canvas, move)


def test_zooming_uses_all_the_room(canvas: PlaneCanvas[Any]) -> None:
    """What is zoomed in is not shown in a smaller part of the canvas than before."""
    before = canvas.layout_now().plot.height()
    for _ in range(20):
        canvas.zoom(1.5)
    assert canvas.layout_now().plot.height() == before


def test_it_has_the_abilities_and_a_name(canvas: PlaneCanvas[Any]) -> None:
    assert all(isinstance(canvas, ability) for ability in (Canvas, HasItemMenus, HasPicture, HandlesEscape))
    assert shown(canvas).title in canvas.accessibleName()
    assert canvas.accessibleName().startswith(shown(canvas).kind)


def test_the_wheel_zooms_at_the_pointer_and_its_notches_are_one_gesture(canvas: PlaneCanvas[Any]) -> None:
    assert canvas.history is not None
    whole = canvas.history.view
    narrow(canvas, 5.0)
    near, plot = canvas.history.view, canvas.layout_now().plot
    point = plot.center() + QPointF(31, 7)
    place = canvas.layout_now().at(point)
    for _ in range(3):
        turn(canvas, point, 120)
    assert seen(canvas) < 0.2
    ways = 2 if canvas.layout_now().plot == plot else 1  # few rows stay low instead of filling the plot
    assert canvas.layout_now().at(point)[:ways] == pytest.approx(place[:ways], rel=1e-6, abs=1e-6)
    canvas.back()
    assert canvas.history.view == near
    canvas.back()
    assert canvas.history.view == whole
    canvas.forward()
    assert canvas.history.view == near
    canvas.fit()
    assert canvas.history.view == whole


def test_a_double_click_zooms_by_one_factor_everywhere(canvas: PlaneCanvas[Any]) -> None:
    QTest.mouseDClick(canvas, LEFT, PLAIN, canvas.layout_now().plot.center().toPoint())
    assert seen(canvas) == pytest.approx(1 / DOUBLE_CLICK)


def test_the_wheel_and_keys_move_by_the_same_shares(canvas: PlaneCanvas[Any]) -> None:
    assert canvas.history is not None
    narrow(canvas, 3.0)
    x = canvas.history.view.x
    plot = canvas.layout_now().plot
    step = canvas.layout_now().at(plot.center() + QPointF(0.1 * plot.width(), 0))[0]
    step -= canvas.layout_now().at(plot.center())[0]
    turn(canvas, plot.center(), -120, Qt.KeyboardModifier.ShiftModifier)
    assert canvas.history.view.x.start - x.start == pytest.approx(step)
    turn(canvas, plot.center(), 120, Qt.KeyboardModifier.ShiftModifier)
    assert canvas.history.view.x.start == pytest.approx(x.start)
    before = canvas.history.view
    turn(canvas, plot.center(), -120, PLAIN)
    assert canvas.history.view != before


def test_the_middle_button_moves_everywhere_and_selects_nothing(canvas: PlaneCanvas[Any]) -> None:
    assert canvas.history is not None
    narrow(canvas, 4.0)
    before = canvas.history.view
    chosen: list[object] = []
    canvas.chosen.connect(lambda *what: chosen.append(what))
    start = QPointF(canvas.layout_now().plot.center().toPoint())
    place = canvas.layout_now().at(start)
    drag(canvas, MIDDLE, start, start + QPointF(20, 0))
    QTest.mouseRelease(canvas, MIDDLE, PLAIN, (start + QPointF(20, 0)).toPoint())
    assert canvas.layout_now().at(start + QPointF(20, 0))[0] == pytest.approx(place[0])
    assert chosen == []
    canvas.back()
    assert canvas.history.view == before


def test_a_drag_with_pauses_is_one_gesture(canvas: PlaneCanvas[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spans, "NOTCHES_SECONDS", -1.0)
    assert canvas.history is not None
    narrow(canvas, 4.0)
    before = canvas.history.view
    start = QPointF(canvas.layout_now().plot.center().toPoint())
    drag(canvas, Qt.MouseButton.MiddleButton, start, start + QPointF(90, 9))
    QTest.mouseRelease(canvas, Qt.MouseButton.MiddleButton, PLAIN, (start + QPointF(90, 9)).toPoint())
    if canvas.history.view != before:
        canvas.back()
    assert canvas.history.view == before


def test_escape_ends_only_the_last_of_two_drags_in_a_row(canvas: PlaneCanvas[Any]) -> None:
    assert canvas.history is not None
    narrow(canvas, 4.0)
    start = QPointF(canvas.layout_now().plot.center().toPoint())
    end = start + QPointF(30, 3)
    drag(canvas, Qt.MouseButton.MiddleButton, start, end)
    QTest.mouseRelease(canvas, Qt.MouseButton.MiddleButton, PLAIN, end.toPoint())
    moved = canvas.history.view
    drag(canvas, Qt.MouseButton.MiddleButton, start, end)
    assert canvas.handle_escape()
    assert canvas.history.view == moved


def test_escape_or_another_button_ends_a_drag_and_takes_back_what_it_did(canvas: PlaneCanvas[Any]) -> None:
    assert canvas.history is not None
    narrow(canvas, 4.0)
    before = canvas.history.view
    chosen: list[object] = []
    canvas.chosen.connect(lambda *what: chosen.append(what))
    assert not canvas.handle_escape()
    start = QPointF(canvas.layout_now().plot.center().toPoint())
    drag(canvas, LEFT, start, start + QPointF(30, 3))
    assert (canvas.history.view == before) == (shown(canvas).drag != "move")
    assert canvas.handle_escape()
    assert canvas.history.view == before
    assert canvas.marks.dragged is None
    QTest.mouseRelease(canvas, LEFT, PLAIN, (start + QPointF(30, 3)).toPoint())
    drag(canvas, LEFT, start, start + QPointF(30, 3))
    QTest.mousePress(canvas, Qt.MouseButton.RightButton, PLAIN, (start + QPointF(30, 3)).toPoint())
    assert canvas.history.view == before
    assert canvas.marks.dragged is None
    assert chosen == []


@pytest.mark.parametrize("canvas", SELECTING, indirect=True, ids=lambda make: make.__name__)
def test_steps_select_and_bring_to_view_and_focus_shows_all_the_second_time(canvas: PlaneCanvas[Any]) -> None:
    assert canvas.history is not None
    whole = canvas.history.view
    canvas.chosen.connect(lambda items, _: canvas.mark(items))
    narrow(canvas, 6.0)
    canvas.step_item(1)
    canvas.step_item(1)
    canvas.step_item(-1)
    (item,) = canvas.marks.selected.tolist()
    layout = canvas.layout_now()
    extent = shown(canvas).extent(layout, canvas.marks.selected)
    assert extent is not None
    for span, ends in ((canvas.history.view.x, extent.x), (canvas.history.view.y, extent.y)):
        assert ends is None or (span.start <= sum(ends) / 2 <= span.end)
    canvas.focus_selection()
    assert canvas.history.view != whole
    assert canvas.marks.selected.tolist() == [item]
    canvas.focus_selection()
    assert canvas.history.view == whole


@pytest.mark.parametrize("canvas", SELECTING, indirect=True, ids=lambda make: make.__name__)
def test_what_is_marked_costs_no_drawing_of_the_picture(
    canvas: PlaneCanvas[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[int] = []
    draw = type(shown(canvas)).draw

    def counted(*what: Any) -> None:
        drawn.append(1)
        draw(*what)

    monkeypatch.setattr(type(shown(canvas)), "draw", counted)
    canvas.grab()
    before = len(drawn)
    item = shown(canvas).step(-1, 1)
    canvas.mark([item])
    canvas.hover(item)
    canvas.set_range(np.arange(3))
    canvas.grab()
    assert len(drawn) == before
    canvas.zoom(2.0)
    canvas.grab()
    assert len(drawn) == before + 1


@pytest.mark.parametrize("canvas", SELECTING, indirect=True, ids=lambda make: make.__name__)
def test_it_is_drawn_in_both_themes_and_marks_are_seen(canvas: PlaneCanvas[Any]) -> None:
    plain = canvas.grab().toImage()
    canvas.mark([shown(canvas).step(-1, 1)])
    assert canvas.grab().toImage() != plain
    pictures = []
    for theme in (LIGHT, DARK):
        image = QImage(400, 300, QImage.Format.Format_RGB32)
        image.fill(QColor(theme.surface))
        empty = image.copy()
        with QPainter(image) as painter:
            canvas.draw_picture(painter, QRectF(0, 0, 400, 300), theme)
        assert image != empty
        pictures.append(image)
    assert pictures[0] != pictures[1]


@pytest.mark.parametrize("canvas", SELECTING, indirect=True, ids=lambda make: make.__name__)
def test_arrow_keys_walk_a_ring_from_item_to_item_and_enter_selects(
    canvas: PlaneCanvas[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen: list[tuple[list[int], bool]] = []
    pointed: list[int] = []
    canvas.chosen.connect(lambda items, adding: chosen.append((items.tolist(), adding)))
    canvas.pointed.connect(lambda item, _: pointed.append(item))
    monkeypatch.setattr(canvas, "hasFocus", lambda: True)
    plain = canvas.grab().toImage()
    assert canvas.walk(1, 0)
    seen = {canvas.cursor_at}
    words = {canvas.accessibleDescription()}
    assert canvas.grab().toImage() != plain
    for across, down in ((1, 0), (1, 0), (0, 1), (-1, 0), (0, 10), (0, -10)):
        assert canvas.walk(across, down)
        seen.add(canvas.cursor_at)
        words.add(canvas.accessibleDescription())
    assert len(seen) > 1
    assert len(words) > 1
    assert all(words)
    assert pointed
    assert not chosen
    canvas.walk_to_end(1)
    last = canvas.cursor_at
    canvas.walk_to_end(-1)
    assert canvas.cursor_at is not None
    assert canvas.cursor_at != last
    canvas.choose(adding=True)
    assert chosen == [([canvas.cursor_at.item], True)]
    assert canvas.accessibleDescription().startswith("Selected: ")


def test_the_cursor_is_revealed_and_its_menu_opens_beside_it(canvas: PlaneCanvas[Any]) -> None:
    assert canvas.history is not None
    narrow(canvas, 5.0)
    canvas.walk(1, 0)
    for _ in range(3):
        canvas.walk_to_end(1)
        canvas.walk(0, 10**7)
    assert canvas.cursor_at is not None
    at = cursor_box(shown(canvas), canvas.layout_now(), canvas.cursor_at)
    assert canvas.layout_now().plot.adjusted(-9, -9, 9, 9).contains(at)
    assert canvas.inputMethodQuery(Qt.InputMethodQuery.ImCursorRectangle) == at.toRect()
    selectable = canvas.cursor_at.selectable and canvas.cursor_at.item >= 0
    assert canvas.menu_places_at(None) == (("item",) if selectable else ())


def test_without_items_arrow_keys_move_the_view(qtbot: QtBot) -> None:
    made: PlaneCanvas[Any] = PlaneCanvas(Display())
    qtbot.addWidget(made)
    assert not made.walk(1, 0)
    made.set_scene(PlotScene(plot_picture("Memory", "B", TileAxis(0), [("code", np.arange(0))])))
    assert not made.walk(1, 0)
    made.walk_to_end(1)
    made.choose(adding=False)


def test_the_cursor_of_a_heat_map_reaches_cells_rows_and_columns(qtbot: QtBot) -> None:
    made: PlaneCanvas[Any] = PlaneCanvas(Display())
    qtbot.addWidget(made)
    made.set_scene(heat())
    made.walk_to_end(-1)
    places = []
    for across, down in ((0, 0), (1, 0), (0, 1), (-9, 0), (0, 99), (1, 0), (0, -1)):
        made.walk(across, down)
        assert made.cursor_at is not None
        block = made.cursor_at.place
        assert isinstance(block, Block)
        places.append((made.cursor_at.item, block.what))
    assert places == [
        *((0, "cells"), (0, "cells"), (1, "cells"), (1, "rows"), (39, "rows"), (39, "cells"), (38, "cells")),
    ]
    made.walk(0, 99)
    assert made.cursor_at == shown(made).hit_of(40)


def test_it_empties(canvas: PlaneCanvas[Any]) -> None:
    canvas.set_scene(None)
    for gesture in (canvas.fit, canvas.back, canvas.forward, canvas.focus_selection, canvas.selection_to_range):
        gesture()
    canvas.zoom(2.0)
    canvas.pan(0.1)
    canvas.scroll_rows(1)
    canvas.step_item(1)
    turn(canvas, QPointF(50, 50), 120)
    QTest.mouseClick(canvas, LEFT, PLAIN, QPoint(50, 50))
    QTest.mouseMove(canvas, QPoint(60, 60))
    assert canvas.menu_places_at(QPoint(50, 50)) == ()
    assert not canvas.grab().isNull()
