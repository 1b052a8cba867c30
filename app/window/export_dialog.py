"""The export dialog: one list of all that can be exported, with a search field, kinds and formats."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QSignalBlocker, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
)

from app.language import tr
from app.profile.profile import Profile
from app.store.table_files.kinds import not_writable
from app.views.texts import shown_line
from app.widgets.dialogs import ask_target, resize_dialog
from app.widgets.fields import SearchField
from app.widgets.texts import Label
from app.widgets.tips import set_tip
from app.window import saving
from app.window.dialogs import MutedColumn, accept_and_cancel
from app.window.exports import (
    PICTURE_KINDS,
    Export,
    InForce,
    Write,
    first_exports,
    plot_exports,
    save,
    table_exports,
)

if TYPE_CHECKING:
    from app.window.command import CommandContext


Kind: TypeAlias = Literal["table", "image", "profile"]
KINDS: Final = {"": tr("All"), "table": tr("Tables"), "image": tr("Images"), "profile": tr("Whole profile")}
REMARKED: Final = (".csv", ".tsv")


class Offer(Struct, frozen=True):
    """A line of the list: a table or image, ``whole``, and as the panel shows it, ``shown``; or what saves the whole
    profile, ``ask``."""

    kind: Kind
    title: str
    detail: str = ""
    whole: Export | None = None
    shown: Export | None = None
    ask: Callable[[CommandContext], object] | None = None

    def export(self, *, shown: bool) -> Export | None:
        """What is exported; as shown only where both are offered."""
        return (self.shown or self.whole) if shown or self.whole is None else self.whole

    def line(self, *, shown: bool) -> list[str]:
        """Its cells."""
        export = self.export(shown=shown)
        return [shown_line(self.title), shown_line(self.detail if export is None else export.detail)]


def offers(first: Iterable[Export], listed: Iterable[Export]) -> list[Offer]:
    """Returns one for each table and image, those that the panel shows (``first``) before the others. An image of a
    panel that has another title than the plot is another one: a part of it."""
    made: dict[tuple[str, ...], Offer] = {}
    for export in first:
        made[_identity(export)] = Offer(_kind(export), export.title, shown=export)
    for export in listed:
        same = made.get(_identity(export), Offer(_kind(export), export.title))
        made[_identity(export)] = replace(same, whole=export)
    return list(made.values())


def _kind(export: Export) -> Kind:
    return "image" if export.kinds is PICTURE_KINDS else "table"


def _identity(export: Export) -> tuple[str, ...]:
    kind = _kind(export)
    return (kind, export.key, export.title) if kind == "image" else (kind, export.key)


class OfferList(QTreeWidget):
    """The list. Signal ``typed`` (str): letters, which would otherwise choose a line that begins with them."""

    typed = Signal(str)

    def keyboardSearch(self, search: str) -> None:
        self.typed.emit(search)


class ExportDialog(QDialog):
    """What the focused panel shows comes first, and is chosen. Listing the tables of a profile may take long: they are
    inserted when ``TableList`` has them. Signal ``chosen`` (an Export, or what asks how to save the whole profile)."""

    chosen = Signal(object)

    def __init__(self, context: CommandContext, profile: Profile) -> None:
        super().__init__(context.main)
        self.setWindowTitle(tr("Export"))
        self.finished.connect(self.deleteLater)
        self._context = context
        self._entry = context.document.current_id
        theme = context.display.theme
        in_force = InForce(context.document.baselines.comparison, context.document.ranges.value)
        notes = context.document.notes.value
        self._first = list(first_exports(context.keys.last_focus, profile, theme, notes, in_force))
        self._tables: list[Export] = []
        self._plots = list(plot_exports(profile, theme))
        self._offers: list[Offer] = []
        self._formats: dict[Kind, str] = {}
        self.search = SearchField(tr("Search tables and images"), self)
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(tr("Kind"))
        for name, title in KINDS.items():
            self.kind.addItem(title, name)
        self.list = self._made_list()
        self.shown = QCheckBox(tr("As s&hown in the panel: filters, order, range, zoom"), self)
        self.shown.setChecked(True)
        self.format = QComboBox(self)
        set_tip(self.format, tr("Tables keep every digit; images are rendered at full resolution."))
        self.remarks = QCheckBox(tr("Source and &version in CSV and TSV (lines with # before the header)"), self)
        set_tip(self.remarks, tr("Other formats always include them. Some programs do not skip these lines."))
        self._buttons, self.save = accept_and_cancel(self, QDialogButtonBox.StandardButton.Save, tr("&Save as…"))
        self.save.setDefault(True)
        self._lay_out()
        self._connect()
        self._fill()
        self._list_tables()
        self.list.setFocus()

    def _made_list(self) -> OfferList:
        made = OfferList(self)
        made.setObjectName("lines")
        made.setAccessibleName(tr("What to export"))
        made.setColumnCount(2)
        made.setHeaderLabels([tr("Item"), tr("As")])
        made.setRootIsDecorated(False)
        made.setItemDelegateForColumn(1, MutedColumn(made))
        made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        made.header().setStretchLastSection(False)
        return made

    def _lay_out(self) -> None:
        layout = QVBoxLayout(self)
        top = QHBoxLayout()
        top.addWidget(self.search, 1)
        top.addWidget(self.kind)
        layout.addLayout(top)
        layout.addWidget(self.list)
        self.none = Label(tr("No matches"), self)
        self.none.setObjectName("muted")
        layout.addWidget(self.none)
        layout.addWidget(self.shown)
        below = QHBoxLayout()
        label = Label(tr("&Format"), self)
        label.setBuddy(self.format)
        self.format.setAccessibleName(tr("Format"))
        for part in (label, self.format, self.remarks):
            below.addWidget(part)
        below.addStretch(1)
        layout.addLayout(below)
        for why in not_writable():
            note = Label(shown_line(why), self)
            note.setObjectName("muted")
            layout.addWidget(note)
        layout.addWidget(self._buttons)
        resize_dialog(self, 760, 560)

    def _connect(self) -> None:
        self.search.textChanged.connect(self._filter)
        self.search.stepped.connect(lambda _: self.accept())
        self.search.left.connect(self.list.setFocus)
        self.kind.currentIndexChanged.connect(self._filter)
        self.list.typed.connect(self._type)
        self.list.currentItemChanged.connect(lambda *_: self._follow())
        self.list.itemDoubleClicked.connect(lambda *_: self.accept())
        self.shown.toggled.connect(lambda _: self._refresh_lines())
        self.format.currentIndexChanged.connect(lambda _: self._format_chosen())
        self._context.tables.changed.connect(self._list_tables)
        self._context.document.updated.connect(self._list_tables)

    def _type(self, text: str) -> None:
        self.search.setFocus()
        self.search.insert(text)

    def _list_tables(self) -> None:
        """Lists the tables that are known by now, between what is shown and the plots; not those of another profile
        that is shown meanwhile."""
        if self._context.document.current_id != self._entry:
            return
        profile = self._context.document.profile
        listed = self._context.tables.get()
        if profile is None or not listed:
            return
        self._tables = list(table_exports(profile, listed))
        self._fill()

    def _fill(self) -> None:
        """Lists everything; what was chosen stays so, if the user chose it."""
        before = self._current()
        self._offers = [*offers(self._first, (*self._tables, *self._plots)), *_whole(self._context)]
        same = (row for row, offer in enumerate(self._offers) if before is not None and _same(offer, before))
        row = 0 if self.list.currentIndex().row() <= 0 else next(same, 0)
        with QSignalBlocker(self.list):
            self.list.clear()
            shown = self.shown.isChecked()
            self.list.addTopLevelItems([QTreeWidgetItem(offer.line(shown=shown)) for offer in self._offers])
            self.list.setCurrentIndex(self.list.model().index(row, 0))
        self._filter()

    def _filter(self) -> None:
        """Hides what does not match, and chooses the first line if the chosen one is hidden."""
        words, kind = self.search.text().casefold().split(), self.kind.currentData()
        left = []
        for row, offer in enumerate(self._offers):
            item = self.list.topLevelItem(row)
            assert item is not None
            text = f"{item.text(0)} {item.text(1)}".casefold()
            item.setHidden(not all(word in text for word in words) or kind not in ("", offer.kind))
            if not item.isHidden():
                left.append(item)
        self.none.setVisible(not left)
        current = self.list.currentItem()
        if current is None or current.isHidden():
            self.list.setCurrentIndex(self.list.indexFromItem(left[0]) if left else QModelIndex())
        self._follow()

    def _current(self) -> Offer | None:
        """The chosen line; None if none is."""
        item = self.list.currentItem()
        return None if item is None or item.isHidden() else self._offers[self.list.indexOfTopLevelItem(item)]

    def _refresh_lines(self) -> None:
        for row, offer in enumerate(self._offers):
            item = self.list.topLevelItem(row)
            if item is not None:
                item.setText(1, offer.line(shown=self.shown.isChecked())[1])
        self._follow()

    def _follow(self) -> None:
        """Shows the choices that the chosen line has."""
        offer = self._current()
        export = None if offer is None else offer.export(shown=self.shown.isChecked())
        self.save.setEnabled(offer is not None)
        self.shown.setEnabled(offer is not None and offer.shown is not None and offer.whole is not None)
        kinds = {} if export is None else export.kinds
        with QSignalBlocker(self.format):
            self.format.clear()
            for suffix, title in kinds.items():
                self.format.addItem(title, suffix)
            if offer is not None:
                self.format.setCurrentIndex(max(self.format.findData(self._formats.get(offer.kind)), 0))
        self.format.setEnabled(len(kinds) > 1)
        self.remarks.setEnabled(any(suffix in kinds for suffix in REMARKED))

    def _format_chosen(self) -> None:
        offer = self._current()
        if offer is not None:
            self._formats[offer.kind] = self.format.currentData()

    def accept(self) -> None:
        offer = self._current()
        if offer is None or not self.isVisible():
            return
        export = offer.export(shown=self.shown.isChecked())
        super().accept()
        if export is None:
            self.chosen.emit(offer.ask)
            return
        suffix = self.format.currentData()
        kinds = {suffix: export.kinds[suffix], **export.kinds}
        prepare = partial(_with_remarks, export.prepare, self.remarks.isChecked())
        self.chosen.emit(replace(export, kinds=kinds, prepare=prepare))


def _same(one: Offer, other: Offer) -> bool:
    exports = [export for offer in (one, other) if (export := offer.whole or offer.shown) is not None]
    return one.title == other.title and one.kind == other.kind and len({export.key for export in exports}) <= 1


def _whole(context: CommandContext) -> Sequence[Offer]:
    """What saves all of the profile, which asks further questions; nothing while it is read."""
    entry = context.document.current
    if entry is None or not entry.done:
        return ()
    return (
        Offer("profile", tr("Report"), tr("HTML page"), ask=saving.ask_and_save),
        Offer("profile", tr("Every table and plot"), tr("folder"), ask=saving.ask),
    )


def _with_remarks(prepare: Callable[[str, bool], Write], remarks: bool, suffix: str, _: bool) -> Write:
    return prepare(suffix, remarks)


def export(context: CommandContext) -> None:
    """Asks what to export and where to, then writes it in the background; a failure becomes a notice."""
    profile = context.document.profile
    if profile is None:
        return
    dialog = ExportDialog(context, profile)
    dialog.chosen.connect(partial(_go_on, context))
    dialog.open()


def _go_on(context: CommandContext, chosen: Export | Callable[[CommandContext], object]) -> None:
    if isinstance(chosen, Export):
        _ask_where(context, chosen)
    else:
        chosen(context)


def _ask_where(context: CommandContext, chosen: Export) -> None:
    write = partial(save, context, chosen, partial(_ask_where, context, chosen))
    ask_target(context.main, tr("Export"), chosen.name, write, chosen.kinds)
