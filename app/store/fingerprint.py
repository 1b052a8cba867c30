"""Identifies files by their content, wherever they are stored and whatever they are called."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from app.formats.source import Source

SAMPLES = 16
SAMPLE_BYTES = 64 * 1024


def content_fingerprint(paths: Sequence[Path]) -> str:
    """32 hexadecimal digits from the size of each file and 16 evenly spread samples of 64 KiB; takes a few milliseconds
    for any size. FormatError if a file cannot be read."""
    digest = hashlib.blake2b(digest_size=16)
    for path in paths:
        with Source(path) as source:
            digest.update(source.size.to_bytes(8, "little"))
            for place in sample_places(source.size):
                digest.update(source.read(place, min(SAMPLE_BYTES, source.size - place)))
    return digest.hexdigest()


def sample_places(size: int, length: int = SAMPLE_BYTES) -> list[int]:
    """Offsets of the samples of ``length`` bytes: they cover all of a small file, and include the first and last bytes
    of a large one."""
    if size <= SAMPLES * length:
        return list(range(0, size, length))
    places: list[int] = np.linspace(0, size - length, SAMPLES).astype(np.int64).tolist()
    return places
