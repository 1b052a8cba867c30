"""Which of the four containers of IPU events a file is, by its first bytes, and the events of those that are not event
files: the text output of TensorFlow's ``extract_all_strings_from_event_trace`` (one block per event); sequences of
reports, each after a line with the name of its module (the ``compile.json`` and ``execute.json`` of Graphcore's
report_generation example: the parts are JSON, the whole is not); and a single serialised event."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple

from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.json.tolerant import head_text
from app.formats.json.walk import JsonWalk
from app.formats.poplar.kinds import clues, may_have_clue
from app.formats.source import Excerpt, Head, Source
from app.formats.tensorflow_events.columns import LATEST, EventColumns
from app.formats.tensorflow_events.event_file import LENGTH_BYTES, length_of
from app.formats.tensorflow_events.ipu_event import FIXED64, LENGTH, VARINT, Dialect, Place, RawEvent, fields, parse
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
    Container,
)

HEAD_BYTES: Final = 65536
_VERSION: Final = b"brain.Event:"
_EVENT_STARTS: Final = b"\x09\x10\x1a\x22\x2a"
"""Tags of the fields that a TensorBoard event can begin with."""
_UNKNOWN: Final = 1 << 62


def container_of(head: bytes, path: Path) -> Container | None:
    """The container, by content alone; None if it is none of them."""
    if length_of(head) is not None and head[LENGTH_BYTES.size : LENGTH_BYTES.size + 1] in _EVENT_STARTS:
        return "event file"
    if head[:1] == b"\x09" and len(head) > 9 and _is_time(head[1:9]):
        whole = len(head) if len(head) < HEAD_BYTES else _UNKNOWN
        return "single event" if looks_like_one(Head(head, path), whole) else None
    text = head_text(head)
    if is_text(text):
        return "text"
    return "sequence of reports" if is_sequence(text) else None


def sniff(head: bytes, path: Path) -> int:
    """3 for the framing of an event file and the text of its events, 2 for a sequence of reports and a single event."""
    container = container_of(head, path)
    if container is None:
        return int(".tfevents." in path.name)
    if container == "event file":
        return 3 if _VERSION in head[:256] or ".tfevents." in path.name else 2
    return 3 if container == "text" else 2


def _is_time(raw: bytes) -> bool:
    value = struct.unpack("<d", raw)[0]
    return math.isfinite(value) and 0 <= value < LATEST


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


def read_blocks(source: Source, problems: Problems, columns: EventColumns, moved: Callable[[int], None]) -> None:
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


_LONGEST: Final = 4096
_NAME: Final = re.compile(rb"\s*([^\s{}\[\]\",:][^\r\n{}\[\]\",]{0,1023})\r?\n\s*(?=\{)")
_SURE: Final = re.compile(rb"\s*[A-Za-z_][\w.\-/]*\r?\n\s*\{\s*\"")


def is_sequence(head: bytes) -> bool:
    """Whether a file begins with a line with a name, followed by a JSON object."""
    return _SURE.match(head[:_LONGEST]) is not None


_TOKEN: Final = rb'[^{}\[\]"]++|"[^"\\]*+(?:\\.[^"\\]*+)*+"'


def _content(depth: int) -> bytes:
    """The pattern of what is between two brackets, with up to ``depth`` levels inside. As in ``JsonWalk.skip``, every
    bracket closes every other."""
    return rb"(?:%b|[{\[]%b[}\]])*+" % (_TOKEN, _content(depth - 1)) if depth else rb"(?:%b)*+" % _TOKEN


_SMALL: Final = re.compile(rb"%b(?=\{)([{\[]%b[}\]])" % (_NAME.pattern, _content(8)), re.DOTALL)
"""A name and a report that is so small that a walk through it would cost more than all of its bytes."""

_TOGETHER: Final = 256
"""Reports that are added at once."""
_ALIKE: Final = 1024
"""Small reports whose kind is cached."""


class _Report(NamedTuple):
    """``named``: where its name begins; ``text``: the whole report where it is small, else empty."""

    named: int
    name: bytes
    begin: int
    end: int
    text: bytes = b""


def read_sequence(source: Source, problems: Problems, columns: EventColumns, moved: Callable[[int], None]) -> None:
    """Fills ``columns`` with an event without a time for each report. FormatError if there is none."""
    by_name = EXECUTE if "exec" in source.path.name.lower() else COMPILE_END

    @lru_cache(_ALIKE)
    def kind_of(text: bytes) -> int:
        return _kind(Head(text, source.path), by_name) if may_have_clue(text) else by_name

    reports = _reports(source, problems, moved)
    while some := list(islice(reports, _TOGETHER)):
        named, names, begins, ends, texts = zip(*some, strict=True)
        kinds = [
            kind_of(text) if text else _kind(Excerpt(source, begin, end - begin), by_name)
            for begin, end, text in zip(begins, ends, texts, strict=True)
        ]
        columns.add_reports(kinds, named, names, begins, ends)
        moved(ends[-1])
    if not len(columns):
        raise FormatError(tr("it contains no report"))


def _reports(source: Source, problems: Problems, moved: Callable[[int], None]) -> Iterator[_Report]:
    """The reports in file order. A file can consist of millions of small ones, so they are taken from a chunk."""
    at, chunk, base = 0, b"", 0
    while at < source.size:
        if at + _LONGEST > base + len(chunk) < source.size:
            chunk, base = source.read(at, min(CHUNK, source.size - at)), at
        begin = at - base
        small = _SMALL.match(chunk, begin, begin + _LONGEST)
        if small is not None:
            at = base + small.end()
            yield _Report(base + small.start(1), small[1], base + small.start(2), at, small[2])
            continue
        report = _walked(source, chunk[begin : begin + _LONGEST], at, problems, moved)
        if report is None:
            return
        yield report
        at = report.end


def _walked(source: Source, head: bytes, at: int, problems: Problems, moved: Callable[[int], None]) -> _Report | None:
    """The report after the name at the byte ``at``, where ``head`` begins; None after the last."""
    named = _NAME.match(head)
    if named is None:
        if head.strip():
            text = tr("the following data is not the name of a module and its report, and is skipped")
            problems.add("warning", "ends", at, text)
        return None
    begin = at + named.end()
    try:
        walk = JsonWalk(source, problems, moved, begin)
        walk.skip()
    except FormatError as error:
        problems.add("error", "ends", begin, tr("the report that starts here is incomplete: {error}", error=error.text))
        return None
    size = walk.offset - at
    return _Report(
        at + named.start(1), named[1], begin, walk.offset, head[named.end() : size] if size <= len(head) else b""
    )


def _kind(report: Source, otherwise: int) -> int:
    """The role of a report by the first key that reveals it."""
    clue = next(clues(report), None)
    if clue is None:
        return otherwise
    return EXECUTE if clue.role == "execution" else COMPILE_END


_TOP = {1: FIXED64, 2: VARINT, 3: VARINT, **dict.fromkeys(range(5, 10), LENGTH)}
MARGIN = 32
"""The most bytes of a field's tag and length."""
_FLAT = {1: FIXED64, 2: VARINT, 3: VARINT, 4: LENGTH, 5: LENGTH, 6: VARINT}


def read_single(source: Source, columns: EventColumns) -> None:
    """Fills ``columns`` with the one event. FormatError if the file is not such a message."""
    columns.add(parse(source, 0, source.size, Dialect()), -1)


def looks_like_one(head: Source, whole: int) -> bool:
    """Whether the first bytes of a file of ``whole`` bytes can be one: first a time, then only fields that IPU events
    have, without repetition and ascending, up to one that extends beyond ``head``."""
    seen: list[tuple[int, int]] = []
    try:
        for field in fields(head, 0, whole):
            seen.append((field.number, field.wire))
            if len(seen) > len(_TOP) or (field.end > head.size - MARGIN and whole > head.size):
                break
    except FormatError:
        return False
    numbers = [number for number, _ in seen]
    if numbers[:1] != [1] or len(numbers) < 2 or numbers != sorted(set(numbers)):
        return False
    return any(all(known.get(number) == wire for number, wire in seen) for known in (_TOP, _FLAT))
