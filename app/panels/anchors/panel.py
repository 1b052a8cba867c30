"""The anchors panel, and the choice of anchors that it lists: one group, one model, or all."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QToolButton, QWidget

from app.analysis.popef.anchors import GROUPS, groups
from app.analysis.popef.flow import counterpart
from app.analysis.table import Table
from app.analysis.tables.popef import anchors
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import plural, tr
from app.panels.anchors.details import AnchorDetails
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.arrays import Bool
from app.profile.popef import Model
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.widgets.controls import Controls
from app.widgets.fields import Chooser
from app.widgets.table.profile_table import Make, ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.tips import set_tip

NO_ANCHORS = tr("The metadata name no anchors.")
SMALL = 2_000
"""Tables of more anchors than this are made in the background: 60,000 take a second."""


class AnchorsPanel(Panel):
    """A table of anchors by direction and data provider, with details of the selected one below; with a baseline, how
    both differ."""

    spec = SPECS["anchors"]
    compares = True
    empty = tr(
        "There are no anchors: the file contains no metadata, only data or an executable. Open the model's file too."
    )

    def build(self) -> None:
        self.choice = Choice(self)
        self.table = TableWidget(self.context.display, self)
        self.details = AnchorDetails(self.context.display, self)
        self._background = Background(self)
        self._shown = ProfileTable(self.context, self.table, self.spec.id)
        controls = Controls(self, (self.choice, 3), (self.table.bar, 2))
        self.lay_out((self.table, 1), self.details, home=self.table, controls=controls)
        self.choice.changed.connect(self._list)

    def tabular(self) -> Tabular:
        return self.table

    def clear(self) -> None:
        self._background.cancel()
        self._shown.clear()
        self.details.show_anchor(None, -1)

    def fill(self, profile: Profile) -> None:
        if profile.model is not None:
            self.choice.offer(profile.model)
            self._list()

    def _list(self) -> None:
        profile, model = self.profile, None if self.profile is None else self.profile.model
        if profile is None or model is None:
            return
        make = partial(_anchors, self.choice.chosen, model)
        if self.comparison is not None:
            self._background.cancel()
            self._shown.show(make)
            return
        if len(model.anchors) <= SMALL:
            self._background.cancel()
            self._show_table(profile, make, make(profile))
            return
        self.say_empty(
            plural(
                "Listing {count:,} anchor…",
                "Listing {count:,} anchors…",
                count=len(model.anchors),
            )
        )
        take, fail = partial(self._show_table, profile, make), partial(self._fail, profile)
        self._background.run(Task(lambda *_: make(profile), take, fail))

    def _show_table(self, profile: Profile, make: Make, table: Table | None) -> None:
        model = profile.model
        if self.profile is not profile or model is None:
            return
        if table is None:
            self.say_empty(self.lacks(NO_ANCHORS if len(model.metadata) else self.empty))
        else:
            self.stack.show_content()
            self._shown.show(make, table=table)
        self.follow()

    def _fail(self, profile: Profile, error: FormatError) -> None:
        if self.profile is profile:
            self.say_empty(tr("The anchors cannot be listed: {error}", error=error.text))

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        """Shows details of the first anchor that the selection refers to directly; none if it is only linked to
        many."""
        model = None if self.profile is None else self.profile.model
        meant: list[int] = []
        if selection is not None and selection.kind in ("anchor", "tensor", "blob"):
            meant = self.shared.items(selection, "anchor").tolist()
            if selection.kind == "blob" and not self.shared.items(selection, "tensor").size:
                meant = []  # metadata or an executable: linked to all anchors, refers to none
        comparison = self.comparison
        before = None if comparison is None else comparison.before.model
        self.details.show_anchor(model, meant[0] if meant else -1, before)


def _anchors(chosen: Chosen, after: Model, profile: Profile) -> Table | None:
    """The anchors of ``profile`` that pass the filter; the chosen model is one of the model ``after``."""
    model = profile.model
    if model is None:
        return None
    row = chosen.model if model is after or chosen.model < 0 else counterpart(model, after, chosen.model)
    return anchors(profile, within(model, chosen.group, row))


ALL = -1
MOST_WIDTH = 240
SHORT = (tr("In, user"), tr("In, PopEF"), tr("Out, user"), tr("Out, PopEF"), tr("Unknown, user"), tr("Unknown, PopEF"))
"""Short names of the groups for buttons; tool tips and the table show the full names."""


class Chosen(NamedTuple):
    """The filter: a group (ALL for every group), and a row of the metadata (-1 for all)."""

    group: int
    model: int


def within(model: Model, group: int, row: int) -> Bool | None:
    """bool[anchors]: which anchors are in the group and the model; None if all are."""
    wanted = np.ones(len(model.anchors), np.bool_)
    if group != ALL:
        wanted &= groups(model) == group
    if len(model.metadata) > 1 and row >= 0:
        wanted &= model.anchors.metadata == row
    return None if wanted.all() else wanted


class Choice(Controls):
    """The filter above the table. Signal ``changed``: another group or model was chosen."""

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, spacing=4)
        self._names: list[str] = []
        self.models = Chooser(tr("Model"), self)
        self.models.setMaximumWidth(MOST_WIDTH)
        self.models.activated.connect(lambda _: self.changed.emit())
        self._buttons = QButtonGroup(self)
        buttons = [self._button(number) for number in (ALL, *range(len(GROUPS)))]
        self.add(*buttons, 1, self.models, folds=buttons[:0:-1])
        self._buttons.idClicked.connect(lambda _: self.changed.emit())

    def offer(self, model: Model) -> None:
        """Shows buttons for the groups that have members, and the list of models if there are several."""
        counts = np.bincount(groups(model), minlength=len(GROUPS)).tolist()
        for number, count in ((ALL, len(model.anchors)), *enumerate(counts)):
            button = self._buttons.button(_id(number))
            button.setText(f"{tr('All') if number == ALL else SHORT[number]} {count:,}")
            button.setVisible(count > 0)
            if button.isChecked() and not count:
                self._buttons.button(_id(ALL)).setChecked(True)
        names = [model.strings.get(row) or tr("without a name") for row in model.metadata.executable.tolist()]
        texts = [tr("All models"), *(f"{row}: {name}" for row, name in enumerate(names, 1))]
        if texts != self._names:
            self._names = texts
            self.models.offer(texts)
        self.models.setVisible(len(names) > 1)

    @property
    def chosen(self) -> Chosen:
        """The chosen group and model."""
        return Chosen(self._buttons.checkedId() - 1, self.models.currentIndex() - 1)

    def _button(self, number: int) -> QToolButton:
        button = QToolButton(self)
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setChecked(number == ALL)
        set_tip(button, tr("Every anchor") if number == ALL else GROUPS[number])
        self._buttons.addButton(button, _id(number))
        return button


def _id(number: int) -> int:
    """The button id of a group; ids start at 0 because Qt assigns one itself for -1."""
    return number + 1
