"""Releases what hidden panels still hold of closed profiles."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget


def release_profile(panel: QWidget) -> None:
    """Releases the profile that a hidden panel showed last. Panels defer updates until they are visible, so a hidden
    one would keep that profile's memory and its columns on disk. The deferred update runs now instead (it finds nothing
    to show), and tables drop their rows."""
    from app.widgets.refresh import Refresh  # panels have imported these; the empty window starts without them
    from app.widgets.table.widget import TableWidget

    for refresh in panel.findChildren(Refresh):
        refresh.now()
    for table in panel.findChildren(TableWidget):
        table.release_rows()
