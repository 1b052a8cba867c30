"""Figures beside those of a baseline: columns that line up, and labels that stand above where it is narrow."""

from __future__ import annotations

from pytestqt.qtbot import QtBot

from app.views.pages.document import Line, Section
from app.widgets.display import Display
from app.widgets.sheet import Sheet
from app.widgets.texts import Label, Readout

HEADS = (("A", ""), ("B", ""), ("Δ", ""), ("Δ (%)", ""))
SECTION = Section(
    "Memory",
    (
        Line("Memory of all tiles together", "1,234", compared=("234", "+1,000", "+427 %")),
        Line("Tiles", "2", compared=("2", "", "")),
        Line("Target", "IPU_MODEL of the second generation"),
    ),
)


def test_labels_stand_above_their_figures_where_there_is_no_room(qtbot: QtBot) -> None:
    sheet = Sheet(Display())
    qtbot.addWidget(sheet)
    sheet.show_compared([SECTION], HEADS)
    sheet.end()
    by_text = {figure.text: figure for figure in sheet.findChildren(Readout)}
    (label,) = [own for own in sheet.findChildren(Label) if own.text().startswith("Memory of")]
    sheet.resize(600, 300)
    sheet.show()
    qtbot.waitUntil(lambda: label.y() == by_text["1,234"].y())
    rights = {by_text[text].geometry().right() for text in ("234", "B")}
    assert len(rights) == 1
    sheet.resize(260, 300)
    qtbot.waitUntil(lambda: label.y() < by_text["1,234"].y())
    assert by_text["1,234"].geometry().right() < by_text["234"].geometry().left()
    assert by_text["+427 %"].geometry().right() < sheet.width()
    assert sheet.text.splitlines() == [
        "\tA\tB\tΔ\tΔ (%)",
        "Memory",
        "Memory of all tiles together\t1,234\t234\t+1,000\t+427 %",
        "Tiles\t2\t2\t\t",
        "Target\tIPU_MODEL of the second generation",
    ]
