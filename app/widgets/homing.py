"""Focus navigation: from a field to the widget it searches, from a panel to its picture or table."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QWidget


def home_of(widget: QWidget) -> QWidget | None:
    """The widget that gets the focus when ``widget`` gives it up: the final focus proxy of the nearest ancestor that
    has one, if it is visible and enabled; else None. Searches up to the enclosing dock or window."""
    here: QWidget | None = widget
    while here is not None and not here.isWindow() and not isinstance(here, QDockWidget):
        proxy = here.focusProxy()
        while proxy is not None and proxy.focusProxy() is not None:
            proxy = proxy.focusProxy()
        if proxy is not None and proxy is not widget and proxy.isVisible() and proxy.isEnabled():
            return proxy
        here = here.parentWidget()
    return None
