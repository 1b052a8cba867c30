"""A window with small panels and a loader controlled by the test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QTableWidget, QTableWidgetItem, QVBoxLayout, QWidget

from app.document.document import Document
from app.document.loader import Failure, JobState, Loader
from app.panels.spec import PanelSpec
from app.profile.ascend import Sources
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile
from app.profile.selection import Kind
from app.profile.strings import Strings
from app.profile.timeline import Lanes, Slices, Timeline
from app.widgets.canvas import Canvas
from app.widgets.context import Context
from app.widgets.display import Display
from app.window.main_window import MainWindow
from app.window.settings import SettingsFile


class FakeLoader(Loader):
    """Records requests; jobs are set by the test."""

    def __init__(self, document: Document) -> None:
        super().__init__(document)
        self.asked: list[tuple[Path, ...]] = []
        self.reloaded: list[int] = []
        self.cancelled: list[int] = []
        self.closed = 0
        self.states: list[JobState] = []

    @property
    def jobs(self) -> tuple[JobState, ...]:
        return tuple(self.states)

    @property
    def busy(self) -> bool:
        return bool(self.states)

    def open(self, paths: Sequence[Path]) -> None:
        self.asked.append(tuple(paths))

    def reload(self, entry_id: int) -> None:
        self.reloaded.append(entry_id)

    def cancel(self, job_id: int) -> None:
        self.cancelled.append(job_id)

    def close(self) -> None:
        self.closed += 1
        super().close()

    def tell(self, *states: JobState) -> None:
        self.states = list(states)
        self.jobs_changed.emit()

    def fail(self, name: str, text: str) -> None:
        self.failed.emit(Failure((Path(name),), text))


class FakeCanvas(QWidget, Canvas):
    """Records the events that it receives."""

    held = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told: list[tuple[str, float]] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def zoom(self, factor: float) -> None:
        self.told.append(("zoom", factor))

    def pan(self, fraction: float) -> None:
        self.told.append(("pan", fraction))

    def scroll_rows(self, rows: int) -> None:
        self.told.append(("rows", rows))

    def fit(self) -> None:
        self.told.append(("fit", 0))

    def focus_selection(self) -> None:
        self.told.append(("focus", 0))

    def back(self) -> None:
        self.told.append(("back", 0))

    def forward(self) -> None:
        self.told.append(("forward", 0))

    def step_item(self, direction: int) -> str:
        self.told.append(("step", direction))
        return ""

    def walk(self, across: int, down: int) -> bool:
        return False

    def walk_to_end(self, direction: int) -> None:
        self.told.append(("end", direction))

    def choose(self, *, adding: bool) -> None:
        self.told.append(("choose", int(adding)))

    def selection_to_range(self) -> None:
        self.told.append(("range", 0))

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            for row in range(12):
                for step in range(9):
                    place = QRectF(20 + step * 90 + row % 4 * 17, 16 + row * 24, 50 + (row * step) % 30, 18)
                    painter.fillRect(place, QColor.fromHsv((row * 40) % 360, 150, 200))


class CanvasPanel(QWidget):
    """A canvas below a text field."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.field = QLineEdit(self)
        self.canvas = FakeCanvas(self)
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(self.canvas, 1)


class TablePanel(QTableWidget):
    def __init__(self, context: Context) -> None:
        super().__init__(30, 3)
        self.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for row in range(30):
            for column in range(3):
                self.setItem(row, column, QTableWidgetItem(f"{row}.{column}"))


def label_panel(text: str) -> Callable[[Context], QWidget]:
    def make(context: Context) -> QWidget:
        return QLabel(text)

    return make


def spec(
    name: str, title: str, make: Callable[[Context], QWidget], *sections: str, shows: tuple[Kind, ...] = ()
) -> PanelSpec:
    missing = f"a file with {' or '.join(sections)}"
    return PanelSpec(name, title, lambda: make, sections, missing, f"Shows {title.lower()}.", shows=shows)


PANELS = (
    spec("summary", "Summary", label_panel("summary")),
    spec("timeline", "Timeline", CanvasPanel, "timeline", shows=("slice", "lane")),
    spec("source", "Source", label_panel("source"), "sources"),
    spec("instructions", "Instructions", TablePanel, "sources", "instructions"),
    spec("roofline", "Roofline", label_panel("roofline"), "roofline"),
    spec("tree", "Program tree", label_panel("tree"), "programs"),
    spec("details", "Details", label_panel("details")),
    spec("issues", "Issues", label_panel("issues")),
)


def timeline() -> Timeline:
    """Two lanes: copy (slices 0, 1, 2: load, load, store) and cube (slice 3: matmul), in µs."""
    strings = Strings.of(["core0", "copy", "cube", "load", "store", "matmul"])
    ids = np.array
    return Timeline(
        unit="µs",
        seconds_per_unit=1e-6,
        strings=strings,
        lanes=Lanes(ids([0, 0], np.int32), ids([1, 2], np.int32), ids([0, 1, 2], np.int32)),
        slices=Slices(
            ids([0.0, 20.0, 30.0, 5.0]),
            ids([5.0, 5.0, 4.0, 9.0]),
            ids([3, 3, 4, 5], np.int32),
            ids([3, 3, 4, 5], np.int32),
            ids([0, 1, 2, 3]),
            ids([-1, -1, -1, -1]),
            ids([0, 3, 4]),
        ),
    )


def ascend(name: str = "matmul") -> Profile:
    return Profile(
        name=name,
        origin=Origin("ascend-bin", (Path(f"/data/{name}.bin"),)),
        issues=(Issue("warning", f"{name}.bin: byte 96", "not checked"),),
        timeline=timeline(),
        sources=Sources(Strings.of(["a.cpp"]), Strings.of(["int main() {}\n"])),
    )


def bare(name: str = "resnet50", format_id: str = "poplar") -> Profile:
    return Profile(name=name, origin=Origin(format_id, (Path(f"/data/{name}/graph.json"),)))


def make_window(settings: SettingsFile | None = None, panels: Sequence[PanelSpec] = PANELS) -> MainWindow:
    """A window that is not shown yet; its document and loader are attributes."""
    document = Document()
    window = MainWindow(settings or SettingsFile(), lambda: panels)
    window.fill(FakeLoader(document), document, Display())
    window.resize(1280, 800)
    return window


def loader_of(window: MainWindow) -> FakeLoader:
    assert isinstance(window.loader, FakeLoader)
    return window.loader


def build_panels(window: MainWindow) -> None:
    """Runs the event loop until all panels that can be seen are there."""
    while window.docks is not None and window.docks.building:
        QApplication.processEvents()
