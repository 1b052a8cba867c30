"""The parts attached to the selected event: open them, save them, or look for the file named in the log."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from app.analysis.host_events.parts import file_name, is_path, opens, parts_of, together
from app.document.background import Background, Task
from app.document.opening import open_parts
from app.formats.errors import FormatError
from app.language import tr
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.tensorflow import ROLES
from app.store.event_parts import candidates, first_there, paths_of, save
from app.store.outputs import safe_name
from app.views.host_events import words
from app.views.look import Look
from app.views.texts import shown_line
from app.views.units import percent
from app.widgets.ask_target import ask_target
from app.widgets.context import Context
from app.widgets.labels import Label, paint_text, selectable
from app.widgets.readout import Readout
from app.widgets.tips import set_tip

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
            open_parts(self._document, paths_of(self._profile, [part]))

    def _open_together(self) -> None:
        events = None if self._profile is None else self._profile.host_events
        openable = [part for part in self.parts if events is not None and opens(events, part)]
        if self._profile is not None and events is not None and openable:
            open_parts(self._document, paths_of(self._profile, together(events, openable[0]).tolist()))

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
                open_parts(document, [path])

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
