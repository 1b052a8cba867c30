"""Writes every table and every picture of profiles into a folder, with an index.

The index (``index.json``) names each file with its rows, and each column with its unit and source or formula; it says
which files the profiles were read from, by which version, and what was left out and why.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import orjson
from msgspec import Struct

from app import __version__
from app.analysis.about import about, timeline_settings
from app.analysis.compare.as_table import as_table
from app.analysis.compare.comparison import Comparison
from app.analysis.export import clean, head_of
from app.analysis.figures import figures
from app.analysis.schema import for_programs, in_seconds
from app.analysis.table import Table
from app.analysis.tables import TABLES, TableSpec
from app.language import untranslated
from app.profile.profile import Profile
from app.store.outputs import INDEX, OutputFolder, SafeNames
from app.store.table_files.kinds import TooManyColumnsError
from app.store.table_files.save import save_table

Look: TypeAlias = Callable[[int, int, str], None]
"""Called with (done, total, what is being written); it may raise to stop."""
STEP = 1000
"""Parts of the progress of one kind of table."""


class Subject(Struct, frozen=True):
    """A profile to export; with a ``baseline``, its tables are compared ones, and so are the plots that can be."""

    profile: Profile
    baseline: Profile | None = None


class Choice(Struct, frozen=True):
    """``tables``, ``plots``: suffixes of their files; "" for no plots. ``size``: of plots, in logical pixels."""

    tables: str = ".csv"
    plots: str = ".svg"
    size: tuple[int, int] = (1600, 900)
    theme: str = "light"


class Summary(Struct, frozen=True):
    """What was written: ``left_out``: (name, why); ``incomplete``: (name, what its file does not hold)."""

    folder: Path
    tables: int
    plots: int
    size: int
    left_out: tuple[tuple[str, str], ...]
    incomplete: tuple[tuple[str, str], ...] = ()


class _Entry(Struct):
    """What the index says about a profile; ``folder``: where its files are."""

    subject: Subject
    folder: Path
    names: SafeNames
    tables: list[dict[str, Any]]
    plots: list[dict[str, Any]]
    left_out: list[tuple[str, str]]
    incomplete: list[tuple[str, str]]


class FolderExport:
    """Writes ``tables`` (in any thread), then ``plots`` (in the thread of the window), then ``finish``; or ``discard``
    at any time. FolderNotEmptyError if there is something in ``folder`` and not ``replace``; OSError."""

    def __init__(self, folder: Path, subjects: Sequence[Subject], choice: Choice, *, replace: bool = False) -> None:
        inputs = [path for own in subjects for path in own.profile.origin.paths]
        inputs += [path for own in subjects if own.baseline is not None for path in own.baseline.origin.paths]
        self._out = OutputFolder(folder, inputs, replace=replace)
        self._choice = choice
        names = _own_names()
        one = len(subjects) == 1
        self._entries = [
            _Entry(own, Path() if one else Path(names.name(own.profile.name)), _own_names(), [], [], [], [])
            for own in subjects
        ]

    def tables(self, look: Look) -> None:
        """Writes the tables, one after the other: together they may need much memory. OSError."""
        total = len(self._entries) * len(TABLES) * STEP
        done = 0
        for entry in self._entries:
            self._folder(entry).mkdir(exist_ok=True)
            for spec in TABLES:
                look(done, total, spec.title)
                for table in _tables(entry.subject, spec, partial(look, done, total, spec.title)):
                    self._table(entry, table, done, total, look)
                done += STEP

    def _table(self, entry: _Entry, table: Table, done: int, total: int, look: Look) -> None:
        subject = entry.subject
        known = about(subject.profile, subject.baseline)
        name = entry.names.name(table.id.replace("/", "-"), self._choice.tables)

        def watch(rows: int) -> None:
            look(done + STEP * rows // max(table.rows, 1), total, table.title)

        try:
            lost = save_table(table, self._folder(entry) / name, known, look=watch)
        except TooManyColumnsError as error:
            entry.left_out.append((table.id, str(error.strerror)))
            return
        if lost:
            entry.incomplete.append((table.id, lost))
        head = head_of(table, known)
        keys = ("table", "title", "note", "columns", "settings")
        entry.tables.append({"file": name, "rows": table.rows} | {key: head[key] for key in keys})

    def plots(self) -> Iterator[tuple[int, int, str]]:
        """Draws one picture at a time, and yields (done, total, its title) before each."""
        if not self._choice.plots:
            return
        from app.panels.picture import plots, rendered  # draws with Qt, so only here

        compared = [
            None if entry.subject.baseline is None else Comparison(entry.subject.baseline, entry.subject.profile)
            for entry in self._entries
        ]
        offered = [
            (entry, comparison, plot)
            for entry, comparison in zip(self._entries, compared, strict=True)
            for plot in plots(entry.subject.profile)
        ]
        for done, (entry, comparison, plot) in enumerate(offered):
            yield done, len(offered), plot.title
            try:
                content = rendered(
                    plot,
                    entry.subject.profile,
                    self._choice.plots,
                    self._choice.size,
                    self._choice.theme,
                    comparison=comparison,
                )
            except OSError as error:
                entry.left_out.append((plot.id, str(error)))
                continue
            name = entry.names.name(plot.id.replace("/", "-"), self._choice.plots)
            (self._folder(entry) / name).write_bytes(content)
            drawn = {"file": name, "plot": plot.id, "title": plot.title, "compared": plot.compares(comparison)}
            entry.plots.append(drawn)

    def finish(self) -> Summary:
        """Writes the index, and moves everything to its place. OSError."""
        index = {"tilesight": __version__, "profiles": [_described(entry) for entry in self._entries]}
        layout = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE
        (self._out.scratch / INDEX).write_bytes(orjson.dumps(index, option=layout))
        size = self._out.publish()
        return Summary(
            self._out.target,
            sum(len(entry.tables) for entry in self._entries),
            sum(len(entry.plots) for entry in self._entries),
            size,
            tuple(reason for entry in self._entries for reason in entry.left_out),
            tuple(reason for entry in self._entries for reason in entry.incomplete),
        )

    def discard(self) -> None:
        """Deletes what was written so far."""
        self._out.discard()

    def _folder(self, entry: _Entry) -> Path:
        return self._out.scratch / entry.folder


def _own_names() -> SafeNames:
    names = SafeNames()
    names.name(INDEX)
    return names


def _tables(subject: Subject, spec: TableSpec, look: Callable[[], None]) -> Iterator[Table]:
    if subject.baseline is None:
        yield from map(for_programs, spec.tables(subject.profile))
        return
    for table in Comparison(subject.baseline, subject.profile).tables_of(spec, look):
        yield in_seconds(as_table(table))


def _described(entry: _Entry) -> dict[str, Any]:
    profile = entry.subject.profile
    described = {
        "name": untranslated(profile.name),
        "folder": entry.folder.as_posix(),
        "source": about(profile, entry.subject.baseline).plain_source(),
        "settings": {setting.key: setting.value for setting in timeline_settings(profile.timeline)},
        "figures": {figure.name: figure.value for figure in figures(profile, whole=True)},
        "tables": entry.tables,
        "plots": entry.plots,
        "left_out": [{"name": name, "why": why} for name, why in entry.left_out],
        "incomplete": [{"name": name, "why": why} for name, why in entry.incomplete],
    }
    plain: dict[str, Any] = clean(described)
    return plain
