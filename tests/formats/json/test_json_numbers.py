"""Arrays of whole numbers straight from text equal what a JSON decoder makes of the same text."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.errors import FormatError
from app.formats.json import numbers
from app.formats.json.numbers import NumberReader, parse
from app.formats.source import Source
from app.formats.walk import Broken
from app.profile.arrays import Ragged


def read_rows(folder: Path, text: bytes) -> Ragged:
    path = folder / "rows.json"
    path.write_bytes(text)
    with Source(path) as source:
        reader = NumberReader(source, 1, lambda _: None)
        rows = reader.rows()
        assert reader.end == len(text)
        return rows


def as_lists(rows: Ragged) -> list[list[int]]:
    return [rows.row(index).tolist() for index in range(len(rows))]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        (b"1,2", [1, 2]),
        (b" 1 ,\n 2 \t", [1, 2]),
        (b"", []),
        (b" \n", []),
        (b"-3,0", [-3, 0]),
        (b"12.0,3e2", [12, 300]),
        (b"12.0,0.0", [12, 0]),
        (b" 12.0 ,\n7,10.0\n", [12, 7, 10]),
        (b"-12.0,1.00,5.0", [-12, 1, 5]),
        (b"9007199254740993", [9007199254740993]),
        (b"4611686018427387904,1", [4611686018427387904, 1]),
    ],
)
def test_numbers_are_what_json_says(text: bytes, values: list[int]) -> None:
    assert parse(text).tolist() == values


@pytest.mark.parametrize(
    "text",
    [
        b"1,,2",
        b"1,2,",
        b",",
        b"1 2",
        b"1.5",
        b"1.0,1.5",
        b".0,1",
        b"1.0.0,1",
        b"1.,1",
        b"1.0 0,1",
        b"1.0e1.0,1",
        b"null",
        b'"1"',
        b"0x10",
        b"1,2x",
        b"99999999999999999999",
        b"NaN",
        b"[1]",
    ],
)
def test_what_is_no_whole_number_is_refused(text: bytes) -> None:
    with pytest.raises(FormatError):
        parse(text)


@given(
    rows=st.lists(st.lists(st.one_of(st.just(0), st.integers(-(2**40), 2**40)), max_size=12), max_size=12),
    indent=st.sampled_from([None, 1]),
    block=st.sampled_from([16, 37, 4096]),
)
@settings(max_examples=150)
def test_rows_equal_json(
    tmp_path_factory: pytest.TempPathFactory, rows: list[list[int]], indent: int | None, block: int
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numbers, "BLOCK", block)
        assert as_lists(read_rows(folder, json.dumps(rows, indent=indent).encode())) == rows


@pytest.mark.parametrize(("count", "width"), [(64, 1), (65, 1), (300, 2), (5, 900)])
@pytest.mark.parametrize("indent", [None, 1])
def test_many_rows_and_long_ones_equal_json(tmp_path: Path, count: int, width: int, indent: int | None) -> None:
    rows = [[1000 + row] * width for row in range(count)]
    assert as_lists(read_rows(tmp_path, json.dumps(rows, indent=indent).encode())) == rows


def test_rows_of_zeros_are_recognised_across_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "BLOCK", 50)
    rows = [[0] * 20, [1] * 20, [0] * 20, [0] * 19 + [7], [0] * 20]
    assert as_lists(read_rows(tmp_path, json.dumps(rows, separators=(",", ":")).encode())) == rows


@pytest.mark.parametrize(
    "text",
    [b"[[1,2],[3,,4]]", b"[[1,2][3]]", b'[[1,"]]",2]]', b"[[1,[2]]]", b"[1,2]", b"[[1],2]", b"[[1,2,]]", b'["a"]'],
)
def test_rows_that_are_not_numbers_are_refused(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        read_rows(tmp_path, text + b', "more": 1}')
    assert not isinstance(caught.value, Broken)


@pytest.mark.parametrize("text", [b"[[1,2],[3", b"[", b"[[1,2]", b"[[1,2],"])
def test_a_cut_file_is_said_to_end(tmp_path: Path, text: bytes) -> None:
    with pytest.raises(Broken, match="ends inside"):
        read_rows(tmp_path, text + b" ")


def test_flat_numbers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numbers, "BLOCK", 64)
    values = np.random.default_rng(1).integers(0, 100_000, 500).tolist()
    path = tmp_path / "flat.json"
    path.write_bytes(json.dumps(values).encode() + b",")
    with Source(path) as source:
        reader = NumberReader(source, 1, lambda _: None)
        found = reader.numbers()
    assert found.tolist() == values
    assert found.dtype == np.uint32
    assert reader.end == path.stat().st_size - 1


def test_a_number_without_end_is_not_gathered(tmp_path: Path) -> None:
    path = tmp_path / "long.json"
    path.write_bytes(b"[" + b"1" * (3 << 20))
    with Source(path) as source, pytest.raises(FormatError, match="whole numbers"):
        NumberReader(source, 1, lambda _: None).numbers()
