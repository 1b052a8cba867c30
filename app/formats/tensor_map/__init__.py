"""Tensor maps: on which tiles the tensors of a TensorFlow graph for the IPU are (``*.tensor_map.json``).

The layout follows the public sources of Graphcore's TensorFlow (IpuTraceEvent, section 3). Readers are imported when a
file is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from app.formats.events import Sink
from app.formats.format import TENSORFLOW, Format
from app.formats.json.tolerant import head_text
from app.formats.source import Source
from app.language import tr

_KEY = rb'"mappings?"\s*:\s*(?:\{|null)'
_LISTS = rb'\{\s*"mappings?"\s*:\s*\{\s*"(?:[^"\\]|\\.){0,4096}"\s*:\s*\[\s*[\[{]'
"""Compiled when the first file is examined."""


def _sniff(head: bytes, path: Path) -> int:
    """3 for its key together with a matching name, or for a map from names to lists of lists (other programs also use
    the key, but for objects); 1 for the name alone."""
    text = head_text(head)
    if not text.startswith(b"{"):
        return 0
    if "tensor_map" in path.name.lower():
        return 3 if re.search(_KEY, text) else 1
    return 3 if re.match(_LISTS, text) else 0


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
