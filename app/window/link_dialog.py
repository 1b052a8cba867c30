"""The dialog that opens a link: it shows which files would be read before anything of them is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QVBoxLayout

from app.analysis.view_links.text import LONGEST, BadLink, looks_like_link, parse, written
from app.language import tr
from app.views.texts import first_names, paragraph, shown_line
from app.widgets.labels import Label
from app.widgets.mnemonics import mark_mnemonics

if TYPE_CHECKING:
    from app.analysis.view_links.view_link import ProfileRef, ViewLink
    from app.window.command import CommandContext

WIDTH = 640


class LinkDialog(QDialog):
    """``link``: the one that was pasted elsewhere; without it, the field has what is on the clipboard if that is a
    link."""

    def __init__(self, context: CommandContext, link: ViewLink | None = None) -> None:
        super().__init__(context.main)
        self._context = context
        self._link: ViewLink | None = None
        self.setWindowTitle(tr("Open link"))
        self.setMinimumWidth(WIDTH)
        self.finished.connect(self.deleteLater)
        self.field = QLineEdit(self)
        self.field.setAccessibleName(tr("Link"))
        self.field.setPlaceholderText(tr("Paste a link: tilesight:///…"))
        self.field.setMaxLength(LONGEST + 1)
        self.about = Label(parent=self)
        self.about.setWordWrap(True)
        self.about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Open | QDialogButtonBox.StandardButton.Cancel, self
        )
        self.ok = self.buttons.button(QDialogButtonBox.StandardButton.Open)
        self.ok.setText(tr("&Open"))
        mark_mnemonics(self.buttons.buttons())
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.addWidget(self.field)
        layout.addWidget(self.about, 1)
        layout.addWidget(self.buttons)
        self.field.textChanged.connect(self._read)
        self.field.setText(_on_clipboard() if link is None else written(link))
        self.field.setCursorPosition(0)
        self._read()
        if link is not None:
            self.ok.setFocus(Qt.FocusReason.OtherFocusReason)

    def accept(self) -> None:
        """Follows the link: the user has seen its files."""
        link = self._link
        if link is not None:
            super().accept()
            self._context.links.follow(link)

    def _read(self) -> None:
        text = self.field.text().strip()
        self._link, about = None, ""
        if text:
            try:
                self._link = parse(text)
                about = described(self._link)
            except BadLink as error:
                about = str(error)
        self.about.setText(paragraph(about))
        self.ok.setEnabled(self._link is not None)


def described(link: ViewLink) -> str:
    """What a link opens, and where it goes."""
    lines = [tr("Opens {files}", files=_files(link.profile))]
    if link.baseline is not None:
        lines.append(tr("Compared with {files}", files=_files(link.baseline)))
    if link.panel:
        lines.append(tr("Panel: {panel}", panel=link.panel))
    if link.chosen is not None:
        from app.analysis.kinds import KINDS

        lines.append(tr("Selects {things}", things=KINDS[link.chosen.kind].counted(len(link.chosen.indices))))
    return "\n".join(lines)


def short(link: ViewLink) -> str:
    """The path of a link, for a line of a list."""
    return _files(link.profile)


def _files(ref: ProfileRef) -> str:
    names = ", ".join(first_names([shown_line(str(path)) for path in ref.paths]))
    return tr("{files}, part {part}", files=names, part=shown_line(ref.part)) if ref.part else names


def _on_clipboard() -> str:
    text = QGuiApplication.clipboard().text()[: LONGEST + 1].strip()
    return text if looks_like_link(text) else ""
