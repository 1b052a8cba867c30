"""What every panel is: its content is the subclass's, all that panels have in common is here."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.document.document import Update
from app.panels.spec import PanelSpec
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.widgets.abilities import HoldsPicture, StandsFor
from app.widgets.context import Context
from app.widgets.display import Look
from app.widgets.empty import OrEmpty
from app.widgets.frame import column_of
from app.widgets.refresh import Refresh
from app.widgets.shared import Shared
from app.widgets.tabular import Tabular
from app.widgets.theme import Theme

NO_ROWS: I64 = np.empty(0, np.int64)


class Panel(QWidget, StandsFor, Tabular, HoldsPicture):
    """The content of a dock. A subclass names its ``spec``, says in ``empty`` why there may be nothing to show, makes
    its controls in ``build`` and shows a profile in ``fill``. What it leaves as it is here it does not do.

    It is filled once for however many sections arrive, when it is seen, and never from a section that its spec does
    not name. What is selected, hovered or ranged reaches it only while it shows the current profile, and again after
    each filling."""

    spec: ClassVar[PanelSpec]
    empty: ClassVar[str] = ""
    patient: ClassVar[bool] = False
    """Whether a few fillings a second are enough while sections arrive (it follows all of them)."""
    by_selection: ClassVar[bool] = False
    """Whether it shows what is selected, so that it is filled again with each selection."""
    as_left: ClassVar[bool] = False
    """Whether it stays where a person left it when it is filled again: the selection is marked, but not moved to."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.shared = Shared(context.document, self.spec.id)
        self._filled_at = -1
        self._said_empty = False
        self._refresh = Refresh(self, self._show)
        self.build()
        document = context.document
        document.updated.connect(self._updated)
        document.entries_changed.connect(self._refresh.hurry)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        context.display.changed.connect(self.show_look)
        self._refresh.request()

    # -- what a panel says and does -------------------------------------------------------------------------

    @abstractmethod
    def build(self) -> None:
        """Makes what it consists of and calls ``lay_out``; there is no profile yet."""

    @abstractmethod
    def fill(self, profile: Profile) -> Iterator[None] | None:
        """Shows ``profile``. Long work yields between its pieces, so that frames are painted."""

    def clear(self) -> None:
        """Drops what is of a profile that is not shown any more: there is none, or none with anything of this kind."""

    def forget(self) -> None:
        """Another profile is shown: what was chosen in the one before means nothing in it."""

    def why_empty(self, profile: Profile | None) -> str:
        """Why there is nothing to show; "" where there is something."""
        return "" if profile is not None and self.spec.offered(profile) else self.empty

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Marks what is selected; ``reveal``: moves to it, as the panel has not selected it itself."""

    def show_hover(self, hover: Selection | None) -> None:
        """Marks what is pointed at in another panel."""

    def show_ranges(self, ranges: Ranges) -> None:
        """Marks the range."""

    def recount(self) -> None:
        """The range changed: figures that are counted in it are made anew."""

    def show_look(self, look: Look) -> None:
        """Units or colours changed; widgets that paint follow by themselves."""

    # -- what it can do for commands --------------------------------------------------------------------------

    # ``tabular`` and ``picture`` say which parts of it that is.

    def picture_size(self) -> tuple[int, int]:
        return self.width(), self.height()

    def shown_table(self) -> Table | None:
        held = self.tabular()
        return None if held is None else held.shown_table()

    def shown_rows(self) -> I64 | None:
        held = self.tabular()
        return None if held is None else held.shown_rows()

    def selected_rows(self) -> I64:
        held = self.tabular()
        return NO_ROWS if held is None else held.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        held = self.picture()
        if held is not None:
            held.draw_picture(painter, place, theme)

    # -- what subclasses build with -----------------------------------------------------------------------

    def lay_out(self, *parts: QLayout | QWidget | tuple[QWidget, int], home: QWidget | None = None) -> None:
        """Parts one below the other (see ``column_of``), or the sentence why there is nothing; ``home`` gets the
        keyboard."""
        self.stack = OrEmpty(self._context.display, column_of(*parts), self)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.stack)
        if home is not None:
            self.setFocusProxy(home)

    def say_empty(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        """``text`` in the place of the content: something that only filling could tell."""
        self._said_empty = True
        self.stack.show_empty(text, action, run)

    def follow(self) -> None:
        """Marks what is shared in what a control has just drawn anew; after each filling it happens by itself."""
        if not self._current:
            return
        selection = self.shared.selection
        moved = selection is not None and not self.as_left and not self.shared.own(selection)
        self.show_selection(selection, moved)
        self.show_ranges(self._context.document.ranges.value)

    @property
    def profile(self) -> Profile | None:
        """The profile that is shown."""
        return self._context.document.profile

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _current(self) -> bool:
        """Whether what it shows is of the profile that is shown, not of the one before."""
        return self._filled_at == self._context.document.showing

    def _updated(self, update: Update) -> None:
        if update.whole:
            self.forget()
        if self.spec.shows_of(update):
            self._refresh.request(patient=self.patient and not update.whole)

    def _show(self) -> Iterator[None] | None:
        profile = self.profile
        why = self.why_empty(profile)
        self._said_empty = False
        if profile is None or why:
            self._filled_at = -1
            self.clear()
            if why:
                self.say_empty(why)
            else:
                self.stack.show_content()
            return None
        pieces = self.fill(profile)
        if pieces is not None:
            return self._in_pieces(pieces)
        self._filled()
        return None

    def _in_pieces(self, pieces: Iterator[None]) -> Iterator[None]:
        yield from pieces
        self._filled()

    def _filled(self) -> None:
        self._filled_at = self._context.document.showing
        if not self._said_empty:
            self.stack.show_content()
        self.follow()

    def _selected(self, selection: Selection | None) -> None:
        if self.by_selection:
            self._refresh.request()
        elif self._current:
            self.show_selection(selection, selection is not None and not self.shared.own(selection))

    def _hovered(self, hover: Selection | None) -> None:
        if self._current and not self.shared.own(hover):
            self.show_hover(hover)

    def _ranged(self, ranges: Ranges) -> None:
        if self._current:
            self.show_ranges(ranges)
            self.recount()
