"""A Poplar profile with far more tiles than its files, written directly into the column store: matrices larger than
memory without such a large file. Between the tiles of the small profile are holes, which take no space on the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from app.formats.collect import read
from app.formats.events import Began
from app.formats.poplar import FORMAT
from app.formats.registry import Job
from app.profile.arrays import Array
from app.store import codec, folders, wire
from app.store.cache import cache
from app.store.codec import write_section
from app.store.token import Token
from generators import poplar

TILES = 23
"""Tiles of the small profile; no other column has this length."""
COPIES = 4
PIECE = 1 << 14


def keep_wide(folder: Path, tiles: int, compute_sets: int) -> tuple[tuple[Path, Path], int]:
    """Writes a small pair into ``folder`` and caches columns of ``tiles`` tiles for it. Returns the files, and the size
    of the matrices in bytes."""
    scale = poplar.Scale(
        tiles_per_ipu=TILES, compute_sets=compute_sets, mode="COMPUTE_SETS", estimates=True, spread=1.0
    )
    pair = poplar.write_pair(folder, scale)
    (profile,) = read(FORMAT, pair)
    job = Job(FORMAT, pair)
    ticket = cache.ticket(job)
    assert ticket is not None
    stored = folders.new(ticket.key)
    told: list[wire.Record] = [Began(profile.name, profile.origin.paths, profile.origin.writer)]
    matrices = 0
    scratch = folder / "holes"
    scratch.mkdir()
    with _holes_stay():
        for number, name in enumerate(profile.filled()):
            wide = _Widening(scratch, tiles)
            section = wide.of(profile.section(name))
            matrices += wide.bytes
            file = f"{number}-{name}.columns"
            told.append(write_section(section, stored.folder / file))
    assert cache.add(ticket, stored, told, 1 << 50, Token())
    stored.release()
    for path in scratch.iterdir():
        path.unlink()
    return pair, matrices


class _Widening:
    def __init__(self, folder: Path, tiles: int) -> None:
        self._folder = folder
        self._tiles = tiles
        self.bytes = 0

    def of(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            return self._column(value)
        if isinstance(value, dict):
            return {key: self.of(item) for key, item in value.items()}
        if isinstance(value, Struct):
            return replace(value, **{name: self._field(value, name) for name in value.__struct_fields__})
        return value

    def _field(self, record: Any, name: str) -> Any:
        value = getattr(record, name)
        return self._tiles if name in ("tiles", "tiles_per_ipu") and value == TILES else self.of(value)

    def _column(self, value: Array) -> Array:
        if value.ndim == 1 and len(value) == TILES:
            return np.resize(value, self._tiles)
        if value.ndim != 2 or value.shape[1] != TILES or not len(value):
            return value
        path = self._folder / f"{len(list(self._folder.iterdir()))}"
        wide = np.memmap(path, value.dtype, "w+", shape=(len(value), self._tiles))
        for copy in range(COPIES):
            start = copy * (self._tiles - TILES) // (COPIES - 1)
            wide[:, start : start + TILES] = value
        self.bytes += wide.nbytes
        return wide


@contextmanager
def _holes_stay() -> Iterator[None]:
    """Writes the bytes, skipping zeros."""

    def write_all(file: codec.Writable, data: bytes | memoryview) -> None:
        assert isinstance(file, codec._Summed)
        sparse: Any = file.file
        view = memoryview(data)
        for start in range(0, len(view), PIECE):
            piece = view[start : start + PIECE]
            if np.frombuffer(piece, np.uint8).any():
                real(file, piece)
            else:
                sparse.truncate(sparse.seek(len(piece), 1))
                file.add(piece)

    real = codec._write_all
    codec._write_all = write_all
    try:
        yield
    finally:
        codec._write_all = real
