"""The dialog that chooses two parts of the shown profile to compare."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QListWidget, QVBoxLayout, QWidget

from app.language import tr
from app.views.texts import shown_line, shown_lines
from app.views.units import format_value
from app.widgets.chooser import Chooser
from app.widgets.dialog_size import resize_dialog
from app.widgets.labels import Label
from app.widgets.mnemonics import mark_mnemonics

if TYPE_CHECKING:
    from app.analysis.parts.profile_part import PartList, ProfilePart
    from app.document.document import Entry
    from app.document.parts import PartOpener
    from app.window.command import CommandContext


class PartsDialog(QDialog):
    """The kinds of parts of an entry, and two lists of those of one kind. They are looked for in the background, once
    the entry is complete."""

    def __init__(self, context: CommandContext, opener: PartOpener, entry: Entry) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Compare parts"))
        self.finished.connect(opener.cancel)  # what is still looked for has no dialog to be shown in
        self.finished.connect(self.deleteLater)
        self._context = context
        self._opener = opener
        self._entry = entry
        self._lists: list[PartList] = []
        self.kinds = Chooser(tr("Kind of parts"), self)
        self.help = Label(tr("Searching for parts…"), self)
        self.help.setWordWrap(True)
        self.before, self.after = _list(tr("Baseline"), self), _list(tr("Comparison"), self)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.ok = self.buttons.button(QDialogButtonBox.StandardButton.Ok)
        self.ok.setText(tr("&Compare"))
        mark_mnemonics(self.buttons.buttons())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        self._arrange()
        self.kinds.currentIndexChanged.connect(self._show_kind)
        for side in (self.before, self.after):
            side.currentRowChanged.connect(self._judge)
            side.itemActivated.connect(lambda _item: self.accept())
        self._judge()
        self._looked = False
        context.document.entries_changed.connect(self._look)
        self._look()

    def accept(self) -> None:
        """Compares the two chosen parts, unless they are the same."""
        before, after = self._chosen(self.before), self._chosen(self.after)
        if self.isVisible() and before is not None and after is not None and before != after:
            super().accept()
            self._opener.compare(self._entry, before, after)

    def _arrange(self) -> None:
        sides = QHBoxLayout()
        for title, side in ((tr("Baseline"), self.before), (tr("Comparison"), self.after)):
            column = QVBoxLayout()
            label = Label(title, self)
            label.setBuddy(side)
            column.addWidget(label)
            column.addWidget(side)
            sides.addLayout(column)
        layout = QVBoxLayout(self)
        layout.addWidget(self.kinds)
        layout.addWidget(self.help)
        layout.addLayout(sides)
        layout.addWidget(self.buttons)
        resize_dialog(self, 620, 460)

    def _look(self) -> None:
        """Looks for parts, once the profile is complete."""
        entry = self._context.document.entry(self._entry.id)
        if entry is not None and entry.done and not self._looked:
            self._entry, self._looked = entry, True
            self._opener.find(entry, self._offer)

    def _offer(self, lists: list[PartList]) -> None:
        self._lists = lists
        self.kinds.offer([one.title for one in lists])
        self.kinds.setEnabled(bool(lists))
        self._show_kind()
        if lists:
            self.after.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show_kind(self) -> None:
        from app.analysis.parts.offered import default_pair

        place = self.kinds.currentIndex()
        if not 0 <= place < len(self._lists):
            self.help.setText(tr("No parts that can be compared. Select a range of the timeline to compare it."))
            return
        own = self._lists[place]
        self.help.setText(shown_line(own.help))
        names = shown_lines([self._text(part) for part in own.parts])
        for side, chosen in zip((self.before, self.after), default_pair(own.kind, own.parts), strict=True):
            side.clear()
            side.addItems(names)
            side.setCurrentRow(chosen)

    def _text(self, part: ProfilePart) -> str:
        if part.amount is None:
            return part.label
        target = self._entry.profile.target
        clock = target.clock_hz if target is not None else None
        return f"{part.label} · {format_value(part.amount, part.unit, self._context.display.look, clock)}"

    def _chosen(self, side: QListWidget) -> ProfilePart | None:
        place, row = self.kinds.currentIndex(), side.currentRow()
        if not 0 <= place < len(self._lists) or not 0 <= row < len(self._lists[place].parts):
            return None
        return self._lists[place].parts[row]

    def _judge(self) -> None:
        before, after = self._chosen(self.before), self._chosen(self.after)
        self.ok.setEnabled(before is not None and after is not None and before != after)


def _list(name: str, parent: QWidget) -> QListWidget:
    made = QListWidget(parent)
    made.setObjectName("lines")
    made.setAccessibleName(shown_line(name))
    made.setUniformItemSizes(True)
    return made
