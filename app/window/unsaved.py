"""Says which notes could not be saved, until they are, and when the window closes."""

from __future__ import annotations

import sys

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QMessageBox, QToolButton

from app.document.state_saver import StateSaver
from app.language import joined, plural, tr
from app.profile.one_line import one_line
from app.views.texts import CAPTION, shown_line
from app.widgets.style_property import set_style_property
from app.widgets.tips import set_tip
from app.window.command import CommandContext
from app.window.notices import TRY_AGAIN, Notice


class UnsavedNotes(QObject):
    """Shows a notice for each file whose notes could not be saved, and a badge in the status bar until all are.
    ``may_close`` asks when the window closes."""

    def __init__(self, context: CommandContext, saver: StateSaver) -> None:
        super().__init__(context.main)
        self._context = context
        self._saver = saver
        self._notices: list[Notice] = []
        self._box: QMessageBox | None = None
        self._abandoned = False
        self.badge = QToolButton(context.footer)
        self.badge.setObjectName("unsavedBadge")
        self.badge.setAutoRaise(True)
        self.badge.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        set_style_property(self.badge, "tone", "error")
        self.badge.clicked.connect(lambda: self._try_again())
        context.footer.addPermanentWidget(self.badge)
        self.badge.hide()
        saver.unsaved_changed.connect(self._show)

    @property
    def lines(self) -> list[str]:
        """One line for each file whose notes are not saved."""
        return [
            tr("Not saved: notes of {name} ({reason})", name=shown_line(file.name, CAPTION), reason=file.reason)
            for file in self._saver.unsaved
        ]

    def may_close(self) -> bool:
        """Saves what is due. Whether the window may close; if notes cannot be saved, the user is asked, and the window
        closes later."""
        self._saver.write(at_end=True)
        if not self._saver.unsaved or self._abandoned:
            return True
        if self._box is None:
            self._ask()
        return False

    def finish(self) -> None:
        """Saves what is due at the end of the program, and prints what is lost."""
        self._saver.write(at_end=True)
        for line in self.lines:
            print(one_line(line), file=sys.stderr)

    def _show(self) -> None:
        notices = self._context.notices
        notices.withdraw(self._notices)
        self._notices = [
            Notice(
                "error",
                tr("{problem}. They are kept until the window closes, and saved as soon as possible.", problem=line),
                "write",
                {TRY_AGAIN: self._saver.write},
            )
            for line in self.lines
        ]
        for notice in self._notices:
            notices.add(notice)
        self.badge.setVisible(bool(self._notices))
        count = len(self._notices)
        text = plural("Not saved: notes of {count:,} file", "Not saved: notes of {count:,} files", count=count)
        self.badge.setText(text)
        self.badge.setAccessibleName(shown_line(text))
        set_tip(self.badge, joined("\n", [*self.lines, tr("Click to try again.")]))

    def _try_again(self) -> None:
        """Saves what is due, and shows the notices that the user dismissed if that fails."""
        self._saver.write()
        self._show()

    def _ask(self) -> None:
        from app.widgets.message_box import MessageBox
        from app.widgets.mnemonics import mark_mnemonics

        box = self._box = MessageBox(self._context.main)
        box.setWindowTitle(tr("Notes are not saved"))
        box.setIcon(QMessageBox.Icon.Warning)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setText("\n".join(self.lines))
        box.setInformativeText(tr("If you close the window now, these notes are lost."))
        box.setStandardButtons(QMessageBox.StandardButton.Cancel)
        again = box.addButton(TRY_AGAIN, QMessageBox.ButtonRole.AcceptRole)
        leave = box.addButton(tr("Close without saving"), QMessageBox.ButtonRole.DestructiveRole)
        box.setDefaultButton(again)
        mark_mnemonics(box.buttons())

        def answered() -> None:
            chosen = box.clickedButton()
            self._abandoned = chosen is leave
            self._box = None
            box.deleteLater()
            if chosen in (again, leave):
                self._context.main.close()

        box.finished.connect(answered)
        box.open()
