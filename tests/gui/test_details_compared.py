"""Details of a thing say how it differs from its partner in the baseline."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.details import ALONE, SAME, DetailsPanel
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.widgets.context import Context
from generators.timeline_pairs import inserted, lanes, profile, slower


def page(qtbot: QtBot, context: Context, before: Profile, after: Profile, kind: Kind, index: int) -> str:
    """The text of the page of a thing, once all of it is there."""
    document = context.document
    entries = [document.add(one, job) for job, one in enumerate((before, after), 1)]
    for entry in entries:
        document.finish(entry)
    document.baselines.set(entries[1], entries[0])
    panel = DetailsPanel(context)
    qtbot.addWidget(panel)
    panel.resize(400, 700)
    panel.show()
    document.selection.set(Selection(kind, (index,)))
    QApplication.processEvents()
    qtbot.waitUntil(lambda: not (panel._comparing.busy or panel._links.isActive()))
    return panel.copy_text()


def test_a_slower_slice_says_before_after_and_difference(qtbot: QtBot, context: Context) -> None:
    text = page(qtbot, context, profile(lanes()), profile(slower(1, 4)), "slice", 16)
    assert "Compared with the baseline: Slices" in text
    assert "Duration\t8.00 µs → 8.80 µs (+800 ns, +10.0 %)" in text
    assert "End\t148 µs → 148.8 µs" in text
    assert "Matched by\tsame key" in text


def test_a_thing_without_a_partner_says_so(qtbot: QtBot, context: Context) -> None:
    assert ALONE in page(qtbot, context, profile(lanes()), profile(inserted(2, 5)), "slice", 29)


def test_what_is_the_same_says_so(qtbot: QtBot, context: Context) -> None:
    text = page(qtbot, context, profile(lanes()), profile(inserted(2, 5)), "lane", 0)
    assert SAME in text
    assert "Duration" not in text
