"""What tables and trees look like in a theme."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QWidget

from app.widgets.table.delegate import PADDING
from app.widgets.theme import Theme


def header_sheet(theme: Theme) -> str:
    """Flat headers in the theme's colours, the sort mark above the title instead of over it."""
    return (
        f"QHeaderView {{ background: {theme.raised}; border: none; }}"
        f"QHeaderView::section {{ background: {theme.raised}; color: {theme.muted}; border: none;"
        f" border-bottom: 1px solid {theme.line}; padding: 4px {PADDING}px; }}"
        f"QHeaderView::section:hover {{ color: {theme.text}; }}"
        "QHeaderView::up-arrow, QHeaderView::down-arrow"
        "{ subcontrol-position: top center; width: 12px; height: 6px; }"
    )


def surface_palette(widget: QWidget, theme: Theme) -> QPalette:
    """The theme's surface as the ground of a view. No stylesheet: it would make each scrolled pixel a repaint."""
    palette = QPalette(widget.palette())
    palette.setColor(QPalette.ColorRole.Base, QColor(theme.surface))
    return palette
