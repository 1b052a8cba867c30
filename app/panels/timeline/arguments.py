"""Colours by an argument of slices: its choice, and its values, which a thread reads from the file again."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QListWidgetItem, QVBoxLayout

from app.document.background import Background, Task
from app.document.document import Document
from app.formats.errors import FormatError
from app.language import plural, tr
from app.panels.timeline.comparing import Comparing
from app.store.token import Token
from app.views.texts import paragraph, shown_line
from app.views.timeline.colouring import Colours
from app.views.timeline.state import Shown
from app.widgets.dialogs import resize_dialog
from app.widgets.fields import SearchField
from app.widgets.mnemonics import mark_mnemonics
from app.widgets.texts import Label
from app.widgets.timeline.canvas import TimelineCanvas

if TYPE_CHECKING:
    from app.document.entry import Entry
    from app.formats.records import Tell
    from app.formats.source import Source

T = TypeVar("T")


def in_thread(document: Document, entry: Entry, work: Callable[[Source, Token, Tell], T]) -> Callable[[Token, Tell], T]:
    """A function for a thread that does ``work`` with the records of ``entry``. Raises FormatError of the file."""
    opened = document.records

    def run(token: Token, tell: Tell) -> T:
        if opened is None:
            raise FormatError(tr("the file is not open"))
        with opened(entry) as source:
            return work(source, token, tell)

    return run


def values_of(document: Document, entry: Entry, shown: Shown, key: str) -> Callable[[Token, Tell], Colours]:
    """A function for a thread that reads an argument of the slices of ``shown``, a timeline of ``entry``."""

    def read(source: Source, token: Token, tell: Tell) -> Colours:
        from app.formats.records import argument

        values = argument(source, shown.model.timeline, key, token.check, tell)
        return shown.model.coloured("argument", argument=values)

    return in_thread(document, entry, read)


class ArgumentColours(QObject):
    """Reads the arguments that timelines are to be coloured by: that of a state that was restored, and that of the
    baseline; asks which one."""

    def __init__(self, document: Document, canvas: TimelineCanvas, comparing: Comparing) -> None:
        super().__init__(canvas)
        self._document, self._canvas, self._comparing = document, canvas, comparing
        self._background, self._asked = Background(self), Background(self)
        self._reading: tuple[Shown, str] | None = None

    def ask(self) -> None:
        """Opens the list of arguments."""
        entry, shown = self._document.current, self._canvas.shown
        if entry is not None and shown is not None:
            ArgumentDialog(self._document, entry, shown, self._canvas, self._asked).open()

    def follow(self) -> None:
        """Reads what is lacking; what is read already goes on."""
        lacking = self._lacking()
        if lacking is None or (self._reading is not None and self._reading == lacking[1:]):
            return
        entry, shown, key = lacking
        self._reading = shown, key
        done, failed = partial(self._take, shown), lambda _error: None
        self._background.run(Task(values_of(self._document, entry, shown, key), done, failed))

    def _lacking(self) -> tuple[Entry, Shown, str] | None:
        """A timeline without the values of the argument that it is to be coloured by."""
        shown, entry, below = self._canvas.shown, self._document.current, self._comparing.below
        if shown is None or entry is None or not shown.colour_key:
            return None
        key, baseline = shown.colour_key, self._comparing.baseline
        if shown.awaited:
            return entry, shown, key
        if below is not None and (below.argument is None or below.argument.key != key):
            other = next((each for each in self._document.entries if each.profile is baseline), None)
            return None if other is None else (other, below, key)
        return None

    def _take(self, shown: Shown, colours: Colours) -> None:
        if shown is self._canvas.shown:
            self._canvas.filtering.colour_by_argument(colours)
        elif shown is self._comparing.below:
            shown.argument, shown.leading = colours.argument, None
            self._comparing.follow_filters()


class ArgumentDialog(QDialog):
    """The arguments of the slices, the most frequent first, and a field that filters them. Enter, or a double click,
    chooses one; its values are read before the window closes, by ``background``, which outlives it."""

    def __init__(
        self, document: Document, entry: Entry, shown: Shown, canvas: TimelineCanvas, background: Background
    ) -> None:
        super().__init__(canvas)
        self.setWindowTitle(tr("Colour by argument"))
        self.finished.connect(self.deleteLater)
        self._document, self._entry, self._shown, self._canvas = document, entry, shown, canvas
        self._background = background
        self.finished.connect(self._background.cancel)
        self.field = SearchField(tr("Filter arguments"), self)
        self.field.textChanged.connect(self._filter)
        self.field.left.connect(self._enter_list)
        self.field.stepped.connect(lambda _: self.accept())
        self.list = QListWidget(self)
        self.list.setObjectName("lines")
        self.list.setAccessibleName(tr("Arguments"))
        self.list.setUniformItemSizes(True)
        self.list.itemActivated.connect(self.accept)
        self.list.currentRowChanged.connect(self._judge)
        self.about = Label(parent=self)
        self.about.setWordWrap(True)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel, self)
        self.ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        mark_mnemonics(buttons.buttons())
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for part in (self.field, self.list, self.about, buttons):
            layout.addWidget(part)
        resize_dialog(self, 420, 420)
        self._judge()
        self._run(in_thread(document, entry, self._keys), self._offer)

    def accept(self) -> None:
        """Reads the values of the chosen argument, colours by them and closes."""
        item = self.list.currentItem()
        if item is None or item.isHidden() or self._background.busy:
            return
        key = item.data(Qt.ItemDataRole.UserRole)
        self._run(values_of(self._document, self._entry, self._shown, key), self._colour)

    def _keys(self, source: Source, token: Token, tell: Tell) -> list[tuple[str, int]]:
        from app.formats.records import argument_keys

        return argument_keys(source, self._shown.model.timeline, token.check, tell)

    def _run(self, work: Callable[[Token, Tell], T], done: Callable[[T], object]) -> None:
        self._progress(0, 0)
        self._background.run(Task(work, done, self._fail, self._progress))
        self._judge()

    def _fail(self, error: FormatError) -> None:
        name = self._entry.profile.name
        self.about.setText(paragraph(tr("{name} cannot be read again: {error}", name=name, error=error)))

    def _progress(self, done: int, total: int) -> None:
        share = round(100 * done / total) if total else 0
        self.about.setText(tr("Reading arguments… {share} %", share=share))

    def _offer(self, keys: list[tuple[str, int]]) -> None:
        for key, count in keys:
            slices = plural("{count:,} slice", "{count:,} slices", count=count)
            item = QListWidgetItem(tr("{key} · {slices}", key=shown_line(key), slices=slices), self.list)
            item.setData(Qt.ItemDataRole.UserRole, key)
            self.list.setCurrentRow(0 if key != self._shown.colour_key else self.list.count() - 1)
        arguments = plural("{count:,} argument", "{count:,} arguments", count=len(keys))
        self.about.setText(arguments if keys else tr("The slices of this file have no arguments."))
        self._filter()

    def _filter(self) -> None:
        """Hides arguments without the words of the field; one of the others is current."""
        words = self.field.text().casefold().split()
        items = [self.list.item(row) for row in range(self.list.count())]
        for item in items:
            item.setHidden(not all(word in item.text().casefold() for word in words))
        current = self.list.currentItem()
        if current is None or current.isHidden():
            seen = next((row for row, item in enumerate(items) if not item.isHidden()), -1)
            self.list.setCurrentRow(seen)
        self._judge()

    def _enter_list(self) -> None:
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _judge(self) -> None:
        item = self.list.currentItem()
        self.ok.setEnabled(item is not None and not item.isHidden() and not self._background.busy)

    def _colour(self, colours: Colours) -> None:
        if self._canvas.shown is self._shown:
            self._shown.awaited = {}
            self._canvas.filtering.colour_by_argument(colours)
        super().accept()
