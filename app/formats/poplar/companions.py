"""Reads the companion files of a graph and an execution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.formats.errors import FormatError
from app.formats.events import Began, SectionReady, Sink
from app.formats.poplar.beside import HEAD_BYTES, Companion, companion
from app.formats.poplar.keys import Role, open_walk
from app.formats.poplar.notes import NotesReader
from app.formats.poplar.report import Report
from app.formats.poplar.texts import TextsReader
from app.formats.poplar.variables import read_variables
from app.formats.source import Source
from app.language import tr
from app.profile.arrays import sealed
from app.profile.poplar import ReportFiles

_MAIN = {"graph": tr("graph profile"), "execution": tr("execution profile"), "both": tr("graph and execution profile")}


def kind_of(source: Source) -> Companion | None:
    """The type of companion file that ``source`` is; None for others."""
    return companion(source.head(HEAD_BYTES), source.path)


def deliver(
    main: Sequence[tuple[Source, Role]],
    others: Sequence[tuple[Source, Companion]],
    sink: Sink,
) -> None:
    """Reads ``others`` and sends their sections to ``sink``; damaged files are reported and skipped. Does nothing where
    there are none."""
    if not others:
        return
    from app.formats.tensor_map.beside import MapsReader

    sink(SectionReady(_listed(main, others)))
    notes, texts, maps = NotesReader(), TextsReader(), MapsReader()
    for source, other in others:
        report = Report(sink, source)
        if not other.read:
            report.issue("info", "", tr("not shown: {advice}", advice=other.advice))
            continue
        try:
            if other.kind == "tensor_map":
                maps.read(source, report.problems)
            else:
                _read(source, other, report, notes, texts, sink)
        except FormatError as error:
            report.refused("", error)
        report.finish()
    for section in (notes.done(), texts.done(), maps.done()):
        if section is not None:
            sink(SectionReady(section))


def alone(others: Sequence[tuple[Source, Companion]], sink: Sink) -> None:
    """Sends a profile of companion files without a graph and an execution. Raises FormatError, which says what to use
    instead, where nothing can be shown, and for a profile database: the notes next to it are not what the user wants
    to see."""
    missing = sorted((pair for pair in others if not pair[1].read), key=lambda pair: pair[1].kind != "database")
    shown = [pair for pair in others if pair[1].read and pair[1].kind != "application"]
    if missing and (not shown or missing[0][1].kind == "database"):
        raise FormatError(missing[0][1].advice, path=str(missing[0][0].path))
    if not shown:
        raise FormatError(others[0][1].advice, path=str(others[0][0].path))
    first = shown[0][0].path
    name = first.absolute().parent.name if len(others) > 1 else first.name
    sink(Began(name, tuple(source.path for source, _ in others)))
    deliver([], others, sink)


def _read(
    source: Source,
    other: Companion,
    report: Report,
    notes: NotesReader,
    texts: TextsReader,
    sink: Sink,
) -> None:
    if other.kind == "summary":
        texts.read(source, report)
        return
    walk = open_walk(source, report.problems)
    if walk is None:
        raise FormatError(tr("expected an object here"))
    if other.kind == "variables":
        variables = read_variables(walk, report)
        if variables is not None:
            sink(SectionReady(variables))
    else:
        notes.read(walk, report)


def _listed(main: Sequence[tuple[Source, Role]], others: Sequence[tuple[Source, Companion]]) -> ReportFiles:
    sources = [source for source, _ in main] + [source for source, _ in others]
    return ReportFiles(
        names=tuple(source.path.name for source in sources),
        kinds=(*(role for _, role in main), *(other.kind for _, other in others)),
        what=(*(_MAIN[role] for _, role in main), *(other.what for _, other in others)),
        size=sealed(np.array([source.size for source in sources], np.int64)),
        read=sealed(np.array([True] * len(main) + [other.read for _, other in others], np.bool_)),
    )
