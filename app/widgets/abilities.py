"""What a panel or a widget in it may be able to do for the command list, besides Tabular and Canvas. A command
looks for the nearest widget, from the one with the focus outwards, that has the ability: one that inherits it, so that
mypy sees that it can do all of it."""

from __future__ import annotations

from abc import abstractmethod

from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMenu, QWidget

from app.widgets.tabular import Tabular
from app.widgets.theme import Theme


class Copies:
    """The copy command puts this on the clipboard. Tables have it too: a single cell is copied as it is, several
    as TSV with a header."""

    @abstractmethod
    def copy_text(self) -> str:
        """What is chosen, as text; "" when there is nothing."""


class CopiesCell:
    """The copy-cell command puts this on the clipboard."""

    @abstractmethod
    def cell_text(self) -> str:
        """The cell that the cursor is on, all of it, as it is exported; "" where there is none."""


class Finds:
    """The find command (Ctrl+F) and its steps (F3, Shift+F3)."""

    @abstractmethod
    def start_find(self) -> None:
        """Puts the cursor into the search field of the panel."""

    @abstractmethod
    def find_step(self, direction: int) -> None:
        """The next (+1) or previous (-1) hit."""


class TakesBack:
    """Esc ends what goes on in it, one thing at a time, before anything around it is touched."""

    @abstractmethod
    def take_back(self) -> bool:
        """Ends a drag, a search, a filter; False where there is nothing to end."""


class TakesNotes:
    """A canvas over time that notes can be put on; it asks the document to keep them."""

    @abstractmethod
    def note_selection(self) -> None:
        """A note over the extent of what is selected, else of the range."""

    @abstractmethod
    def note_here(self) -> None:
        """A note at the pointer, else in the middle of what is seen."""


class RenamesNotes:
    """A panel that lists or shows notes."""

    @abstractmethod
    def rename_note(self) -> None:
        """Opens a field over the name of the chosen note."""


class PinsLanes:
    """A canvas whose lanes can be kept at the top."""

    @abstractmethod
    def toggle_pin(self) -> None:
        """Pins the lane under the pointer, else that of the selection; a pinned one goes back to its place."""

    @abstractmethod
    def lane_meant(self) -> int | None:
        """The lane that ``toggle_pin`` is about."""

    @abstractmethod
    def unpin_all(self) -> None:
        """All lanes go back to their places."""

    @property
    @abstractmethod
    def any_pinned(self) -> bool:
        """Whether there are pinned lanes."""


class HoldsLanes:
    """A canvas of lanes, which can be selected and some of them folded."""

    @abstractmethod
    def lane_meant(self) -> int | None:
        """The lane under the pointer, else the selected one, else that of the selected slice."""

    @abstractmethod
    def step_lane(self, direction: int) -> None:
        """Selects the lane or folded process below (+1) or above (-1)."""

    @abstractmethod
    def choose_lane(self) -> None:
        """Selects the lane that is meant."""

    @abstractmethod
    def can_fold(self) -> bool:
        """Whether what is meant is a lane of several rows, or a process."""

    @abstractmethod
    def toggle_fold(self) -> None:
        """Folds the lane or process that is meant, or unfolds it."""

    @abstractmethod
    def can_fold_process(self) -> bool:
        """Whether what is meant belongs to a process."""

    @abstractmethod
    def toggle_process(self) -> None:
        """Folds the process that is meant, or unfolds it."""


class HoldsThings:
    """A widget whose context menu is about the thing under the pointer."""

    @abstractmethod
    def thing_at(self, point: QPoint | None) -> tuple[str, ...]:
        """Makes clear what lies at ``point`` (None: what the keyboard is on) by choosing it, unless it is among what is
        chosen, and says what it is: places of the command list, the most particular first. ITEM among them stands for
        the kind of what is selected then."""


ITEM = "item"
"""In ``thing_at``: a thing of the shared selection."""


class HoldsRange:
    """A canvas over time that can zoom to the range."""

    @abstractmethod
    def zoom_to_range(self) -> None:
        """Shows the range nearly as wide as the picture."""


class HoldsColumns:
    """Tables: what the menu of a header does with its column."""

    @abstractmethod
    def sort_column(self, *, descending: bool) -> None:
        """Sorts by the column that is meant."""

    @abstractmethod
    def sorted_column(self) -> bool:
        """Whether the rows are sorted at all."""

    @abstractmethod
    def unsort(self) -> None:
        """The order of the file again."""

    @abstractmethod
    def hide_column(self) -> None:
        """Leaves out the column that is meant."""

    @abstractmethod
    def show_columns(self) -> None:
        """Shows all columns."""

    @abstractmethod
    def any_column_hidden(self) -> bool:
        """Whether a column is left out."""

    @abstractmethod
    def fit_columns(self) -> None:
        """Columns as wide as their cells."""

    @abstractmethod
    def columns_menu(self, parent: QWidget) -> QMenu:
        """Which columns are shown."""


class OpensBelow:
    """A tree."""

    @abstractmethod
    def open_below_current(self) -> None:
        """Opens the current row with all below it."""

    @abstractmethod
    def close_all(self) -> None:
        """Closes all rows."""


class ShowsTable:
    """A panel with tables that can be asked for by their ids."""

    @abstractmethod
    def show_table(self, table_id: str, row: int = -1) -> None:
        """Chooses a table, and a row of it, now or when it has arrived."""


class ShowsLine:
    """A panel with texts that can be asked for by path or name."""

    @abstractmethod
    def show_line(self, text: str, line: int) -> None:
        """Turns to a text and chooses a line of it, counted from 1, now or when it has arrived."""


class FiltersColumns:
    """Tables: the command "Filter by column" asks what of the current column is wanted."""

    @abstractmethod
    def filter_column(self) -> None:
        """Opens the choice."""

    @abstractmethod
    def clear_filters(self) -> None:
        """All rows again."""


class HidesSlices:
    """A canvas that can leave slices out by their names."""

    @abstractmethod
    def hide_selected(self) -> None:
        """Slices named like the selected ones are left out of the picture."""

    @abstractmethod
    def show_all(self) -> None:
        """Nothing is left out, neither slices nor lanes."""

    @property
    @abstractmethod
    def anything_hidden(self) -> bool:
        """Whether anything is left out."""


class HoldsPicture:
    """The export command offers what is shown as a picture (PNG, SVG), drawn by the panel's own code."""

    @abstractmethod
    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws what the panel shows into ``place``."""


class StandsFor:
    """A panel says which of its parts are meant while the keyboard is in none that has the ability itself."""

    def tabular(self) -> Tabular | None:
        """Whose rows are copied and exported; None: nobody's."""
        return None

    def picture(self) -> HoldsPicture | None:
        """What is exported as a picture; None while there are only tables."""
        return None

    @abstractmethod
    def picture_size(self) -> tuple[int, int]:
        """Logical pixels at which the picture shows what the screen does."""
