"""The ability of zooming canvases: what keys, menus and the command palette can call."""

from __future__ import annotations

from abc import abstractmethod

from app.language import tr

LAST, FIRST = tr("This is the last item of its row."), tr("This is the first item of its row.")
NOTHING_IN_VIEW = tr("Nothing in view can be selected.")


def why_no_item(direction: int, *, selected: bool) -> str:
    """Why ``step_item`` leads nowhere; ``selected``: whether it began at an item."""
    return NOTHING_IN_VIEW if not selected else LAST if direction > 0 else FIRST


class Canvas:
    """A widget with a view that zooms and pans. Single-letter keys reach it only while it has the focus. One call is
    one gesture; ``back`` undoes gestures, not single wheel steps. While ``held`` is set, a key is being held down and
    calls belong to the previous gesture."""

    held: bool

    @abstractmethod
    def zoom(self, factor: float) -> None:
        """Zooms in (factor > 1) or out, around the pointer if it is over the canvas."""

    @abstractmethod
    def pan(self, fraction: float) -> None:
        """Moves the view by a fraction of its width; negative is left."""

    @abstractmethod
    def scroll_rows(self, rows: int) -> None:
        """Scrolls down (positive) or up."""

    @abstractmethod
    def fit(self) -> None:
        """Shows everything."""

    @abstractmethod
    def focus_selection(self) -> None:
        """Zooms to the selection; a second call in a row shows everything."""

    @abstractmethod
    def back(self) -> None:
        """Returns to the view before the last gesture."""

    @abstractmethod
    def forward(self) -> None:
        """Redoes what ``back`` undid."""

    @abstractmethod
    def step_item(self, direction: int) -> str:
        """Selects the next (+1) or previous (-1) item of the row, keeping the zoom; returns why there is none, else
        ""."""

    @abstractmethod
    def walk(self, across: int, down: int) -> bool:
        """Moves the keyboard's cursor by so many items; False if there is nothing to walk, and keys move the view."""

    @abstractmethod
    def walk_to_end(self, direction: int) -> None:
        """Moves the keyboard's cursor to the first (-1) or last (+1) item of the row."""

    @abstractmethod
    def choose(self, *, adding: bool) -> None:
        """Selects the item at the keyboard's cursor; ``adding``: besides those that are selected."""

    @abstractmethod
    def selection_to_range(self) -> None:
        """Sets the range to the extent of the selection."""
