"""Trace-event JSON: operator traces of Ascend simulators, and Chrome traces in general. Readers are imported when
a file is read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.formats.ascend_trace.sniff import sniff
from app.formats.events import Event, Sink
from app.formats.format import TRACE, Details, Format
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr
from app.profile.pipes import of_a_core
from app.profile.profile import Profile


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.ascend_trace.read import read

    read(sources, sink)


def _read_divided(sources: Sequence[Source], sink: Sink, pool: Pool) -> None:
    from app.formats.ascend_trace.read import read

    read(sources, sink, pool)


def _preview(sources: Sequence[Source]) -> Iterator[Event]:
    from app.formats.ascend_trace.preview import preview

    return preview(sources)


def _record(source: Source, profile: Profile, ordinal: int) -> Details:
    from app.formats.ascend_trace.record import record

    return record(source, profile, ordinal)


def _label_of(profile: Profile) -> str:
    """Only lanes named after the pipes of a core say that a trace is Ascend's."""
    line = profile.timeline
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
    record=_record,
    read_divided=_read_divided,
    preview=_preview,
    label_of=_label_of,
)
