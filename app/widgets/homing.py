"""Where the keyboard belongs: from a field to what it searches, from a panel to its picture or table."""

from __future__ import annotations

from PySide6.QtWidgets import QDockWidget, QWidget


def home_of(widget: QWidget) -> QWidget | None:
    """What has the keyboard when ``widget`` gives it back: what the nearest part around it stands for (its focus
    proxy), as far as that can be seen; None where there is nothing. Looks no further than the dock or window."""
    here: QWidget | None = widget
    while here is not None and not here.isWindow() and not isinstance(here, QDockWidget):
        proxy = here.focusProxy()
        while proxy is not None and proxy.focusProxy() is not None:
            proxy = proxy.focusProxy()
        if proxy is not None and proxy is not widget and proxy.isVisible() and proxy.isEnabled():
            return proxy
        here = here.parentWidget()
    return None
