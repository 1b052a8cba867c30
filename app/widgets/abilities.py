"""Abilities of panels and widgets that commands use, besides Tabular and Canvas. A command looks for the nearest
widget, from the focus widget outwards, that inherits the ability, so that mypy checks that it implements all of it."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QRectF, SignalInstance
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QMenu, QWidget

from app.views.look import Theme
from app.widgets.tabular import Tabular

if TYPE_CHECKING:
    from app.analysis.compare.matching import Pair
    from app.analysis.time.model import TimeModel
    from app.analysis.view_links.view_link import ViewState
    from app.profile.timeline import Timeline
    from app.views.timeline.colour_choice import ColourBy


class Copies:
    """Has text for the copy command. Tables have it too: a single cell is copied as it is, several as TSV with a
    header."""

    @abstractmethod
    def copy_text(self) -> str:
        """The selection as text; "" if there is none."""


class CopiesCell:
    """Has a cell for the copy-cell command."""

    @abstractmethod
    def cell_text(self) -> str:
        """The whole current cell, as it is exported; "" if there is none."""

    @abstractmethod
    def cell_name(self) -> str:
        """The text of the current cell; "" if it is a figure, or if there is none."""


class CopiesText:
    """A page of texts, of which one is copied by itself."""

    @abstractmethod
    def text_meant(self) -> str:
        """The text that the context menu is about; "" without one."""


class Searchable:
    """Can be searched: the find command (Ctrl+F) and its steps (F3, Shift+F3)."""

    @abstractmethod
    def start_find(self) -> None:
        """Focuses the search field of the panel."""

    @abstractmethod
    def find_step(self, direction: int) -> None:
        """Goes to the next (+1) or previous (-1) hit."""


class StepsDifferences:
    """Shows two profiles, and goes from one difference to the next (F7, Shift+F7)."""

    @property
    @abstractmethod
    def can_step_differences(self) -> bool:
        """Whether there is a baseline, and anything differs."""

    @abstractmethod
    def difference_step(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) difference."""


class HandlesEscape:
    """Can cancel by Esc: one operation at a time, before anything around it is affected."""

    @abstractmethod
    def handle_escape(self) -> bool:
        """Cancels a drag, a search or a filter; False if there is nothing to cancel."""


class TakesNotes:
    """A canvas over time on which notes can be created; the document stores them."""

    @abstractmethod
    def note_selection(self) -> None:
        """Adds a note over the extent of the selection, else of the range."""

    @abstractmethod
    def note_here(self) -> None:
        """Adds a note at the pointer, else in the middle of the view."""


class RenamesNotes:
    """A panel that lists or shows notes."""

    @abstractmethod
    def rename_note(self) -> None:
        """Starts editing the name of the current note."""


class PinsLanes:
    """A canvas whose lanes can be pinned to the top."""

    @abstractmethod
    def toggle_pin(self) -> None:
        """Pins the selected lane, else that of the selected slice, else the one under the pointer, or unpins it."""

    @abstractmethod
    def lane_to_pin(self) -> int | None:
        """The lane that ``toggle_pin`` applies to."""

    @abstractmethod
    def unpin_all(self) -> None:
        """Unpins all lanes."""

    @property
    @abstractmethod
    def any_pinned(self) -> bool:
        """Whether any lane is pinned."""


class HasLanes:
    """A canvas of lanes that can be selected, and some of them collapsed."""

    @abstractmethod
    def current_lane(self) -> int | None:
        """The lane under the pointer, else the selected one, else that of the selected slice."""

    @abstractmethod
    def step_lane(self, direction: int) -> None:
        """Selects the lane or collapsed process below (+1) or above (-1)."""

    @abstractmethod
    def choose_lane(self) -> None:
        """Selects the current lane (``current_lane``)."""

    @abstractmethod
    def can_fold(self) -> bool:
        """Whether the current row is a lane of several rows, or a process."""

    @abstractmethod
    def toggle_fold(self) -> None:
        """Collapses or expands the current lane or process."""

    @abstractmethod
    def can_fold_process(self) -> bool:
        """Whether the current row belongs to a process."""

    @abstractmethod
    def toggle_process(self) -> None:
        """Collapses or expands the current process."""


class LaneArrangement:
    """Which lanes of a canvas are hidden, and their order."""

    @abstractmethod
    def can_hide(self) -> bool:
        """Whether any lane is meant: under the pointer, else selected."""

    @abstractmethod
    def hide_lanes(self) -> None:
        """Hides the lane, counter or process under the pointer, else the selected lanes."""

    @abstractmethod
    def show_lanes(self) -> None:
        """Shows all lanes that were hidden like that."""

    @abstractmethod
    def can_move(self, direction: int) -> bool:
        """Whether the current lane or process can stand further down (+1) or up (-1)."""

    @abstractmethod
    def move_lane(self, direction: int) -> None:
        """Moves the current lane or process down (+1) or up (-1)."""

    @property
    @abstractmethod
    def any_moved(self) -> bool:
        """Whether any lane or process does not stand where the file has it."""

    @abstractmethod
    def restore_order(self) -> None:
        """Restores the order of the file."""


class ArrangesLanes:
    """A canvas whose lanes can be hidden and moved, by ``arrangement``."""

    arrangement: LaneArrangement


class HasItemMenus:
    """A widget whose context menu depends on the item under the pointer."""

    @abstractmethod
    def menu_places_at(self, point: QPoint | None) -> tuple[str, ...]:
        """The menu places of the item at ``point`` (None: of the current item), as named in the command list, the most
        specific first. Selects the item unless it is already selected. ITEM among them stands for the kind of the
        resulting selection."""


ITEM = "item"
"""In ``menu_places_at``: an item of the shared selection."""


class ShowsCriticalPath:
    """A canvas over time that can mark the critical path."""

    @property
    @abstractmethod
    def path_timeline(self) -> Timeline | None:
        """The timeline whose path can be shown; None without one."""

    @property
    @abstractmethod
    def path_shown(self) -> bool:
        """Whether the path is marked."""

    @abstractmethod
    def show_path(self, time: TimeModel | None) -> None:
        """Marks the path of this model; None: no longer. Ignores the model of another timeline."""


class ZoomsToRange:
    """A canvas over time that can zoom to the range."""

    @abstractmethod
    def zoom_to_range(self) -> None:
        """Zooms to the range, with a small margin."""


class HasColumns:
    """Tables: the column commands of a header's context menu."""

    @abstractmethod
    def sort_column(self, *, descending: bool) -> None:
        """Sorts by the current column."""

    @abstractmethod
    def sorted_column(self) -> bool:
        """Whether the rows are sorted."""

    @abstractmethod
    def unsort(self) -> None:
        """Restores the order of the file."""

    @abstractmethod
    def hide_column(self) -> None:
        """Hides the current column."""

    @abstractmethod
    def show_columns(self) -> None:
        """Shows all columns."""

    @abstractmethod
    def any_column_hidden(self) -> bool:
        """Whether a column is hidden."""

    @abstractmethod
    def fit_columns(self) -> None:
        """Fits the column widths to their cells."""

    @abstractmethod
    def columns_menu(self, parent: QWidget) -> QMenu:
        """A menu to choose the visible columns."""


class Expandable:
    """Trees: expanding and collapsing."""

    @abstractmethod
    def open_below_current(self) -> None:
        """Expands the current row and its descendants."""

    @abstractmethod
    def close_all(self) -> None:
        """Collapses all rows."""


class ShowsTable:
    """A panel with tables that can be opened by id."""

    @abstractmethod
    def show_table(self, table_id: str, row: int = -1, *, of_baseline: bool = False) -> None:
        """Shows a table, and selects a row of it (``of_baseline``: of the table of the baseline), as soon as it is
        loaded."""


class ShowsEvidence:
    """A panel whose rows lead to rows of tables."""

    @property
    @abstractmethod
    def can_show_evidence(self) -> bool:
        """Whether the current row leads anywhere."""

    @abstractmethod
    def show_evidence(self) -> None:
        """Brings the row of the table to the front."""


class RunsQueries:
    """A panel that runs statements."""

    @property
    @abstractmethod
    def can_run_query(self) -> bool:
        """Whether there is a profile to query."""

    @property
    @abstractmethod
    def query_running(self) -> bool:
        """Whether a statement is running."""

    @abstractmethod
    def run_query(self) -> None:
        """Runs the statement."""

    @abstractmethod
    def cancel_query(self) -> None:
        """Ends the running statement."""


class PairsRows:
    """A table whose rows may be compared ones, which can be paired by hand."""

    @abstractmethod
    def rows_to_pair(self) -> tuple[Pair, ...] | None:
        """The pair of the two selected rows, one of each side only; None if others are selected."""

    @abstractmethod
    def rows_to_unpair(self) -> tuple[Pair, ...] | None:
        """Both selected rows (which are one) without a partner; None if another one is selected."""


class ShowsLine:
    """A panel with texts that can be opened by path or name."""

    @abstractmethod
    def show_line(self, text: str, line: int) -> None:
        """Shows a text and selects a line of it, counted from 1, as soon as it is loaded."""


class FiltersColumns:
    """Tables: the command "Filter by column"."""

    @abstractmethod
    def filter_column(self) -> None:
        """Opens the filter of the current column."""

    @abstractmethod
    def can_filter_cells(self) -> bool:
        """Whether there is a current cell."""

    @abstractmethod
    def filter_cells(self, *, out: bool) -> None:
        """Leaves rows with the values that the selected rows have in the current column, or (``out``) all others."""

    @abstractmethod
    def clear_filters(self) -> None:
        """Removes all filters."""


class ColoursSlices:
    """A canvas whose slices are coloured by something that can be chosen."""

    @property
    @abstractmethod
    def colour_by(self) -> ColourBy | None:
        """The choice; None where nothing can be chosen."""

    @abstractmethod
    def can_colour_by(self, wanted: ColourBy) -> bool:
        """Whether this choice tells anything."""

    @abstractmethod
    def set_colour_by(self, wanted: ColourBy) -> None:
        """Changes the choice; slices of all colours are shown."""


class HidesSlices:
    """A canvas that can hide slices by name."""

    @abstractmethod
    def hide_selected(self) -> None:
        """Hides all slices with the names of the selected ones."""

    @abstractmethod
    def keep_selected(self) -> None:
        """Hides all slices but those with the names of the selected ones."""

    @abstractmethod
    def show_all(self) -> None:
        """Shows all hidden slices and lanes."""

    @property
    @abstractmethod
    def anything_hidden(self) -> bool:
        """Whether any slice or lane is hidden."""

    @abstractmethod
    def toggle_pipes_only(self) -> None:
        """Hides flags, barriers and scalar lanes, or shows them again."""

    @property
    @abstractmethod
    def can_show_pipes_only(self) -> bool:
        """Whether there are pipes."""

    @property
    @abstractmethod
    def pipes_only(self) -> bool:
        """Whether flags, barriers and scalar lanes are hidden."""


class ComparesTimelines:
    """A panel that may show the timeline of a baseline below its own."""

    @property
    @abstractmethod
    def can_step_difference(self) -> bool:
        """Whether there are differences to step to."""

    @abstractmethod
    def step_difference(self, direction: int) -> None:
        """Selects the next (+1) or previous (-1) difference, by falling size."""

    @property
    @abstractmethod
    def can_align(self) -> bool:
        """Whether a slice with a match is selected."""

    @abstractmethod
    def align_here(self, *, end: bool = False) -> None:
        """Aligns both timelines at the start of the selected slice and its match, or at their ``end``."""

    @property
    @abstractmethod
    def can_align_with_selected(self) -> bool:
        """Whether the menu is about a slice of the baseline, and a slice of the comparison is selected."""

    @abstractmethod
    def align_with_selected(self, *, end: bool = False) -> None:
        """Aligns that slice of the baseline with the selected one, at their start or at their ``end``."""


class KeepsItem:
    """A panel of the selection that can keep what it shows while other things are selected. Signal
    ``keeping_changed``, also when there is nothing to keep any more."""

    keeping_changed: SignalInstance

    @property
    @abstractmethod
    def can_keep(self) -> bool:
        """Whether it shows anything."""

    @property
    @abstractmethod
    def keeps_item(self) -> bool:
        """Whether it keeps what it shows."""

    @abstractmethod
    def keep_item(self, wanted: bool) -> None:
        """Keeps what it shows, or (not ``wanted``) follows the selection again."""


class HasViewState:
    """A part of a panel, or a panel, that shows its content in a way that a link keeps: zoom, order, filter."""

    @abstractmethod
    def view_state(self) -> ViewState:
        """What differs from how it is shown at first, as plain values by name."""

    @abstractmethod
    def restore_view(self, saved: ViewState) -> None:
        """Shows it like that. ``saved`` comes from a stranger: what does not fit is ignored."""


class HasPicture:
    """Has a picture for the export command (PNG, SVG), drawn by the panel's own code."""

    @abstractmethod
    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        """Draws what the panel shows into ``place``."""


class StandsFor:
    """A panel that says which of its parts commands use if the focus widget does not have the ability itself."""

    def tabular(self) -> Tabular | None:
        """The part whose rows are copied and exported; None if there is none."""
        return None

    def picture(self) -> HasPicture | None:
        """The part that is exported as a picture; None while there are only tables."""
        return None

    @abstractmethod
    def picture_size(self) -> tuple[int, int]:
        """Width and height, in logical pixels, at which the picture looks as on screen."""
