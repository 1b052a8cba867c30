"""Saves all of a profile: every table and plot in a folder, or a report in one page."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.analysis.findings.thresholds import Thresholds, with_values
from app.document.background import POLL_MS, WAITING, Background, Task
from app.exports.everything import Choice, FolderExport, Subject, Summary
from app.formats.errors import FormatError
from app.language import plural, tr
from app.report import gather, page, pictures
from app.report.contents import Chart
from app.store.outputs import has_content, output_file, safe_name
from app.store.table_files.kinds import KINDS
from app.store.token import Token
from app.views.texts import shown_line
from app.views.units import size
from app.widgets.dialogs import ask_target, ask_to_replace, text_scale
from app.widgets.texts import Label
from app.window.dialogs import accept_and_cancel, begin
from app.window.exports import SHOWN_MS, Check, Report, Writing, not_written, show_written
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.document.entry import Entry
    from app.profile.profile import Profile
    from app.window.command import CommandContext


PLOTS = {".svg": tr("SVG"), ".png": tr("PNG"), "": tr("None")}
PLOTS_SHARE = 10
"""Of the progress bar, one part in so many is for the plots."""
SLOW_MS = 400
"""A window with progress and "Cancel" appears if it takes longer."""


class EverythingDialog(QDialog):
    """Suggests a new folder beside the shown profile. Enter starts the export."""

    def __init__(self, context: CommandContext, entry: Entry) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Export everything"))
        self.finished.connect(self.deleteLater)
        self._context = context
        self._entry = entry
        self.folder = QLineEdit(self)
        self.folder.setText(str(self._suggested()))
        self.browse = QPushButton(tr("&Browse…"), self)
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._browse)
        self.tables = self._kinds()
        self.plots = QComboBox(self)
        for suffix, title in PLOTS.items():
            self.plots.addItem(title, suffix)
        self.every = QCheckBox(tr("All open &profiles, each in its own folder"), self)
        self.every.setVisible(len(self._complete()) > 1)
        comparison = context.document.baselines.comparison_of(entry.id)
        self.compared = QCheckBox(tr("&Compare the tables with the baseline"), self)
        self.compared.setVisible(comparison is not None)
        self.compared.setChecked(comparison is not None)
        self._buttons, self.ok = accept_and_cancel(self, QDialogButtonBox.StandardButton.Ok, tr("&Export"), self.browse)
        self.ok.setDefault(True)
        self._lay_out()
        self.folder.textChanged.connect(self._judge)
        self._judge()

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.addWidget(self.folder, 1)
        line.addWidget(self.browse)
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._row(form, tr("&Folder"), self.folder, line)
        self._row(form, tr("&Tables as"), self.tables)
        self._row(form, tr("P&lots as"), self.plots)
        form.addRow(self.every)
        form.addRow(self.compared)
        layout = QVBoxLayout(self)
        text = tr("Writes every table and plot, and an index with units, source and version.")
        note = Label(text, self)
        note.setWordWrap(True)
        layout.addWidget(note)
        layout.addLayout(form)
        layout.addStretch(1)
        layout.addWidget(self._buttons)
        self.setMinimumWidth(round(560 * text_scale()))

    def _row(self, form: QFormLayout, title: str, widget: QWidget, line: QHBoxLayout | None = None) -> None:
        label = Label(title, self)
        label.setBuddy(widget)
        label.setMinimumHeight(widget.sizeHint().height())  # the field's, so that the text is beside its text
        widget.setAccessibleName(shown_line(title.replace("&", "")))
        form.addRow(label, line if line is not None else widget)

    def _kinds(self) -> QComboBox:
        """The kinds of tables; those that cannot be written here are disabled, and say why."""
        box = QComboBox(self)
        model = box.model()
        assert isinstance(model, QStandardItemModel)
        for row, (suffix, kind) in enumerate(KINDS.items()):
            why = kind.why_not
            box.addItem(f"{kind.title} – {why}" if why else kind.title, suffix)
            model.item(row).setEnabled(not why)
        return box

    def _suggested(self) -> Path:
        parent = begin(self._context.settings.value.recent) or str(Path.home())
        name = f"{safe_name(self._entry.profile.name, 'profile')}-export"
        folder, number = Path(parent, name), 2
        while has_content(folder):
            folder, number = Path(parent, f"{name}-{number}"), number + 1
        return folder

    def _browse(self) -> None:
        before = Path(self.folder.text())
        chosen = QFileDialog.getExistingDirectory(self, tr("Export everything"), str(before.parent))
        if chosen:
            self.folder.setText(str(Path(chosen, before.name) if has_content(Path(chosen)) else Path(chosen)))

    def _judge(self) -> None:
        self.ok.setEnabled(bool(self.folder.text().strip()))

    def _complete(self) -> list[Entry]:
        return [entry for entry in self._context.document.entries if entry.done]

    def accept(self) -> None:
        """Asks before files in the folder are replaced."""
        folder = Path(self.folder.text().strip()).expanduser()
        if not self.isVisible() or not self.folder.text().strip():
            return
        try:
            filled = has_content(folder)
        except OSError:  # said when it is written
            filled = False
        if filled:
            text = tr("{folder} is not empty. Other files in it stay.", folder=folder)
            ask_to_replace(self, text, partial(self._start, folder, replace=True))
        else:
            self._start(folder, replace=False)

    def _start(self, folder: Path, *, replace: bool) -> None:
        choice = Choice(
            self.tables.currentData(Qt.ItemDataRole.UserRole),
            self.plots.currentData(Qt.ItemDataRole.UserRole),
            theme=self._context.display.theme.name,
        )
        entries = self._complete() if self.every.isChecked() else [self._entry]
        subjects = [self._subject(entry) for entry in entries]
        super().accept()
        EverythingSaver(self._context, folder).start(subjects, choice, replace=replace)

    def _subject(self, entry: Entry) -> Subject:
        document = self._context.document
        comparison = document.baselines.comparison_of(entry.id) if self.compared.isChecked() else None
        now = document.entry(entry.id)
        return Subject((now or entry).profile, None if comparison is None else comparison.before)


def ask(context: CommandContext) -> None:
    """Opens the dialog; nothing if no complete profile is shown."""
    entry = context.document.current
    if entry is not None and entry.done:
        EverythingDialog(context, entry).open()


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
            *(f"{name}: {why}" for name, why in summary.incomplete),
        ]
        for line in lines:
            self._context.notices.add(Notice("info", line, "write"))
        self._end()

    def _failed(self, error: FormatError) -> None:
        self._fail(error.text)

    def _fail(self, why: str) -> None:
        if self._export is not None:
            self._export.discard()
        self._context.notices.add(not_written(self._folder, why))
        self._end()

    def _stopped(self) -> None:
        self._context.footer.showMessage(tr("Export cancelled"), SHOWN_MS)
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._writing.end()
        self.deleteLater()


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


def ask_and_save(context: CommandContext) -> None:
    """Asks for the file; nothing if no profile is shown."""
    profile, comparison = context.document.profile, context.document.baselines.comparison
    if profile is not None:
        name = safe_name(profile.name, "report")
        save = partial(_save, context, profile, comparison)
        ask_target(context.main, tr("Save report"), name, save, {".html": "HTML"})


def _save(context: CommandContext, profile: Profile, comparison: Comparison | None, path: Path) -> None:
    ReportSaver(context, profile, comparison, path).start()


class Progress(QDialog):
    """What is being done, how much of it is done, and "Cancel"; not modal. Closing it cancels, too."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save report"))
        self.label = Label(parent=self)
        self.bar = QProgressBar(self)
        self.bar.setTextVisible(False)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel, self)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.label)
        layout.addWidget(self.bar)
        layout.addWidget(buttons)

    def say(self, text: str, done: int) -> None:
        self.label.setText(shown_line(text))
        self.bar.setValue(done)


class ReportSaver(QObject):
    """Draws in a thread what any thread may draw, and the other pictures one in each turn of the event loop; then
    writes the page in a thread. Deletes itself at the end."""

    def __init__(self, context: CommandContext, profile: Profile, comparison: Comparison | None, path: Path) -> None:
        super().__init__(context.main)
        self._context = context
        self._profile = profile
        self._comparison = comparison
        self._path = path
        self._charts: list[Chart] = []
        self._background = Background(self)
        self._drawing = self._draw()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._step)
        self._progress = Progress(context.main)
        self._progress.rejected.connect(self._end)

    def start(self) -> None:
        """Begins to draw."""
        QTimer.singleShot(SLOW_MS, self._progress, self._progress.show)
        self._timer.start()

    def _step(self) -> None:
        try:
            self._timer.setInterval(POLL_MS if next(self._drawing) is WAITING else 0)
        except StopIteration:
            self._timer.stop()
            self._write()
        except FormatError as error:
            self._failed(error)
        except OSError as error:
            self._failed(FormatError(error.strerror or str(error)))
        except Exception:
            self._end()  # the next step would write a report without the charts that are missing
            raise

    def _draw(self) -> Generator[object, None, None]:
        """Draws the charts one after another; yields WAITING while a thread draws, and None between two drawings."""
        wanted = pictures.pictures(self._profile, self._comparison)
        self._progress.bar.setRange(0, len(wanted) + 1)
        for done, picture in enumerate(wanted):
            self._progress.say(tr("Drawing the charts"), done)
            drawn = []
            for theme in pictures.THEMES:
                yield None
                one = partial(picture.drawn, theme)
                drawn.append((yield from self._in_thread(one)) if picture.plain else one())
            self._charts.append(picture.chart(*drawn))

    def _in_thread(self, draw: Callable[[], bytes]) -> Generator[object, None, bytes]:
        return (yield from self._background.waited(lambda _: draw()))

    def _write(self) -> None:
        self._progress.say(tr("Writing {path}", path=self._path), len(self._charts))
        thresholds = with_values(self._context.document.thresholds.values)
        work = partial(_write_page, self._profile, tuple(self._charts), self._comparison, thresholds, self._path)
        self._background.run(Task(lambda token, _: work(token), self._done, self._failed))

    def _done(self, _: None) -> None:
        show_written(self._context, self._path)
        self._end()

    def _failed(self, error: FormatError) -> None:
        self._context.notices.add(not_written(self._path, error.text))
        self._end()

    def _end(self) -> None:
        self._timer.stop()
        self._drawing.close()
        self._background.cancel()
        self._progress.blockSignals(True)
        self._progress.deleteLater()
        self.deleteLater()


def _write_page(
    profile: Profile,
    charts: tuple[Chart, ...],
    comparison: Comparison | None,
    thresholds: Thresholds,
    path: Path,
    token: Token,
) -> None:
    report = gather.gather(profile, charts, comparison, thresholds, token.check)
    with output_file(path, profile.origin.paths) as part:
        part.write_text(page.html(report), encoding="utf-8")
