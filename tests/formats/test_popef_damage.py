"""PopEF files that are cut, damaged or made to do harm: one clear line each, and all that could be read."""

from __future__ import annotations

import struct
import tracemalloc
from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.formats import popef as format_
from app.formats.collect import Collector
from app.formats.collect import read as read_file
from app.formats.errors import FormatError
from app.profile.profile import Profile
from generators import popef
from generators.capnp_words import Struct, Text, encode
from generators.memory_source import MemorySource

GUIDE = b"".join(popef.guide_blobs())
ENDS = list(accumulate(len(blob) for blob in popef.guide_blobs()))


def read(content: bytes) -> Profile:
    sink = Collector("popef")
    format_.FORMAT.read([MemorySource(content, "a.popef")], sink)
    return sink.profiles[0]


def lines(profile: Profile) -> list[str]:
    return [f"{issue.severity} {issue.where}: {issue.text}" for issue in profile.issues]


def blob_count(profile: Profile) -> int:
    assert profile.blobs is not None
    return len(profile.blobs)


def test_a_file_cut_anywhere_lists_the_whole_blobs_before_the_cut() -> None:
    for cut in range(1, len(GUIDE)):
        whole = sum(end <= cut for end in ENDS)
        if not whole:
            with pytest.raises(FormatError):
                read(GUIDE[:cut])
            continue
        profile = read(GUIDE[:cut])
        assert blob_count(profile) == whole
        assert len(profile.issues) == (cut not in ENDS)


def test_a_cut_blob_is_told_with_its_size_and_what_is_left() -> None:
    assert lines(read(GUIDE[:-3])) == [
        f"error a.popef: byte {ENDS[2]:,}: blob 3 (DATA_TENSOR): its size, 128 bytes, extends beyond the end of the "
        "file (125 bytes are left); the file is truncated or damaged"
    ]
    assert lines(read(GUIDE[: ENDS[2] + 5])) == [
        f"error a.popef: byte {ENDS[2]:,}: the last 5 bytes are not a blob "
        "(only 5 bytes are left where a message should start)"
    ]


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "its size, 0 bytes, is less than its header (48 bytes)"),
        (47, "its size, 47 bytes, is less than its header (48 bytes)"),
        (2**63, "extends beyond the end of the file"),
        (2**64 - 1, "extends beyond the end of the file"),
    ],
)
def test_impossible_sizes_end_the_list(size: int, text: str) -> None:
    bad = popef.header(popef.OPAQUE, size) + bytes(100)
    (line,) = lines(read(GUIDE + bad))
    assert text in line
    assert f"byte {len(GUIDE):,}" in line
    with pytest.raises(FormatError, match=text.split(" (")[0]):
        read(bad)


def test_a_size_that_cuts_its_own_message_costs_that_message_only() -> None:
    whole = popef.tensor("x", (2,), 3)
    short = popef.header(popef.TENSOR, 48 + 16) + whole[48 : 48 + 16]
    profile = read(short + GUIDE)
    assert blob_count(profile) == 5
    assert profile.blobs is not None
    assert profile.blobs.payload_size.tolist()[0] == -1
    (line,) = lines(profile)
    assert line.startswith(
        "error a.popef: blob 0 at byte 0: a message of 64 bytes extends beyond the end (16 bytes are left)"
    )


@pytest.mark.parametrize(
    "content",
    [b"\0", b"x" * 7, bytes(4096), b"\xff" * 4096, b'{"traceEvents": []}', bytes(range(256)) * 8],
    ids=["one byte", "seven bytes", "zeros", "ones", "json", "counting"],
)
def test_a_foreign_file_is_refused_in_words(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "odd.popef"
    path.write_bytes(content)
    with pytest.raises(FormatError, match="not a PopEF file: the first bytes are not a blob header") as error:
        read_file(format_.FORMAT, [path])
    assert error.value.path == str(path)
    assert error.value.offset == 0
    assert format_.FORMAT.sniff(content, path) == 1
    assert format_.FORMAT.sniff(content, Path("odd.bin")) == 0


def test_an_empty_file_is_refused() -> None:
    with pytest.raises(FormatError, match="empty"):
        read(b"")


def test_of_several_files_the_good_ones_are_shown() -> None:
    sink = Collector("popef")
    format_.FORMAT.read([MemorySource(b"nonsense", "bad.popef"), MemorySource(GUIDE, "good.popef")], sink)
    (profile,) = sink.profiles
    assert profile.blobs is not None
    assert set(profile.blobs.file.tolist()) == {1}
    assert [issue.where for issue in profile.issues] == ["bad.popef"]


def test_a_broken_anchor_costs_that_anchor_only() -> None:
    content = bytearray(popef.metadata(popef.guide_model()))
    at = content.index(b"h2d_input_parameter\0")
    content[at : at + 24] = b"h" * 24  # no NUL any more
    profile = read(bytes(content) + GUIDE[ENDS[0] :])
    assert lines(profile) == ["error a.popef: blob 0 at byte 0: anchors[1]: a text does not end with a NUL"]
    assert profile.model is not None
    assert len(profile.model.anchors) == 3
    assert len(profile.model.programs) == 10


def metadata_blob(words: bytes, segments: int = 1) -> bytes:
    """A METADATA blob around hand-made words of one segment (or a table that claims more)."""
    table = struct.pack("<II", segments - 1, len(words) // 8)
    return popef.header(popef.METADATA, 48 + 8 + len(words)) + table + words


def root(anchors: bytes) -> bytes:
    """Pointer to a metadata structure, and the structure with ``anchors`` as its pointer to the anchors."""
    return struct.pack("<iHH", 0, 3, 7) + bytes(24) + bytes(8) + anchors + bytes(40)


def pointer(offset: int, count: int, code: int = 7) -> bytes:
    return struct.pack("<iI", offset << 2 | 1, count << 3 | code)


def harmless(content: bytes, *expected: str, memory: int = 4_000_000) -> Profile:
    """Reads ``content`` within ``memory`` bytes; the issues hold ``expected``."""
    read(GUIDE)  # the library and its schema are loaded outside the measure
    tracemalloc.start()
    try:
        profile = read(content)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < memory
    text = "\n".join(lines(profile))
    assert all(part in text for part in expected), text
    return profile


def test_a_list_of_half_a_billion_empty_anchors_is_refused() -> None:
    tag = struct.pack("<IHH", ((1 << 29) - 1) << 2 & 0xFFFFFFFF, 0, 0)
    profile = harmless(metadata_blob(root(pointer(5, 0)) + tag), "anchors: ")
    assert profile.model is not None
    assert len(profile.model.anchors) == 0


def test_anchors_that_all_point_to_one_long_text_stop_at_the_size_of_the_file() -> None:
    anchors, text = 400, 20_000
    start = 8 * 11 + 8  # words of root and structure, then the tag
    names = b""
    for index in range(anchors):
        here = start // 8 + index * 5 + 1
        names += bytes(8) + pointer(start // 8 + anchors * 5 - here - 1, text, 2) + bytes(24)
    words = root(pointer(5, anchors * 5)) + struct.pack("<IHH", anchors << 2, 1, 4) + names + b"a" * (text - 1) + b"\0"
    profile = harmless(metadata_blob(words + bytes(-len(words) % 8)), "traversal limit")
    assert profile.model is not None
    assert 0 < len(profile.model.anchors) < 5


def test_a_pointer_to_itself_is_followed_a_few_times_at_most() -> None:
    loop = struct.pack("<iHH", -1 << 2, 0, 1)
    profile = harmless(popef.header(popef.OPAQUE, 48 + 16) + struct.pack("<II", 0, 1) + loop, "list pointer")
    assert blob_count(profile) == 1
    far = struct.pack("<II", 0 << 3 | 2, 0)
    harmless(popef.header(popef.OPAQUE, 48 + 16) + struct.pack("<II", 0, 1) + far, "cannot be decoded")


@pytest.mark.parametrize("segments", [513, 5000, 2**32])
def test_thousands_of_segments_are_refused(segments: int) -> None:
    content = popef.header(popef.OPAQUE, 48 + 30_000) + struct.pack("<I", segments - 1) + bytes(29_996)
    harmless(content, f"a message of {segments:,} segments is implausible")


def test_a_claimed_message_of_gigabytes_is_not_read() -> None:
    info = struct.pack("<II", 0, 2**32 - 1)
    content = popef.header(popef.TENSOR, 48 + 8) + info
    harmless(content, "extends beyond the end")


def test_a_hundred_thousand_problems_are_a_hundred_lines() -> None:
    bad = popef.header(popef.OPAQUE, 56) + struct.pack("<II", 4999, 0)
    profile = read(bad * 2000)
    assert len(profile.issues) == 101
    assert profile.issues[-1].text == "1,900 more problems are not listed"
    assert blob_count(profile) == 2000


BASES = (
    GUIDE,
    b"".join(popef.guide_blobs(popef.Style(segment_words=3, grow=False))),
    b"".join(popef.guide_blobs(popef.Style(extra_words=2))) + popef.feed("f", (2, 3), 2, 3),
    encode(Struct(struct.pack("<QQ", 2, 64), (Text("1"),))) + bytes(16),
)

POINTERS = st.builds(
    lambda low, kind, high, code: struct.pack("<iI", low << 2 | kind, high << 3 | code),
    st.integers(-40, 40) | st.integers(-(1 << 29), (1 << 29) - 1),
    st.integers(0, 3),
    st.integers(0, 64) | st.sampled_from([0x2000, 0x6000, (1 << 29) - 1]),
    st.integers(0, 7),
)
EDITS = st.lists(
    st.tuples(st.integers(0, 10_000), st.booleans(), POINTERS | st.binary(min_size=1, max_size=9)),
    min_size=1,
    max_size=4,
)


@settings(max_examples=400)
@given(st.sampled_from(BASES), EDITS, st.none() | st.integers(0, 3000))
def test_only_format_errors_come_out_of_mutated_files(
    base: bytes, edits: list[tuple[int, bool, bytes]], cut: int | None
) -> None:
    content = bytearray(base)
    for at, aligned, value in edits:
        start = at % len(content)
        start -= start % 8 if aligned else 0
        content[start : start + len(value)] = value
    try:
        profile = read(bytes(content[:cut]))
    except FormatError:
        return
    blobs, model = profile.blobs, profile.model
    assert blobs is not None
    assert model is not None
    assert (blobs.offset + blobs.size <= len(content)).all()
    assert len(model.strings.blob) <= len(content) * 4  # an escape takes four bytes for one


@settings(max_examples=100)
@given(st.binary(max_size=400))
def test_only_format_errors_come_out_of_noise_behind_a_header(noise: bytes) -> None:
    for kind in range(6):
        profile = read(popef.header(kind, 48 + len(noise)) + noise)
        assert blob_count(profile) == 1
