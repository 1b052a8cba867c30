"""The base class of all panels: what they have in common; subclasses add the content."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from PySide6.QtCore import QRectF, QSize, QTimer, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLayout, QVBoxLayout, QWidget

from app.analysis.table import Table
from app.document.document import Update
from app.language import tr
from app.panels.spec import PanelSpec
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.selection import Ranges, Selection
from app.views.look import Look, Theme
from app.widgets.abilities import HasPicture, StandsFor
from app.widgets.context import Context
from app.widgets.controls import Controls
from app.widgets.empty import OrEmpty
from app.widgets.frame import stack_in
from app.widgets.refresh import Refresh
from app.widgets.remarks import NotCompared, Portion
from app.widgets.shared import Shared
from app.widgets.tabular import Tabular

if TYPE_CHECKING:
    from app.analysis.compare.comparison import Comparison

READING = tr("Reading…")
NO_ROWS: I64 = np.empty(0, np.int64)
OTHER = -1
"""Stands for ``Document.showing`` of what does not belong to the current profile."""
FORMER_MS = 200
"""The longest time for which a panel still shows the former profile, so that most switches do not flicker."""


class Panel(QWidget, StandsFor, Tabular, HasPicture):
    """The content of a dock. A subclass sets its ``spec``, gives in ``empty`` the reason for having nothing to show,
    creates its controls in ``build`` and shows a profile in ``fill``. Other methods are overridden as needed; by
    default they do nothing. Signals: ``commands_wanted`` (place, global position): a menu of the commands that are
    listed for this place; ``panel_wanted`` (id): another panel should come forward; ``shows_anew``: it has been filled.

    The panel is filled once for any number of sections that arrive together, only while it is visible, and never for a
    section that its spec does not list. Selection, hover and ranges reach it only while it shows the current profile,
    and again after each ``fill``."""

    commands_wanted = Signal(str, object)
    panel_wanted = Signal(str)
    shows_anew = Signal()

    spec: ClassVar[PanelSpec]
    empty: ClassVar[str] = ""
    patient: ClassVar[bool] = False
    """Whether a few calls of ``fill`` per second are enough while sections arrive; for panels that show all
    sections."""
    by_selection: ClassVar[bool] = False
    """Whether the content depends on the selection, so that each selection fills the panel again."""
    as_left: ClassVar[bool] = False
    """Whether the panel keeps its position when it is filled again: the selection is marked, but not revealed."""
    requests: ClassVar[tuple[str, ...]] = ()
    """What it says in place of content that is no statement about the files, and so holds while they are being read."""
    compares: ClassVar[bool] = False
    """Whether it also shows the baseline; it is then filled again when one is set, swapped or ended. Other panels say
    that they do not compare."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.shared = Shared(context.document, self.spec.id)
        self._filled_at = OTHER
        self._said_empty = self._said_reading = False
        self._claims_room = False
        self.controls: Controls | None = None
        self._refresh = Refresh(self, self._show)
        self._marking = Refresh(self, self._mark_late)
        self._former = QTimer(self, singleShot=True, interval=FORMER_MS)
        self._former.timeout.connect(self._cover_former)
        self.build()
        document = context.document
        document.updated.connect(self._updated)
        document.entries_changed.connect(self._profiles_moved)
        document.baselines.changed.connect(self._baseline_changed)
        document.selection.changed.connect(self._selected)
        document.hover.changed.connect(self._hovered)
        document.ranges.changed.connect(self._ranged)
        context.display.changed.connect(self.show_look)
        self._refresh.request()

    # -- what a panel says and does -------------------------------------------------------------------------

    @abstractmethod
    def build(self) -> None:
        """Creates the widgets and calls ``lay_out``; there is no profile yet."""

    @abstractmethod
    def fill(self, profile: Profile) -> Iterator[object] | None:
        """Shows ``profile``. Yields between pieces of long work, so that frames are painted; what takes long itself is
        left to a thread (``yield from`` of ``Background.waited``)."""

    def lacks(self, text: str) -> str:
        """What to say of something that the files do not contain: ``text``, or, while they are still being read, that
        they are; the panel is then filled again at the end."""
        entry = self.context.document.current
        if entry is None or entry.done:
            return text
        self._said_reading = True
        return READING

    def clear(self) -> None:
        """Drops everything that belongs to a former profile; called if there is no profile, or nothing in it for this
        panel."""

    def forget(self) -> None:
        """Drops choices made in the former profile; called when another profile is shown."""

    def why_empty(self, profile: Profile | None) -> str:
        """Why there is nothing to show, as far as the files are read; "" if there is something."""
        return "" if profile is not None and self.spec.offered(profile) else self.empty

    def show_selection(self, selection: Selection | None, reveal: bool) -> None:
        """Marks the selection; ``reveal``: also scrolls to it, because it was made elsewhere."""

    def show_hover(self, hover: Selection | None) -> None:
        """Marks items that are hovered in another panel."""

    def show_ranges(self, ranges: Ranges) -> None:
        """Marks the range."""

    def recount(self) -> None:
        """Recomputes figures that depend on the range; called when the range changes."""

    def show_look(self, look: Look) -> None:
        """Handles a change of units or colours; widgets that paint themselves update on their own."""

    def minimumSizeHint(self) -> QSize:
        """Of the content only once it is shown: ``fill`` hides some controls, and the sizes of the docks are not to
        depend on when it runs."""
        if self._claims_room:
            return super().minimumSizeHint()
        return self.stack.empty.minimumSizeHint()

    # -- what it can do for commands --------------------------------------------------------------------------

    # ``tabular`` and ``picture`` return the parts of the panel that implement these.

    def picture_size(self) -> tuple[int, int]:
        return self.width(), self.height()

    def shown_table(self) -> Table | None:
        held = self.tabular()
        return None if held is None else held.shown_table()

    def shown_rows(self) -> I64 | None:
        held = self.tabular()
        return None if held is None else held.shown_rows()

    def rows_text(self) -> str:
        held = self.tabular()
        return "" if held is None or held is self else held.rows_text()

    def selected_rows(self) -> I64:
        held = self.tabular()
        return NO_ROWS if held is None else held.selected_rows()

    def draw_picture(self, painter: QPainter, place: QRectF, theme: Theme) -> None:
        held = self.picture()
        if held is not None:
            held.draw_picture(painter, place, theme)

    # -- what subclasses build with -----------------------------------------------------------------------

    def lay_out(
        self,
        *parts: QLayout | QWidget | tuple[QWidget, int],
        home: QWidget | None = None,
        controls: Controls | None = None,
    ) -> None:
        """Stacks the parts vertically (see ``stack_in``), with the empty state in their place if there is nothing to
        show; ``home`` receives the keyboard focus. ``controls`` go into the heading of the dock, and are hidden in the
        empty state; without a dock they stand above."""
        self.stack = OrEmpty(self.context.display, None, self)
        stack_in(self.stack.content, *parts)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        self._portion = Portion(self.spec.shown, self.context, self)
        layout.addWidget(self._portion)
        if not self.compares and not self.spec.alone:
            layout.addWidget(NotCompared(self.context, self))
        layout.addWidget(self.stack)
        if controls is not None:
            self.controls = controls if controls.owner is self else Controls(self, (controls, 1))
            layout.insertWidget(0, self.controls)
            self.stack.turned.connect(self._turn_controls)
        if home is not None:
            self.setFocusProxy(home)

    def say_empty(self, text: str, action: str = "", run: Callable[[], object] | None = None) -> None:
        """Shows ``text`` in place of the content; for reasons that only ``fill`` can determine."""
        self._said_empty = True
        self.uncover()
        self.stack.show_empty(text, action, run)
        self._claims_room = False
        self.updateGeometry()

    def uncover(self) -> None:
        """Shows the content, which belongs to the current profile now, or says how far its filling is."""
        self._former.stop()
        self.stack.uncover()

    def follow(self) -> None:
        """Marks selection and range again after a control has redrawn the content; after ``fill`` this happens by
        itself."""
        if not self._current:
            return
        self.context.document.linked.attempt(self._mark_after_filling)
        self.show_ranges(self.context.document.ranges.value)

    def refill(self) -> None:
        """Fills the panel again soon, once for any number of calls."""
        self._refresh.request()

    def stop_filling(self) -> None:
        """Ends the filling that is under way, because the user does not want to wait."""
        self._refresh.stop()

    @property
    def refill_due(self) -> bool:
        """Whether the panel will be filled again, so that what it shows is outdated."""
        return self._refresh.due

    def postpone(self) -> None:
        """Lets the first filling wait for the next turn of the event loop."""
        self._refresh.postpone()

    def come_to_front(self) -> None:
        """Does what is due, as the panel is about to be seen."""
        self._watch_former()
        for refresh in self.findChildren(Refresh):
            refresh.catch_up()

    @property
    def filling(self) -> bool:
        """Whether the panel is being filled, or will be in the next turns of the event loop."""
        return self._refresh.busy

    @property
    def profile(self) -> Profile | None:
        """The current profile of the document."""
        return self.context.document.profile

    @property
    def comparison(self) -> Comparison | None:
        """That of the current profile with its baseline, None without one."""
        return self.context.document.baselines.comparison

    # -- inside -------------------------------------------------------------------------------------------

    @property
    def _current(self) -> bool:
        """Whether the content belongs to the current profile rather than to the former one."""
        return self._filled_at == self.context.document.showing

    def _belongs_to(self, showing: int) -> None:
        self._filled_at = self.shared.shown_at = showing

    def _updated(self, update: Update) -> None:
        if update.whole:
            self.forget()
            self._watch_former()
        if self.spec.shows_of(update):
            if update.outdated:
                self._belongs_to(OTHER)  # what is selected now are items of the new sections
            self._refresh.request(patient=self.patient and not update.whole)

    def _profiles_moved(self) -> None:
        entry = self.context.document.current
        if self._said_reading and (entry is None or entry.done):
            self._refresh.request()
        self._refresh.hurry()

    def _baseline_changed(self) -> None:
        if self.compares:
            self._refresh.request()

    def _show(self) -> Iterator[object] | None:
        profile = self.profile
        self._said_empty = self._said_reading = False
        why = self.why_empty(profile)
        if why and (why not in self.requests or profile is None or not profile.filled()):
            why = self.lacks(why)
        if profile is None or why:
            self.uncover()
            self._belongs_to(OTHER)
            self._portion.show_of(None)
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

    def _in_pieces(self, pieces: Iterator[object]) -> Iterator[object]:
        yield from pieces
        self._filled()

    def _watch_former(self) -> None:
        """Gives the panel a moment until it has to hide what it shows of the former profile."""
        if self._filled_at >= 0 and not self._current and self._refresh.seen:
            self._former.start()

    def _cover_former(self) -> None:
        """Does not let the former profile pass for the current one while the panel is being filled."""
        if self._filled_at >= 0 and not self._current:
            self.stack.cover(tr("Preparing this panel…"))

    def _filled(self) -> None:
        self.uncover()
        self._belongs_to(self.context.document.showing)
        self._portion.show_of(self.profile)
        if not self._said_empty:
            self.stack.show_content()
            self._claim_room()
        self.follow()
        self.shows_anew.emit()

    def _turn_controls(self, empty: bool) -> None:
        assert self.controls is not None
        self.controls.setVisible(not empty)

    def _claim_room(self) -> None:
        if not self._claims_room:
            for part in self.findChildren(QWidget):
                part.updateGeometry()  # layouts of hidden widgets keep the sizes of controls that were hidden meanwhile
            self._claims_room = True
            self.updateGeometry()

    def _selected(self, _: Selection | None) -> None:
        if self.by_selection:
            self._refresh.request()
        elif not self._refresh.seen and self.window().isVisible():
            self._marking.request()  # one of those behind tabs, of which there are many
        else:
            self.context.document.linked.attempt(self._mark_selected)

    def _mark_selected(self) -> None:
        selection = self.shared.selection
        if self._current:
            self.show_selection(selection, selection is not None and not self.shared.own(selection))

    def _mark_after_filling(self) -> None:
        selection = self.shared.selection
        if self._current:
            moved = selection is not None and not self.as_left and not self.shared.own(selection)
            self.show_selection(selection, moved)

    def _mark_late(self) -> None:
        """Marks what was selected while the panel was out of sight."""
        self.context.document.linked.attempt(self._mark_selected)

    def _hovered(self, hover: Selection | None) -> None:
        if hover is None or self._refresh.seen or not self.window().isVisible():
            self.context.document.linked.attempt(self._mark_hovered)

    def _mark_hovered(self) -> None:
        hover = self.context.document.hover.value
        if self._current and not self.shared.own(hover):
            self.show_hover(hover)

    def _ranged(self, ranges: Ranges) -> None:
        if self._current:
            self.show_ranges(ranges)
            self.recount()
