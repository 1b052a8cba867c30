"""Saves the shown profile as an HTML page: asks where, draws the pictures, and writes the page in the background."""

from __future__ import annotations

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QProgressBar, QVBoxLayout, QWidget

from app.analysis.findings.thresholds import Thresholds, with_values
from app.document.background import POLL_MS, WAITING, Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.report import gather, page, pictures
from app.report.contents import Chart
from app.store.outputs import output_file, safe_name
from app.store.token import Token
from app.views.texts import shown_line
from app.widgets.ask_target import ask_target
from app.widgets.labels import Label
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison
    from app.profile.profile import Profile
    from app.window.command import CommandContext

KINDS = {".html": "HTML"}
SHOWN_MS = 8000
SLOW_MS = 400
"""A window with progress and "Cancel" appears if it takes longer."""


def ask_and_save(context: CommandContext) -> None:
    """Asks for the file; nothing if no profile is shown."""
    profile, comparison = context.document.profile, context.document.baselines.comparison
    if profile is not None:
        name = safe_name(profile.name, "report")
        save = partial(_save, context, profile, comparison)
        ask_target(context.main, tr("Save report"), name, save, KINDS)


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
        self._context.footer.showMessage(shown_line(tr("Wrote {path}", path=self._path)), SHOWN_MS)
        self._end()

    def _failed(self, error: FormatError) -> None:
        text = tr("{path}: cannot be written: {error}", path=self._path, error=error.text)
        self._context.notices.add(Notice("error", text, "write"))
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
