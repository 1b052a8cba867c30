"""Tensor maps: on which tiles the tensors of a TensorFlow graph for the IPU are (``*.tensor_map.json``).

The layout follows the public sources of Graphcore's TensorFlow (IpuTraceEvent, section 3). Readers are imported when a
file is read.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.formats.events import Sink
from app.formats.format import TENSORFLOW, Format
from app.formats.source import Source
from app.language import tr


def _sniff(head: bytes, path: Path) -> int:
    from app.formats.tensor_map.sniff import sniff

    return sniff(head, path)


def _read(sources: Sequence[Source], sink: Sink) -> None:
    from app.formats.tensor_map.read import read

    read(sources, sink)


FORMAT = Format(
    id="tensor-map",
    label=tr("TensorFlow tensor maps (tensor_map.json)"),
    family=TENSORFLOW,
    patterns=("*tensor_map*.json",),
    sniff=_sniff,
    read=_read,
    joins="poplar",
)
