"""Frees what a hidden panel still holds of a profile that was closed."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def let_go(panel: QWidget) -> None:
    """Panels put off what they do until they are seen, so a hidden one would keep the last profile it showed: its
    memory, and its columns on the disk. It looks at once instead (there is nothing of its kind to show any more), and
    its tables lose their rows."""
    from app.widgets.refresh import Refresh  # panels have brought these along; the empty window starts without them
    from app.widgets.table.widget import TableWidget

    for refresh in panel.findChildren(Refresh):
        refresh.now()
    for table in panel.findChildren(TableWidget):
        table.let_go()
