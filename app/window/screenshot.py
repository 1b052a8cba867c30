"""Renders the window into an image once everything is read and drawn, with or without a display."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QCoreApplication, QEvent, QEventLoop, Qt, QTimer
from PySide6.QtGui import QImage, QImageWriter

from app.analysis.mismatches import mismatch_lines
from app.document.loader import Failure
from app.language import tr
from app.profile.one_line import one_line
from app.store.outputs import output_file
from app.window.dock_area import DockArea
from app.window.main_window import MainWindow

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ViewLink

MOST_ROUNDS = 40
SAVING_MS = 500
"""Timers as slow as this save what is shown already."""
NO_PROFILE = tr("this is a baseline that `tilesight baseline` wrote; name the profile that is compared with it as well")
WAIT = QEventLoop.ProcessEventsFlag.WaitForMoreEvents


class Screenshot:
    """Takes a screenshot without fixed delays: it waits until the loader is idle, no timer of the window is pending,
    and two renderings in a row are equal (so panels that compute while they are drawn have finished)."""

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._failed = False
        window.loader.failed.connect(self._report_failure)

    def take(
        self,
        paths: Sequence[Path],
        target: Path,
        panel: str | None,
        baseline: Path | None = None,
        goto: ViewLink | None = None,
    ) -> int:
        """Opens ``paths``, compared with ``baseline``, goes to the place of ``goto``, and writes the image to
        ``target``, with ``panel`` in front if given; returns the exit status: 1 after any error, else 2, without an
        image, if nothing that is open has this panel."""
        before, sys.excepthook = sys.excepthook, self._unexpected
        window = self._window
        try:
            window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
            window.show()
            docks = window.prepare()
            if baseline is not None:  # first: a change of the tab leaves former tab bars in a window that is not shown
                window.open([baseline])
                read_all(window)
            window.open(paths)
            read_all(window)
            if baseline is not None:
                window.baseline_opener.compare_all(baseline)
            if (document := window.baseline_opener.unused) is not None:
                self._report(f"{document.path}: {NO_PROFILE}")
            if goto is not None:
                window.links.follow(goto, paths)
                while window.links.busy:
                    QCoreApplication.processEvents(WAIT)
                for line in window.notices.text.splitlines():
                    print(one_line(line), file=sys.stderr)
                self._failed |= not window.links.arrived
            for line in mismatch_lines(entry.profile for entry in window.document.entries):
                print(one_line(line), file=sys.stderr)
            if panel is not None and not self._shows(docks, panel) and not self._failed:
                window.close()
                return 2
            self._write(self._drawn(), target, [*paths, *([baseline] if baseline is not None else [])])
            window.close()
        finally:
            sys.excepthook = before
        return 1 if self._failed else 0

    def _shows(self, docks: DockArea, panel: str) -> bool:
        """Brings the panel to the front; False, with a message, if it is not offered."""
        offered = docks.offered if self._window.document.current is not None else docks.alone
        if panel in offered:
            self._window.show_panel(panel)
            return True
        known = ", ".join(offered) or tr("none: nothing is open")
        line = tr("--panel {panel}: no such panel for this file; choose from {known}", panel=panel, known=known)
        print(one_line(line), file=sys.stderr)
        return False

    def _drawn(self) -> QImage:
        """Renders the window until two images in a row are equal, at most MOST_ROUNDS times; returns the last."""
        picture = QImage()
        for _ in range(MOST_ROUNDS):
            settle(self._window)
            again = self._window.grab().toImage()
            if again == picture:
                break
            picture = again
        return picture

    def _write(self, picture: QImage, target: Path, inputs: Sequence[Path]) -> None:
        try:
            with output_file(target, inputs) as part:
                writer = QImageWriter(str(part), QByteArray(b"png"))
                if not writer.write(picture):
                    raise OSError(writer.errorString())
        except OSError as error:
            self._report(tr("{target}: cannot be written: {error}", target=target, error=error.strerror or error))

    def _report_failure(self, failure: Failure) -> None:
        for path in failure.paths:
            self._report(f"{path}: {failure.text}")

    def _unexpected(self, kind: type[BaseException], error: BaseException, _trace: TracebackType | None) -> None:
        self._report(tr("unexpected {name} while drawing: {error}", name=kind.__name__, error=error))

    def _report(self, line: str) -> None:
        self._failed = True
        print(one_line(line), file=sys.stderr)


def read_all(window: MainWindow) -> None:
    """Processes events until the loader is idle."""
    while window.loader.busy:
        QCoreApplication.processEvents(WAIT)


def settle(window: MainWindow) -> None:
    """Processes events until no timer of the window has deferred work; what waits to be deleted goes, as in an event
    loop: it would be looked through for timers each time."""
    QCoreApplication.processEvents()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    while any(map(pending, window.findChildren(QTimer))):
        QCoreApplication.processEvents(WAIT)


def pending(timer: QTimer) -> bool:
    """Whether the timer has deferred work that changes the window: it is active, and single-shot or an idle timer
    (interval 0)."""
    return timer.isActive() and (timer.isSingleShot() or timer.interval() == 0) and timer.interval() < SAVING_MS
