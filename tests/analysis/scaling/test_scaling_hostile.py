"""Programs and steps that make no sense: the measurement says so, and never fails."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from app.analysis.scaling import doubling
from app.analysis.scaling.measure import RUN, Derived, measure
from app.analysis.tables.scaling import table_of
from app.profile.arrays import Ragged
from app.profile.poplar import Programs, Steps
from app.profile.profile import Origin, Profile, Target
from app.profile.strings import Strings

TEXTS = ("Sequence", "Repeat", "If", "Call", "OnTileExecute", "GlobalExchange", "StreamCopy", "Sync", "x/AllReduce/y")
BIG = 1 << 62


def programs_of(draw: st.DrawFn, count: int) -> Programs:
    index = st.integers(0, count - 1)
    lengths = draw(st.lists(st.integers(0, 3), min_size=count, max_size=count))
    items = draw(st.lists(index, min_size=sum(lengths), max_size=sum(lengths)))
    functions = draw(st.lists(index, max_size=3))

    def column(low: int, high: int) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        return np.array(draw(st.lists(st.integers(low, high), min_size=count, max_size=count)), np.int32)

    return Programs(
        strings=Strings.of(TEXTS),
        type=column(-1, len(TEXTS) - 1),
        name=column(-1, len(TEXTS) - 1),
        children=Ragged.of(np.array(lengths, np.int64), np.array(items, np.int64)),
        compute_set=column(-1, 5),
        exchange=column(-1, 5),
        call=column(-1, 4),
        control=np.array(draw(st.lists(index, max_size=2)), np.int32),
        functions=np.array(functions, np.int32),
    )


def steps_of(draw: st.DrawFn, programs: int) -> Steps:
    count = draw(st.integers(0, 30))

    def whole(low: int, high: int, kind: type[np.signedinteger]) -> np.ndarray:
        return np.array(draw(st.lists(st.integers(low, high), min_size=count, max_size=count)), kind)

    balance = np.full(count, np.nan)
    return Steps(
        strings=Strings.of(TEXTS),
        type=whole(-1, len(TEXTS) - 1, np.int32),
        name=whole(-1, len(TEXTS) - 1, np.int32),
        sync_type=whole(-1, 0, np.int32),
        program=whole(-1, programs + 2, np.int32),
        compute_set=whole(-1, 3, np.int32),
        exchange=whole(-1, 3, np.int32),
        cycles=whole(-1, BIG, np.int64),
        cycles_from=whole(-1, BIG, np.int64),
        cycles_to=whole(-1, BIG, np.int64),
        overlapped=whole(-1, 9, np.int64),
        active_tiles=whole(-1, 9, np.int32),
        data=whole(-1, 9, np.int64),
        tile_balance=balance,
        active_tile_balance=balance,
        data_balance=balance,
        thread_balance=balance,
    )


@st.composite
def profiles(draw: st.DrawFn) -> Profile:
    count = draw(st.integers(1, 12))
    clock = draw(st.sampled_from([None, 0.0, 1e6]))
    return Profile(
        name="odd",
        origin=Origin("poplar", (Path("odd.json"),)),
        programs=programs_of(draw, count),
        steps=steps_of(draw, count),
        target=Target(kind="IPU", clock_hz=clock),
    )


@settings(max_examples=200, deadline=None)
@given(profiles(), st.one_of(st.none(), st.integers(-1, 15)))
def test_a_measurement_never_fails(profile: Profile, loop: int | None) -> None:
    found = measure(profile, loop)
    for name in RUN:
        own = getattr(found, name)
        assert (np.isfinite(own.value) and own.value >= 0) if isinstance(own, Derived) else own.why.endswith(".")
    assert table_of(found).rows == 12


@settings(max_examples=60, deadline=None)
@given(profiles(), profiles())
def test_a_comparison_never_fails(a: Profile, b: Profile) -> None:
    pair = doubling.sides(a, b, (1, 2))
    assert all(sum(doubling.counts(table).values()) == table.rows for table in doubling.tables(pair))
    share = doubling.constant_share(pair)
    assert share is None or np.isfinite(share)
