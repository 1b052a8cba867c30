"""The tables and pictures that can be exported, those of the focused panel first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QDockWidget, QWidget

from app.analysis import export as texts
from app.analysis.table import Table
from app.analysis.tables import ListedTable, by_id
from app.analysis.tables.time_notes import time_notes
from app.language import plural, tr
from app.panels.spec import PlotSpec
from app.profile.arrays import I64
from app.profile.profile import Profile
from app.profile.time_note import TimeNote
from app.widgets.abilities import HasPicture
from app.widgets.theme import Theme
from app.window.reach import nearest, nearest_picture, nearest_table

TEXTS: dict[str, texts.ExportFormat] = {".csv": "csv", ".tsv": "tsv", ".json": "json"}
TEXT_KINDS = {".csv": "CSV", ".tsv": "TSV", ".json": "JSON"}
PICTURE_KINDS = {".png": "PNG", ".svg": "SVG"}
PLOT_SIZE = (1600, 900)


class Export(Struct, frozen=True):
    """Something to export. ``name``: suggested file name, without suffix. ``kinds``: suffix → name of the format.
    ``pieces``: returns the content for a suffix; that of tables is generated lazily, in any thread."""

    title: str
    detail: str
    name: str
    kinds: Mapping[str, str]
    pieces: Callable[[str], Iterable[bytes]]


def first_exports(
    focus: QWidget | None, profile: Profile, theme: Theme, notes: Sequence[TimeNote] = ()
) -> Iterator[Export]:
    """Yields what the focused panel shows, then the user's notes."""
    tabular = nearest_table(focus)
    shown = tabular.shown_table() if tabular is not None else None
    if tabular is not None and shown is not None:
        yield _table(shown, profile, tabular.shown_rows(), tr("as shown, "))
    pictured = nearest_picture(focus)
    if pictured is not None:
        yield _picture(*pictured, nearest(focus, QDockWidget), profile, theme)
    if notes and profile.timeline is not None:
        yield _table(time_notes(profile.timeline, notes), profile, None, "")


def table_exports(profile: Profile, listed: Iterable[ListedTable]) -> Iterator[Export]:
    """Yields the listed tables of the profile. Each is only computed when it is written."""
    for table in listed:
        yield _listed(table, profile)


def plot_exports(profile: Profile, theme: Theme) -> Iterator[Export]:
    """Yields the plots of the profile."""
    from app.panels.picture import plots  # imported late; panels are loaded by now, if there are any

    for plot in plots(profile):
        yield _plot(plot, profile, theme, PLOT_SIZE, tr("picture"))


def _listed(listed: ListedTable, profile: Profile) -> Export:
    def pieces(suffix: str) -> Iterator[bytes]:
        table = by_id(profile, listed.id)
        assert table is not None, listed.id
        yield from (text.encode() for text in texts.export(table, TEXTS[suffix]))

    return Export(listed.title, _detail(listed.rows, ""), _table_name(profile, listed.id), TEXT_KINDS, pieces)


def _table(table: Table, profile: Profile, rows: I64 | None, how: str) -> Export:
    def pieces(suffix: str) -> Iterator[bytes]:
        return (text.encode() for text in texts.export(table, TEXTS[suffix], rows))

    count = table.rows if rows is None else len(rows)
    return Export(
        table.title,
        _detail(count, how),
        _table_name(profile, table.id),
        TEXT_KINDS,
        pieces,
    )


def _detail(rows: int, how: str) -> str:
    return plural("table, {how}{count:,} row", "table, {how}{count:,} rows", count=rows, how=how)


def _picture(
    holder: HasPicture, size: tuple[int, int], dock: QDockWidget | None, profile: Profile, theme: Theme
) -> Export:
    title = dock.windowTitle() if dock is not None else tr("Picture")

    def draw(painter: QPainter, place: QRectF, _profile: Profile, colours: Theme) -> None:
        holder.draw_picture(painter, place, colours)

    plot = PlotSpec(dock.objectName() if dock is not None else "picture", title, lambda _: True, draw)
    return _plot(plot, profile, theme, size, tr("picture, as shown"))


def _plot(plot: PlotSpec, profile: Profile, theme: Theme, size: tuple[int, int], detail: str) -> Export:
    def pieces(suffix: str) -> list[bytes]:
        from app.panels.picture import rendered

        return [rendered(plot, profile, suffix, size, theme.name)]

    return Export(plot.title, detail, _name(profile, plot.id), PICTURE_KINDS, pieces)


def _table_name(profile: Profile, table_id: str) -> str:
    return _name(profile, table_id.replace("/", "-"))


def _name(profile: Profile, part: str) -> str:
    safe = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in profile.name)
    return f"{safe or 'profile'}-{part}"
