"""File dialogs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from app.language import tr

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
