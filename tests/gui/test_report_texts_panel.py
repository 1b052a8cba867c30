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
from app.panels.report_texts import ReportTextsPanel
from app.profile.profile import Profile
from app.widgets.context import Context
from app.widgets.display import Display
from app.widgets.tabular import Tabular
from fakes.poplar_pairs import compare, end
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


def test_with_a_baseline_it_shows_the_lines_that_differ(qtbot: QtBot, profile: Profile, tmp_path: Path) -> None:
    poplar.write_pair(tmp_path, poplar.Scale(compute_sets=4))
    (tmp_path / "graph.txt").write_text(poplar_beside.TEXT + "planted by hand\n")
    jobs, _ = plan([tmp_path])
    (after,) = read(jobs[0].format, jobs[0].paths)
    panel = panel_of(qtbot, after)
    compare(panel.context.document, panel, profile)
    view = panel.table.view
    qtbot.waitUntil(lambda: "status" in {column.key for column in view.items.table.columns})
    table = view.items.table
    texts = {column.key: column for column in table.columns}
    assert [texts["text"].value(row) for row in range(table.rows)] == ["planted by hand"]
    assert texts["status"].value(0) == "only in the comparison"
    end(panel.context.document, panel)
    assert "status" not in {column.key for column in view.items.table.columns}
