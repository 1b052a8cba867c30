"""A tour in the window: a card below the panels shows one step of a tour's page after another, and the panel that the
step is about is in front, in a frame."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeySequence, QRegion, QResizeEvent, QShortcut
from PySide6.QtWidgets import QApplication, QFrame, QHBoxLayout, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.help.markdown import plain
from app.help.pages import page, topics
from app.help.tours import TOURS, Step, Tour, steps
from app.language import tr
from app.views.texts import shown_line
from app.widgets.announce import announce
from app.widgets.icons import icon
from app.widgets.texts import Label
from app.widgets.tips import set_tip
from app.window.command import CommandContext
from app.window.comparing import is_of
from app.window.help_window import SUFFIX, PageView, follow
from app.window.notices import Notice
from app.window.samples import samples

if TYPE_CHECKING:
    from app.document.entry import Entry
    from app.window.central_widget import CentralWidget

WIDEST: Final = 1100
"""Pixels of the card with texts of the usual size: longer lines are hard to read."""
MOST: Final = 9
"""The text has at most this part of the height of the window; more of it scrolls."""
RING: Final = 2
"""Thickness of the ring around the text while it has the keyboard, as in the style sheet."""
LINE: Final = 3
"""Thickness of the frame around the panel, as in the style sheet."""


class TourContext(CommandContext, Protocol):
    """What else a tour needs: where the card has its place."""

    central: CentralWidget


class TourBar(QWidget):
    """The place of the card, below the panels, so that it covers none of them. Refers to the sample by its files: the
    tour survives a reload, holds on to no profile, and ends when its profile is closed. While something else is shown,
    the card is hidden."""

    def __init__(self, context: TourContext) -> None:
        super().__init__(context.central)
        self._context = context
        self._tour: Tour | None = None
        self._steps: Sequence[Step] = ()
        self._paths: frozenset[Path] = frozenset()
        self._at = 0
        self._opened = False
        self._mark: Mark | None = None
        self.card = QFrame(self)
        self.card.setObjectName("tour")
        self.place = Label(parent=self.card)
        self.text = PageView(self.card)
        self.show_me = self._button(tr("Show me"), self._show_me)
        self.back = self._button(tr("Back"), lambda: self.go(self._at - 1))
        self.next = self._button(tr("Next"), lambda: self.go(self._at + 1))
        self.close_ = QToolButton(self.card)
        self._lay_out()
        QShortcut(QKeySequence("Esc"), self, self.end, context=Qt.ShortcutContext.WidgetWithChildrenShortcut)
        self.hide()
        context.central.add_guide(self)
        document = context.document
        document.entries_changed.connect(self._follow)
        context.central.page_changed.connect(self._follow)
        context.loader.idle.connect(self._give_up)
        context.display.changed.connect(self._fit)

    def start(self, topic: str) -> None:
        """Begins the tour of a page, in place of another one: opens its sample, unless it is open. A tour that runs
        goes on where it is, so that its command leads back to it."""
        tour = next(tour for tour in TOURS if tour.topic == topic)
        if self._opened and tour is self._tour:
            self._come(self._at)
            return
        self.end()
        paths = [path for sample in samples() if sample.id == tour.sample for path in sample.paths()]
        if not paths:
            text = tr("The sample of this tour is missing. Installing Tilesight again restores it.")
            self._context.notices.add(Notice("error", text, "open"))
            return
        self._tour, self._steps, self._paths = tour, steps(page(topic).text), frozenset(paths)
        self.card.setAccessibleName(shown_line(tour.title))
        if self._entry() is None:
            self._context.open(paths)
        else:
            self._follow()

    def go(self, at: int) -> None:
        """Shows step ``at`` of the tour, from 0; behind the last one, ends it."""
        if not 0 <= at < len(self._steps):
            self.end()
            return
        self._at = at
        step = self._steps[at]
        docks = self._context.prepare()
        there = docks.bring(step.panel, remember=False)  # of other profiles, the user decides what is in front
        self._frame(docks.docks[step.panel] if there else None)
        self._say(step, there=there)
        if self.back.hasFocus() and not at:
            self.next.setFocus()  # else the focus would leave the card
        self.back.setEnabled(at > 0)
        self.next.setText(tr("Finish") if at + 1 == len(self._steps) else tr("Next"))
        self.show_me.setVisible(bool(step.action) and there)
        self._follow()
        announce(self.next, f"{self.place.text()}\n{plain(step.text)}")

    def end(self) -> None:
        """Ends the tour, if there is one."""
        focus = QApplication.focusWidget()
        inside = focus is not None and self.isAncestorOf(focus)
        self._steps, self._opened = (), False
        self._frame(None)
        self.hide()
        if inside:
            self._context.keyboard.give_soon(wanted=True)

    # -- inside -------------------------------------------------------------------------------------------

    def _entry(self) -> Entry | None:
        """The profile of the sample."""
        return next((entry for entry in self._context.document.entries if is_of(entry, self._paths)), None)

    def _follow(self) -> None:
        """Begins when the sample is there, ends when it is closed, and is hidden while something else is shown."""
        if not self._steps:
            return
        entry, document = self._entry(), self._context.document
        if entry is None:
            if self._opened:
                self.end()
        elif self._opened:
            here = document.current_id == entry.id and self._context.central.docks_shown
            self.setVisible(here)
            if self._mark is not None:
                self._mark.setVisible(here)
        elif entry.done:
            self._opened = True
            self._come(0)

    def _come(self, at: int) -> None:
        """Shows the profile of the sample and step ``at``, with the keyboard."""
        entry = self._entry()
        if entry is not None:
            self._context.document.show(entry.id)
            self._context.show_start(False)
            self.go(at)
            QTimer.singleShot(0, self.next, self.next.setFocus)  # the search field, which may have started it, is left

    def _give_up(self) -> None:
        """The sample could not be read, which was said, or reading was cancelled."""
        self._follow()
        if not self._opened:
            self._steps = ()

    def _say(self, step: Step, *, there: bool) -> None:
        number, count = self._at + 1, len(self._steps)
        if there:
            text = tr("Step {number} of {count}: {heading}", number=number, count=count, heading=step.heading)
        else:
            text = tr("Step {number} of {count}: this profile has no such panel", number=number, count=count)
        self.place.setText(text)
        self._fit()

    def _fit(self) -> None:
        """Makes room for the longest text of the tour, so that the panels keep their place from step to step."""
        if not self._steps:
            return
        look = self._context.display.look
        self.card.setMaximumWidth(round(WIDEST * look.text_size / 100))
        longest = max(self._steps, key=lambda step: len(step.text))
        height = 0.0
        for step in (longest, self._steps[self._at]):
            self.text.show_markdown(step.text, self._context.display.theme)
            height = max(height, self.text.document().size().height())
        self.text.setFixedHeight(min(round(height) + 1 + 2 * RING, self._context.main.height() // MOST))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit()

    def _show_me(self) -> None:
        """Does what the step asks for. Commands are about the panel with the focus, which the card takes back."""
        step, docks = self._steps[self._at], self._context.prepare()
        docks.focus(step.panel)
        follow(self._context, step.action)
        docks.bring(step.panel, remember=False)
        self.show_me.setFocus()

    def _follow_link(self, link: str) -> None:
        if link.removesuffix(SUFFIX) in topics():
            self._context.show_help(link.removesuffix(SUFFIX))
        else:
            follow(self._context, link)

    def _frame(self, dock: QWidget | None) -> None:
        if self._mark is not None:
            self._mark.hide()
            self._mark.deleteLater()
        self._mark = None if dock is None else Mark(dock)

    def _button(self, text: str, run: object) -> QPushButton:
        button = QPushButton(text, self.card)
        button.setAutoDefault(False)
        button.clicked.connect(run)
        return button

    def _lay_out(self) -> None:
        self.place.setObjectName("headingText")
        still = self.show_me.sizePolicy()
        still.setRetainSizeWhenHidden(True)
        self.show_me.setSizePolicy(still)
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.document().setDocumentMargin(0)
        self.text.setAccessibleName(tr("Text of the step"))
        self.text.followed.connect(self._follow_link)
        self.close_.setIcon(icon("x", "muted"))
        self.close_.setAutoRaise(True)
        self.close_.setAccessibleName(tr("End tour"))
        set_tip(self.close_, tr("End tour (Esc)"))
        self.close_.clicked.connect(self.end)
        column = QVBoxLayout()
        column.setSpacing(4)
        column.addWidget(self.place)
        column.addWidget(self.text)
        row = QHBoxLayout(self.card)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        row.addLayout(column, 1)
        for button in (self.show_me, self.back, self.next, self.close_):
            row.addWidget(button, 0, Qt.AlignmentFlag.AlignBottom)
        middle = QHBoxLayout(self)
        middle.setContentsMargins(8, 4, 8, 4)
        middle.addStretch(1)
        middle.addWidget(self.card, 1000)
        middle.addStretch(1)


class Mark(QFrame):
    """A dashed frame around a panel. It has no inside: what is below stays free for the mouse and is not painted
    twice."""

    def __init__(self, panel: QWidget) -> None:
        super().__init__(panel)
        self.setObjectName("tourMark")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        panel.installEventFilter(self)
        self._cover(panel)
        self.show()

    def eventFilter(self, panel: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Resize and isinstance(panel, QWidget):
            self._cover(panel)
        return False

    def _cover(self, panel: QWidget) -> None:
        whole = panel.rect()
        self.setGeometry(whole)
        self.setMask(QRegion(whole) - QRegion(whole.adjusted(LINE, LINE, -LINE, -LINE)))
        self.raise_()


def start(context: TourContext, topic: str) -> None:
    """Begins the tour of a page, in place of another one."""
    bars = context.main.findChildren(TourBar)
    (bars[0] if bars else TourBar(context)).start(topic)
