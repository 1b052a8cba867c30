"""The memory paths panel: texts fit, arrows tell, blocks and tables follow, pictures are lines."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.analysis.ascend.diagram.figures import BlockFigures, figures_of
from app.analysis.ascend.diagram.parts import Rect
from app.document.document import Document
from app.formats.ascend_bin import FORMAT
from app.panels.memory_paths.diagram import PLOTS, PathsScene
from app.panels.memory_paths.layout import Written, marked, texts
from app.panels.memory_paths.panel import TABLES, MemoryPathsPanel
from app.panels.picture import save
from app.panels.registry import SPECS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.colours import contrast, rgb
from app.views.look import DARK, LIGHT, Look, Theme
from app.views.memory_paths import SHOWN, STOPS, Show, about_box, about_path, label, notes, shade, short_count, stops
from app.widgets.abilities import HasPicture
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.plane.canvas import PlaneCanvas
from app.widgets.plane.scene import draw_whole
from app.widgets.tabular import Tabular
from fakes.rects import meets
from generators import ascend_paths
from generators.ascend_bin import block
from generators.ascend_details import Shape
from generators.ascend_details import memory_tables as tables_payload
from generators.ascend_paths import KINDS
from generators.reading import profile_of

LEFT = Qt.MouseButton.LeftButton
PLAIN, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
HUGE = {path: {"request": "98765432109", "bandwidth": "123456.789", "peak_ratio": "100.0"} for path in range(56)}
REMARKED = {path: {"bandwidth_suffix": "(theoretical value)"} for path in range(56)}


def profile(kind: str = "910b-mix", **wanted: object) -> Profile:
    return profile_of(FORMAT, ascend_paths.file(kind, **wanted))


def figures(kind: str, entry: int = 0, **wanted: object) -> BlockFigures:
    found = profile(kind, **wanted).memory_paths
    assert found is not None
    return figures_of(found, entry)


def written(shown: BlockFigures, show: Show, family: str = "") -> list[Written]:
    font = QFont(family) if family else QApplication.font()
    return list(texts(shown, show, font))


def own(kind: str, changes: dict[int, dict[str, str]]) -> dict[int, dict[str, str]]:
    """Changes of the paths that the kind has."""
    return {path: change for path, change in changes.items() if path in KINDS[kind][2]}


class Desk:
    """A panel with its document."""

    def __init__(self, qtbot: QtBot) -> None:
        self.document = Document()
        self.display = Display()
        self.panel = MemoryPathsPanel(Context(self.document, self.display))
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 420)
        self.panel.show()

    def open(self, shown: Profile) -> None:
        self.document.add(shown, 1)
        for _ in range(2):  # the second time for what the first has shown
            QApplication.processEvents()

    def at(self, path: int) -> QPoint:
        """A point on the label of a path's arrow."""
        canvas = self.panel.canvas
        layout, shown = canvas.layout_now(), self.panel.figures
        assert shown is not None
        place = next(arrow.label for arrow in shown.diagram.arrows if arrow.path == path)
        x = layout.origin.x() + (place.x + place.width / 2) * layout.scale
        return QPoint(round(x), round(layout.origin.y() + (place.y + place.height / 2) * layout.scale))


def zoom_of(canvas: PlaneCanvas[PathsScene]) -> float:
    assert canvas.history is not None
    view = canvas.history.view
    assert view.x.width / view.x.size == pytest.approx(view.y.width / view.y.size)
    return float(view.x.size / view.x.width)


@pytest.fixture
def desk(qtbot: QtBot) -> Desk:
    return Desk(qtbot)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("show", SHOWN)
@pytest.mark.parametrize("family", ["", "monospace"])
def test_texts_fit_into_their_places_and_never_overlap(qapp: QApplication, kind: str, show: Show, family: str) -> None:
    for extra in ({}, HUGE, REMARKED):
        shown = figures(kind, extra=own(kind, extra))
        found = written(shown, show, family)
        whole = Rect(0, 0, shown.diagram.width, shown.diagram.height)
        for text in found:
            assert text.width <= text.place.width + 0.01
            assert text.size >= 9
            place = text.extent
            assert place.x >= 0
            assert place.right <= whole.right
            assert place.y >= 0
            assert place.bottom <= whole.bottom
        for first, second in combinations(found, 2):
            assert not meets(first.extent, second.extent), (first.text, second.text)


@pytest.mark.parametrize("kind", KINDS)
def test_ordinary_figures_are_written_in_full(qapp: QApplication, kind: str) -> None:
    shown = figures(kind)
    for show in SHOWN:
        found = [text.text for text in written(shown, show)]
        assert not any("…" in text for text in found)
        for path in shown.shown.values():
            assert label(path, show)[0] in found


def test_names_of_boxes_are_written_in_full(qapp: QApplication) -> None:
    for kind in KINDS:
        shown = figures(kind)
        found = {text.text for text in written(shown, "bandwidth") if text.bold}
        assert found == {box.name for box in shown.diagram.boxes}


def test_remarks_stand_at_their_arrows_or_in_the_notes(qapp: QApplication) -> None:
    shown = figures(
        "910b-mix", extra={1: {"bandwidth_suffix": "(theoretical value)"}, 2: {"bandwidth_suffix": "(odd)"}}
    )
    found = [text.text for text in written(shown, "bandwidth")]
    assert {"(theoretical", "value)"} <= set(found)
    assert sum(text.endswith("*") for text in found) == 1
    (other,) = marked(shown, "bandwidth")
    assert other.path == 2
    assert "* L2 → L1: odd" in notes(shown, "bandwidth", [other])
    assert marked(shown, "request") == []


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_colours_are_those_of_the_shares_between_their_stops(theme: Theme) -> None:
    ramp = dict(stops(theme))
    assert [shade(percent, theme) for percent in STOPS] == list(ramp.values())
    middle = rgb(str(shade(10.0, theme)))
    ends_ = rgb(ramp[0.0]), rgb(ramp[20.0])
    assert all(abs(part - (a + b) / 2) <= 1 for part, a, b in zip(middle, *ends_, strict=True))
    assert [shade(value, theme) for value in (None, -1.0, 100.5)] == [None, None, None]
    assert ramp[100.0] == ("#FFFFFF" if theme.dark else "#E9E9E9")


def test_labels_have_three_digits_and_counts_stay_short() -> None:
    shown = figures("910b-vector", extra={12: {"bandwidth": "1234.567", "request": "123456789", "peak_ratio": "0.042"}})
    path = shown.shown[12]
    assert label(path, "bandwidth")[0] == "1,235"
    assert label(path, "request")[0] == "123 M"
    assert label(path, "peak")[0] == "<0.1 %"
    assert label(None, "peak") == ("–", "")
    assert [short_count(count) for count in (0, 9_999_999, 1e7, 2.5e9)] == ["0", "9,999,999", "10.0 M", "2.50 G"]


def test_tool_tips_have_the_exact_figures_and_how_they_are_made() -> None:
    shown = figures("910b-mix", extra={12: {"bandwidth": "4.069307", "request": "10243", "peak_ratio": "3.448572"}})
    told = about_path(12, shown.shown[12])
    assert "L2 → UB (path 12)" in told
    assert "Bandwidth: 4.069307 GB/s" in told
    assert "Requests: 10,243" in told
    assert "Peak share: 3.448572 % of the path's theoretical bandwidth" in told
    assert "not zero" in about_path(26, None)
    cube = next(box for box in shown.diagram.boxes if box.name == "Cube")
    assert "100 · cycles / total cycles" in about_box(cube, shown.boxes["cube"])
    gm = shown.diagram.boxes[0]
    assert about_box(gm, None) == "GM"


def test_a_peak_beyond_100_is_told_and_grey() -> None:
    shown = figures("910b-vector", extra={12: {"peak_ratio": "250"}})
    assert "not a valid share" in about_path(12, shown.shown[12])
    assert shade(shown.shown[12].peak, LIGHT) is None


def test_notes_hold_what_the_diagram_does_not() -> None:
    extra = {13: {"display": 0}, **{path: {"bandwidth": "7.5"} for path in range(60, 80)}}
    shown = figures("910b-vector", extra=extra, soc="")
    said = notes(shown, "bandwidth", [])
    assert "chosen by the paths" in said[0]
    assert "1 path is hidden, as the file specifies." in said
    assert "path 60: 7.50" in said
    assert "and 8 more; the table has them all." in said
    assert said[-1] == "Aicore compute usage lower than 20%"


def test_it_has_the_abilities(desk: Desk) -> None:
    assert isinstance(desk.panel.canvas, Canvas)
    assert isinstance(desk.panel, Tabular)
    assert isinstance(desk.panel, HasPicture)


def test_a_click_on_an_arrow_selects_its_path_and_another_with_control_adds(desk: Desk) -> None:
    desk.open(profile())
    QTest.mouseClick(desk.panel.canvas, LEFT, PLAIN, desk.at(12))
    assert desk.document.selection.value == Selection("memory_path", (12,), "memory_paths")
    QTest.mouseClick(desk.panel.canvas, LEFT, CONTROL, desk.at(3))
    assert desk.document.selection.value == Selection("memory_path", (3, 12), "memory_paths")
    assert desk.panel.canvas.selected == {3, 12}
    assert desk.panel.selected_rows().tolist() == [3, 12]
    QTest.mouseClick(desk.panel.canvas, LEFT, CONTROL, desk.at(12))
    assert desk.document.selection.value == Selection("memory_path", (3,), "memory_paths")


def test_pointing_is_told_to_the_others_and_by_a_tool_tip(desk: Desk) -> None:
    desk.open(profile())
    QTest.mouseMove(desk.panel.canvas, desk.at(15))
    assert desk.document.hover.value == Selection("memory_path", (15,), "memory_paths")
    assert "Vector → UB (path 15)" in desk.panel.canvas.describe(QPointF(desk.at(15)))
    desk.document.hover.set(Selection("memory_path", (7,), "tables"))
    assert desk.panel.canvas.marks.item == 7


def test_the_block_follows_the_selection_and_is_one(desk: Desk) -> None:
    desk.open(profile(blocks=("0", "1", "2")))
    desk.document.selection.set(Selection("memory_path", (45,), "tables"))
    assert desk.panel.block.currentText() == "Block 2"
    assert desk.panel.canvas.selected == {5}
    desk.document.selection.set(Selection("block", (1,), "tables"))
    assert desk.panel.block.currentText() == "Block 1"
    desk.panel.block.setCurrentIndex(0)
    desk.panel.block.activated.emit(0)
    assert desk.document.selection.value == Selection("block", (0,), "memory_paths")


def test_hidden_paths_come_with_show_all(desk: Desk) -> None:
    desk.open(profile("910b-vector", extra={13: {"display": 0}}))
    assert desk.panel.all_paths.isVisible()
    shown = desk.panel.figures
    assert shown is not None
    assert 13 not in shown.shown
    desk.panel.all_paths.setChecked(True)
    shown = desk.panel.figures
    assert shown is not None
    assert 13 in shown.shown
    desk.open(profile("910b-vector"))
    assert not desk.panel.all_paths.isVisible()


def test_the_tables_of_all_blocks_stand_beside_the_diagram(desk: Desk) -> None:
    shape = Shape(blocks=3)
    desk.open(
        profile_of(FORMAT, ascend_paths.file("910b-mix", blocks=("0", "1", "2")) + block(9, tables_payload(shape)))
    )
    panel = desk.panel
    assert panel.canvas.isVisible()
    assert panel.table.isVisible()
    assert panel.canvas.geometry().right() < panel.side.geometry().left()
    diagram = panel.shown_table()  # what is exported from the diagram
    assert diagram is not None
    assert diagram.rows == 20
    titles = [panel.chooser.itemText(place) for place in range(panel.chooser.count())]
    assert titles[0] == "Cache"
    assert titles[-2:] == ["L2 cache and units of the blocks", "Memory paths"]
    table = panel.table.shown_table()
    assert table is not None
    assert table.id == "memory-table/Cache"
    assert [table.columns[0].value(row) for row in range(table.rows)] == ["0"] * 4 + ["1"] * 4 + ["2"] * 4
    panel.resize(420, 900)
    QApplication.processEvents()
    assert not panel.side.isVisible()  # nobody asked for them, and the diagram needs the room
    panel.as_table.click()
    QApplication.processEvents()
    assert panel.canvas.geometry().bottom() < panel.side.geometry().top()
    panel.as_table.click()
    assert not panel.table.isVisible()
    panel.resize(1200, 600)
    QApplication.processEvents()
    assert not panel.table.isVisible()  # as a person said


def test_the_diagram_has_the_room_where_there_are_no_memory_tables(desk: Desk) -> None:
    desk.open(profile())
    assert desk.panel.canvas.isVisible()
    assert not desk.panel.side.isVisible()
    desk.panel.as_table.click()
    assert desk.panel.chooser.currentText() == "L2 cache and units of the blocks"
    desk.open(profile("310p"))
    assert desk.panel.side.isVisible()  # as the person wanted


@pytest.mark.parametrize(("place", "expected"), [(None, "Cache"), (1, "Memory paths")])
def test_memory_tables_that_arrive_later_come_first_unless_another_was_chosen(
    desk: Desk, place: int | None, expected: str
) -> None:
    whole = profile_of(FORMAT, ascend_paths.file("910b-mix") + block(9, tables_payload(Shape(blocks=2))))
    entry = desk.document.add(replace(whole, memory_tables=None), 1)
    QApplication.processEvents()
    if place is not None:
        desk.panel.chooser.setCurrentIndex(place)
        desk.panel.chooser.activated.emit(place)
    desk.document.grow(entry, whole, frozenset({"memory_tables"}))
    QApplication.processEvents()
    assert desk.panel.chooser.currentText() == expected


def test_a_block_selects_its_rows_and_a_row_its_block(desk: Desk) -> None:
    shape = Shape(blocks=3)
    desk.open(
        profile_of(FORMAT, ascend_paths.file("910b-mix", blocks=("0", "1", "2")) + block(9, tables_payload(shape)))
    )
    panel = desk.panel
    panel.block.setCurrentIndex(1)
    panel.block.activated.emit(1)
    assert panel.table.selected_rows().tolist() == [4, 5, 6, 7]
    panel.chooser.setCurrentIndex(1)
    assert panel.table.selected_rows().tolist() == [3, 4, 5]
    panel.block.setCurrentIndex(2)
    panel.table.view.selectRow(5)
    QApplication.processEvents()
    assert desk.document.selection.value == Selection("block", (1,), TABLES)
    assert panel.block.currentText() == "Block 1"


def test_a_file_with_tables_alone_shows_those(desk: Desk) -> None:
    desk.open(profile_of(FORMAT, block(0x09, tables_payload(Shape(blocks=2)))))
    assert not desk.panel.canvas.isVisible()
    assert desk.panel.table.isVisible()
    assert desk.panel.block.count() == 2
    assert desk.panel.shown_table() is not None
    assert not desk.panel.as_table.isVisible()
    desk.document.selection.set(Selection("block", (1,), "tables"))
    assert desk.panel.block.currentText() == "Block 1"
    assert desk.panel.selected_rows().tolist() == [4, 5, 6, 7]


def test_a_graph_without_blocks_says_so(desk: Desk) -> None:
    desk.open(profile(blocks=()))
    assert desk.panel.stack.is_empty


def test_it_zooms_at_the_pointer_moves_and_goes_back(desk: Desk) -> None:
    desk.open(profile())
    canvas = desk.panel.canvas
    point = QPointF(desk.at(12))
    before = canvas.layout_now()
    assert before is not None
    canvas.wheelEvent(_wheel(point, 120, CONTROL))
    after = canvas.layout_now()
    assert after is not None
    assert after.scale == pytest.approx(1.25 * before.scale)
    canvas.zoom(3.0)
    canvas.pan(0.2)
    assert zoom_of(canvas) > 3
    canvas.back()
    canvas.back()
    canvas.back()
    assert zoom_of(canvas) == 1
    canvas.forward()
    assert zoom_of(canvas) == pytest.approx(1.25)
    canvas.fit()
    assert zoom_of(canvas) == 1


def test_what_lies_under_the_pointer_stays_there_while_zooming(desk: Desk) -> None:
    desk.open(profile())
    canvas = desk.panel.canvas
    layout = canvas.layout_now()
    assert layout is not None
    canvas.zoom(4.0)
    layout = canvas.layout_now()
    assert layout is not None
    point = layout.plot.center() + QPointF(40, 30)
    before = layout.at(point)
    canvas.wheelEvent(_wheel(point, 120, CONTROL))
    layout = canvas.layout_now()
    assert layout is not None
    assert layout.at(point) == pytest.approx(before, abs=1.0)


def test_keys_step_through_the_paths(desk: Desk) -> None:
    desk.open(profile("310p"))
    canvas = desk.panel.canvas
    for expected in (0, 1, 6):
        canvas.step_item(1)
        assert canvas.selected == {expected}
    canvas.step_item(-1)
    assert canvas.selected == {1}
    canvas.focus_selection()
    assert zoom_of(canvas) >= 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_every_kind_is_drawn_with_arrows_in_their_colours(qapp: QApplication, kind: str, theme: Theme) -> None:
    extra = {path: {"peak_ratio": "20", "bandwidth": "1"} for path in KINDS[kind][2]}
    image = QImage(1200, 640, QImage.Format.Format_RGB32)
    image.fill(QColor(theme.surface))
    shown = figures(kind, extra=extra)
    with QPainter(image) as painter:
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        layout = draw_whole(painter, QRectF(0, 0, 1200, 640), PathsScene(shown, "bandwidth"), Look(theme=theme))
    wanted = rgb(str(shade(20, theme)))
    for arrow in shown.diagram.arrows:
        (ax, ay), (bx, by) = arrow.lines[0].points[:2]
        x = round(layout.origin.x() + (ax + bx) / 2 * layout.scale)
        y = round(layout.origin.y() + (ay + by) / 2 * layout.scale)
        near = [QColor(image.pixel(x + dx, y + dy)) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
        assert any(
            max(abs(a - b) for a, b in zip((c.red(), c.green(), c.blue()), wanted, strict=True)) < 12 for c in near
        ), arrow.path


def test_a_path_without_data_looks_unlike_zero_and_unlike_little(qapp: QApplication) -> None:
    def middle(extra: dict[int, dict[str, str]], paths: tuple[int, ...]) -> list[int]:
        image = QImage(1200, 640, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.surface))
        shown = figures("910b-vector", extra=extra)
        kept = {path: found for path, found in shown.shown.items() if path in paths}
        one = BlockFigures(**{name: getattr(shown, name) for name in shown.__struct_fields__} | {"shown": kept})
        with QPainter(image) as painter:
            layout = draw_whole(painter, QRectF(0, 0, 1200, 640), PathsScene(one, "bandwidth"), Look(theme=LIGHT))
        x = round(layout.origin.x() + 590 * layout.scale)
        y = layout.origin.y() + (128 - 80) / 2 * layout.scale + 38 * layout.scale
        return [image.pixel(x, round(y) + step) for step in range(-6, 7)]

    little = middle({14: {"peak_ratio": "0.01", "bandwidth": "0.1"}}, (14,))
    zero = middle({14: {"peak_ratio": "0", "bandwidth": "0", "request": "0"}}, (14,))
    nothing = middle({}, ())
    assert little != zero != nothing != little


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_words_can_be_read_on_both_themes(theme: Theme) -> None:
    assert contrast(theme.text, theme.surface) >= 4.5
    assert contrast(theme.muted, theme.surface) >= 4.5


def test_pictures_are_lines_and_letters(qapp: QApplication, tmp_path: Path) -> None:
    shown = profile("a5-mix-v2")
    assert all(plot.offered(shown) for plot in PLOTS)
    for plot in PLOTS:
        save(plot, shown, tmp_path / f"{plot.id}.svg", (1200, 640), "dark")
        content = (tmp_path / f"{plot.id}.svg").read_text()
        assert "<image" not in content
        assert "FIXP" in content
        save(plot, shown, tmp_path / f"{plot.id}.png", (600, 320), "light")
        assert QImage(str(tmp_path / f"{plot.id}.png")).width() == 1200


def test_the_panel_is_offered_for_what_it_shows() -> None:
    assert SPECS["memory_paths"].offered(profile())
    assert not SPECS["memory_paths"].offered(profile_of(FORMAT, block(0x07, b'{"subblock_detail": []}')))


def test_export_draws_what_is_seen(desk: Desk) -> None:
    desk.open(profile())
    first, zoomed = QImage(600, 300, QImage.Format.Format_RGB32), QImage(600, 300, QImage.Format.Format_RGB32)
    for image in (first, zoomed):
        image.fill(QColor(DARK.surface))
        with QPainter(image) as painter:
            desk.panel.draw_picture(painter, QRectF(0, 0, 600, 300), DARK)
        desk.panel.canvas.zoom(3.0)
    assert first != zoomed


def test_another_look_is_taken_up(desk: Desk) -> None:
    desk.open(profile())
    before = desk.panel.canvas.grab().toImage()
    desk.display.set(theme=DARK)
    assert desk.display.look == Look(theme=DARK)
    assert desk.panel.canvas.grab().toImage() != before


def test_an_emptied_document_shows_nothing(desk: Desk) -> None:
    desk.open(profile())
    assert desk.document.current is not None
    desk.document.close(desk.document.current.id)
    QApplication.processEvents()
    assert desk.panel.figures is None
    assert desk.panel.shown_table() is None


def _wheel(point: QPointF, up: int, modifiers: Qt.KeyboardModifier) -> QWheelEvent:
    phase, none = Qt.ScrollPhase.NoScrollPhase, Qt.MouseButton.NoButton
    return QWheelEvent(point, point, QPoint(), QPoint(0, up), none, modifiers, phase, False)
