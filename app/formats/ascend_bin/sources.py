"""Blocks 0x01: source texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from app.formats.ascend_bin.part import Part
from app.profile.arrays import sealed
from app.profile.profile import Section
from app.profile.sources import Sources
from app.profile.strings import Strings


def decode(parts: Sequence[Part]) -> tuple[Section, ...]:
    """Each path once, in the order of first sight, with its last text (Ascend operator files, section 1.1: some
    writers give the whole text again for every line of it). Only those last texts are read."""
    last: dict[str, Part] = {}
    for part in parts:
        last[part.block.path] = part
    texts = []
    for part in last.values():
        texts.append(part.content())
        part.tick(part.block.end)
    ends = np.cumsum([len(content) for content in texts], dtype=np.int64)
    blob = np.frombuffer(b"".join(texts), np.uint8)
    return (Sources(Strings.of(last), Strings(sealed(blob), sealed(ends))),)
