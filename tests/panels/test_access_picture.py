"""Memory accesses as a picture: nothing lost at any zoom, addresses exact, cost by pixels."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.profile.arrays import U64, sealed
from app.profile.ascend import CallStacks, MemoryAccesses
from app.profile.strings import Strings
from app.views.memory_accesses import raster
from app.views.memory_accesses.raster import Bars, Window, draw_bars
from app.views.memory_accesses.records import (
    ALL,
    LOAD,
    OTHER,
    STORE,
    TOP,
    Filter,
    about,
    address_axis,
    chosen,
    commonest,
    frames,
    records,
)


def u64(*values: int) -> U64:
    return np.array(values, np.uint64)


def section(
    address: list[int], size: list[int] | None = None, operation: list[int] | None = None, **columns: list[int]
) -> MemoryAccesses:
    count = len(address)

    def column(name: str, default: list[int], dtype: type) -> np.ndarray:
        return sealed(np.array(columns.get(name, default), dtype))

    return MemoryAccesses(
        operation=sealed(np.array(operation or [3] * count, np.uint8)),
        core=column("core", [0] * count, np.int32),
        space=column("space", [1] * count, np.int32),
        block_type=column("block_type", [0] * count, np.uint8),
        record=column("record", list(range(count)), np.int64),
        address=sealed(np.array(address, np.uint64)),
        size=sealed(np.array(size or [16] * count, np.uint64)),
        pc=column("pc", [0] * count, np.uint64),
        stacks=None,
    )


# -- the axis of addresses --------------------------------------------------------------------------------


def test_without_gaps_closed_every_byte_counts() -> None:
    axis = address_axis(u64(0x1000, 0x100000), u64(0x1010, 0x100010), compact=False)
    assert axis.size == 0x100010 - 0x1000
    assert axis.places(u64(0x1000, 0x2000, 0x100010)).tolist() == [0, 0x1000, axis.size]
    assert axis.gaps() == []


def test_long_gaps_are_closed_and_told() -> None:
    axis = address_axis(u64(0x1000, 0x1010, 0x9000_0000), u64(0x1010, 0x1020, 0x9000_0020), compact=True)
    ((low, high, length),) = axis.gaps()
    assert (low, length) == (0x20, 0x9000_0000 - 0x1020)
    assert 0 < high - low < 0x20
    assert axis.address(0) == 0x1000
    assert axis.address((low + high) / 2) is None
    assert axis.address(high) == 0x9000_0000


def test_the_highest_address_does_not_wrap() -> None:
    top = int(TOP)
    found = records(section([top - 8, 0], [64, 16]), Filter(), compact=True)
    assert (found.high >= found.low).all()
    assert int(found.axis.end[-1]) == top
    assert found.high.max() <= found.axis.size


def test_addresses_beyond_what_a_float_holds_stay_exact() -> None:
    base = (1 << 63) + 12345
    axis = address_axis(u64(base, base + 7), u64(base + 1, base + 8), compact=False)
    assert axis.places(u64(base, base + 7)).tolist() == [0, 7]


def test_ticks_are_round_addresses_and_beginnings() -> None:
    axis = address_axis(u64(0x1234, 0x9000_0000), u64(0x1634, 0x9000_0400), compact=True)
    found = axis.ticks(0, axis.size, 8)
    addresses = [address for _, address in found]
    assert {0x1234, 0x9000_0000} <= set(addresses)
    assert all(address % 0x100 == 0 for address in addresses if address != 0x1234)
    assert all(axis.places(u64(address))[0] == pytest.approx(place) for place, address in found)


def test_no_accesses_have_an_axis_too() -> None:
    found = records(section([]), Filter(), compact=True)
    assert found.axis.size == 1.0
    assert Bars(found).raster(Window(0, 1, 0, 1, 4, 3)).tolist() == np.zeros((3, 4)).tolist()


@given(st.lists(st.integers(0, 2**64 - 1), min_size=1, max_size=30), st.booleans())
@settings(max_examples=150)
def test_places_rise_with_addresses_whatever_they_are(addresses: list[int], compact: bool) -> None:
    start = np.array(sorted(addresses), np.uint64)
    end = start + np.minimum(np.uint64(64), TOP - start)
    axis = address_axis(start, end, compact=compact)
    places = axis.places(start)
    assert (np.diff(places) >= 0).all()
    assert places.min() >= 0
    assert axis.places(end).max() <= axis.size * (1 + 1e-9)
    assert (np.diff(axis.place) >= 0).all()


# -- filters ----------------------------------------------------------------------------------------------


def test_filters_leave_what_they_say_in_the_order_of_execution() -> None:
    found = section(
        [0] * 6,
        operation=[3, 4, 3, 4, 0, 2],
        core=[0, 0, 1, 1, 0, 1],
        space=[1, 1, 6, 6, 1, 1],
        record=[5, 4, 3, 2, 1, 0],
    )
    assert chosen(found, Filter()).tolist() == [5, 4, 3, 2, 1, 0]
    assert chosen(found, Filter(core=1)).tolist() == [5, 3, 2]
    assert chosen(found, Filter(space=6, kinds=STORE)).tolist() == [3]
    assert chosen(found, Filter(kinds=LOAD | STORE)).tolist() == [3, 2, 1, 0]
    assert chosen(found, Filter(kinds=OTHER)).tolist() == [5, 4]
    assert chosen(found, Filter(block_type=1)).tolist() == []
    assert commonest(found.space, {1, 6}) == 1
    assert commonest(found.space, {1}) is None


# -- the picture ------------------------------------------------------------------------------------------


def brute(found: MemoryAccesses, window: Window) -> np.ndarray:
    """Bar by bar and pixel by pixel."""
    made = records(found, Filter(), compact=False)
    picture = np.zeros((window.height, window.width), np.uint8)
    for x, low, high, kind in zip(made.x, made.low, made.high, made.kind, strict=True):
        if x + 1 <= window.left or x >= window.right or high < window.low or low > window.high:
            continue
        column = int(min(max((x - window.left) * window.width / (window.right - window.left), 0), window.width - 1))
        top = int(min(max((window.high - high) * window.height / (window.high - window.low), 0), window.height - 1))
        bottom = (window.high - low) * window.height / (window.high - window.low)
        for row in range(top, int(min(max(bottom, top), window.height - 1)) + 1):
            picture[row, column] |= kind
    return picture


@given(
    st.lists(st.tuples(st.integers(0, 200), st.integers(0, 60), st.sampled_from([0, 3, 4])), min_size=1, max_size=40),
    st.tuples(st.floats(0, 30), st.floats(1, 30), st.floats(0, 150), st.floats(1, 200)),
)
@settings(max_examples=150)
def test_the_raster_is_what_drawing_bar_by_bar_gives(
    bars: list[tuple[int, int, int]], part: tuple[float, float, float, float]
) -> None:
    found = section([a for a, _, _ in bars], [s for _, s, _ in bars], [o for _, _, o in bars])
    window = Window(part[0], part[0] + part[1], part[2], part[2] + part[3], 17, 13)
    made = Bars(records(found, Filter(), compact=False))
    assert draw_bars(made.records, made.inside(window), window).tolist() == brute(found, window).tolist()


def many(count: int) -> MemoryAccesses:
    rng = np.random.RandomState(1)
    address = rng.randint(0, 1 << 24, count) + 0x1000_0000
    return section(address.tolist(), [256] * count, rng.choice([0, 3, 4], count).tolist())


def test_very_many_records_are_drawn_from_a_map_in_which_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    found = records(many(20_000), Filter(), compact=True)
    window = Window(0, found.width, 0, found.axis.size, 300, 200)
    direct = Bars(found).raster(window)
    monkeypatch.setattr(raster, "DIRECT", 100)
    folded = Bars(found)._folded(window, raster.MAPS - 1)
    assert Bars(found).raster(window).tolist() == folded.tolist()
    thin = draw_bars(found, np.arange(20_000), window)
    for bit in (LOAD, STORE, OTHER):
        assert ((folded & bit).sum() >= (thin & bit).sum()).all()
        drawn = (thin & bit) > 0
        grown = np.zeros_like(drawn)
        mapped = (folded & bit) > 0
        for down in (-1, 0, 1):
            for across in (-1, 0, 1):
                grown |= np.roll(mapped, (down, across), (0, 1))
        assert grown[drawn].all()
    assert (direct > 0).sum() >= (thin > 0).sum()


def test_a_close_view_looks_at_few_records_only(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Bars(records(many(20_000), Filter(), compact=True))
    size = made.records.axis.size
    assert made.count(Window(100, 110, 0, size, 300, 200)) <= 12
    narrow = made.count(Window(0, 20_000, size / 2, size / 2 + 4096, 300, 200))
    assert narrow < 40
    monkeypatch.setattr(raster, "DIRECT", 100)
    window = Window(0, 2000, size / 2, size / 2 * 1.001, 300, 200)
    assert made._level(window) == -1
    assert made.raster(window).tolist() == draw_bars(made.records, made.inside(window), window, thick=True).tolist()


def test_inside_is_exact_by_either_way() -> None:
    made = Bars(records(many(3000), Filter(), compact=True))
    found, size = made.records, made.records.axis.size
    for window in (Window(10, 20, 0, size, 9, 9), Window(0, 3000, size / 3, size / 3 + 99, 9, 9)):
        expected = np.flatnonzero(
            (found.x > window.left - 1)
            & (found.x < window.right)
            & (found.high >= window.low)
            & (found.low <= window.high)
        )
        assert sorted(made.inside(window).tolist()) == expected.tolist()


# -- words ------------------------------------------------------------------------------------------------


def stacks() -> CallStacks:
    strings = Strings.of(["kernel.o", "Multiply", "a.cpp", "Main"])
    return CallStacks(
        strings=strings,
        pc=u64(0x10, 0x20),
        module=np.array([0, -1], np.int32),
        first=np.array([0, 2, 2], np.int64),
        function=np.array([1, 3], np.int32),
        file=np.array([2, -1], np.int32),
        line=np.array([7, -1], np.int32),
        column=np.array([1, -1], np.int32),
    )


def test_a_tool_tip_tells_everything_of_an_access() -> None:
    found = section([0x12C0], [2048], [4], core=[3], space=[6], block_type=[1], pc=[0x10], record=[41])
    told = about(found, 0, "KiB", others=2).splitlines()
    assert told[0] == "Record 41: STORE"
    assert told[1] == "Address: 0x12c0 (4,800) to 0x1ac0"
    assert told[2] == "Size: 2.00 KiB (2,048 B)"
    assert told[3] == "UB of core 3, AIC"
    assert told[4] == "Program counter: 0x10"
    assert "and 2 more at this pixel" in told[-1]
    odd = section([0], [1], [77], space=[-5], block_type=[9])
    assert "operation 77" in about(odd, 0, "B")
    assert "space -5 of core 0, type 9" in about(odd, 0, "B")


def test_call_stacks_are_told_innermost_first() -> None:
    assert frames(stacks(), 0x10) == ["Call stack (kernel.o):", "  Multiply at a.cpp:7", "  Main"]
    assert frames(stacks(), 0x20) == ["Call stack:", "  no frames"]
    assert frames(stacks(), 0x30) == ["Call stack: not in the file"]


def test_all_kinds_are_bits_of_their_own() -> None:
    assert LOAD | STORE | OTHER == ALL
    assert LOAD + STORE + OTHER == ALL
