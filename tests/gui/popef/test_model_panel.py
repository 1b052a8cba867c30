"""Program flow, metadata, programs and options of a model; the chooser where there are several."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from app.analysis.popef.flow import flow
from app.panels.model.draw import lay_out
from app.panels.model.panel import OPTIONS, PROGRAMS, ModelPanel
from app.panels.model.plots import PLOTS
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.look import LIGHT
from app.widgets.context import Context
from app.widgets.sheet import Link, Sheet
from fakes.popef_files import context_of, select, written
from generators import popef


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_of(written(tmp_path / "model.popef", *popef.guide_blobs()))


def two_models(path: Path) -> Profile:
    models = [
        popef.metadata(
            popef.Model(name, (popef.Anchor(f"of {name}"),), engine=(("o", name),), flow=((), (number,), ()))
        )
        for number, name in enumerate(("A", "B"))
    ]
    return written(path, *models, popef.executable("A", b"x"), popef.opaque("torch", "A", b"yy"))


def shown(qtbot: QtBot, context: Context) -> ModelPanel:
    panel = ModelPanel(context)
    qtbot.addWidget(panel)
    panel.resize(560, 400)
    with qtbot.waitExposed(panel):
        panel.show()
    return panel


def page(panel: ModelPanel) -> Sheet:
    sheet = panel.facts.widget()
    assert isinstance(sheet, Sheet)
    return sheet


def click_link(panel: ModelPanel, text: str) -> None:
    link = next(link for link in page(panel).findChildren(Link) if link.text().startswith(text))
    QTest.mouseClick(link, Qt.MouseButton.LeftButton)


def selected(context: Context) -> Selection | None:
    return context.document.selection.value


def place_of(panel: ModelPanel, title: str) -> QPointF:
    layout = lay_out(QRectF(panel.flow.rect()), panel.flow.rows, QFontMetricsF(panel.flow.font(), panel.flow))
    return next(box.place.center() for box in layout.boxes if box.text == title)


def test_every_field_of_the_metadata_is_told(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    assert panel.models.isHidden()
    text = page(panel).text
    for line in (
        "Executable 3284579348837926701",
        "Runs\tinference",
        "Replication factor\t1",
        "IPUs\t1",
        "IPU version\t2",
        "Processes\t1",
        "Pod\tno or not stated",
        "Device iterations\t1",
        "Seed handle\tnone",
    ):
        assert line in text


def test_programs_and_options_are_tables(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    QTest.mouseClick(panel.choice.button(PROGRAMS), Qt.MouseButton.LeftButton)
    assert panel.programs.isVisible()
    programs, options = panel.programs.shown_table(), panel.options.shown_table()
    assert programs is not None
    assert options is not None
    assert programs.rows == 10
    assert [options.columns[1].value(row) for row in range(options.rows)] == [
        name for name, _ in popef.guide_model().engine
    ]
    QTest.mouseClick(panel.choice.button(OPTIONS), Qt.MouseButton.LeftButton)
    assert panel.options.isVisible()


def test_a_program_selects_the_anchors_that_use_it(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    QTest.mouseClick(panel.flow, Qt.MouseButton.LeftButton, pos=place_of(panel, "5 Program").toPoint())
    assert selected(context) == Selection("anchor", (0, 2), "model")
    assert panel.flow.marked == {5}
    QTest.keyClick(panel.flow, Qt.Key.Key_Right)
    assert selected(context) == Selection("anchor", (3,), "model")
    QTest.keyClick(panel.flow, Qt.Key.Key_Left)
    QTest.keyClick(panel.flow, Qt.Key.Key_Left)
    assert selected(context) is None  # no anchor uses the program that loads the optimiser
    assert panel.flow.describe(QPointF(-1, -1)) == ""
    assert panel.flow.describe(place_of(panel, "7 WeightsToHost")).splitlines() == [
        "Program 7: WeightsToHost",
        "save: to read data back",
        "1 anchor uses it",
    ]


def test_a_selected_anchor_marks_its_programs(qtbot: QtBot, context: Context) -> None:
    panel = shown(qtbot, context)
    select(context, "anchor", 1)
    assert set(panel.flow.marked) == {0}
    select(context, "blob", 1)
    assert not panel.flow.marked


def test_links_lead_to_the_blobs(qtbot: QtBot, tmp_path: Path) -> None:
    context = context_of(two_models(tmp_path / "two.popef"))
    panel = shown(qtbot, context)
    click_link(panel, "Executable blob")
    assert selected(context) == Selection("blob", (2,), "model")
    click_link(panel, "Opaque data of torch")
    assert selected(context) == Selection("blob", (3,), "model")
    click_link(panel, "Metadata blob")
    assert selected(context) == Selection("blob", (0,), "model")


def test_the_chooser_writes_the_selection_and_follows_it(qtbot: QtBot, tmp_path: Path) -> None:
    context = context_of(two_models(tmp_path / "two.popef"))
    panel = shown(qtbot, context)
    assert panel.models.isVisible()
    assert [panel.models.itemText(row) for row in range(2)] == ["1: A", "2: B"]
    panel.models.setCurrentIndex(1)
    panel.models.activated.emit(1)
    assert selected(context) == Selection("blob", (1,), "model")
    assert "These files do not contain it" in page(panel).text
    assert [step.program for step in panel.flow.rows[1].steps] == [1]
    options = panel.options.shown_table()
    assert options is not None
    assert [column.value(0) for column in options.columns] == ["engine", "o", "B"]
    select(context, "anchor", 0)
    assert panel.row == 0
    select(context, "blob", 1)
    assert panel.row == 1
    select(context, "blob", 3)  # opaque data of A have no metadata of their own: the model stays
    assert panel.row == 1


def test_without_metadata_the_executables_are_named(qtbot: QtBot, tmp_path: Path) -> None:
    context = context_of(written(tmp_path / "e.popef", popef.executable("lonely", b"x")))
    panel = shown(qtbot, context)
    assert "No metadata" in page(panel).text
    assert panel.flow.isHidden()
    click_link(panel, "Executable lonely")
    assert selected(context) == Selection("blob", (0,), "model")


def test_metadata_that_say_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    panel = shown(qtbot, context_of(written(tmp_path / "m.popef", popef.metadata(popef.Model()))))
    assert panel.programs.stack.is_empty
    assert panel.options.stack.empty.text == "The metadata contain no engine or device options."
    assert not lay_out(QRectF(0, 0, 500, 100), panel.flow.rows, QFontMetricsF(panel.font())).boxes


def test_another_profile_replaces_the_model(qtbot: QtBot, context: Context, tmp_path: Path) -> None:
    panel = shown(qtbot, context)
    context.document.add(two_models(tmp_path / "two.popef"), 2)
    qtbot.waitUntil(lambda: panel.models.count() == 2)
    assert "Executable A" in page(panel).text
    context.document.add(written(tmp_path / "e.popef", popef.executable("lonely", b"x")), 3)
    qtbot.waitUntil(lambda: panel.row == -1)
    assert "No metadata" in page(panel).text


def test_a_long_flow_stays_on_its_line(qtbot: QtBot, tmp_path: Path) -> None:
    profile = written(tmp_path / "l.popef", popef.metadata(popef.Model(flow=((), range(5000), ()))))
    assert profile.model is not None
    widget = QWidget()
    qtbot.addWidget(widget)
    metrics = QFontMetricsF(widget.font())
    for width in (120, 500, 100_000):
        layout = lay_out(QRectF(0, 0, width, 100), flow(profile.model, 0), metrics)
        assert len(layout.boxes) >= 1
        left = 5000 - len(layout.boxes)
        assert [text for _, text in layout.more] == [f"and {left:,} more"]
        assert all(box.place.right() <= width for box in layout.boxes[1:])


def test_the_exported_picture_shows_every_model(tmp_path: Path, qapp: object) -> None:
    profile = two_models(tmp_path / "two.popef")
    assert PLOTS[0].offered(profile)
    assert not PLOTS[0].offered(written(tmp_path / "e.popef", popef.executable("e", b"x")))
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.white)
    with QPainter(image) as painter:
        PLOTS[0].draw(painter, QRectF(0, 0, 400, 300), profile, LIGHT)
    painted = [any(image.pixel(x, y) != 0xFFFFFFFF for x in range(400)) for y in range(300)]
    assert any(painted[:100])
    assert any(painted[120:])


def test_executables_that_nothing_describes_are_named_too(qtbot: QtBot, tmp_path: Path) -> None:
    spare = [popef.executable(f"spare {number}", b"x") for number in range(60)]
    panel = shown(qtbot, context_of(written(tmp_path / "m.popef", *popef.guide_blobs(), *spare)))
    text = page(panel).text
    assert "Executables without metadata" in text
    assert len([link for link in page(panel).findChildren(Link) if link.text().startswith("Executable spare")]) == 50
    assert "and 10 more" in text
