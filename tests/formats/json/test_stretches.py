"""An array that is decoded in stretches gives what one reader gives, whatever the text is."""

from __future__ import annotations

import json
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.collect import Collector
from app.formats.events import Began
from app.formats.json.pieces import CALM_PIECES, PIECE_BYTES, Records
from app.formats.json.problems import Problems
from app.formats.json.stretches import (
    LEAST_UNITS,
    Passage,
    Stretch,
    StretchRecords,
    boundaries,
    chained,
    nothing,
    place_of,
)
from app.formats.pool import A, Moved, R, Task, ignore
from app.formats.source import Source
from generators.memory_source import MemorySource

PIECE = 64
"""Bytes of a piece, so that small texts have many stretches (of 16 pieces)."""


@dataclass(frozen=True)
class Toy:
    """``values``: (mode, record) of each record, and their ``ordinals``."""

    passage: Passage
    values: list[Any]
    ordinals: list[int]


def run(source: Source, stretch: Stretch, moved: Moved) -> Toy:
    """Records, which switch the mode at the first that has the key "mode"; it is one of the new mode."""
    place = place_of(source, stretch)
    if place is None:
        return Toy(nothing(stretch), [], [])
    records: StretchRecords[Any] = StretchRecords(source, stretch, place, max_record=700)
    values, ordinals, mode = [], [], stretch.mode
    for piece in records:
        moved(piece.offset + piece.size)
        if any(isinstance(record, dict) and "mode" in record for record in piece.records):
            mode = mode or (1,)
        values += [(mode, record) for record in piece.records]
        ordinals += piece.ordinals().tolist()
    return Toy(records.passage(mode), values, ordinals)


TOY = Task("toy", run, Stretch, Toy)


def counted() -> tuple[list[Stretch], Task[Stretch, Toy]]:
    """(the stretches that were decoded so far, the task that decodes them)."""
    decoded: list[Stretch] = []

    def counting(source: Source, stretch: Stretch, moved: Moved) -> Toy:
        decoded.append(stretch)
        return run(source, stretch, moved)

    return decoded, Task("toy", counting, Stretch, Toy)


class Several:
    """A pool that runs tasks here, and fails at those in ``failing`` (numbers of calls)."""

    workers = 3

    def __init__(self, failing: frozenset[int] = frozenset()) -> None:
        self.calls = 0
        self._failing = failing

    def map(self, task: Task[A, R], source: Source, arguments: Sequence[A]) -> Generator[R | None]:
        for argument in arguments:
            self.calls += 1
            yield None if self.calls in self._failing else task.run(source, argument, ignore)


def by_one(text: bytes) -> tuple[Any, ...]:
    """What a single reader says of the array in ``text``."""
    sink = Collector("toy")
    sink(Began("toy", ()))
    problems = Problems(sink, "toy")
    records: Records[Any] = Records(MemorySource(text), 1, problems=problems, piece_bytes=PIECE, max_record=700)
    mode: tuple[int, ...] = ()
    values, ordinals, pieces = [], [], []
    for piece in records:
        if any(isinstance(record, dict) and "mode" in record for record in piece.records):
            mode = (1,)
        values += [(mode, record) for record in piece.records]
        ordinals += piece.ordinals().tolist()
        pieces.append([piece.offset, piece.size, piece.first])
    problems.finish()
    return values, ordinals, pieces, records.closed, records.end, records.count, sink.profiles[0].issues


def by_several(text: bytes, pool: Several) -> tuple[Any, ...]:
    """What is merged from several readers."""
    sink = Collector("toy")
    sink(Began("toy", ()))
    problems = Problems(sink, "toy")
    values: list[Any] = []
    ordinals: list[int] = []
    pieces: list[list[int]] = []
    count = 0
    for result in chained(pool, TOY, MemorySource(text), 1, len(text), piece_bytes=PIECE):
        passage = result.passage
        values += result.values
        ordinals += [count + ordinal for ordinal in result.ordinals]
        pieces += (passage.pieces + np.array([0, 0, count])).tolist()
        count += passage.count
        problems.replay(passage.problems)
    problems.finish()
    assert passage.over
    return values, ordinals, pieces, passage.closed, passage.end.end, count, sink.profiles[0].issues


nasty = st.text(alphabet='{}[],:"\\\n é€ a', max_size=12)
inner = st.lists(st.dictionaries(nasty, st.integers(0, 9), max_size=2), max_size=4)
record = st.one_of(
    st.builds(lambda n, s: {"n": n, "s": s}, st.integers(0, 99), nasty),
    st.builds(lambda s, i: {"s": '},{"' + s, "i": i}, nasty, inner),
    st.builds(lambda i: {"i": [*i, {}, {}, {"deep": [{}, {}]}]}, inner),
    st.just({"long": "},{" * 60}),
    st.just({"nested": [{"a": 1}] * 40}),
    st.integers(0, 5),
)
texts = st.builds(
    lambda records, again, mode, indent: json.dumps(
        [*(records * again)[:mode], {"mode": 1}, *(records * again)[mode:]], indent=indent, ensure_ascii=False
    ).encode(),
    st.lists(record, min_size=1, max_size=12),
    st.integers(1, 12),
    st.just(10**6) | st.integers(0, 40),
    st.sampled_from([None, 0, 1]),
)
TOKENS = [b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\xff", b"NaN", b"]}", b"{oops},", b'"' + b"x" * 900 + b'",']
edits = st.lists(
    st.tuples(st.floats(0, 1), st.integers(0, 30), st.sampled_from(TOKENS) | st.binary(max_size=3)), max_size=4
)


@settings(max_examples=150, deadline=None)
@given(texts, edits, st.none() | st.floats(0, 1), st.frozensets(st.integers(1, 12), max_size=3))
def test_stretches_give_what_one_reader_gives(
    text: bytes, changes: list[tuple[float, int, bytes]], cut: float | None, failing: frozenset[int]
) -> None:
    for where, length, token in changes:
        place = 1 + int(where * len(text))
        text = text[:place] + token + text[place + length :]
    if cut is not None:
        text = text[: 1 + int(cut * len(text))]
    assert by_several(text, Several(failing)) == by_one(text)


def test_good_texts_are_not_decoded_twice() -> None:
    text = json.dumps([{"n": n, "s": "},{" if n % 50 == 0 else "x"} for n in range(2000)]).encode()
    pool = Several()
    decoded, counting = counted()
    results = list(chained(pool, counting, MemorySource(text), 1, len(text), piece_bytes=PIECE))
    assert sum(result.passage.count for result in results) == 2000
    assert len(decoded) == pool.calls + 1 > 10  # all by the pool, but for the first piece


def test_one_damaged_place_costs_one_stretch() -> None:
    text = json.dumps([{"n": n} for n in range(5000)]).encode().replace(b'{"n": 2500}', b'{"n: 2500}')
    decoded, counting = counted()
    results = list(chained(Several(), counting, MemorySource(text), 1, len(text), piece_bytes=PIECE))
    assert sum(result.passage.count for result in results) == 5000
    assert len(decoded) <= len(results) + 2


def test_guesses_that_are_never_right_are_given_up() -> None:
    """Every border is inside a nested array: the pool helps with few stretches, and nothing is decoded many times."""
    text = json.dumps([[{"n": n}] * 30 for n in range(500)]).encode()
    pool = Several()
    assert by_several(text, pool) == by_one(text)
    assert pool.calls < 12


@pytest.mark.parametrize("looks_like", ["},{", '},{"n":1', "},  {\n"])
def test_long_texts_that_look_like_records_are_decoded_once(looks_like: str) -> None:
    text = json.dumps([{"n": 1}, {"s": looks_like * 200}, *({"n": n} for n in range(3000))]).encode()
    source = MemorySource(text)
    long = text.index(b'"s"'), text.rindex(looks_like[:3].encode(), 0, text.index(b'{"n": 2}'))
    for begin in range(long[0] + 2 * PIECE, long[1], PIECE):
        assert place_of(source, Stretch(1, len(text), begin, len(text), piece_bytes=PIECE)) is None
    decoded, counting = counted()
    results = list(chained(Several(), counting, source, 1, len(text), piece_bytes=PIECE))
    assert sum(result.passage.count for result in results) == 3002
    here = len(decoded) - sum(stretch.place is None for stretch in decoded)
    assert 2 <= here <= 6
    assert by_several(text, Several()) == by_one(text)


def test_a_new_mode_is_given_to_the_others() -> None:
    text = json.dumps([{"mode": 1} if n == 1000 else {"n": n} for n in range(4000)]).encode()
    pool = Several()
    assert by_several(text, pool) == by_one(text)
    once = len(boundaries(1 + PIECE, len(text), 3, PIECE))
    assert pool.calls <= 2 * once


def test_boundaries_are_multiples_and_get_shorter() -> None:
    unit = CALM_PIECES * PIECE_BYTES
    cuts = boundaries(100, 300 << 20, 2)
    sizes = np.diff(cuts[:-1])
    assert all(cut % unit == 0 for cut in cuts[:-1])
    assert cuts[-1] == 300 << 20
    assert np.all(np.diff(sizes) <= 0)
    assert sizes[-1] == LEAST_UNITS * unit
    assert boundaries(5, 5, 2) == []
