"""TensorBoard event files with IPU events of TensorFlow for the IPU, and the other forms in which these events occur.

The layout follows the public sources of Graphcore's TensorFlow (IpuTraceEvent, sections 1 to 4); it has not been
verified on a log of real hardware. Readers are imported when a file is read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from app.formats.events import Event, Sink
from app.formats.format import TENSORFLOW, Format
from app.formats.source import Source
from app.language import tr


def _sniff(head: bytes, path: Path) -> int:
    from app.formats.tensorflow_events.containers import sniff

    return sniff(head, path)


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.tensorflow_events.read import read

    read(sources, sink)


def _preview(sources: Sequence[Source]) -> Iterator[Event]:
    from app.formats.tensorflow_events.read import preview

    return preview(sources)


FORMAT = Format(
    id="tensorflow-events",
    label=tr("TensorFlow event logs with IPU events (events.out.tfevents.*)"),
    family=TENSORFLOW,
    patterns=("events.out.tfevents.*", "*.tfevents.*"),
    sniff=_sniff,
    read=_read,
    preview=_preview,
)
