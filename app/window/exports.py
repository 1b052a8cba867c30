"""What can be exported, and what writes the chosen table or picture in the background."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import QObject, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import (
    QDockWidget,
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
from app.store.table_files.kinds import writable
from app.store.table_files.save import Look, save_table
from app.store.token import Token
from app.views.look import Theme
from app.views.texts import shown_line
from app.widgets.abilities import HasPicture
from app.widgets.tabular import Tabular
from app.window.footer import exact_text, tiles_text
from app.window.nearest import nearest, nearest_picture, nearest_table
from app.window.notices import Notice

if TYPE_CHECKING:
    from app.window.command import CommandContext


SHOWN_MS = 8000
PICTURE_KINDS = {".png": "PNG", ".svg": "SVG"}
PLOT_SIZE = (1600, 900)


def save(context: CommandContext, chosen: Export, ask_again: Callable[[], object], path: Path) -> None:
    """Writes it in the background; a failure becomes a notice, from which ``ask_again`` asks for another name."""
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
            ask_again()

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
    """Something to export. ``key``: id of the table or plot; ``name``: suggested file name, without suffix. ``kinds``:
    suffix → name of the format.
    ``prepare``: for a suffix, returns what writes the file; pictures are drawn by then, tables made while it writes.
    Its second argument: whether CSV and TSV begin with lines about their source. ``rows``: of a table, else 0."""

    key: str
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
    return Export(listed.id, listed.title, detail, name, writable(), prepare, listed.rows or 0)


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
    return Export(table.id, table.title, _detail(count, how), _name(profile, table.id), writable(), prepare, count)


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

    return Export(plot.id, plot.title, detail, _name(profile, plot.id), PICTURE_KINDS, prepare)


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
