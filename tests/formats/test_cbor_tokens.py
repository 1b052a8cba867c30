"""Numbers taken from CBOR in bulk are those that a decoder reads one by one, however they are written."""

from __future__ import annotations

import struct
from itertools import chain
from pathlib import Path
from typing import Any

import cbor2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.cbor import tokens
from app.formats.cbor.walk import CborWalk
from app.formats.errors import FormatError
from app.formats.json.problems import Problems
from app.formats.source import Source

FORMS = {1: ">B", 2: ">H", 4: ">I", 8: ">Q"}


def head(major: int, argument: int, width: int) -> bytes:
    """A header whose argument takes ``width`` bytes, or as many more as it needs; 0: in the first byte."""
    if width == 0 and argument < 24:
        return bytes([major << 5 | argument])
    size = next(size for size in FORMS if size >= max(width, 1) and argument < 1 << 8 * size)
    return bytes([major << 5 | 24 + list(FORMS).index(size)]) + struct.pack(FORMS[size], argument)


def item(number: int, width: int, as_float: bool) -> bytes:
    if as_float and abs(number) < 2**11:
        return struct.pack(*{0: (">Be", 0xF9, number), 1: (">Bf", 0xFA, number)}.get(width, (">Bd", 0xFB, number)))
    return head(0, number, width) if number >= 0 else head(1, -1 - number, width)


a_number = st.one_of(
    st.integers(0, 30), st.integers(-300, 300), st.integers(0, 70_000), st.integers(-(2**63), 2**63 - 1)
)
a_width = st.sampled_from([0, 0, 0, 1, 2, 4, 8])
numbers_of_a_row = st.lists(st.tuples(a_number, a_width, st.booleans()), max_size=12)
a_run = st.integers(0, 40_000).map(lambda count: [(0, 0, False)] * count)
some_rows = st.lists(st.tuples(numbers_of_a_row | a_run, st.booleans()), max_size=12)


def written(rows: list[Any], *, opened: bool) -> bytes:
    out = b"\x9f" if opened else head(4, len(rows), 0)
    for row, ends in rows:
        out += b"\x9f" if ends else head(4, len(row), 0)
        out += b"".join(item(*parts) for parts in row) + (b"\xff" if ends else b"")
    return out + (b"\xff" if opened else b"")


def walked(path: Path, data: bytes) -> Any:
    path.write_bytes(data)
    with Source(path) as source:
        walk = CborWalk(source, Problems(lambda _: None, "x"))
        read = walk.rows()
        assert walk.offset == len(data)
    return [read.row(number).tolist() for number in range(len(read))]


@given(rows=some_rows, opened=st.booleans())
def test_rows_written_in_every_way(tmp_path_factory: pytest.TempPathFactory, rows: Any, opened: bool) -> None:
    data = written(rows, opened=opened)
    expected = [[number for number, _, _ in row] for row, _ in rows]
    assert walked(tmp_path_factory.getbasetemp() / "rows.cbor", data) == expected


@given(data=st.binary(max_size=60) | st.lists(a_number.map(cbor2.dumps), max_size=20).map(b"".join))
def test_any_bytes(data: bytes) -> None:
    """What is taken is what a decoder reads from the same bytes."""
    taken = tokens.tokens(data)
    run = tokens.numbers(taken, 1000)
    assert run.size <= len(data)
    if len(run.numbers):
        decoded = cbor2.loads(head(4, len(run.numbers), 0) + data[: run.size])
        assert [int(value) for value in decoded] == run.numbers.tolist()


@pytest.mark.parametrize("width", [5, 1472, 100_000, 300_000])
def test_rows_of_any_length(tmp_path: Path, width: int) -> None:
    """Rows shorter and longer than a block and than a window."""
    rows = np.random.default_rng(width).integers(0, 1000, (3, width)) * np.array([[1], [0], [70]])
    data = cbor2.dumps(rows.tolist())
    assert walked(tmp_path / "rows.cbor", data) == rows.tolist()


@pytest.mark.parametrize(
    "bad", [b"\xfb" + struct.pack(">d", 1.5), b"\x1b" + b"\xff" * 8, b"\xf6", b"a0", b"\xc1\x00", b"\x80"]
)
def test_what_is_no_whole_number_is_an_error_at_its_place(tmp_path: Path, bad: bytes) -> None:
    path = tmp_path / "rows.cbor"
    path.write_bytes(b"\x82" + cbor2.dumps(list(range(1000))) + b"\x82\x01" + bad)
    with Source(path) as source, pytest.raises(FormatError) as error:
        CborWalk(source, Problems(lambda _: None, "x")).rows()
    assert error.value.offset is not None


def test_many_rows_of_different_ways_take_linear_time(tmp_path: Path) -> None:
    """Rows ended by breaks between rows of known length are taken together, too."""
    rows = b"".join(chain.from_iterable([b"\x9f\x01\xff", b"\x81\x02"] for _ in range(100_000)))
    path = tmp_path / "rows.cbor"
    path.write_bytes(b"\x9f" + rows + b"\xff")
    reads: list[int] = []
    with Source(path) as source:
        walk = CborWalk(source, Problems(lambda _: None, "x"), reads.append)
        assert len(walk.rows()) == 200_000
    assert len(reads) < 100
