"""What several dialogs have: file dialogs, the buttons that end them, and a column of muted text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QModelIndex, QPersistentModelIndex
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QPushButton,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.language import tr
from app.widgets.mnemonics import mark_mnemonics

COMPRESSED = "*.json.gz"


def ask_files(parent: QWidget, recent: Sequence[str] = ()) -> list[Path]:
    """Asks for one or more files; returns an empty list if the dialog was cancelled."""
    names, _ = QFileDialog.getOpenFileNames(parent, tr("Open profiles"), begin(recent), filters())
    return [Path(name) for name in names]


def ask_folder(parent: QWidget, recent: Sequence[str] = ()) -> list[Path]:
    name = QFileDialog.getExistingDirectory(parent, tr("Open every profile in a folder"), begin(recent))
    return [Path(name)] if name else []


def begin(recent: Sequence[str]) -> str:
    """Returns the folder that a dialog starts in: that of the most recent file; "" for the system's default."""
    folder = Path(recent[0]).parent if recent else None
    return str(folder) if folder is not None and folder.is_dir() else ""


def filters() -> str:
    """Returns the dialog's file filters from the format registry: all profiles, each format, all files."""
    from app.formats.registry import FORMATS  # readers are not needed for the first paint

    every = sorted({pattern for known in FORMATS for pattern in known.patterns})
    each = [f"{known.label} ({' '.join(known.patterns)})" for known in FORMATS]
    return ";;".join([tr("Profiles ({names})", names=" ".join([*every, COMPRESSED])), *each, tr("All files (*)")])


def accept_and_cancel(
    dialog: QDialog, accept: QDialogButtonBox.StandardButton, text: str = "", *others: QPushButton
) -> tuple[QDialogButtonBox, QPushButton]:
    """A box with the button ``accept`` (``text``: another text than Qt's) and "Cancel", which end ``dialog``, and that
    button. Their mnemonics differ from those of ``others``."""
    box = QDialogButtonBox(accept | QDialogButtonBox.StandardButton.Cancel, dialog)
    button = box.button(accept)
    if text:
        button.setText(text)
    mark_mnemonics([*box.buttons(), *others])
    box.accepted.connect(dialog.accept)
    box.rejected.connect(dialog.reject)
    return box, button


class MutedColumn(QStyledItemDelegate):
    """Draws text in the palette's placeholder colour, which follows the theme."""

    def initStyleOption(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        super().initStyleOption(option, index)
        palette = option.palette
        palette.setBrush(QPalette.ColorRole.Text, palette.placeholderText())
        option.palette = palette
