"""What waits for what, in the window: keys, details, the critical path and estimates."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.panels.details import DetailsPanel
from app.panels.registry import PANELS
from app.panels.timeline.panel import TimelinePanel
from app.profile.selection import Selection
from app.profile.timeline import Timeline
from app.views.timeline.path_lines import drawn_path
from app.widgets.timeline.canvas import TimelineCanvas
from app.window.commands import COMMANDS
from app.window.main_window import MainWindow
from app.window.what_if import WhatIfDialog
from fakes.shell import ascend, make_window
from generators.schedules import as_timeline, flagged, pipeline
from gui.window.conftest import shown

BY_ID = {command.id: command for command in COMMANDS}


def opened(qtbot: QtBot, line: Timeline) -> MainWindow:
    window = shown(qtbot, make_window(panels=PANELS))
    window.document.finish(window.document.add(replace(ascend(), timeline=line), 1))
    qtbot.waitUntil(lambda: canvas_of(window).shown is not None)
    return window


def canvas_of(window: MainWindow) -> TimelineCanvas:
    panel = window.prepare().docks["timeline"].widget()
    assert isinstance(panel, TimelinePanel)
    return panel.canvas


def named(line: Timeline, name: str, turn: int) -> int:
    return int(np.flatnonzero(line.slices.name == line.strings.find(name)[0])[turn])


def run(window: MainWindow, command: str) -> None:
    assert BY_ID[command].enabled(window), command
    BY_ID[command].run(window)


@pytest.fixture
def window(qtbot: QtBot, looks: None) -> MainWindow:
    del looks
    return opened(qtbot, flagged())


def test_keys_walk_and_none_is_lost_when_they_come_fast(window: MainWindow, qtbot: QtBot) -> None:
    line = flagged()
    load, add = named(line, "LOAD", 2), named(line, "VADD", 2)
    selection = window.document.selection
    selection.set(Selection("slice", (add,)))
    run(window, "canvas.previous_linked")
    qtbot.waitUntil(lambda: selection.value is not None and selection.value.first != add)
    run(window, "canvas.previous_linked")
    run(window, "canvas.previous_linked")
    assert selection.value is not None
    assert selection.value.first == load
    for _ in range(3):
        run(window, "canvas.next_linked")
    assert selection.value.first == add


def test_the_end_of_the_walk_is_said(window: MainWindow, qtbot: QtBot) -> None:
    window.document.selection.set(Selection("slice", (named(flagged(), "STORE", 7),)))
    run(window, "canvas.next_linked")
    qtbot.waitUntil(lambda: window.footer.currentMessage() == "No slice is known to wait for this one.")


def test_details_lead_to_what_was_waited_for(window: MainWindow, qtbot: QtBot) -> None:
    window.prepare().bring("details")
    window.document.selection.set(Selection("slice", (named(flagged(), "WAIT_FLAG.MTE2.VECTOR.0", 3),)))
    panel = window.prepare().docks["details"].widget()
    assert isinstance(panel, DetailsPanel)
    qtbot.waitUntil(lambda: "Waited\t1.53 µs for MTE2" in panel.copy_text())
    assert "Waited for: SET_FLAG.MTE2.VECTOR.0" in panel.copy_text()
    assert "Critical path\tnot on it" in panel.copy_text()


def test_the_path_is_marked_and_unmarked(window: MainWindow, qtbot: QtBot) -> None:
    canvas, command = canvas_of(window), BY_ID["times.critical_path"]
    assert command.checked is not None
    run(window, "times.critical_path")
    qtbot.waitUntil(lambda: canvas.path_shown)
    assert command.checked(window)
    scene = canvas.shown.scene() if canvas.shown is not None else None
    assert scene is not None
    assert scene.path is not None
    assert scene.centres is not None
    drawn = drawn_path(scene.path, scene, scene.centres)
    assert len(set(drawn.y.tolist())) == 3
    assert len(drawn.join) == 2
    assert drawn.x0[0] == pytest.approx(scene.x(0.1))
    assert not drawn.works.all()
    image = canvas.grab().toImage()
    wanted = scene.shades.path.lower()
    where = image.devicePixelRatio() * drawn.x0[0] + 4, image.devicePixelRatio() * drawn.y[0]
    assert image.pixelColor(int(where[0]), int(where[1])).name() == wanted
    run(window, "times.critical_path")
    assert not canvas.path_shown


def test_a_long_path_costs_pixels_and_stays_a_line(qtbot: QtBot, looks: None) -> None:
    del looks
    window = opened(qtbot, flagged(5_000))
    canvas = canvas_of(window)
    run(window, "times.critical_path")
    qtbot.waitUntil(lambda: canvas.path_shown)
    assert canvas.shown is not None
    scene = canvas.shown.scene()
    assert scene.path is not None
    assert scene.centres is not None
    assert len(scene.path.start) > 10_000
    drawn = drawn_path(scene.path, scene, scene.centres)
    assert len(drawn.x0) <= scene.body.width
    assert float((drawn.x1 - drawn.x0).sum()) == pytest.approx(scene.body.width, rel=0.05)


def test_without_dependencies_it_says_so(qtbot: QtBot, looks: None) -> None:
    del looks
    window = opened(qtbot, as_timeline([replace(task, after=()) for task in pipeline()]))
    run(window, "times.critical_path")
    qtbot.waitUntil(lambda: "No flags or arrows in the file" in window.notices.text)
    assert not canvas_of(window).path_shown
    window.document.selection.set(Selection("slice", (0,)))
    run(window, "times.what_if_half")
    qtbot.waitUntil(lambda: "what a change would save is unknown" in window.notices.text)


def test_half_the_time_of_a_lane_and_of_a_name(window: MainWindow, qtbot: QtBot) -> None:
    window.document.selection.set(Selection("lane", (0,)))
    run(window, "times.what_if_half")
    qtbot.waitUntil(lambda: "If lane “MTE2” took 50 % of its time: estimated saving" in window.notices.text)
    slices = np.flatnonzero(flagged().slices.name == flagged().strings.find("VADD")[0])
    window.document.selection.set(Selection("slice", tuple(slices.tolist())))
    run(window, "times.what_if_half")
    qtbot.waitUntil(lambda: "If 8 slices named “VADD” took 50 % of its time" in window.notices.text)
    assert "MTE2" not in window.notices.text  # the estimate before is withdrawn
    assert "at most" in window.notices.text


def test_a_wait_has_no_time_of_its_own_to_save(window: MainWindow, qtbot: QtBot) -> None:
    window.document.selection.set(Selection("slice", (named(flagged(), "WAIT_FLAG.MTE2.VECTOR.0", 0),)))
    run(window, "times.what_if_half")
    qtbot.waitUntil(lambda: "Nothing runs in it" in window.notices.text)


def test_the_dialog_follows_its_fields(window: MainWindow, qtbot: QtBot) -> None:
    window.document.selection.set(Selection("slice", (named(flagged(), "LOAD", 0),)))
    run(window, "times.what_if")
    dialog = window.findChild(WhatIfDialog)
    assert isinstance(dialog, WhatIfDialog)
    qtbot.waitUntil(lambda: dialog.answer.text().startswith("If slice “LOAD” took 50 %"))
    dialog.what.setCurrentIndex(1)
    qtbot.waitUntil(lambda: dialog.answer.text().startswith("If all slices named “LOAD” took 50 %"))
    dialog.factor.setValue(200)
    qtbot.waitUntil(lambda: "took 200 % of its time: estimated loss 8.00 µs" in dialog.answer.text())
    dialog.what.setCurrentIndex(2)
    qtbot.waitUntil(lambda: dialog.answer.text().startswith("If lane “MTE2” took 200 %"))
    dialog.reject()
    QApplication.processEvents()
