"""Records that are translated into MessagePack are those that a decoder of CBOR reads, however they are written."""

from __future__ import annotations

import io
import struct
from typing import Any

import cbor2
import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats.cbor.translation import MOST_ITEMS, Openings, beginning, translated

KEYS = ("cycles", "name", "type", "tileBalance", "ä")
FORMS = {1: ">B", 2: ">H", 4: ">I", 8: ">Q"}


class Number(msgspec.Struct, frozen=True):
    """A number, and the bytes of its argument in the file."""

    value: int | float
    width: int


def head(major: int, argument: int, width: int) -> bytes:
    if width == 0 and argument < 24:
        return bytes([major << 5 | argument])
    size = next(size for size in FORMS if size >= max(width, 1) and argument < 1 << 8 * size)
    return bytes([major << 5 | 24 + list(FORMS).index(size)]) + struct.pack(FORMS[size], argument)


def written(value: Any, width: int = 0) -> bytes:
    """``value`` with headers of at least ``width`` bytes."""
    if isinstance(value, Number):
        if isinstance(value.value, float):
            forms = {1: (">Be", 0xF9), 2: (">Be", 0xF9), 4: (">Bf", 0xFA)}
            form, first = forms.get(value.width, (">Bd", 0xFB))
            return struct.pack(form, first, value.value)
        return head(0, value.value, value.width) if value.value >= 0 else head(1, -1 - value.value, value.width)
    if isinstance(value, str):
        text = value.encode()
        return head(3, len(text), width) + text
    if isinstance(value, list):
        return head(4, len(value), width) + b"".join(written(item, width) for item in value)
    if isinstance(value, dict):
        parts = (written(key) + written(part, width) for key, part in value.items())
        return head(5, len(value), width) + b"".join(parts)
    return cbor2.dumps(value)


numbers = st.builds(Number, st.integers(-(2**32), 2**63), st.sampled_from([0, 1, 2, 4]))
floats = st.builds(Number, st.floats(width=16, allow_nan=False), st.sampled_from([1, 4, 8]))
scalars = st.one_of(numbers, floats, st.none(), st.booleans(), st.text(max_size=40), st.just("x" * 300))
values = st.recursive(
    scalars,
    lambda below: (
        st.lists(below, max_size=4)
        | st.dictionaries(st.integers(0, 999).map(str), below, max_size=3)
        | st.lists(st.just(Number(3, 0)), min_size=14, max_size=40)
    ),
    max_leaves=6,
)
many = st.dictionaries(st.integers(0, 60).map(str), numbers, min_size=14, max_size=40)
records = st.one_of(
    st.dictionaries(st.sampled_from(KEYS), values, min_size=1), many.map(lambda rest: {"cycles": 1, **rest})
)
widths = st.sampled_from([0, 0, 0, 1])


def taken(data: bytes, most: int = 1000, until: int | None = None) -> tuple[list[Any], int]:
    """(the records at the beginning of ``data``, the byte after them)."""
    part = translated(data, Openings(KEYS), most, len(data) if until is None else until)
    if part is None:
        return [], 0
    read: list[Any] = []
    end = 0
    for packed, count, end in part.groups(3):  # noqa: B007
        group = msgspec.msgpack.decode(packed)
        assert len(group) == count
        read += group
    return read, end


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(records, widths), max_size=12), st.binary(max_size=12))
def test_all_forms(items: list[tuple[dict[str, Any], int]], rest: bytes) -> None:
    """What follows the records may be anything, even more of them."""
    texts = [written(record, width) for record, width in items]
    read, end = taken(b"".join(texts) + rest)
    assert len(read) >= len(items)
    assert read[: len(items)] == [cbor2.loads(text) for text in texts]
    assert end >= sum(map(len, texts))


@settings(max_examples=40, deadline=None)
@given(st.lists(records, min_size=1, max_size=6), st.integers(1, 6), st.floats(0, 1))
def test_as_many_as_wanted(items: list[dict[str, Any]], most: int, share: float) -> None:
    texts = [written(record) for record in items]
    until = int(share * sum(map(len, texts)))
    begins = [sum(map(len, texts[:at])) for at in range(len(texts))]
    read, end = taken(b"".join(texts), most, until)
    wanted = min(most, sum(begin < until for begin in begins))
    assert len(read) == wanted
    assert end == (sum(map(len, texts[:wanted])))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(records, min_size=1, max_size=8),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=3), st.integers(0, 3)), max_size=4),
)
def test_damaged(items: list[dict[str, Any]], edits: list[tuple[float, bytes, int]]) -> None:
    """Whatever is taken is what a decoder of CBOR reads from the same bytes."""
    data = b"".join(map(written, items))
    for where, new, length in edits:
        at = int(where * len(data))
        data = data[:at] + new + data[at + length :]
    part = translated(data, Openings(KEYS), 1000, len(data))
    for number in range(len(part) if part is not None else 0):
        assert part is not None
        begin, end = part.begins[number : number + 2].tolist()
        packed = part.packed[int(part.places[number]) : int(part.places[number + 1])]
        try:
            value = msgspec.msgpack.decode(packed)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            continue  # such records are left to the decoder of CBOR
        again = cbor2.CBORDecoder(io.BytesIO(data[begin:end]), allow_duplicate_keys=True)
        assert repr(again.decode()) == repr(value)


def test_a_record_inside_a_text_is_none() -> None:
    """The characters of a record in a name do not divide the record that has it."""
    inner = written({"cycles": Number(5, 0)}).decode("latin-1")
    texts = [
        written({"name": "a"}),
        b"\xa1\x64name\x78\x20" + inner.encode("latin-1").ljust(32),
        written({"type": "b"}),
    ]
    part = translated(b"".join(texts), Openings(KEYS), 100, 1000)
    assert part is not None
    assert part.begins.tolist() == [0, len(texts[0]), len(texts[0]) + len(texts[1]), sum(map(len, texts))]


def test_a_number_before_a_key_is_no_record() -> None:
    """The last byte of a number is the header of a map, and the first key of records follows it."""
    texts = [written({"type": "a", "cycles": Number(0x0BAE, 2), "name": "b"})] * 2
    texts.append(b"\xa3\x64name\x61b\x65count\x19\x0b\xae\x64type\x61a")
    assert taken(b"".join(texts)) == ([cbor2.loads(text) for text in texts], sum(map(len, texts)))


def test_where_records_begin() -> None:
    several = b"".join(written({"cycles": Number(at, 0), "name": "step"}) for at in range(20))
    assert beginning(several, Openings(KEYS)) == 0
    assert beginning(several[3:], Openings(KEYS)) == len(several) // 20 - 3
    assert beginning(several.replace(b"cycles", b"secret"), Openings(KEYS)) == -1


def test_very_long_records_are_left_to_the_decoder() -> None:
    long = written({"cycles": [Number(1, 0)] * (2 * MOST_ITEMS)})
    assert taken(long) == ([], 0)
