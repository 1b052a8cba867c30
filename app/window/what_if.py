"""What if some slices took another time: the estimate of half of it, and a dialog for any other factor."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from msgspec import Struct
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QFormLayout, QVBoxLayout

from app.analysis.kinds import KINDS
from app.analysis.relations import translate
from app.language import tr
from app.profile.arrays import I64, distinct
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.views.timeline.saving_words import saving_text
from app.widgets.dialogs import text_scale
from app.widgets.fields import Chooser, NumberBox
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.texts import Label
from app.window.time_questions import NO_ESTIMATE

if TYPE_CHECKING:
    from app.analysis.time.model import TimeModel
    from app.analysis.time.what_if import Saving
    from app.document.document import Update
    from app.window.command import CommandContext

HALF = 0.5
LONGEST = 1000.0
"""Percent of its time that something may be asked to take."""
WIDTH = 460
MOST_NAMED = 2000
"""Slices whose names are looked at to see whether all have the same."""
COMPUTING = tr("Estimating…")


class Scope(Struct, frozen=True):
    """What takes another time: ``what`` in words; ``slices`` finds it, in a thread."""

    what: str
    slices: Callable[[], I64]


def scopes(profile: Profile, selection: Selection) -> list[Scope]:
    """What may be meant by a selection: the things themselves first; of slices all with their name, and of one its
    lane, too."""
    line = profile.timeline
    assert line is not None
    own = Scope(_called(profile, selection), partial(_slices, profile, selection))
    if selection.kind != "slice":
        return [own]
    index = np.array(selection.indices, np.int64)
    name = _only_name(profile, index)
    listed = [own]
    if name >= 0:
        named = tr("all slices named “{name}”", name=line.strings.get(name))
        listed.append(Scope(named, lambda: np.flatnonzero(line.slices.name == name)))
    lanes = translate(profile, Selection("slice", tuple(selection.indices[:1])), "lane")
    if len(index) == 1 and len(lanes):
        lane = Selection("lane", (int(lanes[0]),))
        listed.append(Scope(_called(profile, lane), partial(_slices, profile, lane)))
    return listed


def _slices(profile: Profile, selection: Selection) -> I64:
    return translate(profile, selection, "slice")


def _only_name(profile: Profile, index: I64) -> int:
    """The name (text id) that slices have; -1 if they have several, or none."""
    assert profile.timeline is not None
    names = distinct(profile.timeline.slices.name[index[:MOST_NAMED]])
    return int(names[0]) if len(names) == 1 else -1


def _called(profile: Profile, selection: Selection) -> str:
    """What is selected, in words."""
    spec, count = KINDS[selection.kind], len(selection.indices)
    if count == 1:
        return tr("{kind} “{name}”", kind=spec.one, name=spec.name(profile, selection.first))
    if selection.kind == "slice":
        name = _only_name(profile, np.array(selection.indices, np.int64))
        if name >= 0 and profile.timeline is not None:
            return tr("{slices} named “{name}”", slices=spec.counted(count), name=profile.timeline.strings.get(name))
    return spec.counted(count)


def ask_saving(
    context: CommandContext, profile: Profile, scope: Scope, factor: float, say: Callable[[str], object]
) -> None:
    """Calls ``say`` with the estimate, or with why there is none."""
    line = profile.timeline
    assert line is not None

    def answer(model: TimeModel, check: Callable[[], None]) -> Saving | None:
        from app.analysis.time.what_if import Change, saving, step_saving

        if model.has_dependencies:
            return saving(model, [Change(scope.slices(), factor)], check)
        if profile.steps is not None:
            return step_saving(line, [Change(scope.slices(), factor)], model.span)
        return None

    def show(found: Saving | None) -> None:
        look = context.display.look
        say(NO_ESTIMATE if found is None else saving_text(found, scope.what, factor, line, look))

    context.time_questions.ask("saving", profile, answer, show)


def ask_half(context: CommandContext, profile: Profile, selection: Selection) -> None:
    """Shows in a notice what is saved if what is selected took half of its time."""

    def say(text: str) -> None:
        context.time_questions.say_saving(text, {tr("Other factor…"): partial(show, context, profile, selection)})

    ask_saving(context, profile, scopes(profile, selection)[0], HALF, say)


def show(context: CommandContext, profile: Profile, selection: Selection) -> None:
    """Opens the dialog for a selection, instead of the one that is open."""
    if context.document.profile is not profile:
        return
    for former in context.main.findChildren(WhatIfDialog):
        former.reject()
    WhatIfDialog(context, profile, selection).show()


class WhatIfDialog(QDialog):
    """What takes another time, how long, and the estimate, which follows both. Not modal; closes when another profile
    is shown."""

    def __init__(self, context: CommandContext, profile: Profile, selection: Selection) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("What if"))
        self._context, self._profile = context, profile
        self._scopes = scopes(profile, selection)
        self.what = Chooser(tr("What takes another time"), self)
        self.what.offer([scope.what for scope in self._scopes])
        self.factor = NumberBox(self)
        self.factor.setDecimals(1)
        self.factor.setRange(0.0, LONGEST)
        self.factor.setValue(100 * HALF)
        self.factor.setSuffix(" %")
        self.factor.setAccessibleName(tr("Percent of its time now"))
        self.answer = Label(parent=self)
        self.answer.setWordWrap(True)
        self.answer.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.answer.setMinimumHeight(5 * self.fontMetrics().height())
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close, self)
        self.buttons.button(QDialogButtonBox.StandardButton.Close).setAutoDefault(False)
        mark_mnemonics(self.buttons.buttons())
        self._lay_out()
        self.buttons.rejected.connect(self.reject)
        self.what.currentIndexChanged.connect(self._ask)
        self.factor.valueChanged.connect(self._ask)
        self.finished.connect(lambda: context.time_questions.cancel("saving"))
        self.finished.connect(self.deleteLater)
        context.document.updated.connect(self._updated)
        self.factor.setFocus(Qt.FocusReason.OtherFocusReason)
        self.factor.selectAll()
        self._ask()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.addRow(tr("If"), self.what)
        form.addRow(tr("took"), self.factor)
        layout = QVBoxLayout(self)
        layout.addLayout(form)
        layout.addWidget(self.answer, 1)
        layout.addWidget(self.buttons)
        self.setMinimumWidth(round(WIDTH * text_scale()))

    def _ask(self) -> None:
        self.answer.setText(COMPUTING)
        scope = self._scopes[max(self.what.currentIndex(), 0)]
        ask_saving(self._context, self._profile, scope, self.factor.value() / 100, self.answer.setText)

    def _updated(self, update: Update) -> None:
        if update.whole or "timeline" in update.outdated:
            self.reject()
