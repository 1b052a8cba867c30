"""Arrays too large for the memory are gathered on the disk, and are the same numbers."""

from __future__ import annotations

import errno
import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats import integers, spool
from app.formats.collect import read
from app.formats.integers import Flat
from app.formats.poplar import FORMAT
from app.formats.spool import KEPT_BYTES, Spool, kept
from app.profile.arrays import Integers

KINDS = (np.uint8, np.uint16, np.uint32, np.int8, np.int16, np.int32, np.int64)
part = st.tuples(st.sampled_from(KINDS), st.lists(st.integers(0, 127), max_size=20))


@given(st.lists(part, min_size=1, max_size=8), st.integers(0, 40))
def test_what_is_gathered_is_the_same_wherever_it_lies(parts: list[tuple[type, list[int]]], most: int) -> None:
    spooled, plain = Flat(), Flat()
    before = integers.SPOOL_BYTES
    try:
        for kind, values in parts:
            integers.SPOOL_BYTES = most
            spooled.add(np.array(values, kind))
            integers.SPOOL_BYTES = before
            plain.add(np.array(values, kind))
    finally:
        integers.SPOOL_BYTES = before
    found, expected = spooled.done(), plain.done()
    assert spooled.count == plain.count
    assert found.dtype == expected.dtype
    assert found.tolist() == expected.tolist()


def test_types_widen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.formats.spool.BLOCK_BYTES", 16)
    own = Spool()
    wanted: list[int] = []
    for kind, low in ((np.uint8, 0), (np.uint8, 200), (np.uint16, 60_000), (np.int32, -70_000), (np.uint8, 3)):
        values: Integers = np.arange(low, low + 50).astype(kind)
        own.add(values)
        wanted += values.tolist()
    found = own.done()
    assert found.dtype == np.int32
    assert found.tolist() == wanted
    assert not found.flags.writeable


def test_what_is_kept_is_the_same_and_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = np.arange(2 * KEPT_BYTES, dtype=np.int32).reshape(-1, 2)
    before = len(spool._kept)
    large, small = kept(numbers.copy()), kept(numbers[:9].copy())
    assert large.shape == numbers.shape
    assert (large == numbers).all()
    assert (small == numbers[:9]).all()
    assert not large.flags.writeable
    assert not small.flags.writeable
    assert len(spool._kept) == before + 1
    part = large[5:7]
    del large
    assert len(spool._kept) == before + 1, "a part of it is in use"
    assert part.tolist() == numbers[5:7].tolist()
    del part
    assert len(spool._kept) == before

    def full(_file: object, _values: Integers) -> None:
        raise OSError(errno.ENOSPC, "no space")

    monkeypatch.setattr(spool, "_write", full)
    assert (kept(numbers.copy()) == numbers).all()


def test_a_matrix_larger_than_the_memory_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """16 million cells in 1 MB (and what the text takes)."""
    monkeypatch.setattr(integers, "SPOOL_BYTES", 1 << 20)
    tiles, sets = 40_000, 400
    row = "[" + ",".join("0" * tiles) + "]"
    busy = "[" + ",".join(str(tile % 251) for tile in range(tiles)) + "]"
    path = tmp_path / "graph.json"
    with path.open("w") as file:
        file.write('{"computeSets":{"names":[' + ",".join('"s"' for _ in range(sets)) + "]," + '"vertexCounts":[')
        file.write(",".join("[1]" for _ in range(sets)) + '],"vertexTypes":[' + ",".join("[0]" for _ in range(sets)))
        file.write('],"cycleEstimates":{"cyclesByTile":[')
        for number in range(sets):
            file.write(("," if number else "") + (busy if number % 100 == 7 else row))
        file.write("]}}}")
    tracemalloc.start()
    (profile,) = read(FORMAT, (path,))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert profile.compute_sets is not None
    cycles = profile.compute_sets.cycles
    assert cycles is not None
    assert cycles.shape == (sets, tiles)
    assert cycles.dtype == np.uint8
    assert int(cycles[107].max()) == 250
    assert int(cycles.sum(dtype=np.int64)) == 4 * sum(tile % 251 for tile in range(tiles))
    assert peak < 0.7 * cycles.nbytes
