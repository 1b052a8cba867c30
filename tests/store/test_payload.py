"""Payloads read by ranges: slices against numpy, files that changed, shapes that claim more than there is."""

from __future__ import annotations

import math
import struct
import tracemalloc
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.analysis.popef.values import first_slice, parse
from app.formats import popef as format_
from app.formats.collect import Collector
from app.formats.errors import Cancelled, FormatError
from app.formats.source import Source
from app.profile.arrays import Array
from app.profile.profile import Profile
from app.store import payload
from app.store.payload import Tensor, payload_of, read_bytes, read_slice, summarise, tensor_of, whole_feed
from app.store.token import Token
from generators import popef

F16, F32, S32, BOOL, F8143 = 2, 3, 9, 0, 13


def opened(path: Path, *blobs: bytes) -> Profile:
    popef.write(path, blobs)
    sink = Collector("popef")
    with Source(path) as source:
        format_.FORMAT.read([source], sink)
    return sink.profiles[0]


def tensor_in(profile: Profile, row: int = 0, number: int = 0) -> Tensor:
    found = tensor_of(profile, row, number)
    assert found is not None
    return found


def numbers(profile: Profile, text: str, row: int = 0, number: int = 0) -> list[object]:
    tensor = tensor_in(profile, row, number)
    values: list[object] = read_slice(tensor, parse(text, tensor.shape), Token()).numbers.tolist()
    return values


def test_slices_of_a_tensor(tmp_path: Path) -> None:
    cells = np.arange(120, dtype="<f4").reshape(2, 3, 4, 5)
    profile = opened(
        tmp_path / "a.popef", popef.opaque("x", "y", bytes(13)), popef.tensor("t", cells.shape, F32, cells.tobytes())
    )
    assert numbers(profile, "[1, 2, :, :]") == cells[1, 2].tolist()
    assert numbers(profile, "[:, 1, 3, :]") == cells[:, 1, 3].tolist()
    assert numbers(profile, "[:, 0, :, 4]") == cells[:, 0, :, 4].tolist()
    assert numbers(profile, "[1, 2, 3, 4]") == [[119.0]]
    assert numbers(profile, "[0, 0, 0, ::-2]") == [[value] for value in cells[0, 0, 0, ::-2].tolist()]
    assert numbers(profile, "[0, 0, 2:2, :]") == []


@given(
    st.lists(st.integers(1, 9), min_size=1, max_size=4),
    st.sampled_from([1, 3, 16, 1 << 18]),
    st.sampled_from([8, 64, 1 << 14]),
    st.data(),
)
def test_any_slice_however_it_is_read(
    tmp_path_factory: pytest.TempPathFactory, shape: list[int], block: int, gap: int, data: st.DataObject
) -> None:
    """Small blocks and gaps make the reader cut where it does in tensors of gigabytes."""
    cells = np.arange(math.prod(shape), dtype="<i4").reshape(shape)
    path = tmp_path_factory.getbasetemp() / "any.popef"
    profile = opened(path, popef.tensor("t", shape, S32, cells.tobytes()))
    open_ = data.draw(st.sets(st.integers(0, len(shape) - 1), max_size=2))
    picked: list[slice | int] = []
    for dim, size in enumerate(shape):
        index = st.integers(0, size - 1)
        picked.append(
            slice(data.draw(index), None, data.draw(st.sampled_from([-2, -1, 1, 2])))
            if dim in open_
            else data.draw(index)
        )
    text = ",".join(f"{one.start}::{one.step}" if isinstance(one, slice) else str(one) for one in picked)
    with reading_by(max(block, 4), gap):
        found = read_slice(tensor_in(profile), parse(text, shape), Token()).numbers
    assert found.reshape(-1).tolist() == cells[tuple(picked)].reshape(-1).tolist()


@contextmanager
def reading_by(block: int, gap: int) -> Iterator[None]:
    before = payload.BLOCK, payload.GAP
    payload.BLOCK, payload.GAP = block, gap
    try:
        yield
    finally:
        payload.BLOCK, payload.GAP = before


def test_a_feed_is_read_tensor_by_tensor(tmp_path: Path) -> None:
    cells = np.arange(24, dtype="<f2").reshape(4, 2, 3)
    profile = opened(tmp_path / "f.popef", popef.feed("f", (2, 3), F16, 4, cells.tobytes()))
    for number in range(4):
        assert numbers(profile, "[:, :]", number=number) == cells[number].tolist()
    assert summarise(tensor_in(profile, number=3), Token()).least == 18
    assert summarise(whole_feed(tensor_in(profile), 4), Token()).count == 24


def test_float8_and_bool(tmp_path: Path) -> None:
    profile = opened(
        tmp_path / "v.popef",
        popef.tensor("f8", (4,), F8143, b"\x40\xc0\x80\x7f"),
        popef.tensor("b", (3,), BOOL, b"\0\1\7"),
    )
    found = read_slice(tensor_in(profile), first_slice((4,)), Token()).numbers
    assert found[[0, 1, 3], 0].tolist() == [1.0, -1.0, 240.0]
    assert math.isnan(found[2, 0])
    whole = summarise(tensor_in(profile), Token())
    assert (whole.nan, whole.least, whole.most) == (1, -1.0, 240.0)
    assert numbers(profile, "[:]", row=1) == [[0], [1], [7]]


def test_a_payload_that_is_too_short_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    profile = opened(tmp_path / "s.popef", popef.tensor("t", (2, 3), F32, struct.pack("<4f", 1, 2, 3, 4) + b"xx"))
    tensor = tensor_in(profile)
    values = read_slice(tensor, first_slice((2, 3)), Token())
    assert values.numbers.tolist() == [[1, 2, 3], [4, 0, 0]]
    assert values.missing is not None
    assert values.missing.tolist() == [[False] * 3, [False, True, True]]
    assert (tensor.there, tensor.elements) == (4, 6)
    assert summarise(tensor, Token()).count == 4
    with pytest.raises(FormatError, match="the shape has 6 elements, but the payload contains 4"):
        payload.save_npy(tensor, tmp_path / "t.npy", Token())
    assert [path.name for path in tmp_path.iterdir()] == ["s.popef"]


@pytest.mark.parametrize("shape", [(2**60,), (2**30, 2**30), (0, 2**62, 2**62), (1,) * 200, (3, 2**58)])
def test_what_a_shape_claims_costs_no_memory(tmp_path: Path, shape: Sequence[int]) -> None:
    profile = opened(tmp_path / "m.popef", popef.tensor("t", shape, 6, b"abc"))
    tensor = tensor_in(profile)
    tracemalloc.start()
    try:
        values = read_slice(tensor, first_slice(tensor.shape).limited(), Token())
        found = summarise(tensor, Token())
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 40e6
    assert found.count == min(3, math.prod(shape))
    if found.count == 3:
        assert values.numbers[:1, :1].tolist() == [[97]]


def test_shapes_that_cannot_be_are_no_tensors(tmp_path: Path) -> None:
    profile = opened(
        tmp_path / "n.popef",
        popef.tensor("a", (2**32, 2**32), 3, b""),
        popef.tensor("b", (-1,), 3, b""),
        popef.tensor("c", (1,), 99, b"x"),
    )
    assert [tensor_of(profile, row) for row in range(-1, 4)] == [None] * 5


def test_a_file_that_was_written_again_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "c.popef"
    profile = opened(path, popef.tensor("t", (4,), F32))
    tensor, whole = tensor_in(profile), payload_of(profile, 0)
    assert whole is not None
    assert read_bytes(whole, 0, 99) == bytes(16)
    popef.write(path, [popef.tensor("another name", (5,), F32)])
    for read in (
        lambda: read_slice(tensor, first_slice((4,)), Token()),
        lambda: summarise(tensor, Token()),
        lambda: read_bytes(whole, 0, 4),
    ):
        with pytest.raises(FormatError, match="has changed"):
            read()
    path.write_bytes(b"x")
    with pytest.raises(FormatError, match="has changed"):
        summarise(tensor, Token())
    path.unlink()
    with pytest.raises(FormatError, match="no such file"):
        summarise(tensor, Token())


def test_bytes_of_a_payload(tmp_path: Path) -> None:
    profile = opened(tmp_path / "b.popef", popef.executable("e", b"0123456789"), popef.header(7, 48))
    found = payload_of(profile, 0)
    assert found is not None
    assert read_bytes(found, 0, 4) == b"0123"
    assert read_bytes(found, 8, 4) == b"89"
    assert read_bytes(found, 99, 4) == read_bytes(found, 0, -1) == b""
    assert payload_of(profile, 1) is None
    assert payload_of(profile, 2) is None


def test_reading_stops_when_it_is_told_to(tmp_path: Path) -> None:
    tensor = tensor_in(opened(tmp_path / "x.popef", popef.tensor("t", (64,), F32)))
    token = Token()
    token.cancel()
    with pytest.raises(Cancelled):
        summarise(tensor, token)
    with pytest.raises(Cancelled):
        read_slice(tensor, first_slice((64,)), token)
    with pytest.raises(Cancelled):
        payload.save_npy(tensor, tmp_path / "t.npy", token)
    assert [path.name for path in tmp_path.iterdir()] == ["x.popef"]


@pytest.mark.parametrize("name", popef.NAMES)
def test_a_tensor_saved_as_npy_is_what_numpy_loads(tmp_path: Path, name: str) -> None:
    number = popef.NAMES.index(name)
    payload_bytes = bytes(range(6 * popef.SIZES[number]))
    profile = opened(tmp_path / "n.popef", popef.tensor("t", (2, 3), number, payload_bytes))
    tensor = tensor_in(profile)
    told: list[tuple[int, int]] = []
    payload.save_npy(tensor, tmp_path / "t.npy", Token(), lambda done, of: told.append((done, of)))
    loaded: Array = np.load(tmp_path / "t.npy")
    assert loaded.shape == (2, 3)
    wanted = read_slice(tensor, first_slice((2, 3)), Token()).numbers
    assert loaded.dtype == (np.bool_ if name == "BOOL" else wanted.dtype)
    np.testing.assert_array_equal(loaded, wanted != 0 if name == "BOOL" else wanted)
    assert told == [(len(payload_bytes), len(payload_bytes))]


def test_all_of_a_feed_and_a_single_element_can_be_saved(tmp_path: Path) -> None:
    cells = np.arange(12, dtype="<f4").reshape(2, 2, 3)
    profile = opened(
        tmp_path / "n.popef", popef.feed("f", (2, 3), F32, 2, cells.tobytes()), popef.tensor("s", (), F32, b"\0\0\x80?")
    )
    payload.save_npy(whole_feed(tensor_in(profile), 2), tmp_path / "f.npy", Token())
    np.testing.assert_array_equal(np.load(tmp_path / "f.npy"), cells)
    payload.save_npy(tensor_in(profile, 1), tmp_path / "s.npy", Token())
    assert np.load(tmp_path / "s.npy") == np.float32(1)
    with pytest.raises(OSError, match="No such file"):
        payload.save_npy(tensor_in(profile), tmp_path / "none" / "f.npy", Token())


def test_pieces_are_whole_elements(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(payload, "PIECE", 10)
    cells = np.arange(9, dtype="<f4")
    tensor = tensor_in(opened(tmp_path / "p.popef", popef.tensor("t", (9,), F32, cells.tobytes())))
    with payload.opened(tensor.payload) as source:
        assert [piece.tolist() for piece in payload.pieces(tensor, source, Token())] == [
            [0, 1], [2, 3], [4, 5], [6, 7], [8]
        ]  # fmt: skip
    told: list[tuple[int, int]] = []
    assert summarise(tensor, Token(), lambda done, of: told.append((done, of))).mean == pytest.approx(4)
    assert told[-1] == (72, 72)
    assert told == sorted(told)
