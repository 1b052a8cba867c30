"""The status bar: chips for the ranges on the left, progress of reading and writing, and issues on the right."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace
from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QContextMenuEvent, QMoveEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QStatusBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.document.document import Document
from app.document.loader import JobState, Loader
from app.language import joined, plural, tr
from app.profile.selection import Ranges, TimeRange
from app.views.look import Look
from app.views.severities import SEVERITIES, SIGNS
from app.views.texts import shown_line
from app.views.units import exact, scale_for
from app.widgets.display import Display
from app.widgets.empty import BusyBar
from app.widgets.texts import Label, set_style_property
from app.widgets.tips import set_tip

if TYPE_CHECKING:
    from app.profile.issue import Issue
    from app.profile.timeline import Timeline


ROOM = 14
"""Extra pixels of height, so that panels do not move when a chip appears or disappears."""

SLOW_MS = 400
"""Progress of writing appears if it takes longer."""
ACTIVE = ("queued", "reading")
TITLE_CHARACTERS = 40
GAP = 8
"""Pixels between the list, the status bar and the edge of the window."""
MOST_ROWS = 6
"""Most jobs listed by name; a folder may bring hundreds, and the rest are only counted."""
TONES: Final = {"error": "error", "warning": "warning", "info": "muted"}
MOST_SHOWN = 5


class Footer(QStatusBar):
    def __init__(self, document: Document, loader: Loader, display: Display, window: QWidget) -> None:
        super().__init__(window)
        self.chips = Chips(document, display, self)
        self.jobs = JobsView(loader, display, self, window)
        self.setSizeGripEnabled(False)
        self.setMinimumHeight(self.fontMetrics().height() + ROOM)
        self.addWidget(self.chips)
        self.issues = IssuesBadge(document, self)
        self.addPermanentWidget(self.jobs)  # without a stretch, which would leave no room for messages
        self.addPermanentWidget(self.issues)
        self.issues.follow()  # the status bar has shown both
        self.jobs.follow()

    def begin(self, title: str, cancel: Callable[[], object]) -> ProgressRow:
        """A new row for something that is written, shown if it takes long; delete it at the end."""
        row = ProgressRow(self)
        row.setObjectName("writing")
        row.title.setText(short(title))
        row.cancel.setAccessibleName(shown_line(tr("Cancel: {what}", what=title)))
        row.cancel.clicked.connect(cancel)
        row.hide()
        self.insertPermanentWidget(1, row)  # after the ranges
        QTimer.singleShot(SLOW_MS, row, row.show)
        return row

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.jobs.settle()

    def moveEvent(self, event: QMoveEvent) -> None:
        super().moveEvent(event)
        self.jobs.settle()


class ProgressRow(QWidget):
    """Some work: what it is, how much of it is done, a progress bar, "Cancel"."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.title = Label(parent=self)
        self.amount = Label(parent=self)
        self.amount.setObjectName("muted")
        self.bar = BusyBar(self)
        self.bar.setFixedSize(QSize(110, 8))
        self.cancel = QToolButton(self)
        self.cancel.setText(tr("Cancel"))
        self.cancel.setAutoRaise(True)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 0, 4, 0)
        row.setSpacing(8)
        row.addWidget(self.title, 1)
        for widget in (self.amount, self.bar, self.cancel):
            row.addWidget(widget)

    def set_bar(self, done: int, total: int) -> None:
        """A bar that only runs to and fro while the total is unknown (0)."""
        self.bar.show_share(done, total)


class JobRow(ProgressRow):
    """One job: title and phase, ``132 of 266 MB``. Signal ``cancelled`` (job id)."""

    cancelled = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job = -1
        self.cancel.clicked.connect(lambda: self.cancelled.emit(self._job))

    def show_job(self, job: JobState, look: Look) -> None:
        self._job = job.id
        self.title.setText(f"{short(job.title)} · {phase_text(job)}")
        set_tip(self.title, "\n".join(str(path) for path in job.paths))
        self.cancel.setAccessibleName(shown_line(tr("Cancel reading {job}", job=job.title)))
        self.amount.setText(amount_text(job, look))
        self.set_bar(job.done, job.total if job.total > 0 or job.state != "queued" else 1)


class JobsView(QWidget):
    """Shows a single job in the status bar, several as a list above its right end (``panel``, a child of the window,
    whose status ``bar`` calls ``settle`` wherever it is moved)."""

    def __init__(self, loader: Loader, display: Display, bar: QStatusBar, window: QWidget) -> None:
        super().__init__(window)
        self._bar = bar
        self._loader = loader
        self._display = display
        self.single = self._row(self)
        self.summary = Label(parent=self)
        self.panel = QFrame(window)
        self.panel.setObjectName("jobs")
        self.panel.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._list = QVBoxLayout(self.panel)
        self._list.setContentsMargins(4, 4, 4, 4)
        self._list.setSpacing(2)
        self._rows: list[JobRow] = []
        self.more = Label(parent=self.panel)
        self.more.setObjectName("muted")
        self.more.setContentsMargins(8, 0, 4, 0)
        self._list.addWidget(self.more)
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 4, 0)
        line.addStretch(1)
        line.addWidget(self.summary)
        line.addWidget(self.single)
        loader.jobs_changed.connect(self.follow)
        self.follow()

    @property
    def rows(self) -> list[JobRow]:
        """The visible rows: the one in the status bar, or those of the list."""
        return [row for row in (self.single, *self._rows) if not row.isHidden()]

    def settle(self) -> None:
        """Moves the list above the right end of the status bar."""
        for row in self._rows:
            row.updateGeometry()  # its texts may have grown, of which the list hears only in the next turn
        self.panel.adjustSize()
        bar = self._bar.geometry()
        self.panel.move(bar.right() - GAP - self.panel.width(), bar.top() - GAP - self.panel.height())

    def _row(self, parent: QWidget) -> JobRow:
        row = JobRow(parent)
        row.cancelled.connect(self._loader.cancel)
        return row

    def follow(self) -> None:
        """Shows the jobs that are not done; hidden while there are none, so that messages have room."""
        jobs = [job for job in self._loader.jobs if job.state in ACTIVE]
        self.setVisible(bool(jobs))
        look = self._display.look
        self.single.setVisible(len(jobs) == 1)
        self.summary.setVisible(len(jobs) > 1)
        if len(jobs) == 1:
            self.single.show_job(jobs[0], look)
        self.summary.setText(
            plural(
                "{count:,} file is being read",
                "{count:,} files are being read",
                count=len(jobs),
            )
        )
        several = jobs[:MOST_ROWS] if len(jobs) > 1 else []
        while len(self._rows) < len(several):
            self._rows.append(self._row(self.panel))
            self._list.insertWidget(len(self._rows) - 1, self._rows[-1])
        for place, row in enumerate(self._rows):
            row.setVisible(place < len(several))
            if place < len(several):
                row.show_job(several[place], look)
        self.more.setVisible(len(jobs) > MOST_ROWS)
        self.more.setText(tr("and {count:,} more", count=len(jobs) - MOST_ROWS))
        changed = self.panel.isHidden() == bool(several)
        self.panel.setVisible(bool(several))
        if several:
            self.settle()
            if changed:
                self.panel.raise_()


def phase_text(job: JobState) -> str:
    return tr("waiting") if job.state == "queued" else job.phase or tr("reading")


def amount_text(job: JobState, look: Look) -> str:
    """Returns ``132 of 266 MB``, both numbers in one unit; "" while the total is unknown."""
    if job.total <= 0:
        return ""
    scale = scale_for(job.total, "B", look)
    return tr("{done} of {total}", done=scale.number(job.done), total=scale.text(job.total))


def short(title: str) -> str:
    """Shortens a long title in the middle to TITLE_CHARACTERS."""
    if len(title) <= TITLE_CHARACTERS:
        return title
    half = TITLE_CHARACTERS // 2
    return f"{title[:half]}…{title[-half + 1 :]}"


class IssuesBadge(QToolButton):
    """Visible only while the shown profile has issues; its sign and colour are those of the worst."""

    def __init__(self, document: Document, parent: QWidget) -> None:
        super().__init__(parent)
        self._document = document
        self.setObjectName("issuesBadge")
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        document.updated.connect(self.follow)
        document.entries_changed.connect(self.follow)

    def follow(self) -> None:
        """Counts the issues of the shown profile."""
        profile = self._document.profile
        issues = () if profile is None else profile.issues
        self.setVisible(bool(issues))
        if not issues:
            return
        worst = min(issues, key=lambda issue: SEVERITIES.index(issue.severity)).severity
        counted = plural("{count:,} issue", "{count:,} issues", count=len(issues))
        self.setText(f"{SIGNS[worst]} {counted}")
        set_style_property(self, "tone", TONES[worst])
        set_tip(self, _words(issues))
        self.setAccessibleName(shown_line(self.text()))


def _words(issues: tuple[Issue, ...]) -> str:
    """The first issues, the worst first, and what a click does."""
    first = sorted(issues, key=lambda issue: SEVERITIES.index(issue.severity))[:MOST_SHOWN]
    lines = [f"{SIGNS[issue.severity]} {shown_line(issue.text)}" for issue in first]
    if len(issues) > len(first):
        lines.append(tr("and {count:,} more", count=len(issues) - len(first)))
    return joined("\n", [*lines, tr("Click to show all issues.")])


class Chips(QWidget):
    """One chip for the time range and one for the tiles, each visible while it is set. Signal ``menu_wanted`` (place
    in the command list, global position)."""

    menu_wanted = Signal(str, object)

    def __init__(self, document: Document, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._display = display
        self.time = self._chip(lambda: self._set(time=None))
        self.tiles = self._chip(lambda: self._set(tiles=None))
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(6)
        row.addWidget(self.time)
        row.addWidget(self.tiles)
        document.ranges.changed.connect(self._follow)
        document.updated.connect(self._follow)
        display.changed.connect(self._follow)
        self._follow()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Requests a menu for the chip under the pointer or, by key, the focused one."""
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        under = self.focusWidget() if by_key else self.childAt(event.pos())
        place = {self.time: "range", self.tiles: "tiles"}.get(under) if isinstance(under, QPushButton) else None
        if place is not None:
            self.menu_wanted.emit(place, event.globalPos())

    def _chip(self, run: Callable[[], object]) -> QPushButton:
        chip = QPushButton(self)
        chip.setObjectName("chip")
        chip.setCursor(Qt.CursorShape.PointingHandCursor)
        chip.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        chip.setFlat(True)
        chip.clicked.connect(lambda: run())
        return chip

    def _set(self, **changes: None) -> None:
        self._document.ranges.set(replace(self._document.ranges.value, **changes))

    def _follow(self) -> None:
        ranges, profile = self._document.ranges.value, self._document.profile
        self.time.setVisible(ranges.time is not None)
        self.tiles.setVisible(ranges.tiles is not None)
        if ranges.time is not None:
            timeline = None if profile is None else profile.timeline
            self.time.setText(
                tr(
                    "range {time_text}  ✕",
                    time_text=time_text(ranges.time, timeline, self._display.look),
                )
            )
            set_tip(
                self.time,
                tr(
                    "Figures follow the range {exact_text}. Click to clear the range; the zoom stays.",
                    exact_text=exact_text(ranges.time, timeline),
                ),
            )
        if ranges.tiles is not None:
            self.tiles.setText(f"{tiles_text(ranges.tiles.tiles)}  ✕")
            set_tip(
                self.tiles,
                plural(
                    "Figures follow {count:,} tile. Click to include all tiles.",
                    "Figures follow {count:,} tiles. Click to include all tiles.",
                    count=len(ranges.tiles.tiles),
                ),
            )


def has_any(ranges: Ranges) -> bool:
    return ranges.time is not None or ranges.tiles is not None


def time_text(time: TimeRange, timeline: Timeline | None, look: Look) -> str:
    """Returns both ends in one unit, with enough decimals to tell them apart: ``12.3 – 45.6 µs``."""
    from app.views.timeline.times import Clock

    clock = Clock("cycles", None) if timeline is None else Clock.of(timeline)
    return clock.stretch(time.start, time.end, look)


def exact_text(time: TimeRange, timeline: Timeline | None) -> str:
    unit = "cycles" if timeline is None else timeline.unit
    return tr(
        "{start} to {end} ({exact})",
        start=exact(time.start, unit),
        end=exact(time.end, unit),
        exact=exact(time.end - time.start, unit),
    )


def tiles_text(tiles: Sequence[int]) -> str:
    """Returns ``tile 17``, ``tiles 0–63`` or ``tiles 0–3, 8, 12–15``; more than three runs end in a count."""
    runs: list[list[int]] = []
    for tile in tiles:
        if runs and tile == runs[-1][1] + 1:
            runs[-1][1] = tile
        else:
            runs.append([tile, tile])
    shown = ", ".join(str(a) if a == b else f"{a}–{b}" for a, b in runs[:3])
    more = tr(" … ({count:,} tiles)", count=len(tiles)) if len(runs) > 3 else ""
    return plural("tile {shown}{more}", "tiles {shown}{more}", count=len(tiles), shown=shown, more=more)
