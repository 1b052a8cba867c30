"""A source text with the cost of its lines: one row per line of the text, as in an editor."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.ascend.typed_columns import key_of
from app.analysis.hotspots import instructions
from app.analysis.hotspots import lines as hot_lines
from app.analysis.table import Coded, Column, Table
from app.analysis.tables.ascend_source import line_texts
from app.language import joined, plural, tr
from app.profile.arrays import I64, Array, among
from app.profile.ascend import LIVE_REGISTERS, state_column
from app.profile.profile import Profile
from app.profile.strings import Strings

NO_TEXT = tr(
    "This file does not contain the text of this source (the tool that wrote it omits texts above 10 MB), so only "
    "lines with figures are listed. “Open source file…” shows the text, if you have the file."
)
NO_TEXT_IN_REPORT = tr(
    "The tables of this report name the source without its text, so only lines with figures are listed. “Open source "
    "file…” shows the text, if you have the file."
)
NO_FIGURES = tr(
    "No figures for the lines of this source: the file has no line table for it (compile the kernel with -g)."
)


class SourceView(Struct, frozen=True, eq=False):
    """``table``: number, text, and the figures of the lines for one core; row r stands for line ``table.keys[r]`` of
    the line table, -1 for a line without figures. ``bars``: column index to the value of a full bar. ``text`` is the
    whole text ("" if the file does not contain it); ``hottest``: the row with the highest cost, -1 for none."""

    table: Table
    bars: dict[int, float]
    text: str
    hottest: int = -1


def source_paths(profile: Profile) -> list[str]:
    """Paths of all sources that the file names, without duplicates, those with text and figures first."""
    texts = profile.sources.paths.tolist() if profile.sources is not None else []
    measured: list[str] = []
    if profile.lines is not None and len(profile.lines.file):
        counts = np.bincount(np.maximum(profile.lines.file, 0), minlength=len(profile.lines.paths))
        order = np.argsort(-counts, kind="stable")
        paths = profile.lines.paths.tolist()
        measured = [paths[number] for number in order[counts[order] > 0].tolist()]
    known = set(texts)
    both = [path for path in measured if path in known]
    return list(dict.fromkeys([*both, *texts, *measured]))


def has_text(profile: Profile, path: str) -> bool:
    """Whether the profile holds the text of a source."""
    return bool(_text(profile, path))


def source_view(profile: Profile, path: str, core: str = "", more: str = "", place: str = "") -> SourceView:
    """The lines of ``path`` with their figures for ``core``; the ranking column comes before the text. ``more``: a text
    that the user opened from ``place``, for a source whose text the profile does not hold."""
    text = _text(profile, path) or more
    written = line_texts(text) if text else []
    rows, numbers = _rows(profile, path, len(written))
    number = Column("line", tr("Line"), numbers, role="key")
    code = Column("text", tr("Source"), _coded(written, numbers), role="code")
    taken: list[Column] = []
    bars: dict[str, float] = {}
    hot = hot_lines(profile, core)
    if hot is not None and (rows >= 0).any():
        for column in hot.table.columns:
            if column.is_key or column.role == "code":
                continue
            figure = _taken(column, rows)
            if column.key in hot.heats and column.unit != "%" and isinstance(figure.values, np.ndarray):
                bars[column.key] = _largest(figure)
            taken.append(figure)
    ranked = [column for column in taken if hot is not None and column.key == hot.ranked_by]
    rest = [column for column in taken if column not in ranked]
    columns = (number, *ranked, code, *rest)
    if place and not has_text(profile, path):
        note = _about_opened(place, len(written), numbers, measured=bool(taken))
    elif text and taken:
        note = ""
    elif taken:
        note = NO_TEXT if profile.entries is None else NO_TEXT_IN_REPORT
    else:
        note = NO_FIGURES
    places = {place: bars[column.key] for place, column in enumerate(columns) if bars.get(column.key, 0) > 0}
    hottest = _hottest(ranked[0]) if ranked else -1
    return SourceView(Table("source", path, columns, "line", rows, note), places, text, hottest)


def instruction_view(profile: Profile, core: str = "") -> tuple[Table, dict[int, float]] | None:
    """(the instructions for one core with the ranking column first, and their registers beside the text, bars as in
    SourceView); None without instructions."""
    hot = instructions(profile, core)
    if hot is None:
        return None
    columns = list(hot.table.columns)
    for column in columns:
        if column.key == hot.ranked_by:
            columns.remove(column)
            columns.insert(1, column)
            break
    states = state_column(own.columns) if (own := profile.instructions) is not None else None
    beside = {key_of(LIVE_REGISTERS), key_of(states.name)} if states is not None else set[str]()
    registers = [column for column in columns if column.key in beside]
    columns = [column for column in columns if column.key not in beside]
    text = next((place for place, column in enumerate(columns) if column.key == "text"), len(columns) - 1)
    columns[text + 1 : text + 1] = registers
    bars = {
        place: _largest(column)
        for place, column in enumerate(columns)
        if column.key in hot.heats and column.unit != "%" and isinstance(column.values, np.ndarray)
    }
    table = Table(hot.table.id, hot.table.title, tuple(columns), hot.table.selects, hot.table.keys, hot.table.note)
    return table, {place: top for place, top in bars.items() if top > 0}


def _about_opened(place: str, count: int, numbers: I64, *, measured: bool) -> str:
    """Where a text comes from, and whether it can be that of another version."""
    beyond = int(np.count_nonzero(numbers > count))
    if beyond:
        return plural(
            "Text of {place}, possibly another version: {count:,} line with figures is beyond its {lines:,} lines.",
            "Text of {place}, possibly another version: {count:,} lines with figures are beyond its {lines:,} lines.",
            count=beyond,
            place=place,
            lines=count,
        )
    text = tr("Current text of {place}; the profile does not contain it.", place=place)
    return text if measured else joined(" ", (text, NO_FIGURES))


def _text(profile: Profile, path: str) -> str:
    sources = profile.sources
    if sources is None:
        return ""
    paths = sources.paths.tolist()
    return sources.texts[paths.index(path)] if path in paths else ""


def _rows(profile: Profile, path: str, count: int) -> tuple[I64, I64]:
    """(row of the line table or -1, line number) of each row to show: all lines of a text and measured lines beyond its
    end, else only the measured ones."""
    lines = profile.lines
    own = np.empty(0, np.int64)
    if lines is not None:
        ids = [number for number, known in enumerate(lines.paths.tolist()) if known == path]
        own = np.flatnonzero(among(lines.file, ids)).astype(np.int64)
    if not count:
        assert lines is not None or not len(own)
        numbers = lines.line[own].astype(np.int64) if lines is not None else own
        order = np.argsort(numbers, kind="stable")
        return own[order], numbers[order]
    rows = np.full(count, -1, np.int64)
    numbers = np.arange(1, count + 1)
    if lines is not None:
        inside = own[(lines.line[own] >= 1) & (lines.line[own] <= count)]
        rows[lines.line[inside[::-1]] - 1] = inside[::-1]  # the first of several rows of a line wins
        beyond = own[lines.line[own] > count]
        beyond = beyond[np.argsort(lines.line[beyond], kind="stable")]
        rows, numbers = np.concatenate((rows, beyond)), np.concatenate((numbers, lines.line[beyond]))
    return rows, numbers


def _coded(written: list[str], numbers: I64) -> Coded:
    if not written:
        return Coded(np.full(len(numbers), -1, np.int32), Strings.of(()))
    ids = np.arange(len(numbers), dtype=np.int32)
    return Coded(np.where(ids < len(written), ids, np.int32(-1)), Strings.of(written))


def _taken(column: Column, rows: I64) -> Column:
    """The column's cells at ``rows``; no data for -1."""
    none, places = rows < 0, np.maximum(rows, 0)
    values: Array | Coded
    if isinstance(column.values, Coded):
        values = Coded(np.where(none, -1, column.values.ids[places]), column.values.strings)
    else:
        values = np.asarray(column.values)[places]
    missing = none if column.missing is None else none | column.missing[places]
    return Column(column.key, column.title, values, column.unit, column.help, missing, column.share_of)


def _hottest(column: Column) -> int:
    values = np.nan_to_num(np.asarray(column.values, np.float64), nan=-1.0)
    values = values if column.missing is None else np.where(column.missing, -1.0, values)
    place = int(values.argmax()) if len(values) else -1
    return place if place >= 0 and values[place] > 0 else -1


def _largest(column: Column) -> float:
    values = np.asarray(column.values, np.float64)
    known = values[~np.isnan(values)] if column.missing is None else values[~column.missing & ~np.isnan(values)]
    return float(known.max(initial=0.0))
