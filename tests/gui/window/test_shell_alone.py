"""A panel that is of use without a file: by itself, until a profile comes or it is closed."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.formats.collect import read
from app.formats.poplar import FORMAT
from app.panels.registry import SPECS
from app.window.commands.tools import SCALING
from app.window.main_window import MainWindow
from fakes.shell import PANELS, ascend, make_window
from generators.poplar_replicas import Replicas, write


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = make_window(panels=(*PANELS, SPECS["scaling"]))
    qtbot.addWidget(made)
    with qtbot.waitExposed(made):
        made.show()
    return made


def run(window: MainWindow, name: str) -> None:
    command = window.actions_.commands[name]
    assert command.enabled(window)
    command.run(window)


def test_it_stands_alone_until_it_is_closed(window: MainWindow) -> None:
    run(window, "tools.scaling")
    docks = window.prepare()
    assert not window.start_shown
    assert [dock.spec.id for dock in docks.shown()] == [SCALING]
    assert docks.docks[SCALING].filled
    docks.docks[SCALING].close()
    assert window.start_shown


def test_the_start_page_comes_back_on_wish(window: MainWindow) -> None:
    seen = []
    for name in ("tools.scaling", "help.start", "tools.scaling"):
        run(window, name)
        seen.append(window.start_shown)
    assert seen == [False, True, False]


def test_a_profile_takes_its_own_arrangement(window: MainWindow) -> None:
    run(window, "tools.scaling")
    window.document.finish(window.document.add(ascend(), 1))
    docks = window.prepare()
    assert SCALING not in docks.offered
    assert "timeline" in docks.offered
    assert not window.actions_.commands["tools.scaling"].enabled(window)
    assert window.settings.value.arrangements == {}


def test_with_a_poplar_profile_it_comes_to_the_front(window: MainWindow, tmp_path: Path) -> None:
    profile = read(FORMAT, [write(tmp_path, Replicas())])[0]
    window.document.finish(window.document.add(profile, 1))
    docks = window.prepare()
    docks.toggle(SCALING)
    closed = docks.docks[SCALING].isHidden()
    run(window, "tools.scaling")
    assert closed
    assert not docks.docks[SCALING].isHidden()
    assert docks.docks["timeline"].isHidden() is False
