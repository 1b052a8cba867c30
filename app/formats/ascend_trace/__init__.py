"""Trace-event JSON: operator traces of Ascend simulators, and Chrome traces in general. Readers are imported when
a file is read."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from app.formats.events import Event, Sink
from app.formats.format import TRACE, Format
from app.formats.json.tolerant import head_text
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr
from app.profile.pipes import of_a_core
from app.profile.profile import Profile

_ARRAY = re.compile(rb'"traceEvents"\s*:\s*\[')
_EVENT = re.compile(rb'"ph"\s*:\s*"')
_PLACE = re.compile(rb'"(?:ts|pid)"\s*:')


def sniff(head: bytes, _path: Path) -> int:
    """3 for ``traceEvents`` or an operator's profilingType, 2 for displayTimeUnit or a bare array of events, else 0."""
    text = head_text(head)
    if text.startswith(b"{"):
        if _ARRAY.search(text) or b'"profilingType"' in text.partition(b"[")[0]:
            return 3
        return 2 if b'"displayTimeUnit"' in text else 0  # the events come after other large members
    if text.startswith(b"[") and text[1:].lstrip().startswith(b"{"):
        first = text[:4096]
        return 2 if _EVENT.search(first) and _PLACE.search(first) else 0
    return 0


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_trace.read import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.ascend_trace.read import read

    read(sources, sink, pool)


def _preview(sources: Sequence[Source]) -> Iterator[Event]:
    from app.formats.ascend_trace.read import preview

    return preview(sources)


def _label_of(profile: Profile) -> str:
    """Only lanes named after the pipes of a core say that a trace is Ascend's."""
    line = profile.timeline
    if line is not None and line.basis == "tiles":
        return tr("Trace of an AMD AI Engine (.json)")
    if line is not None:
        lanes = zip(line.lanes.process[:MOST_LANES].tolist(), line.lanes.thread[:MOST_LANES].tolist(), strict=True)
        if any(of_a_core(line.strings.get(process), line.strings.get(thread)) for process, thread in lanes):
            return tr("Ascend operator trace (.json)")
    return tr("Chrome trace (.json)")


MOST_LANES = 4096

FORMAT = Format(
    id="ascend-trace",
    label=tr("Ascend operator traces and Chrome traces (.json)"),
    family=TRACE,
    patterns=("*.json",),
    sniff=sniff,
    read=_read,
    record_files=lambda _profile: (),
    read_divided=_read_divided,
    preview=_preview,
    label_of=_label_of,
)
