"""Shows where a file lies, in the file manager of the desktop."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.formats.parts import holder
from app.language import tr
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.window.command import CommandContext


def show_in_folder(context: CommandContext, path: Path) -> None:
    """Opens the folder of a file; of a part of a file, that of the file."""
    folder = (holder(path) or path).absolute().parent
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder))):
        text = tr("{folder}: no file manager is available.", folder=folder)
        context.notices.add(Notice("info", text))
