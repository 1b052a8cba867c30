"""Focus navigation: from a field to the widget it searches, from a panel to its picture or table."""

from __future__ import annotations

from weakref import ref

from PySide6.QtWidgets import QDockWidget, QWidget


class Lent(QWidget):
    """Controls of ``owner`` that may stand elsewhere, such as in the heading of its dock. What looks outwards from one
    of them (for what it searches, copies or clears) goes on at the owner."""

    def __init__(self, owner: QWidget) -> None:
        super().__init__(owner)
        self._owner = ref(owner)  # the owner has it as an attribute

    @property
    def owner(self) -> QWidget | None:
        return self._owner()


class Place(QWidget):
    """The place of a control. It is hidden where there is no room, which leaves open whether the control is offered."""


def outwards(widget: QWidget) -> QWidget | None:
    """What ``widget`` belongs to: its owner if it is lent, else its parent."""
    return (widget.owner if isinstance(widget, Lent) else None) or widget.parentWidget()


def belongs_to(widget: QWidget, holder: QWidget) -> bool:
    """Whether ``holder`` is met on the way outwards from ``widget``."""
    here = outwards(widget)
    while here is not None and here is not holder:
        here = outwards(here)
    return here is holder


def is_offered(widget: QWidget, holder: QWidget) -> bool:
    """Whether ``widget``, which belongs to ``holder``, is shown whenever that is, as far as there is room."""
    here: QWidget | None = widget
    while here is not None and here is not holder:
        if here.isHidden() and not isinstance(here, Place):
            return False
        here = outwards(here)
    return here is holder


def home_of(widget: QWidget) -> QWidget | None:
    """The widget that gets the focus when ``widget`` gives it up: the final focus proxy of the nearest one outwards
    that has one, if it is visible and enabled; else None. Searches up to the enclosing dock or window."""
    here: QWidget | None = widget
    while here is not None and not here.isWindow() and not isinstance(here, QDockWidget):
        proxy = here.focusProxy()
        while proxy is not None and proxy.focusProxy() is not None:
            proxy = proxy.focusProxy()
        if proxy is not None and proxy is not widget and proxy.isVisible() and proxy.isEnabled():
            return proxy
        here = outwards(here)
    return None
