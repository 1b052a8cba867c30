"""The text output of TensorFlow's ``extract_all_strings_from_event_trace``: one block per event."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Final

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source
from app.formats.tensorflow_events.columns import EventColumns
from app.formats.tensorflow_events.ipu_event import Place, RawEvent
from app.language import tr
from app.profile.tensorflow import (
    COMPILATION_REPORT,
    COMPILE_BEGIN,
    COMPILE_END,
    EXECUTE,
    EXECUTION_REPORT,
    FROM_DEVICE,
    LOAD_ENGINE,
    TO_DEVICE,
)

CHUNK: Final = 1 << 20
HEAD: Final = 8192
START: Final = re.compile(rb"-{70}\r?\n=> @ ")
_LONGEST_START: Final = 80
_TITLE: Final = re.compile(
    rb"(?P<time>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)(?: (?P<zone>[+-]\d{4}))?: (?P<what>[^\r\n]*)(?:\r?\n|\Z)"
)
_DURATION: Final = re.compile(rb"Duration: (\d{1,18}) us(?:\r?\n|\Z)")
_NAMED: Final = {
    b"Compile begin": COMPILE_BEGIN,
    b"Compile end": COMPILE_END,
    b"Load engine": LOAD_ENGINE,
    b"Execute": EXECUTE,
}
_TRANSFERS: Final = {b"Host->Device": TO_DEVICE, b"Device->Host": FROM_DEVICE}


def is_text(head: bytes) -> bool:
    """Whether a file begins with such a block (the line of dashes may be missing)."""
    begin = re.compile(rb"\s*(?:-{20,}\s*\n)?=> @ ").match(head)
    return begin is not None and _TITLE.match(head, begin.end()) is not None


def read(source: Source, problems: Problems, columns: EventColumns, moved: Callable[[int], None]) -> None:
    """Fills ``columns`` block by block; the positions of reports are recorded, their contents are not read."""
    for begin, end in _blocks(source):
        try:
            columns.add(_event(source, begin, end), -1)
        except FormatError as error:
            problems.add("warning", tr("blocks that cannot be read"), error.offset, error.text)
        moved(end)


def _blocks(source: Source) -> Iterator[tuple[int, int]]:
    """(start of the time of a block, end of the block), searched in chunks that overlap by the length of a start."""
    head = source.head(HEAD)
    first = head.find(b"=> @ ")
    begin, at, overlap = first + 5, first + 5, b""
    while at < source.size:
        chunk = source.read(at, min(CHUNK, source.size - at))
        text, base = overlap + chunk, at - len(overlap)
        at += len(chunk)
        used = 0
        for match in START.finditer(text):
            yield begin, base + match.start()
            begin, used = base + match.end(), match.end()
        overlap = text[max(used, len(text) - _LONGEST_START) :]
    yield begin, source.size


def _event(source: Source, begin: int, end: int) -> RawEvent:
    head = source.read(begin, min(HEAD, end - begin))
    title = _TITLE.match(head)
    if title is None:
        raise FormatError(tr("this block has no time and no event type"), offset=begin)
    event = RawEvent(Place(begin, end), _seconds(title["time"], title["zone"], begin))
    body = title.end()
    kind, separator, _ = title["what"].partition(b": ")
    if title["what"] in _TRANSFERS:
        event.type = _TRANSFERS[title["what"]]
        event.transfer = _trimmed(source, begin + body, end)
        return event
    event.type = _NAMED.get(kind.removesuffix(b":"), -1)
    name = begin + title.start("what") + len(kind) + len(separator)
    event.module = Place(name, begin + title.end("what"))
    if event.type == COMPILE_END and (duration := _DURATION.match(head, body)):
        event.duration, body = int(duration[1]), duration.end()
    rest = _trimmed(source, begin + body, end)
    if rest.size and event.type in (COMPILE_END, EXECUTE):
        event.parts[COMPILATION_REPORT if event.type == COMPILE_END else EXECUTION_REPORT] = rest
    return event


def _trimmed(source: Source, begin: int, end: int) -> Place:
    """The range without the line breaks at its end."""
    tail = source.read(max(begin, end - 64), end - max(begin, end - 64))
    return Place(begin, end - (len(tail) - len(tail.rstrip())))


def _seconds(time: bytes, zone: bytes | None, offset: int) -> float:
    """Seconds since 1970; a time without a zone is taken as UTC."""
    try:
        if zone is None:
            return datetime.strptime(time.decode(), "%Y-%m-%d %H:%M:%S").replace(tzinfo=UTC).timestamp()
        return datetime.strptime((time + zone).decode(), "%Y-%m-%d %H:%M:%S%z").timestamp()
    except (ValueError, OverflowError) as error:
        raise FormatError(tr("the time of this block is invalid"), offset=offset) from error
