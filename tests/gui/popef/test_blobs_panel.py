"""The strip of blobs: where each lies, what it shows where there is no room, and selection both ways."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from app.panels.blobs.panel import BlobsPanel
from app.panels.blobs.strip import PLOTS, StripLayout, legend
from app.profile.popef import Blobs
from app.profile.selection import Selection
from app.profile.strings import Strings
from app.views.blobs import Filling, dwarfed, filling, pixels
from app.views.look import DARK
from app.widgets.context import Context
from fakes.popef_files import context_of, read, select, written
from generators import popef, popef_network


def blobs_of(sizes: list[int], types: list[int] | None = None, files: list[int] | None = None) -> Blobs:
    count = len(sizes)
    ids = np.zeros(count, np.int32)
    size = np.array(sizes, np.int64)
    return Blobs(
        Strings.of(["name"]),
        ids if files is None else np.array(files, np.int32),
        np.cumsum(size) - size,
        np.full(count, 2, np.int32) if types is None else np.array(types, np.int32),
        *(ids, ids, ids),
        size,
        *(np.zeros(count, np.int64),) * 3,
    )


# -- where blobs lie --------------------------------------------------------------------------------------


def test_by_bytes_blobs_are_as_wide_as_they_are_large() -> None:
    strip = filling(blobs_of([10, 30, 60]), compact=False)
    assert strip.edges.tolist() == [0, 10, 40, 100]
    assert [strip.at(place) for place in (-1, 0, 9.9, 10, 39, 99, 100, 1000)] == [0, 0, 0, 1, 1, 2, 2, 2]


def test_compact_leaves_room_for_the_small_ones() -> None:
    sizes = [10**10, 64, 1024]
    assert dwarfed(blobs_of(sizes))
    assert not dwarfed(blobs_of([50, 50]))
    assert not dwarfed(blobs_of([50]))
    strip = filling(blobs_of(sizes), compact=True)
    widths = np.diff(strip.edges) / strip.size
    assert widths.min() > 0.1
    assert widths.argmax() == 0


@given(
    st.lists(st.integers(1, 50), min_size=1, max_size=40),
    st.integers(1, 60),
    st.tuples(st.floats(0, 0.9), st.floats(0.05, 1)),
)
def test_each_pixel_shows_the_largest_blob_in_it(sizes: list[int], width: int, view: tuple[float, float]) -> None:
    strip = filling(blobs_of(sizes), compact=False)
    start = view[0] * strip.size
    end = min(start + max(view[1] * strip.size, 1.0), strip.size)
    found = pixels(strip, start, end, width)
    places = np.linspace(start, end, width + 1)
    for column, (left, right) in enumerate(pairwise(places)):
        inside = [b for b in range(len(sizes)) if strip.edges[b] < right and strip.edges[b + 1] > left]
        assert found.many[column] == len(inside)
        assert sizes[found.blob[column]] == max(sizes[b] for b in inside)


def test_borders_are_shown_where_there_is_room_for_them() -> None:
    strip = filling(blobs_of([30, 1, 1, 30]), compact=False)
    assert np.flatnonzero(pixels(strip, 0, strip.size, 62).border).tolist() == [32]
    assert np.flatnonzero(pixels(strip, 0, strip.size, 620).border).tolist() == [300, 310, 320]


def test_a_million_blobs_are_a_matter_of_pixels() -> None:
    strip = filling(blobs_of([7] * 1_000_000), compact=False)
    found = pixels(strip, 0, strip.size, 1000)
    assert found.many.min() >= 1000
    assert not found.border.any()


def test_the_legend_counts_unknown_types_together() -> None:
    strip = filling(blobs_of([50, 25, 15, 10], [2, 0, 7, 9]), compact=False)
    assert [text for _, text in legend(strip)] == ["tensor 50.0 %", "unknown type 25.0 %", "executable 25.0 %"]


# -- the panel --------------------------------------------------------------------------------------------


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_of(written(tmp_path / "model.popef", *popef.guide_blobs()))


@pytest.fixture
def panel(qtbot: QtBot, context: Context) -> BlobsPanel:
    return shown(qtbot, context)


def shown(qtbot: QtBot, context: Context) -> BlobsPanel:
    panel = BlobsPanel(context)
    qtbot.addWidget(panel)
    panel.resize(600, 400)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def middle_of(panel: BlobsPanel, blob: int) -> QPointF:
    layout: StripLayout = panel.strip.layout_now()
    return layout.box(*shown_strip(panel).ends(blob)).center()


def shown_strip(panel: BlobsPanel) -> Filling:
    assert panel.strip.scene is not None
    return panel.strip.scene.strip


def test_a_click_on_the_strip_selects_in_the_table(qtbot: QtBot, panel: BlobsPanel, context: Context) -> None:
    QTest.mouseClick(
        panel.strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, middle_of(panel, 2).toPoint()
    )
    assert context.document.selection.value == Selection("blob", (2,), "blobs/strip")
    assert panel.table.selected_rows().tolist() == [2]
    QTest.mouseClick(
        panel.strip, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.ControlModifier, middle_of(panel, 0).toPoint()
    )
    assert panel.table.selected_rows().tolist() == [0, 2]
    assert sorted(panel.strip.selected) == [0, 2]


def test_a_row_of_the_table_is_marked_on_the_strip(qtbot: QtBot, panel: BlobsPanel, context: Context) -> None:
    panel.table.view.selectRow(3)
    assert context.document.selection.value == Selection("blob", (3,), "blobs")
    assert sorted(panel.strip.selected) == [3]


def test_what_is_selected_elsewhere_is_marked(panel: BlobsPanel, context: Context) -> None:
    select(context, "tensor", 0)
    assert sorted(panel.strip.selected) == [3]
    select(context, "anchor", 0)
    assert sorted(panel.strip.selected) == [0, 1]
    context.document.selection.clear()
    assert sorted(panel.strip.selected) == []


def test_the_pointer_hovers_in_both(qtbot: QtBot, panel: BlobsPanel, context: Context) -> None:
    QTest.mouseMove(panel.strip, middle_of(panel, 1).toPoint())
    qtbot.waitUntil(lambda: context.document.hover.value == Selection("blob", (1,), "blobs/strip"))
    assert panel.table.view.cell_delegate.hovered == 1
    text = panel.strip.describe(middle_of(panel, 1))
    assert text.startswith("POPLAR_EXECUTABLE 3284579348837926701\n126 B")
    context.document.hover.set(Selection("blob", (3,), "elsewhere"))
    assert panel.strip.marks.item == 3


def test_zoom_fit_back_and_stepping(qtbot: QtBot, panel: BlobsPanel, context: Context) -> None:
    strip = panel.strip
    assert strip.history is not None
    select(context, "blob", 3)
    strip.focus_selection()
    assert strip.history.view.x.width < strip.history.view.x.size / 4
    strip.back()
    assert strip.history.view.x.width == strip.history.view.x.size
    strip.forward()
    strip.fit()
    assert strip.history.view.x.width == strip.history.view.x.size
    strip.step_item(-1)
    assert context.document.selection.value == Selection("blob", (2,), "blobs/strip")
    strip.zoom(8)
    before = strip.history.view
    strip.pan(0.5)
    assert strip.history.view != before
    strip.step_item(1)
    strip.step_item(1)
    assert sorted(strip.selected) == [3]


def is_compact(panel: BlobsPanel) -> bool:
    return panel.strip.scene is not None and panel.strip.scene.strip.compact


def test_compact_is_the_first_picture_where_one_blob_dwarfs_the_rest(qtbot: QtBot, tmp_path: Path) -> None:
    context = context_of(written(tmp_path / "a.popef", popef.executable("e", bytes(200_000)), *popef.guide_blobs()))
    panel = shown(qtbot, context)
    assert panel.compact.isChecked()
    assert is_compact(panel)
    QTest.mouseClick(panel.compact, Qt.MouseButton.LeftButton)
    assert not is_compact(panel)
    context.document.add(written(tmp_path / "b.popef", *popef.guide_blobs()), 2)
    qtbot.waitUntil(lambda: panel.strip.scene is not None and len(panel.strip.scene.strip) == 4)
    assert not panel.compact.isChecked()


def test_several_files_stand_one_behind_the_other(qtbot: QtBot, tmp_path: Path) -> None:
    first = popef.write(tmp_path / "a.popef", popef.guide_blobs()[:3])
    second = popef.write(tmp_path / "b.popef", popef.guide_blobs()[3:])
    panel = shown(qtbot, context_of(read(first, second)))
    assert shown_strip(panel).files == ((0, 0), (1, 3))
    assert panel.strip.sizeHint().height() > shown(qtbot, context_of(read(first))).strip.sizeHint().height()


def test_nothing_open_and_nothing_whole(qtbot: QtBot, tmp_path: Path) -> None:
    empty = shown(qtbot, context_of(None))
    assert empty.strip.scene is None
    profile = written(tmp_path / "a.popef", *popef.guide_blobs())
    assert PLOTS[0].offered(profile)


def test_the_exported_picture_is_drawn_by_the_same_code(tmp_path: Path) -> None:
    profile = written(tmp_path / "a.popef", *popef_network.blobs())
    image = QImage(600, 100, QImage.Format.Format_RGB32)
    image.fill(0)
    with QPainter(image) as painter:
        PLOTS[0].draw(painter, QRectF(0, 0, 600, 100), profile, DARK)
    colours = {image.pixel(x, 30) for x in range(10, 590, 3)}
    assert len(colours) >= 5


def test_filling_has_an_edge_for_each_blob_and_one_more() -> None:
    strip: Filling = filling(blobs_of([0, 5], [99, 0]), compact=False)
    assert len(strip.edges) == len(strip) + 1 == 3
    assert strip.edges[1] > 0
