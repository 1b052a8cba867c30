"""Finds the array of events in a trace."""

from __future__ import annotations

import re

from app.formats.errors import FormatError
from app.formats.json.lexical import OPEN_ARRAY, Scanner
from app.formats.json.text import text_start
from app.formats.source import Source
from app.language import tr

KEY = re.compile(rb'"traceEvents"\s{0,64}:\s{0,64}\Z')
_BEFORE = 160
_MAX_ARRAYS = 100_000


def events_array(source: Source, begin: int, end: int) -> int:
    """The offset just after the ``[`` of ``traceEvents``, or of a text that is a bare array. Raises FormatError if the
    text ``begin`` .. ``end`` of ``source`` has neither."""
    start = text_start(source, begin, end)
    scanner = Scanner(start, wanted=b"[{")
    before, seen = b"", 0
    for offset, chunk in source.chunks(65536, start, end):
        text = before + chunk
        base = offset - len(before)
        marks = scanner.feed(chunk)
        for at in marks.at[(marks.depth < 2) & (marks.byte == OPEN_ARRAY)].tolist():
            if not text[: at - base].strip() and base == start:
                return int(at) + 1
            if KEY.search(text, max(0, at - base - _BEFORE), at - base):
                return int(at) + 1
            seen += 1
        if scanner.depth <= 0 or seen > _MAX_ARRAYS:
            break
        before = text[-_BEFORE:]
    raise FormatError(tr("it contains no traceEvents array"), path=str(source.path), offset=begin)
