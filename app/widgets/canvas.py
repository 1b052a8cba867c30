"""What a canvas can be told by the command list: one ability for keys, menus and the palette."""

from __future__ import annotations

from abc import abstractmethod


class Canvas:
    """A widget with a view that zooms and pans. Single-letter keys reach it only while it has the focus.
    One call is one gesture; ``back`` undoes gestures, not notches. While ``held`` is set, a key is being held down:
    what is called then belongs to the gesture before."""

    held: bool

    @abstractmethod
    def zoom(self, factor: float) -> None:
        """Narrows (factor > 1) or widens the view, about the pointer where it is over the canvas."""

    @abstractmethod
    def pan(self, fraction: float) -> None:
        """Moves the view by a share of its width; negative is left."""

    @abstractmethod
    def scroll_rows(self, rows: int) -> None:
        """Moves down (positive) or up."""

    @abstractmethod
    def fit(self) -> None:
        """Shows everything."""

    @abstractmethod
    def focus_selection(self) -> None:
        """Brings the selection to view; a second call in a row shows everything."""

    @abstractmethod
    def back(self) -> None:
        """The view before the last gesture."""

    @abstractmethod
    def forward(self) -> None:
        """Takes ``back`` back."""

    @abstractmethod
    def step_item(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) item of the row, keeping the zoom."""

    @abstractmethod
    def selection_to_range(self) -> None:
        """Makes the selection's extent the range."""
