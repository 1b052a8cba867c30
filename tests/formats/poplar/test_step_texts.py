"""Texts of steps: the same numbers however they are collected, and one table of those of all parts."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.poplar import steps
from app.formats.poplar.steps import SYNC, TYPE, StepRecord, StepsBuilder, StepTexts, merged_texts, spelled
from app.profile.arrays import I64
from app.profile.strings import Strings

a_text = st.none() | st.sampled_from(["", "Sync", "sync", "DoExchange", "ä", "x" * 300]) | st.text(max_size=3)
a_record = st.builds(StepRecord, type=a_text, name=a_text, sync_type=a_text)


def texts_of(tables: list[Strings], ids: I64) -> list[tuple[str, ...]]:
    """The texts of each record; "" where there is none."""
    return [tuple(table.get(number) for table, number in zip(tables, row, strict=True)) for row in ids[:3].T.tolist()]


@given(st.lists(st.lists(a_record, min_size=1, max_size=6), max_size=5))
def test_column_by_column_is_the_same(pieces: list[list[StepRecord]]) -> None:
    together, apart = StepTexts(), StepTexts()
    apart._apart = True
    ids = [(together.of(piece), apart.of(piece)) for piece in pieces]
    own = [TYPE, SYNC, -1]
    for one, other in ids:
        np.testing.assert_array_equal(one[own], other[own])
    tables, others = together.tables(), apart.tables()
    for piece, (_, other) in zip(pieces, ids, strict=True):
        assert texts_of(others, other) == [(r.type or "", r.name or "", r.sync_type or "") for r in piece]
    distinct = [merged_texts([list(each)]).strings.tolist() for each in (tables, others)]
    assert distinct[0] == distinct[1]
    for piece, (one, _) in zip(pieces, ids, strict=True):
        assert texts_of(tables, one) == [(r.type or "", r.name or "", r.sync_type or "") for r in piece]


def test_different_names_are_looked_up_column_by_column() -> None:
    texts = StepTexts()
    texts.of([StepRecord(type="Sync", name=f"a{number}") for number in range(9000)])
    apart = [texts._apart]
    texts.of([StepRecord(type="Sync", name=f"a{number}") for number in range(9500)])
    assert [*apart, texts._apart] == [False, False]
    texts.of([StepRecord(type="Sync", name=f"b{number}") for number in range(100)])
    assert texts._apart
    assert [len(table) for table in texts.tables()] == [1, 9600, 0]


a_table = st.lists(st.text("aS", min_size=1, max_size=3), unique=True, max_size=4)


@given(parts=st.lists(st.tuples(a_table, a_table, a_table), min_size=1, max_size=4))
def test_merged(parts: list[tuple[list[str], ...]]) -> None:
    tables = [list(map(Strings.of, part)) for part in parts]
    made = merged_texts([list(own) for own in tables])
    shown = made.strings.tolist()
    assert len(set(shown)) == len(shown)
    for own, ids in zip(tables, made.ids, strict=True):
        columns = [column.tolist() for column in own]
        columns[TYPE] = list(map(spelled, columns[TYPE]))
        for column, numbers in zip(columns, ids, strict=True):
            assert [shown[number] for number in numbers[:-1]] == column
            assert numbers[-1] == -1


def test_columns_do_not_keep_larger_arrays_in_memory() -> None:
    builder = StepsBuilder()
    builder.add([StepRecord(cycles=2.0**40, tile_balance=0.5)] * 9000, np.arange(9000))
    pieces = [piece for some in builder.part().columns.values() for piece in some]
    assert all(piece.base is None for piece in pieces)


def test_many_steps_are_moved_to_the_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [StepRecord(type="Sync", cycles=float(3 * n), tile_balance=n / 9) for n in range(60_000)]
    made = []
    for most in (1 << 40, 100_000):
        monkeypatch.setattr(steps, "HELD_BYTES", most)
        builder = StepsBuilder()
        for begin in range(0, len(records), 10_000):
            builder.add(records[begin : begin + 10_000], np.arange(begin, begin + 10_000))
        part = builder.part()
        owned = sum(piece.nbytes for some in part.columns.values() for piece in some if piece.base is None)
        made.append((owned, steps.merged([part])))
    (in_memory, one), (beside_disk, other) = made
    assert in_memory > 2_000_000
    assert beside_disk < 500_000
    assert one.cycles.tolist() == other.cycles.tolist() == [3 * n for n in range(60_000)]
    np.testing.assert_array_equal(one.tile_balance, other.tile_balance)
