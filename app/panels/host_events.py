"""The host events panel."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.analysis.host_events import file_name, is_path, opens, parts_of, together
from app.analysis.table import Table, only
from app.analysis.tables import tensorflow as tables
from app.document.background import Background, Task
from app.formats.errors import FormatError
from app.language import tr
from app.panels.panel import Panel
from app.panels.registry import SPECS
from app.profile.arrays import I64, among
from app.profile.profile import Profile
from app.profile.selection import Selection
from app.profile.tensorflow import ROLES, HostEvents, event_type
from app.store.event_parts import candidates, first_there, paths_of, save
from app.store.outputs import safe_name
from app.views.host_events import words
from app.views.look import Look
from app.views.texts import shown_line
from app.views.units import percent
from app.widgets.context import Context
from app.widgets.controls import Controls
from app.widgets.dialogs import ask_target
from app.widgets.fields import Chooser
from app.widgets.table.profile_table import ProfileTable
from app.widgets.table.widget import TableWidget
from app.widgets.tabular import Tabular
from app.widgets.texts import Label, Readout, paint_text, selectable
from app.widgets.tips import set_tip

EMPTY = tr(
    "There are no IPU events in this log. ipu_compile_summary, or compile_summary of an IPUEstimator, "
    "writes them into the event file."
)
NO_ROWS = tr("The log contains none of these.")
PAGES = (
    (tr("Events"), tr("Every event, in the order of the log"), tables.events),
    (tr("Reports"), tr("Reports, tensor maps and graphs that events carry"), tables.reports),
    (tr("Modules"), tr("Compilations, loads and executions by module"), tables.modules),
    (tr("Transfers"), tr("Bytes by tensor and direction; logged only with profiling"), tables.transfers),
    (tr("Classes"), tr("What each instruction does in training (instruction_info)"), tables.ml_types),
)
KINDS = ("host_event", "report", "slice")
LETTERS = 14
NONE: I64 = np.empty(0, np.int64)


class HostEventsPanel(Panel):
    """Choosers of table and events above, the table in the middle, the parts attached to the selected event below; with
    a baseline, the tables show how both logs differ."""

    spec = SPECS["host_events"]
    empty = EMPTY
    compares = True

    def build(self) -> None:
        self._events: HostEvents | None = None
        self._shown: tuple[object, ...] | None = None
        self.pages = QButtonGroup(self)
        buttons = [_page(number, text, what, self.pages, self) for number, (text, what, _) in enumerate(PAGES)]
        self.types = Chooser(tr("Types of events"), self, LETTERS)
        self.modules = Chooser(tr("Modules"), self, LETTERS)
        self.table = TableWidget(self.context.display, self)
        self._rows = ProfileTable(self.context, self.table, self.spec.id)
        self.parts = PartsView(self.context, self)
        inside = (self.table.bar, 3), self.types, self.modules
        controls = Controls(self, *buttons, *inside, folds=buttons[::-1], spacing=4)
        self.lay_out((self.table, 1), self.parts, home=self.table, controls=controls)
        self.pages.idClicked.connect(self._fill)
        self.types.activated.connect(self._fill)
        self.modules.activated.connect(self._fill)

    def tabular(self) -> Tabular:
        return self.table

    @property
    def busy(self) -> bool:
        """Whether a search for a file or a save is still running."""
        return self.parts.busy

    def why_empty(self, profile: Profile | None) -> str:
        events = None if profile is None else profile.host_events
        return "" if events is not None and len(events) else self.empty

    def clear(self) -> None:
        self._events = self._shown = None
        self._rows.clear()
        self.parts.clear()

    def fill(self, profile: Profile) -> None:
        events = profile.host_events
        if events is not None and self._events is not events:
            self._events = events
            self._offer(events)
        self._enable(profile)
        self._fill()

    def _offer(self, events: HostEvents) -> None:
        """Fills the choosers with the types and modules of these events."""
        for box, first, column, name in (
            (self.types, tr("All types"), events.type, event_type),
            (self.modules, tr("All modules"), events.module, events.strings.get),
        ):
            distinct, counts = np.unique(column[column >= 0], return_counts=True)
            numbers = distinct.tolist()
            texts = [f"{name(number)} ({count:,})" for number, count in zip(numbers, counts.tolist(), strict=True)]
            box.offer([first, *texts], [None, *numbers])

    def _enable(self, profile: Profile) -> None:
        """Enables the tables that either log has."""
        sides = [profile] if self.comparison is None else [profile, self.comparison.before]
        for number, (_, _, make) in enumerate(PAGES[1:], 1):
            self.pages.button(number).setEnabled(any(make(side) is not None for side in sides))
        if not self.pages.button(self.pages.checkedId()).isEnabled():
            self.pages.button(0).setChecked(True)

    def _fill(self) -> None:
        profile = self.profile
        events = None if profile is None else profile.host_events
        if profile is None or events is None:
            return
        page, kind, module = self.pages.checkedId(), self.types.number, self.modules.number
        for box in (self.types, self.modules):
            box.setVisible(page == 0 and box.count() > 2)
        now = self.context.document.showing, events, self.comparison, page, kind, module
        if now == self._shown:
            return
        self._shown = now
        make = PAGES[page][2]
        if page == 0:
            make = partial(_limited, kind=kind, module=None if module is None else events.strings.get(module))
        self._rows.show(make, empty=NO_ROWS)

    def show_selection(self, selection: Selection | None, _reveal: bool) -> None:
        profile = self.profile
        if profile is None or profile.host_events is None:
            return
        rows = self.shared.items(selection, "host_event") if selection is not None and selection.kind in KINDS else NONE
        if len(rows):
            first = _with_parts(profile.host_events, rows)
            self.parts.show_events(profile, np.concatenate((rows[rows == first], rows[rows != first])))
        else:
            self.parts.clear()


def _limited(profile: Profile, *, kind: int | None, module: str | None) -> Table | None:
    """The events of one type and one module (None: of all)."""
    table, events = tables.events(profile), profile.host_events
    if table is None or events is None:
        return None
    wanted = np.ones(len(events), np.bool_)
    if kind is not None:
        wanted &= events.type == kind
    if module is not None:
        wanted &= among(events.module, events.strings.find(module))
    return table if wanted.all() else only(table, wanted)


def _with_parts(events: HostEvents, rows: I64) -> int:
    """The most informative of these events: the first with attached parts, else the last of a pair (the end of a
    compilation) or the first."""
    carrying = rows[among(rows, events.attached.event)]
    return int(carrying[0]) if len(carrying) else int(rows[-1]) if len(rows) == 2 else int(rows[0])


def _page(number: int, text: str, what: str, group: QButtonGroup, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setText(text)
    set_tip(button, what)
    button.setCheckable(True)
    button.setAutoRaise(True)
    button.setChecked(number == 0)
    group.addButton(button, number)
    return button


OPEN_TIP = tr("Open it as a separate profile")
SAVE_TIP = tr("Save it as stored in the log")
LOOK_TIP = tr("The log contains only the path; Tilesight searches for the file after you confirm")


class PartRow(QWidget):
    """One part: its description and its actions."""

    def __init__(self, view: PartsView) -> None:
        super().__init__(view)
        self._view = view
        self.part = -1
        self.text = Readout(view.display, self, pad=0)
        self.open = _button(tr("Open"), OPEN_TIP, self)
        self.look = _button(tr("Find file…"), LOOK_TIP, self)
        self.save = _button(tr("Save…"), SAVE_TIP, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(self.text, 1)
        for button in (self.open, self.look, self.save):
            row.addWidget(button)
        self.open.clicked.connect(self._open)
        self.look.clicked.connect(self._look)
        self.save.clicked.connect(self._save)

    def show_part(self, profile: Profile, part: int) -> None:
        events = profile.host_events
        if events is None:
            return
        self.part = part
        line = words.part_line(events, part, self._view.look)
        self.text.say(line)
        named = is_path(events, part)
        self.open.setVisible(opens(events, part))
        self.look.setVisible(named)
        self.save.setVisible(not named)
        for button in (self.open, self.look, self.save):
            button.setAccessibleName(shown_line(f"{button.text()} {line}"))
        self.show()

    def _open(self) -> None:
        self._view.open_part(self.part)

    def _look(self) -> None:
        self._view.offer_search(self.part)

    def _save(self) -> None:
        self._view.ask_where(self.part)


class PartsView(QWidget):
    """The parts of the event that the panel shows; searching and saving run in the background."""

    def __init__(self, context: Context, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.display = context.display
        self._document = context.document
        self._profile: Profile | None = None
        self._looking, self._saving = Background(self), Background(self)
        self._wanted: tuple[Path, ...] = ()
        self._wrong = False
        self.title = Readout(context.display, self, pad=0)
        self.together = _button(tr("Open together"), "", self)
        self.rows = [PartRow(self) for _ in ROLES]
        self.why, self.said, self.question = (_label(self) for _ in range(3))
        self.agree = _button(tr("Find file"), tr("Search for the file and open it"), self)
        self.refuse = _button(tr("Cancel"), tr("Do not search"), self)
        self._build()
        self.together.clicked.connect(self._open_together)
        self.agree.clicked.connect(self._look)
        self.refuse.clicked.connect(self._forget)
        self.display.changed.connect(self._look_changed)
        self._look_changed()
        self.clear()

    def _build(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 6, 8, 6)
        column.setSpacing(3)
        head, answers = QHBoxLayout(), QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.together)
        answers.addWidget(self.question, 1)
        answers.addWidget(self.agree)
        answers.addWidget(self.refuse)
        column.addLayout(head)
        for row in self.rows:
            column.addWidget(row)
        column.addWidget(self.why)
        column.addLayout(answers)
        column.addWidget(self.said)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    @property
    def look(self) -> Look:
        return self.display.look

    @property
    def busy(self) -> bool:
        """Whether a search or a save is still running."""
        return self._looking.busy or self._saving.busy

    @property
    def parts(self) -> list[int]:
        """The visible parts."""
        return [row.part for row in self.rows if not row.isHidden()]

    # -- contents -----------------------------------------------------------------------------------------

    def clear(self) -> None:
        """No event is selected."""
        self._reset(None)
        self.title.say(words.NOTHING, muted=True)

    def show_events(self, profile: Profile, rows: I64) -> None:
        """Shows the parts of the first of these events."""
        events = profile.host_events
        if events is None or not len(rows):
            self.clear()
            return
        self._reset(profile)
        event = int(rows[0])
        self.title.say(words.title(events, event, len(rows)))
        parts = parts_of(events, rows[:1]).tolist()
        for row, part in zip(self.rows, parts, strict=False):
            row.show_part(profile, part)
        why = words.why_none(events, event)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self._offer_together(profile, [part for part in parts if opens(events, part)])

    def _reset(self, profile: Profile | None) -> None:
        if profile is None or profile is not self._profile:
            self._looking.cancel()
        self._profile = profile
        for hidden in (*self.rows, self.together, self.why):
            hidden.hide()
        self._forget()
        if not self._saving.busy:
            self.say("")

    def _offer_together(self, profile: Profile, parts: list[int]) -> None:
        events = profile.host_events
        if events is None or not parts:
            return
        companions = together(events, parts[0])
        if len(companions) > 1:
            names = ", ".join(file_name(events, int(part)) for part in companions)
            self.together.setText(tr("Open together ({count})", count=len(companions)))
            set_tip(self.together, tr("Open as one profile: {names}", names=names))
            self.together.show()

    def say(self, text: str, *, wrong: bool = False) -> None:
        self._wrong = wrong
        self._colour_said()
        self.said.setText(text)
        self.said.setVisible(bool(text))

    def _colour_said(self) -> None:
        theme = self.display.theme
        paint_text(self.said, theme.error if self._wrong else theme.muted)

    # -- opening ------------------------------------------------------------------------------------------

    def open_part(self, part: int) -> None:
        """Opens this part alone."""
        if self._profile is not None:
            self._document.show_or_open(paths_of(self._profile, [part]))

    def _open_together(self) -> None:
        events = None if self._profile is None else self._profile.host_events
        openable = [part for part in self.parts if events is not None and opens(events, part)]
        if self._profile is not None and events is not None and openable:
            self._document.show_or_open(paths_of(self._profile, together(events, openable[0]).tolist()))

    def offer_search(self, part: int) -> None:
        """Shows which files would be looked for; no file is touched before the user agrees."""
        if self._profile is None:
            return
        self._wanted = candidates(self._profile, part)
        self.question.setText(words.question(self._wanted))
        for shown in (self.question, self.agree, self.refuse):
            shown.setVisible(bool(self._wanted))
        self.agree.setFocus()

    def _forget(self) -> None:
        self._wanted = ()
        for hidden in (self.question, self.agree, self.refuse):
            hidden.hide()

    def _look(self) -> None:
        paths, document = self._wanted, self._document
        self._forget()
        self.say(tr("Searching for the file"))

        def found(path: Path | None) -> None:
            self.say(words.not_there(paths) if path is None else tr("Opening {path}", path=path), wrong=path is None)
            if path is not None:
                document.show_or_open([path])

        self._looking.run(Task(lambda token, _: first_there(paths, token), found, self._failed))

    # -- saving -------------------------------------------------------------------------------------------

    def ask_where(self, part: int) -> None:
        events = None if self._profile is None else self._profile.host_events
        if events is None:
            return
        name = safe_name(file_name(events, part))
        ask_target(self, tr("Save event data"), name, lambda path: self.save_as(part, path))

    def save_as(self, part: int, target: Path) -> None:
        """Saves the part as it is stored in the log."""
        profile = self._profile
        if profile is None:
            return
        self.say(tr("Saving {target}", target=target.name))
        self._saving.run(
            Task(
                lambda token, report: save(profile, part, target, token, report),
                lambda _: self.say(tr("Saved {target}", target=target)),
                self._failed,
                lambda done, of: self.say(
                    tr("Saving {target}: {done}", target=target.name, done=percent(100 * done / max(of, 1)))
                ),
            )
        )

    def _failed(self, error: FormatError) -> None:
        self.say(str(error), wrong=True)

    def _look_changed(self) -> None:
        paint_text(self.why, self.display.theme.muted)
        self._colour_said()
        profile = self._profile
        for row in self.rows:
            if not row.isHidden() and profile is not None and profile.host_events is not None:
                row.text.say(words.part_line(profile.host_events, row.part, self.look))


def _button(text: str, what: str, parent: QWidget) -> QToolButton:
    button = QToolButton(parent)
    button.setText(text)
    set_tip(button, what)
    return button


def _label(parent: QWidget) -> Label:
    label = Label(parent=parent)
    label.setWordWrap(True)
    return selectable(label)
