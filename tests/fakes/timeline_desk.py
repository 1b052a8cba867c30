"""A timeline panel on a document of its own."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.document.document import Document
from app.panels.timeline.panel import TimelinePanel
from app.profile.profile import Origin, Profile
from app.profile.timeline import Timeline
from app.views.timeline.state import Shown
from app.widgets.context import Context
from app.widgets.display import Display
from generators.timelines import timeline, with_flows

LINE = with_flows(
    timeline(
        [
            ("core0", "SCALAR", [[(10.0, 10.0, "ADD", "startup"), (30.0, 20.0, "LOAD", "startup")]]),
            ("core0", "CUBE", [[(20.0, 40.0, "MMAD", "CUBE")], [(25.0, 5.0, "LOAD_2D", "")]]),
            ("core1", "SCALAR", [[(0.0, 100.0, "whole", "startup")]]),
        ]
    ),
    [(0, 2)],
)

PIPES = timeline(
    [
        ("core0", "SCALAR", [[(0.0, 4.0, "ADD", "startup"), (5.0, 4.0, "ADD", "startup")]]),
        ("core0", "MTE2", [[(0.0, 4.0, "MOV", ""), (4.0, 1.0, "SET_FLAG", "")]]),
        ("core0", "VECTOR", [[(5.0, 1.0, "WAIT_FLAG", ""), (6.0, 9.0, "VADD", "")], [(7.0, 8.0, "VMUL", "")]]),
    ]
)


def profile(line: Timeline | None) -> Profile:
    return Profile(name="made up", origin=Origin("ascend-trace", ()), timeline=line)


class Desk:
    """A panel with its document."""

    def __init__(self, qtbot: QtBot) -> None:
        self.document = Document()
        self.display = Display()
        self.context = Context(self.document, self.display)
        self.panel = TimelinePanel(self.context)
        qtbot.addWidget(self.panel)
        self.panel.resize(1000, 420)
        self.panel.show()
        self.qtbot = qtbot

    def open(self, line: Timeline | None = LINE) -> int:
        entry = self.document.add(profile(line), 1)
        self.settle()
        return entry

    def settle(self) -> None:
        QApplication.processEvents()
        self.panel._refresh.now()
        self.qtbot.waitUntil(lambda: not self.panel.canvas.preparation.active)

    @property
    def shown(self) -> Shown:
        assert self.panel.canvas.shown is not None
        return self.panel.canvas.shown
