"""Reading jobs in the status bar: progress and a button to cancel."""

from __future__ import annotations

from PySide6.QtCore import QSize, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QSizePolicy,
    QStatusBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.document.loader import JobState, Loader
from app.language import plural, tr
from app.views.look import Look
from app.views.texts import shown_line
from app.views.units import scale_for
from app.widgets.busy_bar import BusyBar
from app.widgets.display import Display
from app.widgets.labels import Label
from app.widgets.tips import set_tip

ACTIVE = ("queued", "reading")
TITLE_CHARACTERS = 40
GAP = 8
"""Pixels between the list, the status bar and the edge of the window."""
MOST_ROWS = 6
"""Most jobs listed by name; a folder may bring hundreds, and the rest are only counted."""


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
