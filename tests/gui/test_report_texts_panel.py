"""The panel of text summaries."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.formats.collect import read
from app.formats.registry import plan
from app.panels.registry import PANELS
from app.panels.report_texts.panel import ReportTextsPanel
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from generators import poplar, poplar_beside


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Profile:
    folder = tmp_path_factory.mktemp("report")
    poplar.write_pair(folder, poplar.Scale(compute_sets=4))
    (folder / "graph.txt").write_text(poplar_beside.TEXT)
    (folder / "execution.txt").write_text(poplar_beside.RUN)
    jobs, _ = plan([Path(folder)])
    (profile,) = read(jobs[0].format, jobs[0].paths)
    return profile


def panel_of(qtbot: QtBot, profile: Profile) -> ReportTextsPanel:
    document = Document()
    panel = ReportTextsPanel(Context(document, Display()))
    qtbot.addWidget(panel)
    panel.resize(600, 300)
    panel.show()
    document.finish(document.add(profile, 1))
    QApplication.processEvents()
    panel._refresh.now()
    return panel


def test_it_is_offered_where_there_are_texts(profile: Profile) -> None:
    spec = next(spec for spec in PANELS if spec.id == "texts")
    assert spec.offered(profile)
    assert not spec.offered(replace(profile, texts=None))


def test_each_text_is_shown_as_it_was_printed(qtbot: QtBot, profile: Profile) -> None:
    panel = panel_of(qtbot, profile)
    assert isinstance(panel, Tabular)
    assert [panel.chooser.itemText(place) for place in range(panel.chooser.count())] == ["execution.txt", "graph.txt"]
    items = panel.table.view.items
    shown = [str(items.index(row, 1).data()) for row in range(items.rowCount())]
    assert shown == poplar_beside.RUN.splitlines()
    panel.chooser.setCurrentIndex(1)
    table = panel.shown_table()
    assert table is not None
    assert table.id == "text/graph.txt"
    panel.table.field.setText("vertices")
    assert panel.shown_rows() is not None
    assert len(panel.shown_rows()) == 1  # type: ignore[arg-type]
    assert not panel.grab().isNull()


def test_without_texts_it_says_why(qtbot: QtBot, profile: Profile) -> None:
    panel = panel_of(qtbot, replace(profile, texts=None))
    assert "no text summaries" in panel.stack.empty.text
    assert panel.shown_table() is None
    assert len(panel.selected_rows()) == 0
