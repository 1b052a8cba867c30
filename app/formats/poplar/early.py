"""Finds small objects near the end of a large file, which are shown while the rest is read.

Poplar writes keys in alphabetical order: the target comes after all matrices, and the cycles of a run after its steps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from app.formats.cbor.decode import Decoder
from app.formats.cbor.walk import TAG
from app.formats.errors import FormatError
from app.formats.events import Event
from app.formats.format import HEAVY_BYTES
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.poplar.execution import tile_cycles_of
from app.formats.poplar.fields import Fields
from app.formats.poplar.graph import target_of
from app.formats.poplar.keys import INSIDE, Role
from app.formats.poplar.report import Report
from app.formats.source import Source
from app.profile.execution import Execution
from app.profile.target import Target

_LOOKED_AT: Final = 16 << 20
_PIECE: Final = 1 << 20
_OVERLAP: Final = 64
_LARGEST: Final = 1 << 20
_TRIED: Final = 4
"""Places in a piece that are tried, from the last."""
_CYCLES: Final = frozenset(
    ("activeCompute", "compute", "copySharedStructure", "doExchange", "globalExchange", "streamCopy", "sync")
)


def early_section(source: Source, role: Role) -> Target | Execution | None:
    """The target of a graph, or the first figures of an execution, whose section is complete only later; None where
    they are not near the end, and for files that are read before anybody waits."""
    if source.size <= HEAVY_BYTES:
        return None
    report = Report(_ignore, source)
    if role == "execution":
        cycles = _found(source, "tileCycles", _CYCLES)
        return None if cycles is None else _execution(Fields(cycles, report, ""))
    target = _found(source, "target", INSIDE["target"])
    return None if target is None else target_of(Fields(target, report, ""))


def _execution(fields: Fields) -> Execution:
    return Execution(mode="", cycles=None, tile_cycles=tile_cycles_of(fields), trace=None, runs=None, vertices=None)


def _found(source: Source, key: str, inside: frozenset[str]) -> Mapping[str, Any] | None:
    """The last object under ``key`` with one of the keys ``inside``, if it is near the end."""
    head = source.head(64)
    as_json = head.removeprefix(b"\xef\xbb\xbf").lstrip(b" \t\r\n").startswith(b"{")
    pattern = _in_json(key) if as_json else _in_cbor(key)
    stop, least = source.size, max(len(TAG), source.size - _LOOKED_AT)
    while stop > least:
        begin = max(least, stop - _PIECE)
        text = source.read(begin, min(stop + _OVERLAP, source.size) - begin)
        for match in reversed(list(pattern.finditer(text))[-_TRIED:]):
            value = _value(source, begin + match.end(1), as_json=as_json)
            if isinstance(value, Mapping) and value.keys() & inside:
                return value
        stop = begin
    return None


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
