"""Names, paths and messages of strangers in what the shell itself says: title, tabs, jobs, notices, search, menus."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.document.loader import JobState
from app.views.texts import LINE, PAGE, PARAGRAPH, shown_line
from app.widgets.dialogs import MessageBox
from app.window.main_window import MainWindow
from fakes.shell import ascend, loader_of
from fakes.text_sinks import is_strange, texts_of, watch

MARKUP = '<img src="zero"><h1>&lt;b&gt;'
LONG = "x" * 20_000_000


def fill(qtbot: QtBot, window: MainWindow, name: str) -> None:
    window.document.finish(window.document.add(ascend(name), job=1))
    loader_of(window).fail(f"/data/{name}.json", f"{name} is not a profile")
    window.footer.showMessage(shown_line(name))
    loader_of(window).tell(*(JobState(number, name, (Path(f"/data/{name[:4000]}"),)) for number in (1, 2)))
    window.settings.update(recent=(f"/data/{name[:3000]}.json", "/data/b.json"))
    window.omnibox.setText("img")
    window.omnibox.refresh()
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
    window.grab()
    lookup = window.omnibox._lookup
    qtbot.waitUntil(lambda: not lookup.busy and not lookup._later.isActive(), timeout=30_000)


@pytest.mark.parametrize("name", [MARKUP, LONG], ids=["markup", "long"])
def test_the_shell_shows_names_plain_and_short(
    name: str, window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = watch(monkeypatch)
    fill(qtbot, window, name)
    told = list(texts_of(window))
    assert given.rich == set()
    assert [where for where, text, guessed in told if guessed and is_strange(text)] == []
    assert [where for where, text, _ in told if len(text) > 8 * PARAGRAPH] == []
    assert given.too_long(lambda where: PAGE if "PlainTextEdit" in where else 8 * PARAGRAPH) == {}
    assert len(window.windowTitle()) < LINE


def test_the_whole_message_can_be_copied(window: MainWindow) -> None:
    loader_of(window).fail("/data/a.json", LONG)
    assert window.notices.text.endswith(LONG)
    assert len(window.notices.lines.toPlainText()) < PAGE


def test_questions_are_plain_text(qtbot: QtBot) -> None:
    box = MessageBox()
    qtbot.addWidget(box)
    box.setText(MARKUP + LONG)
    box.setInformativeText(MARKUP + LONG)
    assert not any(guessed and is_strange(text) for _, text, guessed in texts_of(box))
    assert max(len(text) for _, text, _ in texts_of(box)) <= PARAGRAPH
