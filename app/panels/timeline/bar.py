"""The bar above the timeline: visible time range, zoom, rows, search."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QMenu, QSizePolicy, QToolButton, QWidget

from app.language import tr
from app.panels.timeline.menus import FilterMenu, FlowMenu
from app.views.texts import shown_line
from app.views.timeline.colour_choice import ColourBy
from app.widgets.buttons import icon_button, tool_button
from app.widgets.controls import Controls
from app.widgets.texts import Label
from app.widgets.timeline.search_controls import SearchControls
from app.widgets.tips import set_tip

ROWS = (
    ("tall", tr("Tall rows")),
    ("normal", tr("Normal rows")),
    ("compact", tr("Compact rows")),
    ("all", tr("Fit all lanes")),
)

COLOUR_WORDS: Final[dict[ColourBy, str]] = {
    "auto": tr("automatic"),
    "name": tr("name"),
    "category": tr("category"),
    "process": tr("process"),
    "duration": tr("duration"),
}
NARROWEST_VIEW = 120
"""Least width in pixels of the range in view."""
PIPES_TIP = tr("Pipes only: hides flags, barriers and scalar lanes (Shift+P)")


class Bar(Controls):
    """Signals: ``zoom`` (float) by a factor; ``fit``; ``rows`` (str): row height; ``fold`` (bool): collapse or expand
    all processes; ``pipes_only`` (bool): hide what is not the work of a pipe, or show it again; ``list_wanted``: list
    the hits; ``unit_wanted``, ``colour_wanted`` (global position): the menu of the unit of times, or of what
    colours go by."""

    zoom = Signal(float)
    fit = Signal()
    rows = Signal(str)
    fold = Signal(bool)
    pipes_only = Signal(bool)
    list_wanted = Signal()
    unit_wanted = Signal(object)
    colour_wanted = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, spacing=4)
        self.search = SearchControls(tr("Find slices by name"), self)
        self.list = icon_button("list", tr("Show all matches as a table"), self)
        self.search.add_of_hits(self.list)
        self.view = Label(parent=self)
        self.view.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.view.setMinimumWidth(NARROWEST_VIEW)
        self.view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.filter = FilterMenu(self)
        self.pipes = self._toggle(tr("Pipes only"), PIPES_TIP)
        self.unit = self._button("", tr("Time unit"))
        self.colour = self._button("", tr("Colour by"))
        self.arrows = FlowMenu(self)
        self.wider = icon_button("zoom-out", tr("Zoom out (S)"), self)
        self.nearer = icon_button("zoom-in", tr("Zoom in (W)"), self)
        self.whole = icon_button("maximize", tr("Fit all (0)"), self)
        self.lanes = icon_button("rows-3", tr("Row height, and collapsed lanes"), self)
        self.lanes.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._fill_menu()
        self._lay_out()
        self._connect()
        self.set_unit("", "")

    def set_view(self, text: str, what: str) -> None:
        """Shows the visible time range."""
        self.view.setText(text)
        set_tip(self.view, what)

    def show_pipes(self, offered: bool, hidden: str) -> None:
        """Whether there are pipes, and how much is hidden where only they are shown ("": nothing)."""
        self.pipes.blockSignals(True)
        self.pipes.setChecked(bool(hidden))
        self.pipes.blockSignals(False)
        self.pipes.setVisible(offered)
        set_tip(self.pipes, tr("{hidden}\n{tip}", hidden=hidden, tip=PIPES_TIP) if hidden else PIPES_TIP)
        self.pipes.setAccessibleDescription(shown_line(hidden))

    def set_rows(self, rows_as: str) -> None:
        for action in self._heights.actions():
            action.setChecked(action.data() == rows_as)

    def set_unit(self, text: str, what: str) -> None:
        """Shows the unit of times; without a text it cannot be set."""
        self.unit.setText(f"{text} ▾")
        self.unit.setAccessibleName(shown_line(tr("Time unit: {text}", text=text)))
        self.unit.setVisible(bool(text))
        set_tip(self.unit, what)

    def show_colours(self, wanted: ColourBy, by: ColourBy, why: str) -> None:
        """Shows what colours go by; ``wanted``: the choice; ``why``: a sentence about it, or ""."""
        text = tr("Colour: {name}", name=COLOUR_WORDS[by])
        self.colour.setText(f"{text} ▾")
        self.colour.setAccessibleName(shown_line(text))
        automatic = tr("{text} (automatic); click to change it", text=text)
        tip = automatic if wanted == "auto" else tr("{text}; click to change it", text=text)
        set_tip(self.colour, "\n".join(part for part in (tip, why) if part))

    def _connect(self) -> None:
        self.list.clicked.connect(self.list_wanted)
        self.pipes.toggled.connect(self.pipes_only)
        self.wider.clicked.connect(lambda: self.zoom.emit(0.5))
        self.nearer.clicked.connect(lambda: self.zoom.emit(2.0))
        self.whole.clicked.connect(self.fit)
        self.colour.clicked.connect(
            lambda: self.colour_wanted.emit(self.colour.mapToGlobal(self.colour.rect().bottomLeft()))
        )
        self.unit.clicked.connect(lambda: self.unit_wanted.emit(self.unit.mapToGlobal(self.unit.rect().bottomLeft())))

    def _lay_out(self) -> None:
        search = self.search
        zooms = self.wider, self.nearer, self.whole
        inside = self.filter, self.pipes, (self.view, 3), self.colour, self.unit, self.arrows, *zooms
        folds = (
            self.wider,
            self.nearer,
            self.view,
            self.list,
            self.whole,
            self.arrows,
            self.unit,
            self.colour,
            self.pipes,
        )
        self.add((search.field, 2), *search.others, *inside, folds=folds, rare=(self.lanes,))

    def _fill_menu(self) -> None:
        menu = QMenu(self.lanes)
        self._heights = QActionGroup(menu)
        for rows_as, text in ROWS:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setData(rows_as)
            self._heights.addAction(action)
        self._heights.triggered.connect(lambda action: self.rows.emit(action.data()))
        menu.addSeparator()
        menu.addAction(tr("Collapse all")).triggered.connect(lambda: self.fold.emit(True))
        menu.addAction(tr("Expand all")).triggered.connect(lambda: self.fold.emit(False))
        self.lanes.setMenu(menu)

    def _button(self, text: str, what: str) -> QToolButton:
        return tool_button(text, what, self)

    def _toggle(self, text: str, what: str) -> QToolButton:
        button = self._button(text, what)
        button.setCheckable(True)
        return button
