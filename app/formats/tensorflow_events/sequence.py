"""Sequences of reports, each after a line with the name of its module (the ``compile.json`` and ``execute.json``
written by Graphcore's report_generation example: the parts are JSON, the whole is not)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.poplar.keys import clues
from app.formats.source import Excerpt, Source
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.ipu_event import Place, RawEvent
from app.language import tr
from app.profile.tensorflow import COMPILATION_REPORT, COMPILE_END, EXECUTE, EXECUTION_REPORT

_LONGEST: Final = 4096
_NAME: Final = re.compile(rb"\s*([^\s{}\[\]\",:][^\r\n{}\[\]\",]{0,1023})\r?\n\s*(?=\{)")
_SURE: Final = re.compile(rb"\s*[A-Za-z_][\w.\-/]*\r?\n\s*\{\s*\"")


def is_sequence(head: bytes) -> bool:
    """Whether a file begins with a line with a name, followed by a JSON object."""
    return _SURE.match(head[:_LONGEST]) is not None


def read(source: Source, problems: Problems, columns: EventColumns, moved: Callable[[int], None]) -> None:
    """Fills ``columns`` with an event without a time for each report. FormatError if there is none."""
    for name, report in _reports(source, problems, moved):
        kind = _kind(source, report)
        event = RawEvent(Place(name.begin, report.end), None, kind, module=name)
        event.parts[COMPILATION_REPORT if kind == COMPILE_END else EXECUTION_REPORT] = report
        columns.add(event, -1)
        moved(report.end)
    if not len(columns):
        raise FormatError(tr("it contains no report"))


def _reports(source: Source, problems: Problems, moved: Callable[[int], None]) -> Iterator[tuple[Place, Place]]:
    """(position of the name, position of the report)."""
    at = 0
    while at < source.size:
        head = source.read(at, min(_LONGEST, source.size - at))
        named = _NAME.match(head)
        if named is None:
            if head.strip():
                text = tr("the following data is not the name of a module and its report, and is skipped")
                problems.add("warning", "ends", at, text)
            return
        begin = at + named.end()
        try:
            walk = JsonWalk(source, problems, moved, begin)
            walk.skip()
        except FormatError as error:
            problems.add(
                "error", "ends", begin, tr("the report that starts here is incomplete: {error}", error=error.text)
            )
            return
        yield Place(at + named.start(1), at + named.end(1)), Place(begin, walk.offset)
        at = walk.offset


def _kind(source: Source, report: Place) -> int:
    """The role of a report by the first key that reveals it, else by the file's name."""
    clue = next(clues(Excerpt(source, report.begin, report.size)), None)
    executed = "exec" in source.path.name.lower() if clue is None else clue.role == "execution"
    return EXECUTE if executed else COMPILE_END
