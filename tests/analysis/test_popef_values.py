"""Bytes as numbers, slices as they are typed, statistics against numpy, and what bytes begin with."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from app.analysis.popef.magics import recognised
from app.analysis.popef.values import (
    BINS,
    MOST_CELLS,
    MOST_COLUMNS,
    MOST_ROWS,
    BadSlice,
    decoded,
    first_slice,
    float8_table,
    looked_at,
    parse,
    remark,
    stepped,
    stored_as,
    strides,
    summary,
)
from app.profile.arrays import Array
from app.profile.popef import DATA_TYPES

NUMBER = {kind.name: number for number, kind in enumerate(DATA_TYPES)}


# -- bytes as numbers -------------------------------------------------------------------------------------


def test_every_data_type_is_stored_as_wide_as_the_format_says() -> None:
    for number, kind in enumerate(DATA_TYPES):
        stored = stored_as(number)
        assert stored is not None
        assert stored.itemsize == kind.size
    assert stored_as(-1) is None
    assert stored_as(len(DATA_TYPES)) is None


@pytest.mark.parametrize(
    ("name", "code", "value"),
    [
        ("F8143", 0x00, 0.0),
        ("F8143", 0x7F, 240.0),
        ("F8143", 0xFF, -240.0),
        ("F8143", 0x01, 2.0**-10),  # the smallest: 2^-7 / 8
        ("F8143", 0x07, 7 * 2.0**-10),
        ("F8143", 0x08, 2.0**-7),  # the smallest with a leading one
        ("F8143", 0x40, 1.0),
        ("F8143", 0x45, 1.625),
        ("F8143", 0xC0, -1.0),
        ("F8152", 0x7F, 57_344.0),
        ("F8152", 0xFF, -57_344.0),
        ("F8152", 0x01, 2.0**-17),
        ("F8152", 0x04, 2.0**-15),
        ("F8152", 0x40, 1.0),
        ("F8152", 0x43, 1.75),
    ],
)
def test_float8_by_hand(name: str, code: int, value: float) -> None:
    assert float8_table(name)[code] == value


@pytest.mark.parametrize("name", ["F8143", "F8152"])
def test_float8_has_one_nan_no_infinity_and_no_minus_zero(name: str) -> None:
    table = float8_table(name)
    assert np.flatnonzero(np.isnan(table)).tolist() == [0x80]
    assert not np.isinf(table).any()
    rising = table[:128]
    assert (np.diff(rising) > 0).all()
    assert (table[129:] == -table[1:128]).all()


def test_numbers_keep_their_own_type() -> None:
    half = np.frombuffer(struct.pack("<3e", 1.5, -0.25, 65504), "<f2")
    assert decoded(half, NUMBER["F16"]).tolist() == [1.5, -0.25, 65504.0]
    assert decoded(half, NUMBER["F16"]).dtype == np.float16
    odd = np.frombuffer(b"\0\1\7", "u1")
    assert decoded(odd, NUMBER["BOOL"]).tolist() == [0, 1, 7]
    assert decoded(odd, NUMBER["F8152"]).dtype == np.float32
    assert "unscaled" in remark(NUMBER["F8143"])
    assert "kind of float8" in remark(NUMBER["F8"])
    assert remark(NUMBER["F32"]) == remark(99) == ""


# -- slices -----------------------------------------------------------------------------------------------

SHAPE = (3, 4, 5, 6)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("[0, 0, :, :]", "[0, 0, 0:5, 0:6]"),
        ("1,2", "[1, 2, 0:5, 0:6]"),
        ("[-1, -4, 1:3, ::2]", "[2, 0, 1:3, 0:6:2]"),
        ("...,0,0", "[0:3, 0:4, 0, 0]"),
        ("0, ..., 5", "[0, 0:4, 0:5, 5]"),
        ("[2, 3, 4, 5]", "[2, 3, 4, 5]"),
        ("[0, 0, ::-1, 9:1]", "[0, 0, 4::-1, 6:1]"),
        ("0, 0, 99:, :-2", "[0, 0, 5:5, 0:4]"),
    ],
)
def test_slices_as_they_are_typed(text: str, same: str) -> None:
    part = parse(text, SHAPE)
    assert part.text == same
    cells = np.arange(math.prod(SHAPE)).reshape(SHAPE)
    typed = tuple(slice(pick.start, None if pick.stop < 0 else pick.stop, pick.step) for pick in part.picks)
    assert part.places(strides(SHAPE)).reshape(-1).tolist() == cells[typed].reshape(-1).tolist()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("[:, :, :, 0]", "3 dimensions have no index"),
        ("", "4 dimensions have no index"),
        ("0, 0, 0, 0, 0", "5 indices, but the shape has 4"),
        ("0, 0, 0, 6", "index 6 is outside dimension 3, which has size 6"),
        ("0, 0, 0, -7", "outside"),
        ("0, 0, a, :", "neither an index nor a range"),
        ("0, 0, 1.5, :", "neither"),
        ("0, 0, ::0, :", "step must not be 0"),
        ("..., ...", "only once"),
        (f"0, 0, {'9' * 5000}, :", "neither"),
    ],
)
def test_what_is_no_slice_is_told(text: str, why: str) -> None:
    with pytest.raises(BadSlice, match=why.replace("(", "\\(")):
        parse(text, SHAPE)


def test_the_first_slice_is_the_last_two_dimensions() -> None:
    assert first_slice(SHAPE).text == "[0, 0, 0:5, 0:6]"
    assert first_slice((7,)).text == "[0:7]"
    assert first_slice(()).text == "[]"
    assert (len(first_slice(()).rows), len(first_slice((7,)).columns)) == (1, 1)
    assert parse("", ()).places(()).tolist() == [[0]]


def test_stepping_goes_through_every_plane_and_stops_at_the_ends() -> None:
    part = first_slice((2, 3, 4, 4))
    seen = [part.text]
    while (after := stepped(part, (2, 3, 4, 4), 1)) != part:
        part = after
        seen.append(part.text)
    assert seen == [f"[{a}, {b}, 0:4, 0:4]" for a in range(2) for b in range(3)]
    for text in reversed(seen[:-1]):
        part = stepped(part, (2, 3, 4, 4), -1)
        assert part.text == text
    assert stepped(part, (2, 3, 4, 4), -1) == part


def test_a_slice_of_anything_is_limited_to_what_a_table_takes() -> None:
    for shape in ((2**60,), (2**30, 2**30), (7, 2**59), (2**59, 7)):
        part = first_slice(shape).limited()
        assert len(part.rows) <= MOST_ROWS
        assert len(part.columns) <= MOST_COLUMNS
        assert len(part.rows) * len(part.columns) <= MOST_CELLS
        assert part.places(strides(shape)).min() == 0
    assert looked_at((1,) * 100, 1) == (1,)


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.data())
def test_places_of_any_slice_are_numpys(shape: list[int], data: st.DataObject) -> None:
    open_ = data.draw(st.sets(st.integers(0, len(shape) - 1), max_size=2))
    parts: list[str] = []
    for dim, size in enumerate(shape):
        bounds = st.integers(-size, size)
        if dim in open_:
            step = data.draw(st.integers(-3, 3).filter(bool))
            parts.append(f"{data.draw(bounds)}:{data.draw(bounds)}:{step}")
        else:
            parts.append(str(data.draw(st.integers(-size, size - 1))))
    part = parse(f"[{','.join(parts)}]", shape)
    cells = np.arange(math.prod(shape)).reshape(shape)
    typed = tuple(slice(*map(int, one.split(":"))) if ":" in one else int(one) for one in parts)
    assert part.places(strides(shape)).reshape(-1).tolist() == cells[typed].reshape(-1).tolist()
    assert parse(part.text, shape).places(strides(shape)).tolist() == part.places(strides(shape)).tolist()


# -- statistics -------------------------------------------------------------------------------------------


def in_pieces(values: Array, size: int) -> Iterator[Array]:
    for start in range(0, len(values), size):
        yield values[start : start + size]


@given(
    hnp.arrays(np.float32, st.integers(0, 60), elements=st.floats(width=32, allow_nan=True, allow_infinity=True)),
    st.integers(1, 20),
)
def test_statistics_are_numpys(values: Array, size: int) -> None:
    found = summary(lambda: in_pieces(values, size))
    finite = values[np.isfinite(values)].astype(np.float64)
    assert (found.count, found.finite) == (len(values), len(finite))
    assert (found.nan, found.infinite) == (np.isnan(values).sum(), np.isinf(values).sum())
    assert found.zeros == (values == 0).sum()
    if not len(finite):
        assert found.least is found.most is found.mean is found.deviation is None
        assert len(found.bins) == len(found.edges) == 0
        return
    reach = finite.max() - finite.min()
    assert (found.least, found.most) == (finite.min(), finite.max())
    assert found.mean == pytest.approx(finite.mean(), rel=1e-9, abs=1e-9 * reach)
    assert found.deviation == pytest.approx(finite.std(), rel=1e-6, abs=1e-7 * reach)
    assert found.bins.sum() == len(finite)
    assert len(found.edges) == len(found.bins) + 1


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_statistics_of_whole_numbers(dtype: type) -> None:
    kind = np.iinfo(dtype)
    values: Array = np.array([kind.min, kind.max, 0, 0, 7], dtype)
    reach = float(kind.max) - float(kind.min)
    found = summary(lambda: in_pieces(values, 2))
    assert (found.least, found.most, found.zeros) == (kind.min, kind.max, int((values == 0).sum()))
    assert found.mean == pytest.approx(float(values.astype(np.float64).mean()), abs=1e-15 * reach)
    assert found.bins.sum() == 5


def test_few_whole_numbers_get_a_bin_each() -> None:
    found = summary(lambda: [np.array([3, 5, 5, 6], np.int16)])
    assert found.bins.tolist() == [1, 0, 2, 1]
    assert found.edges.tolist() == [3, 4, 5, 6, 7]
    assert found.mean == pytest.approx(4.75)
    same = summary(lambda: [np.array([4, 4], np.uint8)])
    assert (same.bins.tolist(), same.mean, same.deviation) == ([2], 4, 0)


def test_bins_are_numpys_histogram() -> None:
    values = np.random.default_rng(5).normal(size=10_000)
    found = summary(lambda: in_pieces(values, 999))
    wanted, edges = np.histogram(values, BINS)
    assert found.edges == pytest.approx(edges)
    assert np.abs(found.bins - wanted).sum() <= 4  # values on an edge
    assert found.bins.sum() == 10_000


def test_equal_and_extreme_values() -> None:
    flat = summary(lambda: [np.full(9, 0.1)])
    assert (flat.bins.tolist(), flat.mean, flat.deviation) == ([9], 0.1, 0)
    largest = np.finfo(np.float64).max
    wide = summary(lambda: [np.array([largest, -largest, 0.0])])
    assert (wide.least, wide.most) == (-largest, largest)
    assert wide.mean == pytest.approx(0, abs=1e293)
    assert wide.deviation == pytest.approx(largest * math.sqrt(2 / 3))
    assert np.isfinite(wide.edges).all()
    tiny = summary(lambda: [np.array([5e-324, 0.0])])
    assert tiny.bins.sum() == 2


# -- what bytes begin with --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("head", "name"),
    [
        (bytes.fromhex("04224d18"), "an LZ4 frame"),
        (bytes.fromhex("28b52ffd"), "a Zstandard frame"),
        (bytes.fromhex("1f8b08"), "gzip data"),
        (bytes.fromhex("789c"), "zlib data"),
        (bytes.fromhex("7800"), ""),
        (b"\x7fELF", "an ELF file"),
        (b"", ""),
        (b"\0" * 64, ""),
        (b"GC_EXE_3", ""),
    ],
)
def test_signatures(head: bytes, name: str) -> None:
    assert recognised(head, 1000) == name


def test_an_executable_container_tells_its_sizes() -> None:
    head = struct.pack("<8s4Q", b"GC_EXE_3", 1000, 600, 200, 90) + bytes(24)
    assert recognised(head, 730) == (
        "a Graphcore executable container (GC_EXE_3): archive of 1,000 bytes in 600, metadata of 200 bytes in 90"
    )


def message(words: Sequence[int], segments: int = 0, count: int = 4) -> bytes:
    return struct.pack("<IIiHH", segments, count, *words) + bytes(32)


def test_a_message_is_named_only_where_it_fits() -> None:
    assert recognised(message((0, 2, 1)), 40) == "a Cap'n Proto message"
    assert recognised(message((0, 2, 1)), 39) == ""
    assert recognised(message((0, 3, 1)), 40) == ""
    assert recognised(message((0, 2, 1), segments=1), 40) == ""


@pytest.mark.parametrize(
    ("values", "mean", "deviation"),
    [
        ([-(2**62), 2**62, 5], 5 / 3, 3.7654258663581604e18),
        ([2**62, 2**62 + 2, 2**62 + 7], float(2**62 + 3), 2.9439202887759492),
        ([1, 2, 3], 2.0, 0.816496580927726),
    ],
)
def test_means_of_64_bit_integers_do_not_cancel(values: list[int], mean: float, deviation: float) -> None:
    whole = summary(lambda: iter([np.array(values[:1], np.int64), np.array(values[1:], np.int64)]))
    assert whole.mean == pytest.approx(mean, rel=1e-15)
    assert whole.deviation == pytest.approx(deviation)
    assert whole.bins.sum() == len(values)
