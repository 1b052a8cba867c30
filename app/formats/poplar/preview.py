"""What is shown of large files before they are read: small objects near the beginning or the end, and the first steps.

Poplar writes keys in alphabetical order: the target comes after all matrices, the counts of the graph before them, and
the cycles of a run after its steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from app.formats.cbor.decode import Decoder
from app.formats.cbor.records import Stretch as CborStretch
from app.formats.cbor.walk import TAG
from app.formats.errors import FormatError
from app.formats.events import Event, SectionReady
from app.formats.json.problems import Problems
from app.formats.json.stretches import beginning
from app.formats.json.walk import JsonWalk
from app.formats.pool import ignore
from app.formats.poplar import steps_in_cbor
from app.formats.poplar.execution import tile_cycles_of
from app.formats.poplar.graph import counts_of, target_of
from app.formats.poplar.kinds import INSIDE, Role
from app.formats.poplar.read import began, first_files
from app.formats.poplar.report import Fields, Report
from app.formats.poplar.steps import ENCODED, TASK, StepsPart, merged
from app.formats.poplar.timeline import Timed, shows_steps, timeline
from app.formats.source import Source
from app.language import plural, tr
from app.profile.poplar import Execution, Graph, Steps
from app.profile.profile import Target

_SEARCHED: Final = 16 << 20
"""Bytes at either end that are searched."""
_PIECE: Final = 1 << 20
_OVERLAP: Final = 64
_LARGEST: Final = 1 << 20
_TRIED: Final = 4
"""Places in a piece that are tried, from the last."""
_STEPS: Final = 4 << 20
"""Bytes of steps that are read."""
_ENDED: Final = 0x9F
"""The header of a CBOR array that is ended by a break."""
_CYCLES: Final = frozenset(
    ("activeCompute", "compute", "copySharedStructure", "doExchange", "globalExchange", "streamCopy", "sync")
)


def preview(sources: Sequence[Source]) -> Iterator[Event]:
    """The beginning of the profile, and what is easily found of its sections."""
    files, beside = first_files(sources)
    for number, ready in enumerate(_sections(files)):
        if not number:
            yield began([source for source, _ in files], beside, preview=True)
        yield ready


def _sections(files: Sequence[tuple[Source, Role]]) -> Iterator[SectionReady]:
    clock = None
    for source, role in files:
        if role != "execution":
            for ready in _of_graph(source):
                yield ready
                clock = ready.section.clock_hz if isinstance(ready.section, Target) else clock
        if role != "graph":
            yield from _of_execution(source, clock)


def _of_graph(source: Source) -> Iterator[SectionReady]:
    """The target and the counts of the graph."""
    report = Report(_ignore, source)
    target = _object(source, "target", INSIDE["target"])
    if target is not None:
        yield SectionReady(target_of(Fields(target, report, "")), preview=True)
    counts = _object(source, "graph", INSIDE["graph"], from_end=False)
    if counts is not None:
        graph = Graph(**counts_of(Fields(counts, report, "")), optimisation={})
        yield SectionReady(graph, preview=True, portion=tr("the counts of the graph"))


def _of_execution(source: Source, clock: float | None) -> Iterator[SectionReady]:
    """The cycles of all tiles, and the first steps."""
    cycles = _object(source, "tileCycles", _CYCLES)
    if cycles is not None:
        of_tiles = tile_cycles_of(Fields(cycles, Report(_ignore, source), ""))
        execution = Execution(mode="", cycles=None, tile_cycles=of_tiles, trace=None, runs=None, vertices=None)
        yield SectionReady(execution, preview=True, portion=tr("the cycles of all tiles"))
    steps = _first_steps(source)
    if steps is not None:
        portion = plural("the first {count:,} step", "the first {count:,} steps", count=len(steps))
        yield SectionReady(steps, preview=True, portion=portion)
        timed = Timed.of(steps)
        if shows_steps(timed):
            yield SectionReady(timeline(timed, clock), preview=True, portion=portion)


def _first_steps(source: Source) -> Steps | None:
    """The first steps; None where they do not begin nearby."""
    text = source.head(_SEARCHED)
    try:
        part = _steps_of_json(source, text) if _is_json(source) else _steps_of_cbor(source, text)
    except FormatError:
        return None
    part = part.trimmed() if part is not None else None
    return merged([part]) if part is not None and part.count else None


def _steps_of_json(source: Source, text: bytes) -> StepsPart | None:
    match = re.search(rb'"steps"[ \t\r\n]{0,8}:[ \t\r\n]{0,8}\[(?=[ \t\r\n]{0,64}\{)', text)
    return None if match is None else TASK.run(source, beginning(match.end(), source.size, _STEPS), ignore).part


def _steps_of_cbor(source: Source, text: bytes) -> StepsPart | None:
    """The header of an array has its length in the first byte, or after it, or none (RFC 8949, section 3)."""
    match = re.search(rb"\x65steps(\x9f|[\x80-\x97]|\x98.|\x99.{2}|\x9a.{4}|\x9b.{8})(?=[\xa1-\xb8])", text, re.DOTALL)
    if match is None:
        return None
    begin, head = match.end(), match[1]
    made = steps_in_cbor.TASK.run(
        source, CborStretch(begin, min(begin + _STEPS, source.size), tuple(ENCODED.values())), ignore
    )
    count = int.from_bytes(head[1:], "big") if len(head) > 1 else source.size if head[0] == _ENDED else head[0] & 31
    return made.part if made.passage.begin == begin and made.passage.count <= count else None


def _object(source: Source, key: str, inside: frozenset[str], *, from_end: bool = True) -> Mapping[str, Any] | None:
    """The last object under ``key`` with one of the keys ``inside``, if it is near the end; or the first one near the
    beginning."""
    as_json = _is_json(source)
    pattern = _in_json(key) if as_json else _in_cbor(key)
    for begin, text in _pieces(source, from_end=from_end):
        matches = list(pattern.finditer(text))
        for match in matches[: -_TRIED - 1 : -1] if from_end else matches[:_TRIED]:
            value = _value(source, begin + match.end(1), as_json=as_json)
            if isinstance(value, Mapping) and value.keys() & inside:
                return value
    return None


def _pieces(source: Source, *, from_end: bool) -> Iterator[tuple[int, bytes]]:
    """(offset, text) of pieces that overlap, from the end backwards or from the beginning."""
    least = len(TAG)
    first, last = (max(least, source.size - _SEARCHED), source.size) if from_end else (least, _SEARCHED)
    begins = range(first, min(last, source.size), _PIECE)
    for begin in reversed(begins) if from_end else begins:
        yield begin, source.read(begin, min(begin + _PIECE + _OVERLAP, source.size) - begin)


def _is_json(source: Source) -> bool:
    return source.head(64).removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"{")


def _in_json(key: str) -> re.Pattern[bytes]:
    return re.compile(rb'("%b"[ \t\r\n]{0,8}:[ \t\r\n]{0,8})\{' % key.encode())


def _in_cbor(key: str) -> re.Pattern[bytes]:
    """A text of less than 24 bytes, and the header of a map (RFC 8949, section 3)."""
    return re.compile(rb"(%b)[\xa0-\xbf]" % re.escape(bytes([0x60 | len(key)]) + key.encode()))


def _value(source: Source, at: int, *, as_json: bool) -> Any:
    """The value at ``at``; None where it cannot be decoded."""
    try:
        if as_json:
            return JsonWalk(source, Problems(_ignore, ""), begin=at).value(_LARGEST)
        return Decoder(source, lambda _: None).item(at, _LARGEST)[0]
    except FormatError:
        return None


def _ignore(_: Event) -> None:
    """What is wrong is reported when the file is read."""
