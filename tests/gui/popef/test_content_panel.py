"""What lies behind the selection: values, statistics, image, histogram, bytes, and a tensor saved as a file."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from app.analysis.popef.values import first_slice, summary
from app.panels.content.image import FIRST, INFINITE, NOT_FINITE, ImageScene, picture
from app.panels.content.panel import ContentPanel
from app.panels.content.subject import Nothing, TensorSubject, subject_of
from app.panels.content.tensor_bar import BYTES, HISTOGRAM, IMAGE, VALUES
from app.panels.content.tensor_view import ValuesPicture, count_ticks, edge_text
from app.panels.content.values import ValuesModel
from app.profile.profile import Profile
from app.store.payload import Values
from app.views.content import words
from app.views.content.words import digits_of, hex_line, letters_of, lines_of
from app.views.look import DARK, LIGHT, Look
from app.views.units import NO_DATA
from app.widgets.chart.scene import ChartPainter, ChartScene
from app.widgets.context import Context
from app.widgets.plane.scene import draw_whole
from fakes.dialogs import save_as
from fakes.popef_files import context_of, select, written
from generators import popef, popef_network

F16, F32, S32, U8, F8143 = 2, 3, 9, 6, 13


def shown(qtbot: QtBot, profile: Profile | None) -> tuple[ContentPanel, Context]:
    context = context_of(profile)
    panel = ContentPanel(context)
    qtbot.addWidget(panel)
    panel.resize(700, 400)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel, context


def settled(qtbot: QtBot, panel: ContentPanel) -> None:
    """All that was asked for has been answered."""
    panel._refresh.now()
    qtbot.waitUntil(lambda: not panel.busy)


def cells(panel: ContentPanel) -> list[list[str]]:
    items = panel.tensor.values.items
    return [[items.text(row, column) for column in range(items.columnCount())] for row in range(items.rowCount())]


def turn(panel: ContentPanel, page: int) -> None:
    QTest.mouseClick(panel.tensor.bar.choice.button(page), Qt.MouseButton.LeftButton)


def type_slice(panel: ContentPanel, text: str) -> None:
    field = panel.tensor.bar.slice_bar.field
    field.setText(text)
    QTest.keyClick(field, Qt.Key.Key_Return)


# -- which subject ----------------------------------------------------------------------------------------


def test_nothing_selected_says_what_to_do(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, written(tmp_path / "m.popef", *popef.guide_blobs()[:3]))
    assert panel.stack.is_empty
    assert "Select a blob" in panel.stack.empty.text
    select(context, "anchor", 0)
    settled(qtbot, panel)
    assert "the user provides it at run time" in panel.stack.empty.text
    assert shown(qtbot, None)[0].stack.is_empty


def test_without_a_selection_the_largest_tensor_is_shown(tmp_path: Path) -> None:
    small, large = (popef.tensor(name, (size,), U8) for name, size in (("small", 2), ("large", 400)))
    profile = written(tmp_path / "m.popef", small, large, popef.opaque("o", "e", bytes(9000)))
    assert subject_of(profile, None) == TensorSubject(1, 1)
    assert isinstance(subject_of(written(tmp_path / "o.popef", popef.opaque("o", "e", b"")), None), Nothing)


@pytest.mark.parametrize(("kind", "index"), [("tensor", 0), ("anchor", 1), ("blob", 3)])
def test_a_tensor_is_shown_however_it_is_pointed_at(qtbot: QtBot, tmp_path: Path, kind: str, index: int) -> None:
    panel, context = shown(qtbot, written(tmp_path / "m.popef", *popef.guide_blobs()))
    select(context, kind, index)  # type: ignore[arg-type]
    settled(qtbot, panel)
    assert not panel.stack.is_empty
    assert cells(panel) == [["1"], ["2"]]
    assert "input_parameter" in panel.tensor.bar.title.text()
    assert panel.tensor.bar.statistics_text.startswith("2 values · min 1 · max 2 · mean 1.5 · standard deviation 0.5")


def test_bytes_of_executables_opaque_data_and_metadata(qtbot: QtBot, tmp_path: Path) -> None:
    blobs = popef.guide_blobs()
    blobs[2] = popef.opaque("popart", "x", bytes.fromhex("28b52ffd") + bytes(100))
    panel, context = shown(qtbot, written(tmp_path / "m.popef", *blobs))
    select(context, "blob", 2)
    panel._refresh.now()
    qtbot.waitUntil(lambda: "Zstandard" in panel.bytes.facts.text())
    qtbot.waitUntil(lambda: panel.bytes.hex.lines()[0].bytes.startswith("28 b5 2f fd"))
    select(context, "blob", 1)
    panel._refresh.now()
    qtbot.waitUntil(lambda: "no known signature" in panel.bytes.facts.text())
    assert panel.bytes.facts.text().startswith("not compressed")
    select(context, "blob", 0)
    panel._refresh.now()
    assert "There is no payload" in panel.bytes.facts.text()
    qtbot.waitUntil(lambda: bool(panel.bytes.hex.lines()[0].bytes))
    assert panel.bytes.hex.copy_text().startswith("00000000  00 00 00 00 05 00 00 00")


def test_a_compressed_executable_tells_both_sizes(qtbot: QtBot, tmp_path: Path) -> None:
    profile = written(tmp_path / "m.popef", popef.executable("e", bytes(10), uncompressed=4096))
    assert words.blob_facts(profile, 0, Look()).startswith("compressed: 4.00 KiB in 10 B")


# -- values -----------------------------------------------------------------------------------------------


def ramp(path: Path, shape: Sequence[int], dtype: str = "<f4", number: int = F32) -> Profile:
    content = np.arange(np.prod(shape)).astype(dtype).tobytes()
    return written(path, popef.tensor("t", shape, number, content))


def test_any_slice_can_be_typed_and_stepped_through(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, ramp(tmp_path / "r.popef", (2, 3, 4, 5)))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    bar = panel.tensor.bar.slice_bar
    assert bar.field.text() == "[0, 0, :, :]"
    assert cells(panel)[3] == ["15", "16", "17", "18", "19"]
    assert not bar.before.isEnabled()
    QTest.mouseClick(bar.after, Qt.MouseButton.LeftButton)
    settled(qtbot, panel)
    assert (bar.field.text(), cells(panel)[0][0]) == ("[0, 1, :, :]", "20")
    type_slice(panel, "[-1, :, 2, ::2]")
    settled(qtbot, panel)
    assert cells(panel) == [["70", "72", "74"], ["90", "92", "94"], ["110", "112", "114"]]
    across = panel.tensor.values.items.headerData(2, Qt.Orientation.Horizontal)
    assert across == "4"
    assert words.place(bar.part, 0, 2) == "[1, 0, 2, 4]"
    type_slice(panel, "[:, 1]")
    assert "3 dimensions have no index" in panel.tensor.bar.note.text()
    assert cells(panel)[0][0] == "70"


def test_scalars_rows_and_empty_shapes(qtbot: QtBot, tmp_path: Path) -> None:
    profile = written(
        tmp_path / "s.popef",
        popef.tensor("scalar", (), F32, struct.pack("<f", 2.5)),
        popef.tensor("row", (3,), S32, struct.pack("<3i", 7, -8, 9)),
        popef.tensor("none", (0, 4), F32, b""),
    )
    panel, context = shown(qtbot, profile)
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert cells(panel) == [["2.50000"]]
    select(context, "tensor", 1)
    settled(qtbot, panel)
    assert cells(panel) == [["7"], ["−8"], ["9"]]
    select(context, "tensor", 2)
    settled(qtbot, panel)
    assert "no values" in panel.tensor.bar.note.text()
    assert panel.tensor.pages.currentIndex() == BYTES


def test_what_is_not_a_number_is_written_so(qtbot: QtBot, tmp_path: Path) -> None:
    content = struct.pack("<6f", float("nan"), float("inf"), float("-inf"), 0.0, 1e-12, 1.25)
    panel, context = shown(qtbot, written(tmp_path / "n.popef", popef.tensor("t", (6,), F32, content)))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert cells(panel) == [["NaN"], ["Inf"], ["−Inf"], ["0.00000"], ["1.0e-12".replace("-", "−")], ["1.25000"]]
    text = panel.tensor.bar.statistics_text
    assert "6 values" in text
    assert "NaN 1 (16.7 %)" in text
    assert "Inf 2 (33.3 %)" in text
    assert "zeros 1 (16.7 %)" in text
    table = panel.tensor.values.shown_table()
    assert table is not None
    assert table.columns[1].value(0) == "nan"


def test_float8_is_said_to_be_unscaled(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, written(tmp_path / "f.popef", popef.tensor("t", (2,), F8143, b"\x7f\x01")))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert "unscaled" in panel.tensor.bar.statistics_text
    assert cells(panel)[0] == ["240.000"]


def test_a_feed_is_stepped_through(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, written(tmp_path / "m.popef", *popef_network.blobs()))
    select(context, "anchor", 0)
    settled(qtbot, panel)
    bar = panel.tensor.bar
    assert (bar.number_field.maximum(), bar.number_field.text()) == (6, "1 of 6")
    assert "A call takes 64: enough for 1 call. The last call takes 24." in bar.note.text()
    first = cells(panel)
    bar.number_field.setValue(4)
    settled(qtbot, panel)
    assert cells(panel) != first
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert bar.number_field.isHidden()


def test_a_payload_shorter_than_its_shape(qtbot: QtBot, tmp_path: Path) -> None:
    profile = written(tmp_path / "s.popef", popef.tensor("t", (2, 2), F32, struct.pack("<3f", 1, 2, 3)))
    panel, context = shown(qtbot, profile)
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert cells(panel) == [["1", "2"], ["3", NO_DATA]]
    assert "3 of the 4 elements" in panel.tensor.bar.note.text()
    assert panel.tensor.bar.statistics_text.startswith("3 values")


def test_an_unknown_type_and_an_impossible_shape_show_bytes(qtbot: QtBot, tmp_path: Path) -> None:
    profile = written(
        tmp_path / "u.popef", popef.tensor("a", (2,), 99, b"abc"), popef.tensor("b", (2**40, 2**40), F32, b"1234")
    )
    panel, context = shown(qtbot, profile)
    for row, why in ((0, "data type is unknown (99)"), (1, "2^63")):
        select(context, "tensor", row)
        settled(qtbot, panel)
        assert why in panel.tensor.bar.note.text()
        assert panel.tensor.pages.currentIndex() == BYTES
        assert panel.tensor.bar.save.isHidden()


def test_a_shape_that_claims_an_exabyte_is_shown_as_far_as_there_is_anything(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, written(tmp_path / "e.popef", popef.tensor("t", (2**30, 2**30), U8, b"\5")))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert panel.tensor.values.items.columnCount() == 2048
    assert panel.tensor.values.items.text(0, 0) == "5"
    assert panel.tensor.values.items.text(0, 1) == NO_DATA
    assert "1 of the 1,152,921,504,606,846,976 elements" in panel.tensor.bar.note.text()
    assert "columns 0 to 2,047" in panel.tensor.bar.note.text()


def test_large_statistics_are_made_when_asked_for(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.panels.content.tensor_view.AUTOMATIC", 10)
    panel, context = shown(qtbot, ramp(tmp_path / "r.popef", (4, 4)))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert panel.tensor.bar.statistics_text == "Computing statistics reads all 64 B twice."
    QTest.mouseClick(panel.tensor.bar.compute, Qt.MouseButton.LeftButton)
    settled(qtbot, panel)
    assert "mean 7.5" in panel.tensor.bar.statistics_text
    assert panel.tensor.bar.compute.isHidden()


def test_a_file_that_changed_is_told(qtbot: QtBot, tmp_path: Path) -> None:
    profile = ramp(tmp_path / "r.popef", (4, 4))
    (tmp_path / "r.popef").write_bytes(b"something else")
    panel, context = shown(qtbot, profile)
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert "has changed since it was read" in panel.tensor.bar.note.text()
    turn(panel, BYTES)
    qtbot.waitUntil(lambda: "has changed" in panel.tensor.bytes._problem)


def test_the_values_model_keeps_its_promises(qtbot: QtBot, tmp_path: Path) -> None:
    model = ValuesModel()
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Fatal)
    panel, context = shown(qtbot, ramp(tmp_path / "r.popef", (2, 3)))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    model.show(panel.tensor.values.items.values)
    assert tester.model() is model
    assert (model.rowCount(), model.columnCount()) == (2, 3)
    model.show(None)
    assert model.rowCount() == 0


def test_cells_are_copied_as_they_are(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, ramp(tmp_path / "r.popef", (3, 3)))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    view = panel.tensor.values
    assert view.copy_text() == ""
    view.selectAll()
    assert view.copy_text() == "0.0\t1.0\t2.0\n3.0\t4.0\t5.0\n6.0\t7.0\t8.0"
    view.setCurrentIndex(view.items.index(1, 2))
    assert view.copy_text() == "5.0"
    assert view.selected_rows().tolist() == [1]
    table = view.shown_table()
    assert table is not None
    assert [column.key for column in table.columns] == ["index", "0", "1", "2"]


# -- pictures ---------------------------------------------------------------------------------------------


def test_pages_show_the_same_slice(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, ramp(tmp_path / "r.popef", (4, 8, 8, 3)))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    assert panel.tensor.bar.slice_bar.field.text() == "[0, :, :, 0]"  # colours come last
    turn(panel, IMAGE)
    image = panel.tensor.image
    assert image.isVisible()
    assert image.scene is not None
    assert image.scene.picture.codes.shape == (8, 8)
    image.zoom(2.0)
    assert image.describe(QPointF(10, 10)) != "[0, 0, 0, 0] = 0"
    image.fit()
    assert image.describe(QPointF(10, 10)) == "[0, 0, 0, 0] = 0"
    assert image.describe(QPointF(-5, -5)) == ""
    turn(panel, HISTOGRAM)
    assert panel.tensor.histogram.isVisible()
    assert panel.tensor.bar.slice_bar.isHidden()
    assert panel.tensor.bar.log.isVisible()
    table = panel.tensor.histogram.shown_table()
    assert table is not None
    assert sum(int(table.columns[2].value(row) or 0) for row in range(table.rows)) == 768
    turn(panel, VALUES)
    assert panel.tensor.values.isVisible()


def values_of(numbers: Sequence[Sequence[float]], missing: Sequence[Sequence[bool]] | None = None) -> Values:
    found = np.array(numbers, np.float64)
    return Values(first_slice(found.shape), found, None if missing is None else np.array(missing))


def test_an_image_tells_what_is_no_number() -> None:
    nan, inf = float("nan"), float("inf")
    found = picture(values_of([[0, 1, nan], [inf, 0.5, 9]], [[False] * 3, [False, False, True]]))
    assert (found.low, found.high) == (0, 1)
    assert found.holds(INFINITE)
    assert found.holds(NOT_FINITE)
    assert found.codes.tolist() == [[FIRST, 255, NOT_FINITE], [INFINITE, 129, NOT_FINITE]]
    flat = picture(values_of([[3, 3]]))
    assert (flat.low, flat.high) == (3, 3)
    assert len(set(flat.codes.reshape(-1).tolist())) == 1
    wide = picture(values_of([[-1e308, 1e308]]))
    assert wide.codes.tolist() == [[FIRST, 255]]
    assert picture(values_of([[nan]])).codes.tolist() == [[NOT_FINITE]]


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("shape", [(1, 1), (3, 2000), (2000, 3), (40, 40)])
def test_images_of_any_proportion_are_drawn_inside(qapp: object, theme: object, shape: tuple[int, int]) -> None:
    values = values_of(np.arange(shape[0] * shape[1]).reshape(shape).tolist())
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.magenta)
    with QPainter(image) as painter:
        draw_whole(painter, QRectF(0, 0, 300, 200), ImageScene(values, picture(values)), Look(theme=theme))  # type: ignore[arg-type]
    assert image.pixel(299, 199) == image.pixel(150, 199)
    assert image.pixel(9, 9) != image.pixel(299, 199)


def test_bars_with_anything_in_them_are_seen() -> None:
    found = summary(lambda: [np.array([1.0] * 10_000 + [2.0])])
    plain, log = (ValuesPicture(found, log).chart(Look()) for log in (False, True))
    assert [bar.high / plain.y.high for bar in plain.bars] == [1, 1e-4]
    assert 0.05 < log.bars[1].high / log.y.high < 0.1
    assert [tick.quiet for tick in log.y.named] == ["0", "9", "99", "999", "10,000"]
    image = QImage(300, 120, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        scene, metrics = ChartScene(plain, ChartPainter()), QFontMetricsF(painter.font(), image)
        layout = scene.lay_out(QRectF(0, 0, 300, 120), scene.whole(), Look(), metrics)
        scene.draw(painter, layout, Look())
    last = round(layout.plot.right()) - 3
    assert image.pixel(last, round(layout.plot.bottom()) - 1) != 0xFFFFFFFF


def test_the_histogram_names_a_bar(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, ramp(tmp_path / "r.popef", (2, 5), "<i4", S32))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    turn(panel, HISTOGRAM)
    found = panel.tensor.histogram.summary
    assert found is not None
    assert words.bins(found, 3) == "3 to 4: 1 value (10.0 % of the finite ones)"
    QTest.mouseClick(panel.tensor.bar.log, Qt.MouseButton.LeftButton)
    assert panel.tensor.histogram.log
    chart = panel.tensor.histogram.chart
    assert chart is not None
    assert chart.about(3) == words.bins(found, 3)


# -- bytes ------------------------------------------------------------------------------------------------


def test_lines_of_bytes() -> None:
    line = hex_line(16, bytes(range(0x40, 0x50)), 8)
    assert line == ("00000010", "40 41 42 43 44 45 46 47  48 49 4a 4b 4c 4d 4e 4f", "@ABCDEFGHIJKLMNO", ())
    assert hex_line(0, b"\0a\x7f\xff", 8) == ("00000000", "00 61 7f ff", "·a··", ())
    assert (lines_of(0, 16), lines_of(1, 16), lines_of(17, 16)) == (0, 1, 2)
    assert (digits_of(0), digits_of(2**32), digits_of(2**32 + 1)) == (8, 8, 9)
    assert letters_of(100, 16) == 10 + 50 + 2 + 16


def test_bytes_are_read_where_they_are_looked_at(qtbot: QtBot, tmp_path: Path) -> None:
    content = np.arange(100_000, dtype="<u4").tobytes()
    panel, context = shown(qtbot, written(tmp_path / "b.popef", popef.opaque("o", "e", content)))
    select(context, "blob", 0)
    panel._refresh.now()
    view = panel.bytes.hex
    qtbot.waitUntil(lambda: bool(view.lines()[0].bytes))
    assert len(view._content) < len(content) / 2
    QTest.keyClick(view, Qt.Key.Key_End)
    qtbot.waitUntil(lambda: bool(view.lines()[-1].bytes))
    assert view.lines()[-1].bytes.endswith("9f 86 01 00")
    QTest.keyClick(view, Qt.Key.Key_Home)
    qtbot.waitUntil(lambda: view.lines()[0].bytes.startswith("00 00 00 00"))
    panel.resize(1200, 400)
    assert view._width == 16
    panel.resize(420, 400)
    assert view._width == 8


# -- saving -----------------------------------------------------------------------------------------------


def test_a_tensor_is_saved_as_a_numpy_file(qtbot: QtBot, tmp_path: Path) -> None:
    panel, context = shown(qtbot, ramp(tmp_path / "r.popef", (2, 3)))
    select(context, "tensor", 0)
    settled(qtbot, panel)
    target = tmp_path / "out"
    QTest.mouseClick(panel.tensor.bar.save, Qt.MouseButton.LeftButton)
    save_as(qtbot, target)
    settled(qtbot, panel)
    np.testing.assert_array_equal(np.load(tmp_path / "out.npy"), [[0, 1, 2], [3, 4, 5]])
    assert panel.tensor.bar.note.text() == "Saved out.npy."
    panel.tensor.save_as(tmp_path / "no" / "such.npy")
    settled(qtbot, panel)
    assert "could not be saved: No such file or directory" in panel.tensor.bar.note.text()


def test_a_feed_is_saved_whole(qtbot: QtBot, tmp_path: Path) -> None:
    content = np.arange(12, dtype="<f2")
    profile = written(tmp_path / "f.popef", popef.feed("f", (2, 2), F16, 3, content.tobytes()))
    panel, context = shown(qtbot, profile)
    select(context, "tensor", 0)
    settled(qtbot, panel)
    panel.tensor.bar.number_field.setValue(2)
    settled(qtbot, panel)
    panel.tensor.save_as(tmp_path / "f.npy")
    settled(qtbot, panel)
    np.testing.assert_array_equal(np.load(tmp_path / "f.npy"), content.reshape(3, 2, 2))


@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("most", [0, 1, 3, 7, 1000])
def test_counts_of_the_histogram_stand_at_their_own_height(most: int, log: bool) -> None:
    for share, count in count_ticks(most, log=log):
        wanted = math.log1p(count) / math.log1p(most) if log and most else count / (most or 1)
        assert share == pytest.approx(wanted)


def test_edges_of_the_histogram_are_told_apart() -> None:
    edges = np.linspace(1000.0, 1000.5, 11)
    texts = [edge_text(edges, number) for number in range(len(edges))]
    assert len(set(texts)) == len(texts)
    assert texts[:3] == ["1000", "1000.05", "1000.1"]
