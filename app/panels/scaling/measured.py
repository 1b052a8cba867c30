"""Measured throughputs: pasted or loaded, fitted, and what they reveal about the host."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from app.analysis.scaling.host import Losses
from app.analysis.scaling.points import FORM, MOST_CHARACTERS
from app.language import plural, tr
from app.views.pages.document import Line
from app.views.scaling.study import Study
from app.views.texts import page
from app.views.units import format_value, percent
from app.widgets.display import Display
from app.widgets.page import Page
from app.widgets.sheet import Sheet
from app.widgets.texts import Label, paint_text, wrapping_text

EXAMPLE = "replicas,throughput\n1,1000\n2,1950\n4,3700\n8,6800"
PAUSE_MS = 250
MOST_PROBLEMS = 5
FEW = tr("Throughputs of at least two replica counts are needed to find the constant part.")
NOTHING = tr("Paste throughputs, or load them from a file. The charts show and fit them.")


class Measured(QSplitter):
    """The page of measured throughputs. Signal ``pasted`` (str): the text changed, a moment after the last key."""

    pasted = Signal(str)

    def __init__(self, display: Display, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._display = display
        self.text = wrapping_text(self)
        self.text.setPlaceholderText(EXAMPLE)
        self.text.setAccessibleName(tr("Measured throughputs"))
        self.text.setTabChangesFocus(True)
        self.load = QPushButton(tr("Load CSV…"), self)
        self.load.clicked.connect(self._choose_file)
        self.problems = Label(parent=self)
        self.problems.setWordWrap(True)
        self.form = Label(FORM, self)
        self.form.setWordWrap(True)
        self.page = Page(display, tr("Results of the measurements"), self)
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._emit_pasted)
        self.text.textChanged.connect(self._timer.start)
        self._build()

    def _build(self) -> None:
        left = QWidget(self)
        column = QVBoxLayout(left)
        column.setContentsMargins(8, 8, 8, 8)
        column.setSpacing(4)
        column.addWidget(self.form)
        column.addWidget(self.text, 1)
        column.addWidget(self.problems)
        line = QHBoxLayout()
        line.addWidget(self.load)
        line.addStretch(1)
        column.addLayout(line)
        self.addWidget(left)
        self.addWidget(self.page)
        self.setChildrenCollapsible(False)
        self.setSizes([500, 500])

    def set_text(self, text: str) -> None:
        """Sets another profile's text without emitting ``pasted``."""
        if text != self.text.toPlainText():
            self.text.blockSignals(True)
            self.text.setPlainText(page(text))
            self.text.blockSignals(False)
            self._timer.stop()

    def load_file(self, path: Path) -> None:
        """Sets the text from a file; errors are shown below it."""
        if not path.is_file():
            self._say_problems(tr("{path}: no such file.", path=path.name))
            return
        try:
            with path.open(encoding="utf-8-sig") as file:
                text = file.read(MOST_CHARACTERS + 1)
        except OSError as error:
            self._say_problems(f"{path.name}: {error.strerror or error}")
        except UnicodeDecodeError:
            self._say_problems(tr("{path} is not a text file.", path=path.name))
        else:
            if len(text) > MOST_CHARACTERS:
                self._say_problems(
                    tr(
                        "{path} has more than {most_characters:,} characters.",
                        path=path.name,
                        most_characters=MOST_CHARACTERS,
                    )
                )
            else:
                self.text.setPlainText(page(text))
                self._emit_pasted()

    def show_study(self, study: Study) -> None:
        paint_text(self.form, self._display.theme.muted)
        problems = study.points.problems
        more = tr("\nand {count:,} more", count=len(problems) - MOST_PROBLEMS) if len(problems) > MOST_PROBLEMS else ""
        self._say_problems("\n".join(problems[:MOST_PROBLEMS]) + more)
        if not study.points.points and not study.points.cases:
            self.page.show_empty(NOTHING)
        else:
            self.page.show_sheet(self._sheet(study))

    def _sheet(self, study: Study) -> Sheet:
        sheet = Sheet(self._display)
        fit, diagnosis = study.fit, study.diagnosis
        if fit is None and study.points.points:
            sheet.say(FEW)
        elif fit is not None:
            sheet.heading(tr("Fit: time of a sample = constant + scaling / replicas"))
            ceiling = format_value(float(f"{fit.ceiling:.6g}"), "") if fit.constant else tr("none")
            share = plural(
                "{constant_share} of the time with {count:,} replica",
                "{constant_share} of the time with {count:,} replicas",
                count=fit.first,
                constant_share=percent(100 * fit.constant_share),
            )
            sheet.facts(
                [
                    Line(tr("Constant"), f"{format_value(fit.constant, 's')}, {share}"),
                    Line(tr("Scaling"), format_value(fit.scaling, "s")),
                    Line(tr("Ceiling, samples/s"), ceiling, tr("1 / constant")),
                    Line(tr("Largest deviation from the fit"), percent(100 * fit.worst)),
                ]
            )
        if diagnosis is not None:
            sheet.space(6)
            sheet.heading(tr("Real, generated and synthetic data"))
            sheet.say(diagnosis.text, "text" if diagnosis.limit == "none" else "warning")
            for loss in diagnosis.losses:
                sheet.say(_lost(loss), depth=1)
        sheet.end()
        return sheet

    def _say_problems(self, text: str) -> None:
        self.problems.setText(text)
        self.problems.setVisible(bool(text))
        paint_text(self.problems, self._display.theme.error)

    def _choose_file(self) -> None:
        chosen, _ = QFileDialog.getOpenFileName(
            self, tr("Load measured throughputs"), "", tr("Tables (*.csv *.tsv *.txt);;All files (*)")
        )
        if chosen:
            self.load_file(Path(chosen))

    def _emit_pasted(self) -> None:
        self._timer.stop()
        self.pasted.emit(self.text.toPlainText())


def _lost(loss: Losses) -> str:
    """The cost of host work at one number of replicas."""
    parts = ((loss.host, tr("host")), (loss.transfer, tr("transfers")), (loss.loading, tr("loading")))
    losses = ", ".join(f"{where} {percent(100 * value)}" for value, where in parts if value is not None)
    return plural(
        "{count:,} replica, time lost: {shares}",
        "{count:,} replicas, time lost: {shares}",
        count=loss.replicas,
        shares=losses,
    )
