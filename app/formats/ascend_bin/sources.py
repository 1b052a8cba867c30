"""Decodes blocks 0x01: source texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.pieces import Column, pieces
from app.language import tr
from app.profile.arrays import sealed
from app.profile.ascend import Sources
from app.profile.profile import Section
from app.profile.strings import Strings

MAX_TEXT = 64 << 20
"""The largest text in bytes; the source view loads a text whole."""


def decode(parts: Sequence[Part]) -> tuple[Section, ...]:
    """The Sources section: each path once, in the order of first appearance, with its last text. Only those texts are
    read, because some writers store the whole text once per line (Ascend operator files, section 1.1)."""
    last: dict[str, Part] = {}
    for part in parts:
        last[part.block.path] = part
    blob = Column(np.uint8)
    for part in last.values():
        if part.block.size > MAX_TEXT:
            part.warn(
                tr("truncated sources"),
                tr("the text of {path} is cut after {max_text:,} bytes", path=part.block.path, max_text=MAX_TEXT),
            )
        for piece in pieces(part, 0, _size(part), np.uint8):
            blob.add(piece)
    ends = np.cumsum([_size(part) for part in last.values()], dtype=np.int64)
    return (Sources(Strings.of(last), Strings(blob.done(), sealed(ends))),)


def _size(part: Part) -> int:
    return min(part.block.size, MAX_TEXT)
