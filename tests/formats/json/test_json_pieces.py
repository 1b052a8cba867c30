"""The cutter against decoding the whole file at once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.formats.collect import Collector
from app.formats.events import Began
from app.formats.json.pieces import Piece, Records
from app.formats.json.problems import Problems
from app.formats.json.salvage import record_at
from app.formats.source import Source
from app.profile.timeline import Pieces

nasty = st.text(alphabet='{}[],:"\\\n é€😀a ', max_size=12)
leaves = st.none() | st.booleans() | st.integers(-5, 10**12) | st.floats(allow_nan=False, allow_infinity=False) | nasty
values = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(nasty, inner, max_size=3), max_leaves=8
)
records = st.lists(
    st.dictionaries(nasty, values, max_size=4) | st.dictionaries(nasty, values, max_size=4) | values, max_size=12
)
quiet = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def cut(path: Path, start: int, **options: Any) -> tuple[list[Piece[Any]], Records[Any], Collector]:
    sink = Collector("test")
    sink(Began("t", (path,)))
    with Source(path) as source:
        reader: Records[Any] = Records(source, start, problems=Problems(sink, "t"), **options)
        return list(reader), reader, sink


def flat(pieces: list[Piece[Any]]) -> list[Any]:
    return [record for piece in pieces for record in piece.records]


@quiet
@given(
    records,
    st.integers(1, 200),
    st.sampled_from([None, 0, 3]),
    st.booleans(),
    st.sampled_from([b"", b', "x": [{}, {}]}']),
)
def test_pieces_equal_whole(
    tmp_path: Path, items: list[Any], size: int, indent: int | None, ascii_only: bool, after: bytes
) -> None:
    text = json.dumps(items, indent=indent, ensure_ascii=ascii_only).encode()
    path = written(tmp_path / "a.json", b'{"k":' + text + after)
    pieces, reader, sink = cut(path, 6, piece_bytes=size)
    assert flat(pieces) == items
    assert reader.closed
    assert reader.end == 5 + len(text)
    assert reader.count == len(items)
    assert sink.profiles[0].issues == ()
    with Source(path) as source:
        table = Pieces(
            0,
            np.array([p.offset for p in pieces], np.int64),
            np.array([p.size for p in pieces], np.int64),
            np.array([p.first for p in pieces], np.int64),
        )
        for ordinal, item in enumerate(items):
            assert record_at(source, table, ordinal) == item


@quiet
@given(records, st.integers(1, 200), st.data())
def test_cut_file_gives_whole_records(tmp_path: Path, items: list[Any], size: int, data: st.DataObject) -> None:
    text = json.dumps(items).encode()
    keep = data.draw(st.integers(1, len(text) - 1))
    pieces, reader, _ = cut(written(tmp_path / "a.json", text[:keep]), 1, piece_bytes=size)
    found = flat(pieces)
    assert not reader.closed
    assert found == items[: len(found)]
    assert len(found) >= sum(len(json.dumps(items[: n + 1])) <= keep for n in range(len(items)))


bad = st.sampled_from([b"{oops}", b'{"a" 1}', b"{1:2}", b'{"a":+1}', b'{"a":[}}'])
mild = st.sampled_from(
    [
        b'{"a":NaN}',
        b'{"a":-Infinity,"s":"NaN,]"}',
        b'{"a":[1,],}',
        b'{"a":"\\ud800"}',
        b'{"a":"\xff"}',
        b'{"a":1e999}',
        b'{"a":"\x01"}',
    ]
)
good = st.builds(lambda v: orjson.dumps({"ok": v}), st.integers(0, 999) | nasty)


@quiet
@given(st.lists(good | bad | mild, max_size=20), st.integers(1, 300))
def test_bad_records_stand_alone(tmp_path: Path, texts: list[bytes], size: int) -> None:
    pieces, reader, sink = cut(written(tmp_path / "a.json", b"[" + b" , ".join(texts) + b"]"), 1, piece_bytes=size)
    assert reader.closed
    assert reader.count == len(texts)
    kept = [
        n for n, text in enumerate(texts) if text not in (b"{oops}", b'{"a" 1}', b"{1:2}", b'{"a":+1}', b'{"a":[}}')
    ]
    assert [int(n) for piece in pieces for n in piece.ordinals()] == kept
    found = flat(pieces)
    for place, number in enumerate(kept):
        if b'"ok"' in texts[number]:
            assert found[place] == orjson.loads(texts[number])
    assert bool(sink.profiles[0].issues) == any(b'"ok"' not in text for text in texts)


def test_second_try_gives_no_data(tmp_path: Path) -> None:
    text = b'[{"a":NaN,"s":"NaN,]"},{"b":[1,],},{"c":"\\ud800x"},{"d":1e999,"e":1e300},{"f":-inf}]'
    pieces, _, _ = cut(written(tmp_path / "a.json", text), 1)
    assert flat(pieces) == [
        {"a": None, "s": "NaN,]"},
        {"b": [1]},
        {"c": "�x"},
        {"d": None, "e": 1e300},
        {"f": None},
    ]


class Typed(msgspec.Struct):
    name: str
    n: int = 0


def test_typed_decoder_and_rescue(tmp_path: Path) -> None:
    texts = [orjson.dumps({"name": f"r{i}", "n": i}) for i in range(100)]
    texts[40] = b'{"name": null}'
    texts[60] = b'{"name": 5}'

    def rescue(value: Any) -> Typed:
        if isinstance(value["name"], int):
            raise ValueError
        return Typed(value["name"] or "", value.get("n", 0))

    decode = msgspec.json.Decoder(list[Typed]).decode
    path = written(tmp_path / "a.json", b"[" + b",".join(texts) + b"]")
    pieces, reader, sink = cut(path, 1, decode=decode, rescue=rescue, piece_bytes=300)
    found = flat(pieces)
    assert len(found) == 99
    assert found[40] == Typed("")
    assert reader.count == 100
    place = 1 + sum(len(text) + 1 for text in texts[:60])
    assert [issue.where for issue in sink.profiles[0].issues] == [f"t: byte {place:,}"]


def test_line_breaks_between_values_are_no_fault(tmp_path: Path) -> None:
    """A value that only the typed decoder refuses is not reported as invalid JSON, in a text that is indented."""
    text = b'[\n{\n"name": "a"\n},\n{\n"name": null\n},\n{\n"name": "b"}]'
    decode = msgspec.json.Decoder(list[Typed]).decode
    pieces, _, sink = cut(
        written(tmp_path / "a.json", text), 1, decode=decode, rescue=lambda value: Typed(value["name"] or "none")
    )
    assert [record.name for record in flat(pieces)] == ["a", "none", "b"]
    assert sink.profiles[0].issues == ()


def test_a_lost_quote_costs_one_record(tmp_path: Path) -> None:
    texts = [orjson.dumps({"name": f"record {i}", "args": {"detail": "x,y"}}) for i in range(5000)]
    texts[2500] = texts[2500].replace(b'"record', b"record", 1)
    pieces, reader, sink = cut(
        written(tmp_path / "a.json", b"[" + b",".join(texts) + b"]"), 1, piece_bytes=4096, max_record=65536
    )
    names = [record.get("name") for record in flat(pieces)]
    assert reader.closed
    assert len(names) == 4999
    assert "record 2500" not in names
    assert len(sink.profiles[0].issues) == 1


def test_a_giant_record_is_passed_over(tmp_path: Path) -> None:
    texts = [b'{"a":1}', b'{"a":"' + b"x" * 300_000 + b'"}', b'{"a":2}']
    pieces, reader, sink = cut(
        written(tmp_path / "a.json", b"[" + b",".join(texts) + b"]"), 1, piece_bytes=4096, max_record=65536
    )
    assert flat(pieces) == [{"a": 1}, {"a": 2}]
    assert [p.first for p in pieces] == [0, 2]
    assert reader.closed
    assert "larger than 65,536 bytes" in sink.profiles[0].issues[0].text


@pytest.mark.parametrize(
    "text", [b"[", b"[ ", b"[}", b"[}}}}}", b"[{", b'["', b"[,", b"[]", b"[\\", b"[1,2", b"[{}]]]", b"[" * 3000]
)
def test_scraps_end(tmp_path: Path, text: bytes) -> None:
    pieces, reader, _ = cut(written(tmp_path / "a.json", text), 1, piece_bytes=2)
    assert len(flat(pieces)) <= 2
    assert reader.closed == (b"]" in text)


@quiet
@given(st.binary(max_size=400), st.integers(1, 64))
def test_any_bytes_end(tmp_path: Path, data: bytes, size: int) -> None:
    _, reader, _ = cut(written(tmp_path / "a.json", b"[" + data), 1, piece_bytes=size, max_record=64)
    assert 0 <= reader.end <= len(data) + 1


def test_objects_inside_a_record_that_is_cut_off_are_no_records(tmp_path: Path) -> None:
    text = b'[{"a": 1}, {"nested": [{"x": 1}, {"x": 2}, {"x": 3}], "name": "cut'
    pieces, reader, _ = cut(written(tmp_path / "a.json", text), 1)
    assert flat(pieces) == [{"a": 1}]
    assert not reader.closed
