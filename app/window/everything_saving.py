"""Writes every table and plot into a folder: tables in a thread, then one plot in each turn of the event loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

from app.exports.everything import Choice, FolderExport, Subject, Summary
from app.language import plural, tr
from app.views.units import size
from app.window.notices import Notice
from app.window.writing import Check, Report, Writing

if TYPE_CHECKING:
    from app.formats.errors import FormatError
    from app.window.command import CommandContext

PLOTS_SHARE = 10
"""Of the progress bar, one part in so many is for the plots."""


class EverythingSaver(QObject):
    """Deletes itself at the end; what is cancelled or fails leaves nothing in the folder."""

    def __init__(self, context: CommandContext, folder: Path) -> None:
        super().__init__(context.main)
        self._context = context
        self._folder = folder
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._draw)
        self._left: Iterator[tuple[int, int, str]] = iter(())
        self._writing = Writing(context, tr("Exporting to {folder}", folder=folder.name), self._stopped)
        self._export: FolderExport | None = None

    def start(self, subjects: Sequence[Subject], choice: Choice, *, replace: bool) -> None:
        """Begins to write."""
        try:
            export = self._export = FolderExport(self._folder, subjects, choice, replace=replace)
        except OSError as error:
            self._fail(error.strerror or str(error))
            return
        self.destroyed.connect(partial(_discard, export))
        self._writing.run(partial(_write_tables, export), self._draw_plots, self._failed)

    def _draw_plots(self, _: None) -> None:
        assert self._export is not None
        self._left = self._export.plots()
        self._timer.start()

    def _draw(self) -> None:
        assert self._export is not None
        if self._writing.cancelled:
            return
        try:
            place = next(self._left, None)
            if place is None:
                self._timer.stop()
                self._done(self._export.finish())
                return
        except OSError as error:
            self._fail(error.strerror or str(error))
            return
        except Exception as error:  # a defect, which the dialog of unexpected errors reports as well
            self._fail(tr("unexpected error: {error}", error=f"{type(error).__name__}: {error}"))
            raise
        done, total, _ = place
        self._writing.row.set_bar((PLOTS_SHARE - 1) * total + done, PLOTS_SHARE * total)

    def _done(self, summary: Summary) -> None:
        lines = [
            tr(
                "{tables} and {plots} are in {folder} ({size})",
                tables=plural("{count:,} table", "{count:,} tables", count=summary.tables),
                plots=plural("{count:,} plot", "{count:,} plots", count=summary.plots),
                folder=summary.folder,
                size=size(summary.size),
            ),
            *(tr("{name} is skipped: {why}", name=name, why=why) for name, why in summary.left_out),
        ]
        for line in lines:
            self._context.notices.add(Notice("info", line, "write"))
        self._end()

    def _failed(self, error: FormatError) -> None:
        self._fail(error.text)

    def _fail(self, why: str) -> None:
        if self._export is not None:
            self._export.discard()
        text = tr("{path}: cannot be written: {error}", path=self._folder, error=why)
        self._context.notices.add(Notice("error", text, "write"))
        self._end()

    def _stopped(self) -> None:
        self._context.footer.showMessage(tr("Export cancelled"), SHOWN_MS)
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._writing.end()
        self.deleteLater()


SHOWN_MS = 8000


def _discard(export: FolderExport, *_: object) -> None:
    export.discard()


def _write_tables(export: FolderExport, check: Check, report: Report) -> None:
    def look(done: int, total: int, _: str) -> None:
        check()
        report((PLOTS_SHARE - 1) * done, PLOTS_SHARE * total)

    try:
        export.tables(look)
    except BaseException:
        export.discard()
        raise
