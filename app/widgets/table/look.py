"""The style of tables and trees in a theme."""

from __future__ import annotations

from app.widgets.table.delegate import PADDING
from app.widgets.theme import Theme


def header_sheet(theme: Theme) -> str:
    """The style sheet of headers: flat, in the theme's colours, with the sort indicator above the title instead of over
    it."""
    return (
        f"QHeaderView {{ background: {theme.raised}; border: none; }}"
        f"QHeaderView::section {{ background: {theme.raised}; color: {theme.muted}; border: none;"
        f" border-bottom: 1px solid {theme.line}; padding: 4px {PADDING}px; }}"
        f"QHeaderView::section:hover {{ color: {theme.text}; }}"
        "QHeaderView::up-arrow, QHeaderView::down-arrow"
        "{ subcontrol-position: top center; width: 12px; height: 6px; }"
    )
