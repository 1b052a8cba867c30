"""Walking a tree in JSON or CBOR: the same values come out of both, and damage ends in one exception."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.cbor.decode import Decoder
from app.formats.cbor.walk import CborWalk
from app.formats.errors import FormatError
from app.formats.events import Event, Sink
from app.formats.json.problems import Problems
from app.formats.json.walk import JsonWalk
from app.formats.source import Source
from app.formats.walk import Broken, Walk
from app.profile.issue import Issue
from generators.trees import write_cbor, write_json

Write = Callable[[Path, Any], Path]


def definite(path: Path, tree: Any) -> Path:
    return write_cbor(path, tree)


def indefinite(path: Path, tree: Any) -> Path:
    return write_cbor(path, tree, tag=False, indefinite=True, short_floats=True)


def compact(path: Path, tree: Any) -> Path:
    return write_json(path, tree)


def indented(path: Path, tree: Any) -> Path:
    return write_json(path, tree, indent=3)


WRITERS = [definite, indefinite, compact, indented]


def ignore(_: Event) -> None:
    pass


def walk_of(path: Path, sink: Sink = ignore) -> Walk:
    source = Source(path)
    problems = Problems(sink, path.name)
    is_json = source.head(64).lstrip()[:1] in (b"{", b"[")
    return JsonWalk(source, problems) if is_json and b"\xd9" not in source.head(1) else CborWalk(source, problems)


@pytest.fixture
def opened(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[Write, Any], Walk]:
    def open_(write: Write, tree: Any) -> Walk:
        walk = walk_of(write(tmp_path / "tree", tree))
        request.addfinalizer(walk._source.close)  # type: ignore[attr-defined]
        return walk

    return open_


def everything(walk: Walk) -> Any:
    """The value at hand, gone through member by member."""
    kind = walk.kind()
    if kind == "object":
        return {key: everything(walk) for key in walk.members()}
    if kind == "array":
        return [everything(walk) for _ in walk.items()]
    return walk.value()


def values(walk: Walk) -> dict[str, Any]:
    return {key: walk.value() for key in walk.members()}


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**53), 2**53), st.text(max_size=8), st.sampled_from([0.5, -1.25, 1e9])
)
TREES = st.recursive(
    LEAVES,
    lambda below: st.one_of(st.lists(below, max_size=4), st.dictionaries(st.text(max_size=6), below, max_size=4)),
)


@given(tree=st.dictionaries(st.text(max_size=8), TREES, max_size=5), write=st.sampled_from(WRITERS))
@settings(max_examples=120)
def test_walking_gives_the_tree(tmp_path_factory: pytest.TempPathFactory, tree: Any, write: Write) -> None:
    path = write(tmp_path_factory.mktemp("walk") / "tree", tree)
    walk = walk_of(path)
    assert everything(walk) == tree
    assert walk.kind() == "end"
    walk._source.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("write", WRITERS)
def test_what_is_not_read_is_passed_over(opened: Callable[[Write, Any], Walk], write: Write) -> None:
    tree = {"a": {"deep": [[1, 2], {"x": "]}"}]}, "b": "text,}", "c": [1.5, None, True], "wanted": [1, 2, 3], "z": 0}
    walk = opened(write, tree)
    found = [walk.numbers().tolist() for key in walk.members() if key == "wanted"]
    assert found == [[1, 2, 3]]


@pytest.mark.parametrize("write", WRITERS)
def test_a_value_of_another_kind_is_refused_and_passed_over(opened: Callable[[Write, Any], Walk], write: Write) -> None:
    walk = opened(write, {"rows": [[1, 2], ["x"]], "flat": "no", "records": 7, "last": [[1], [2, 3]]})
    refused, last = [], None
    for key in walk.members():
        try:
            if key == "rows":
                walk.rows()
            elif key == "flat":
                walk.numbers()
            elif key == "records":
                list(walk.records(Point, msgspec.convert))  # type: ignore[arg-type]
            else:
                last = walk.rows()
        except FormatError:
            refused.append(key)
    assert refused == ["rows", "flat", "records"]
    assert last is not None
    assert [last.row(0).tolist(), last.row(1).tolist()] == [[1], [2, 3]]


class Point(msgspec.Struct):
    x: int = -1


def _lenient(value: Any) -> Point:
    if not isinstance(value, dict):
        raise ValueError("no point")
    return Point(value["x"]) if isinstance(value["x"], int) else Point()


@pytest.mark.parametrize("write", WRITERS)
def test_records_keep_their_ordinals(opened: Callable[[Write, Any], Walk], write: Write) -> None:
    records: list[Any] = [{"x": number, "more": "y"} for number in range(700)]
    records[3] = "not a record"
    records[600] = {"x": "no number"}
    walk = opened(write, {"points": records})
    batches = [batch for _ in walk.members() for batch in walk.records(Point, _lenient)]
    ordinals = np.concatenate([batch.ordinals for batch in batches])
    points = [point for batch in batches for point in batch.records]
    assert ordinals.tolist() == [number for number in range(700) if number != 3]
    assert [point.x for point in points] == [number if number != 600 else -1 for number in range(700) if number != 3]
    assert "more" in batches[0].keys


@pytest.mark.parametrize("write", WRITERS)
def test_matrices_become_narrow(opened: Callable[[Write, Any], Walk], write: Write) -> None:
    walk = opened(write, {"m": [[0, 255], [1, 2]], "n": [[0, 256]], "o": [[-1, 70_000]], "p": [[2**40]]})
    kinds = {key: walk.rows().items.dtype for key in walk.members()}
    assert kinds == {"m": np.uint8, "n": np.uint16, "o": np.int32, "p": np.int64}


def taken(walk: Walk, limit: int) -> list[Any]:
    """The items of the array at hand, read several at a time; those that cannot be decoded are read by member."""
    items: list[Any] = []
    for some in walk.several(limit):
        if not isinstance(some, FormatError):
            items += some
        elif walk.kind() == "object":
            items.append({key: walk.value() for key in walk.members()})
        else:
            items.append(some.text)
    return items


@pytest.mark.parametrize("write", WRITERS)
@settings(max_examples=12, deadline=None)
@given(st.lists(st.tuples(TREES, st.integers(1, 1500)), max_size=3), st.integers(0, 60))
def test_several_items_are_taken_at_once(
    write: Write, tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[Any, int]], place: int
) -> None:
    items = [item for item, count in runs for _ in range(count)]
    large = {"a": "x" * 150_000, "b": 1}
    items[place:place] = [large, [large["a"]]]
    walk = walk_of(write(tmp_path_factory.mktemp("several") / "tree", {"a": items, "b": 5}))
    try:
        found = {key: taken(walk, 200_000) if key == "a" else walk.value() for key in walk.members()}
        assert found == {"a": items, "b": 5}
    finally:
        walk._source.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("write", WRITERS)
def test_items_that_are_too_large_are_taken_by_member(opened: Callable[[Write, Any], Walk], write: Write) -> None:
    large = {"a": "x" * 900, "b": "y" * 900}
    walk = opened(write, {"all": [1, large, *[2] * 100, [large], *[3] * 100], "last": 4})
    found = {key: taken(walk, 1000) if key == "all" else walk.value() for key in walk.members()}
    text = "this value takes more than 1,000 bytes"
    assert found == {"all": [1, large, *[2] * 100, text, *[3] * 100], "last": 4}


@pytest.mark.parametrize("first", [b"\x99\x03\xe9", b"\x9f"])
@pytest.mark.parametrize("twice", [0, 1, 500, 1000])
def test_each_duplicate_key_is_told_of_where_it_is(tmp_path: Path, first: bytes, twice: int) -> None:
    items = [b"\x80"] * 1000
    items.insert(twice, b"\xa2\x61a\x01\x61a\x02")
    path = tmp_path / "twice.cbor"
    path.write_bytes(first + b"".join(items) + (b"\xff" if first == b"\x9f" else b""))
    told: list[Event] = []
    with Source(path) as source:
        found = taken(CborWalk(source, Problems(told.append, "twice")), 1000)
    assert found == [[]] * twice + [{"a": 2}] + [[]] * (1000 - twice)
    assert [issue.where for issue in told if isinstance(issue, Issue)] == [f"twice: byte {len(first) + twice:,}"]


@pytest.mark.parametrize("cut", [1, 2, 3, 700])
def test_items_before_the_end_of_a_cut_file_are_taken(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "cut.cbor"
    path.write_bytes(b"\x9f" + b"\x80" * 1000 + b"\x83\x00\x00")
    path.write_bytes(path.read_bytes()[:-cut])
    with Source(path) as source:
        several = CborWalk(source, Problems(ignore, "cut")).several()
        whole = 0
        while isinstance(items := next(several), list):
            whole += len(items)
        with pytest.raises(FormatError):
            next(several)
    assert whole == 1000 - max(0, cut - 3)


@pytest.mark.parametrize("item", [b"\x80", b"\xa0", b"\x81\x80", b"\xf6"])
@pytest.mark.parametrize("of_records", [False, True])
def test_a_decoder_takes_many_small_items(
    tmp_path: Path, item: bytes, of_records: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One start of the decoder for each of 100,000 items would take seconds."""
    starts = 0
    decode = Decoder._try

    def counted(self: Decoder, *args: Any, **options: Any) -> Any:
        nonlocal starts
        starts += 1
        return decode(self, *args, **options)

    monkeypatch.setattr(Decoder, "_try", counted)
    path = tmp_path / "many.cbor"
    path.write_bytes(b"\x9f" + item * 100_000 + b"\xff")
    with Source(path) as source:
        walk = CborWalk(source, Problems(ignore, "many"))
        if of_records:
            assert sum(len(batch.records) for batch in walk.records(Point, _refuse)) == 100_000 * (item == b"\xa0")
        else:
            assert len(taken(walk, 100_000)) == 100_000
        assert walk.kind() == "end"
    assert starts < (3000 if of_records and item == b"\xa0" else 300)


def _refuse(_: Any) -> Point:
    raise ValueError


def test_values_larger_than_the_limit_are_refused_and_passed_over(tmp_path: Path) -> None:
    for write in WRITERS:
        path = write(tmp_path / "big", {"big": ["x" * 1000] * 50, "small": 1})
        walk = walk_of(path)
        found: dict[str, Any] = {}
        for key in walk.members():
            try:
                found[key] = walk.value(limit=10_000)
            except FormatError as error:
                found[key] = error.text
        assert found == {"big": "this value takes more than 10,000 bytes", "small": 1}
        walk._source.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "data",
    [
        b"\x9b" + b"\xff" * 8,  # a list of 2^64 - 1 items
        b"\xbb\x00\x00\x00\x10\x00\x00\x00\x00",  # a map of 2^36 pairs
        b"\xa1\x61a\x7b\x7f" + b"\xff" * 7,  # a text of 2^63 - 1 bytes
        b"\xa1\x61a\x9a\x7f\xff\xff\xff\x01",
        b"\xa1\x61a" + b"\x81" * 5000,
        b"\xa1\x61a\xd8\x1c\x81\xd8\x1d\x00",  # a list that holds itself
        b"\xa1\x61a\x1c",
        b"\xa1\x01\x02",  # a key that is no text
        b"\xbf\x61a",
    ],
)
def test_hostile_cbor_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "bad.cbor"
    path.write_bytes(data)
    with Source(path) as source, pytest.raises(FormatError):
        values(CborWalk(source, Problems(ignore, "bad")))


def test_tags_are_passed_over_where_nobody_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "tag.cbor"
    path.write_bytes(b"\xa2\x61a" + cbor2.dumps([cbor2.CBORTag(1234, [1, "x", b"y"]), 2**80]) + b"\x61b\x05")
    with Source(path) as source:
        walk = CborWalk(source, Problems(ignore, "tag"))
        assert [walk.value() for key in walk.members() if key == "b"] == [5]


@pytest.mark.parametrize("depth", [100, 2000, 200_000])
def test_deep_json_neither_hangs_nor_crashes(tmp_path: Path, depth: int) -> None:
    path = tmp_path / "deep.json"
    path.write_bytes(b'{"a":' + b"[" * depth + b"]" * depth + b',"b":1}')
    with Source(path) as source:
        walk = JsonWalk(source, Problems(ignore, "deep"))
        assert [walk.value() for key in walk.members() if key == "b"] == [1]


@pytest.mark.parametrize("text", [b'{"a":1', b'{"a"', b'{"a":[1,2', b'{"a":"x', b"{", b'{"a":1,"b"'])
def test_cut_json_is_said_to_end(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "cut.json"
    path.write_bytes(text)
    with Source(path) as source, pytest.raises(Broken):
        values(JsonWalk(source, Problems(ignore, "cut")))


def test_a_byte_order_mark_and_a_trailing_comma_are_taken(tmp_path: Path) -> None:
    path = tmp_path / "bom.json"
    path.write_bytes(b'\xef\xbb\xbf {"a": [1,2,], "b": {"c": NaN,},}')
    told: list[Event] = []
    with Source(path) as source:
        walk = JsonWalk(source, Problems(told.append, "bom"))
        assert {key: walk.value() for key in walk.members()} == {"a": [1, 2], "b": {"c": None}}
    assert len(told) == 2


def test_progress_reaches_the_end(tmp_path: Path) -> None:
    tree = {"m": [[number] * 50 for number in range(2000)], "t": "x"}
    for write in WRITERS:
        path = write(tmp_path / "moving", tree)
        seen: list[int] = []
        with Source(path) as source:
            kind = JsonWalk if path.read_bytes()[:1] == b"{" else CborWalk
            walk = kind(source, Problems(ignore, "moving"), seen.append)
            for key in walk.members():
                walk.rows() if key == "m" else walk.value()
        assert 0.9 * path.stat().st_size <= max(seen) <= path.stat().st_size


@pytest.mark.parametrize("write", WRITERS)
@settings(max_examples=25, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from([0, 7, 23, 24, 255, 256, 70_000, 2**40, -1, -300]), st.integers(1, 3000)), max_size=6
    )
)
def test_runs_of_small_and_large_numbers_in_any_order(
    write: Write, tmp_path_factory: pytest.TempPathFactory, runs: list[tuple[int, int]]
) -> None:
    row = [number for number, count in runs for _ in range(count)]
    walk = walk_of(write(tmp_path_factory.mktemp("runs") / "tree", {"a": row, "b": [row, row[::-1]]}))
    try:
        members = walk.members()
        assert next(members) == "a"
        assert walk.numbers().tolist() == row
        assert next(members) == "b"
        rows = walk.rows()
        assert [rows.row(0).tolist(), rows.row(1).tolist()] == [row, row[::-1]]
        assert next(members, None) is None
    finally:
        walk._source.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("end", [5, 3000, 8191, 8192, 8193, 9000])
def test_numbers_that_the_file_cuts_off(tmp_path: Path, end: int) -> None:
    path = tmp_path / "cut.cbor"
    path.write_bytes((b"\x99\x2a\xf8" + b"\0" * 11_000)[:end])
    with Source(path) as source, pytest.raises(FormatError):
        CborWalk(source, Problems(ignore, "cut")).numbers()


@pytest.mark.parametrize("odd", [b"\xf6", b"\x61a", b"\xf9\x3e\x01", b"\x80"])
def test_what_is_no_whole_number_among_zeros(tmp_path: Path, odd: bytes) -> None:
    path = tmp_path / "odd.cbor"
    path.write_bytes(b"\x98\xc9" + b"\0" * 100 + odd + b"\0" * 100)
    with Source(path) as source, pytest.raises(FormatError):
        CborWalk(source, Problems(ignore, "odd")).numbers()
