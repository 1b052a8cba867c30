"""The notification bar under the header: one line for each problem, with buttons for next steps, Copy and Dismiss."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Literal

from msgspec import Struct, field
from msgspec.structs import replace
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from app.document.loader import Failure
from app.language import joined, plural, tr
from app.views.texts import page
from app.widgets.texts import Label, wrapping_text

SHOWN_LINES = 5
KEPT = 200
TRY_AGAIN = tr("Try again")
RELOAD = tr("Reload")


class Notice(Struct, frozen=True, eq=False):
    """One line of the bar. ``about``: what failed; "read" if a part of the file is shown. ``steps``: next steps by
    button text; notices with the same text share one button, which runs the steps of all. ``dismissed``: what is done
    when the user dismisses it. Both are ignored when notices are compared."""

    severity: Literal["error", "info"]
    text: str
    about: Literal["open", "read", "write"] = "read"
    steps: Mapping[str, Callable[[], object]] = field(default_factory=dict)
    dismissed: Callable[[], object] | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Notice) and self._words == other._words

    def __ne__(self, other: object) -> bool:  # a Struct has one of its own
        return not self == other

    def __hash__(self) -> int:
        return hash(self._words)

    @property
    def _words(self) -> tuple[str, ...]:
        return self.severity, self.text, self.about


class Notices(QFrame):
    """The notification bar, hidden while empty. It is not modal. Notices that come together are shown together: a
    folder may have hundreds of files that cannot be read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("notices")
        self._notices: list[Notice] = []
        self.steps: dict[str, QPushButton] = {}
        self.heading = Label(parent=self)
        self.lines = wrapping_text(self)
        self.lines.setReadOnly(True)
        self.lines.setFrameShape(QFrame.Shape.NoFrame)
        self.lines.setAccessibleName(tr("Notices"))
        self.lines.setTabChangesFocus(True)
        self.lines.document().setDocumentMargin(0)
        self.lines.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.lines.document().documentLayout().documentSizeChanged.connect(self._fit)
        self.copy_button = QPushButton(tr("Copy"), self)
        self.copy_button.clicked.connect(self.copy)
        self.dismiss_button = QPushButton(tr("Dismiss"), self)
        self.dismiss_button.clicked.connect(self._dismiss_by_hand)
        self._late = QTimer(self, interval=0, singleShot=True)
        self._late.timeout.connect(self._show)
        self._lay_out()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        self.hide()

    @property
    def text(self) -> str:
        """All lines, one for each notice."""
        return "\n".join(notice.text for notice in self._notices)

    def add_failure(self, failure: Failure, again: Callable[[Path], object] | None = None) -> None:
        """Adds a notice for each file that could not be read; ``again`` opens the file once more."""
        for path in failure.paths:
            notice = Notice("error", f"{path}: {failure.text}", "read" if failure.shown else "open")
            steps = {} if again is None else {TRY_AGAIN: partial(self._try, again, path, notice)}
            self.add(replace(notice, steps=steps))

    def _try(self, again: Callable[[Path], object], path: Path, notice: Notice) -> None:
        self.withdraw([notice])
        again(path)

    def add(self, notice: Notice) -> None:
        """Adds a notice; one that is shown already moves to the end. Beyond KEPT, the oldest are dropped."""
        if notice in self._notices:
            self._notices.remove(notice)
        self._notices = [*self._notices, notice][-KEPT:]
        if self.isHidden():
            self._show()
        else:
            self._late.start()

    def withdraw(self, notices: Collection[Notice]) -> None:
        """Removes notices that no longer apply."""
        left = [notice for notice in self._notices if notice not in notices]
        if len(left) < len(self._notices):
            self._notices = left
            self._show() if left else self.dismiss()

    def dismiss(self) -> None:
        self._late.stop()
        self._notices.clear()
        self.hide()

    def _dismiss_by_hand(self) -> None:
        for notice in self._notices:
            if notice.dismissed is not None:
                notice.dismissed()
        self.dismiss()

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)

    def _show(self) -> None:
        errors = [notice for notice in self._notices if notice.severity == "error"]
        self.heading.setObjectName("error" if errors else "info")
        self.heading.setText(_heading(errors, len(self._notices) - len(errors)))
        self.heading.style().polish(self.heading)
        self.lines.setPlainText(page(self.text))
        self._offer_steps()
        self.show()
        self._fit()

    def _offer_steps(self) -> None:
        for shown in self.steps.values():
            self._buttons.removeWidget(shown)
            shown.hide()
            shown.deleteLater()
        texts = dict.fromkeys(text for notice in self._notices for text in notice.steps)
        self.steps = {text: QPushButton(text, self) for text in texts}
        for place, (text, button) in enumerate(self.steps.items()):
            button.clicked.connect(partial(self._run, text))
            self._buttons.insertWidget(place, button, 0, Qt.AlignmentFlag.AlignTop)
        buttons = [*self.steps.values(), self.copy_button, self.dismiss_button]
        for before, after in pairwise(buttons):
            self.setTabOrder(before, after)

    def _run(self, text: str) -> None:
        """Runs the step with this button text for all notices that have it, each distinct step once."""
        steps = dict.fromkeys(notice.steps[text] for notice in self._notices if text in notice.steps)
        for step in steps:
            step()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Sets the height to that of the wrapped lines, up to SHOWN_LINES; more lines scroll. The scroll bar narrows
        the text, which never makes fewer lines, so the height converges."""
        wrapped = round(self.lines.document().size().height())  # a plain-text document's height is in lines
        lines = max(1, min(SHOWN_LINES, wrapped))
        policy = Qt.ScrollBarPolicy
        self.lines.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOn if wrapped > SHOWN_LINES else policy.ScrollBarAlwaysOff
        )
        below = 0 if wrapped > SHOWN_LINES else 4  # where lines scroll, the next would be seen there
        first = self.lines.document().firstBlock()
        in_first = max(1, first.layout().lineCount())
        drawn = round(self.lines.blockBoundingRect(first).height() / in_first)  # ideographs have higher lines
        self.lines.setFixedHeight(max(drawn, self.lines.fontMetrics().lineSpacing()) * lines + below)

    def _lay_out(self) -> None:
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self.heading)
        column.addWidget(self.lines)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 12, 8)
        row.setSpacing(8)
        row.addLayout(column, 1)
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(8)
        row.addLayout(self._buttons)
        for button in (self.copy_button, self.dismiss_button):
            self._buttons.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)


def _heading(errors: list[Notice], others: int) -> str:
    """What the lines are about: errors, and the number of ``others`` beside them."""
    if not errors:
        return tr("Notice")
    failed = _failed(errors)
    if not others:
        return failed
    return joined(" · ", (failed, plural("{count:,} notice", "{count:,} notices", count=others)))


def _failed(errors: list[Notice]) -> str:
    kinds = {notice.about for notice in errors}
    if len(kinds) > 1:
        return plural(
            "{count:,} problem",
            "{count:,} problems",
            count=len(errors),
        )
    files = plural("{count:,} file", "{count:,} files", count=len(errors))
    if "open" in kinds:
        return tr("{files} could not be opened", files=files)
    if "read" in kinds:
        return tr("{files} could not be read in full", files=files)
    return tr("{files} could not be written", files=files)
