"""The export dialog: lists what can be exported, and writes the chosen table or picture in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QRectF, Signal
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QCheckBox,
    QDialog,
    QDialogButtonBox,
    QDockWidget,
    QHeaderView,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.analysis.about import About, Setting, about
from app.analysis.compare.as_table import STATUS
from app.analysis.compare.comparison import Comparison
from app.analysis.table import Table
from app.analysis.tables import ListedTable, by_id
from app.analysis.tables.timeline import time_notes
from app.document.background import Background, Task
from app.formats.errors import Cancelled, FormatError
from app.language import plural, tr
from app.panels.spec import PlotSpec
from app.profile.arrays import I64
from app.profile.file_state import TimeNote
from app.profile.profile import Profile
from app.profile.selection import Ranges
from app.store.outputs import safe_name, write_output
from app.store.table_files.kinds import not_writable, writable
from app.store.table_files.save import Look, save_table
from app.store.token import Token
from app.views.texts import shown_line
from app.views.theme import Theme
from app.widgets.abilities import HasPicture
from app.widgets.ask_target import ask_target
from app.widgets.dialog_size import resize_dialog
from app.widgets.labels import Label
from app.widgets.tabular import Tabular
from app.widgets.tips import set_tip
from app.window.dialogs import MutedColumn, accept_and_cancel
from app.window.footer import exact_text, tiles_text
from app.window.nearest import nearest, nearest_picture, nearest_table
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.window.command import CommandContext


SHOWN_MS = 8000
PICTURE_KINDS = {".png": "PNG", ".svg": "SVG"}
PLOT_SIZE = (1600, 900)


class ExportDialog(QDialog):
    """A list of tables and pictures, with that of the focused panel preselected. Listing the tables of a profile may
    take long: they are inserted when ``TableList`` has them. Signal ``chosen`` (an Export)."""

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
        self.list = QTreeWidget(self)
        self.list.setObjectName("lines")
        self.list.setAccessibleName(tr("What to export"))
        self.list.setColumnCount(2)
        self.list.setHeaderLabels([tr("Item"), tr("As")])
        self.list.setRootIsDecorated(False)
        self.list.setItemDelegateForColumn(1, MutedColumn(self.list))
        self.list.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.list.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        self.list.header().setStretchLastSection(False)
        self.list.addTopLevelItems(_lines([*self._first, *self._plots]))
        self.list.setCurrentIndex(self.list.model().index(0, 0))
        self.list.itemDoubleClicked.connect(lambda *_: self.accept())
        self.remarks = QCheckBox(tr("Source and &version in CSV and TSV (lines with # before the header)"), self)
        set_tip(self.remarks, tr("Other formats always include them. Some programs do not skip these lines."))
        buttons, save = accept_and_cancel(self, QDialogButtonBox.StandardButton.Save, tr("&Save as…"))
        save.setDefault(True)
        layout = QVBoxLayout(self)
        layout.addWidget(Label(tr("Tables keep every digit; images are rendered at full resolution."), self))
        layout.addWidget(self.list)
        layout.addWidget(self.remarks)
        for why in not_writable():
            note = Label(shown_line(why), self)
            note.setObjectName("muted")
            layout.addWidget(note)
        layout.addWidget(buttons)
        resize_dialog(self, 760, 560)
        context.tables.changed.connect(self._list_tables)
        context.document.updated.connect(self._list_tables)
        self._list_tables()

    def _list_tables(self) -> None:
        """Lists the tables that are known by now, between what is shown and the plots; not those of another profile
        that is shown meanwhile."""
        if self._context.document.current_id != self._entry:
            return
        profile = self._context.document.profile
        listed = self._context.tables.get()
        if profile is None or not listed:
            return
        chosen = self.list.currentIndex().row()
        start = len(self._first)
        for _ in self._tables:
            self.list.takeTopLevelItem(start)
        self._tables = list(table_exports(profile, listed))
        self.list.insertTopLevelItems(start, _lines(self._tables))
        if chosen <= 0:
            self.list.setCurrentIndex(self.list.model().index(0, 0))

    def accept(self) -> None:
        item = self.list.currentItem()
        if item is None or not self.isVisible():
            return
        super().accept()
        own = [*self._first, *self._tables, *self._plots][self.list.indexOfTopLevelItem(item)]
        self.chosen.emit(replace(own, prepare=partial(_with_remarks, own.prepare, self.remarks.isChecked())))


def _with_remarks(prepare: Callable[[str, bool], Write], remarks: bool, suffix: str, _: bool) -> Write:
    return prepare(suffix, remarks)


def _lines(exports: Iterable[Export]) -> list[QTreeWidgetItem]:
    return [QTreeWidgetItem([shown_line(export.title), shown_line(export.detail)]) for export in exports]


def export(context: CommandContext) -> None:
    """Asks what to export and where to, then writes it in the background; a failure becomes a notice."""
    profile = context.document.profile
    if profile is None:
        return
    dialog = ExportDialog(context, profile)
    dialog.chosen.connect(partial(_ask_where, context))
    dialog.open()


def _ask_where(context: CommandContext, chosen: Export) -> None:
    ask_target(context.main, tr("Export"), chosen.name, partial(_save, context, chosen), chosen.kinds)


def _save(context: CommandContext, chosen: Export, path: Path) -> None:
    inputs = [read for entry in context.document.entries for read in entry.profile.origin.paths]

    def end() -> None:
        writing.end()
        context.footer.clearMessage()

    def take(lost: str) -> None:
        end()
        show_written(context, path)
        if lost:
            context.notices.add(Notice("info", f"{path}: {lost}", "write"))

    def fail(error: FormatError) -> None:
        end()
        notice = not_written(path, error.text)

        def again() -> None:
            context.notices.withdraw([notice])
            _ask_where(context, chosen)

        context.notices.add(replace(notice, steps={"Export again…": again}))

    title = tr("Writing {path}", path=path)
    writing = Writing(context, title, end)
    try:
        write = chosen.prepare(path.suffix.lower(), False)
    except OSError as error:
        fail(FormatError(error.strerror or str(error)))
        return

    def work(check: Check, report: Report) -> str:
        def look(rows: int) -> None:
            check()
            report(rows, chosen.rows)

        return write(path, inputs, look)

    context.footer.showMessage(shown_line(title))
    writing.run(work, take, fail)


def show_written(context: CommandContext, path: Path) -> None:
    """Says in the status bar that a file was written."""
    context.footer.showMessage(shown_line(tr("Wrote {path}", path=path)), SHOWN_MS)


def not_written(path: Path, why: str) -> Notice:
    """Says that a file or folder could not be written, and why."""
    return Notice("error", tr("{path}: cannot be written: {error}", path=path, error=why), "write")


Write: TypeAlias = Callable[[Path, Sequence[Path], Look], str]
"""Writes a file, in any thread; the second argument are files that it must not replace. Returns what the file does not
hold, "" if it holds everything."""


class Export(Struct, frozen=True):
    """Something to export. ``name``: suggested file name, without suffix. ``kinds``: suffix → name of the format.
    ``prepare``: for a suffix, returns what writes the file; pictures are drawn by then, tables made while it writes.
    Its second argument: whether CSV and TSV begin with lines about their source. ``rows``: of a table, else 0."""

    title: str
    detail: str
    name: str
    kinds: Mapping[str, str]
    prepare: Callable[[str, bool], Write]
    rows: int = 0


class InForce(Struct, frozen=True):
    """What decides which data panels show: the comparison, and the ranges."""

    comparison: Comparison | None = None
    ranges: Ranges = Ranges()

    def about(self, profile: Profile, *more: Setting, compared: bool = True) -> About:
        """Describes what a panel shows."""
        baseline = self.comparison.before if self.comparison is not None and compared else None
        time, tiles = self.ranges.time, self.ranges.tiles
        settings = list(more)
        if time is not None:
            settings.append(Setting("range", tr("Range"), exact_text(time, profile.timeline)))
        if tiles is not None:
            settings.append(Setting("tiles", tr("Tiles"), tiles_text(tiles.tiles)))
        return about(profile, baseline, settings)


def first_exports(
    focus: QWidget | None,
    profile: Profile,
    theme: Theme,
    notes: Sequence[TimeNote] = (),
    in_force: InForce = InForce(),  # noqa: B008 (it never changes)
) -> Iterator[Export]:
    """Yields what the focused panel shows, then the user's notes."""
    tabular = nearest_table(focus)
    shown = tabular.shown_table() if tabular is not None else None
    if tabular is not None and shown is not None:
        yield _as_shown(tabular, shown, profile, in_force)
    pictured = nearest_picture(focus)
    if pictured is not None:
        yield _picture(*pictured, nearest(focus, QDockWidget), profile, theme, in_force)
    if notes and profile.timeline is not None:
        yield _table(time_notes(profile.timeline, notes), profile, None, "", about(profile))


def table_exports(profile: Profile, listed: Iterable[ListedTable]) -> Iterator[Export]:
    """Yields the listed tables of the profile. Each is only computed when it is written."""
    for table in listed:
        yield _listed(table, profile)


def plot_exports(profile: Profile, theme: Theme) -> Iterator[Export]:
    """Yields the plots of the profile."""
    from app.panels.picture import plots  # imported late; panels are loaded by now, if there are any

    for plot in plots(profile):
        yield _plot(plot, profile, theme, PLOT_SIZE, tr("image"), about(profile))


def _listed(listed: ListedTable, profile: Profile) -> Export:
    def prepare(_: str, remarks: bool) -> Write:
        def write(path: Path, inputs: Sequence[Path], look: Look) -> str:
            table = by_id(profile, listed.id)
            assert table is not None, listed.id
            return save_table(table, path, about(profile), inputs, remarks=remarks, look=look)

        return write

    name = _name(profile, listed.id)
    detail = tr("table") if listed.rows is None else _detail(listed.rows, "")
    return Export(listed.title, detail, name, writable(), prepare, listed.rows or 0)


def _as_shown(tabular: Tabular, table: Table, profile: Profile, in_force: InForce) -> Export:
    rows = tabular.shown_rows()
    settings = []
    if rows is not None and len(rows) < table.rows:
        count = tr("{shown:,} of {all:,}.", shown=len(rows), all=table.rows)
        settings.append(Setting("rows", tr("Rows"), f"{count} {tabular.rows_text()}".strip()))
    compared = bool(table.columns) and table.columns[0].key == STATUS
    return _table(table, profile, rows, tr("as shown, "), in_force.about(profile, *settings, compared=compared))


def _table(table: Table, profile: Profile, rows: I64 | None, how: str, known: About) -> Export:
    def prepare(_: str, remarks: bool) -> Write:
        def write(path: Path, inputs: Sequence[Path], look: Look) -> str:
            return save_table(table, path, known, inputs, rows=rows, remarks=remarks, look=look)

        return write

    count = table.rows if rows is None else len(rows)
    return Export(table.title, _detail(count, how), _name(profile, table.id), writable(), prepare, count)


def _detail(rows: int, how: str) -> str:
    return plural("table, {how}{count:,} row", "table, {how}{count:,} rows", count=rows, how=how)


def _picture(
    holder: HasPicture,
    size: tuple[int, int],
    dock: QDockWidget | None,
    profile: Profile,
    theme: Theme,
    in_force: InForce,
) -> Export:
    title = dock.windowTitle() if dock is not None else tr("Image")

    def draw(painter: QPainter, place: QRectF, _profile: Profile, colours: Theme) -> None:
        holder.draw_picture(painter, place, colours)

    plot = PlotSpec(dock.objectName() if dock is not None else "picture", title, lambda _: True, draw)
    return _plot(plot, profile, theme, size, tr("image, as shown"), in_force.about(profile))


def _plot(plot: PlotSpec, profile: Profile, theme: Theme, size: tuple[int, int], detail: str, known: About) -> Export:
    def prepare(suffix: str, _: bool) -> Write:
        from app.panels.picture import rendered

        content = rendered(plot, profile, suffix, size, theme.name, known)

        def write(path: Path, inputs: Sequence[Path], _: Look) -> str:
            write_output(path, content, inputs)
            return ""

        return write

    return Export(plot.title, detail, _name(profile, plot.id), PICTURE_KINDS, prepare)


def _name(profile: Profile, part: str) -> str:
    return f"{safe_name(profile.name, 'profile')}-{part.replace('/', '-')}"


Check: TypeAlias = Callable[[], None]
"""Raises Cancelled if the user cancelled, or the window closes."""
Report: TypeAlias = Callable[[int, int], None]


class Writing(QObject):
    """``run`` any number of functions, one after the other, then ``end``. ``stopped`` is called when a function that
    was cancelled has ended, so that what it wrote can be deleted."""

    def __init__(self, context: CommandContext, title: str, stopped: Callable[[], object]) -> None:
        super().__init__(context.main)
        self._token = Token()
        self._stopped = stopped
        self._background = Background(self)
        self.row = context.footer.begin(title, self.cancel)

    @property
    def cancelled(self) -> bool:
        return self._token.cancelled

    def cancel(self) -> None:
        self._token.cancel()
        self.row.deleteLater()
        if not self._background.busy:
            self._stopped()

    def run(
        self,
        work: Callable[[Check, Report], object],
        done: Callable[[Any], object],
        failed: Callable[[FormatError], object],
    ) -> None:
        """Runs ``work`` in the thread; the rest as in ``Task``."""

        def unless_cancelled(token: Token, report: Report) -> object:
            def check() -> None:
                token.check()
                self._token.check()

            try:
                return work(check, report)
            except Cancelled:
                token.check()
                return None

        def ended(result: object) -> None:
            self._stopped() if self.cancelled else done(result)

        def progress(amount: int, total: int) -> None:
            if not self.cancelled:
                self.row.set_bar(amount, total)

        self._background.run(Task(unless_cancelled, ended, failed, progress))

    def end(self) -> None:
        """Removes the row; nothing more can be run."""
        if not self.cancelled:
            self.row.deleteLater()
        self.deleteLater()
