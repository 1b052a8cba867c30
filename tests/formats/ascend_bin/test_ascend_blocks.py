"""The container: what is a block, what is none, and what is said of the difference."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.formats import registry
from app.formats.ascend_bin import FORMAT
from app.formats.ascend_bin.blocks import HEADER
from app.formats.errors import FormatError
from app.profile.profile import Profile
from generators.ascend_bin import block, small
from generators.reading import profile_of

OPERATOR = block(0x05, b'{"name":"op","duration":2.5}')
LOAD = block(0x0C, b'{"op_detail":[]}')
PATH = Path("visualize_data.bin")


def header(size: int, kind: int, padding: int = 0, version: int = 0x5A, reserved: int = 0x5A) -> bytes:
    return HEADER.pack(size, kind, padding, version, reserved)


def texts(profile: Profile) -> list[str]:
    return [f"{issue.severity} {issue.where}: {issue.text}" for issue in profile.issues]


def test_blocks_follow_one_another_and_only_source_texts_have_a_path_between_header_and_content() -> None:
    source = block(0x01, b"int main;\n", path="/a/b.cpp")
    profile = profile_of(FORMAT, source + OPERATOR + LOAD)
    raw = profile.raw_blocks
    assert raw is not None
    assert raw.type.tolist() == [1, 5, 12]
    assert raw.offset.tolist() == [0, len(source), len(source) + len(OPERATOR)]
    assert raw.payload.tolist() == [4108, len(source) + 12, len(source) + len(OPERATOR) + 12]
    assert raw.size.tolist() == [10, 28, 16]
    assert raw.padding.tolist() == [2, 0, 0]
    assert [raw.paths.get(code) for code in raw.path.tolist()] == ["/a/b.cpp", "", ""]
    assert profile.name == "op"
    assert profile.issues == ()


def test_a_path_that_fills_its_whole_area_has_no_nul_and_is_kept() -> None:
    long = "/" + "x" * 4095
    content = header(4, 1) + long.encode() + b"a;\n\n"
    profile = profile_of(FORMAT, content)
    assert profile.sources is not None
    assert profile.sources.paths.tolist() == [long]
    assert profile.sources.texts.tolist() == ["a;\n\n"]


def test_the_last_of_several_texts_with_one_path_counts() -> None:
    content = b"".join(block(0x01, text, path=path) for path, text in (("a", b"1"), ("b", b"2"), ("a", b"3")))
    sources = profile_of(FORMAT, content).sources
    assert sources is not None
    assert dict(zip(sources.paths, sources.texts, strict=True)) == {"a": "3", "b": "2"}


def test_the_first_of_repeated_blocks_counts_and_the_others_are_told() -> None:
    profile = profile_of(FORMAT, OPERATOR + block(0x05, b'{"name":"second"}') + block(0x05, b'{"name":"third"}'))
    assert profile.operator is not None
    assert profile.operator.name == "op"
    assert [issue.severity for issue in profile.issues] == ["info"]
    assert "occurs 3 times" in profile.issues[0].text


def test_where_the_first_of_repeated_blocks_is_broken_the_next_counts() -> None:
    profile = profile_of(FORMAT, block(0x05, b"{broken") + OPERATOR)
    assert profile.operator is not None
    assert profile.operator.name == "op"
    assert profile.issues[0].severity == "error"


def test_unknown_types_are_passed_over_by_their_size_and_listed() -> None:
    profile = profile_of(FORMAT, block(0x1C, b"\xff" * 37) + OPERATOR + block(0x77, b"later"))
    assert profile.raw_blocks is not None
    assert profile.raw_blocks.type.tolist() == [0x1C, 5, 0x77]
    assert profile.raw_blocks.size.tolist() == [37, 28, 5]
    assert profile.operator is not None
    assert profile.issues == ()


def test_a_file_of_unknown_blocks_alone_is_shown_as_such() -> None:
    profile = profile_of(FORMAT, block(0x1C, b"\x01" * 8), "x/visualize_data.bin")
    assert profile.filled() == ("raw_blocks",)
    assert profile.name == "x/visualize_data.bin"


@pytest.mark.parametrize("size", [10**6, 2**31, 2**63, 2**64 - 1])
def test_a_block_past_the_end_of_the_file_is_named_with_its_place(size: int) -> None:
    profile = profile_of(FORMAT, OPERATOR + header(size, 9) + b'{"table_per_block":[]}')
    assert profile.operator is not None
    assert profile.memory_tables is None
    (issue,) = profile.issues
    assert issue.severity == "error"
    assert issue.where == f"memory.bin: byte {len(OPERATOR)}"
    assert issue.text == f"block 0x09 declares {size:,} bytes, but the file ends after 22 of them"


@pytest.mark.parametrize("kind", [0x05, 0x01, 0x02])
def test_a_first_block_past_the_end_is_the_error_of_the_file(kind: int) -> None:
    with pytest.raises(FormatError) as caught:
        profile_of(FORMAT, header(2**63, kind) + b"xx")
    assert caught.value.offset == 0
    assert "declares 9,223,372,036,854,775,808 bytes" in caught.value.text


def test_a_source_text_that_is_cut_off_is_shown_as_far_as_it_goes() -> None:
    whole = block(0x01, b"line one\nline two\n", path="k.cpp")
    profile = profile_of(FORMAT, OPERATOR + whole[:-10])
    assert profile.sources is not None
    assert profile.sources.texts[0] == "line one\nl"
    assert [issue.severity for issue in profile.issues] == ["error"]


def test_bytes_that_are_no_block_end_the_walk_with_their_place() -> None:
    profile = profile_of(FORMAT, OPERATOR + b"\x00" * 40)
    assert profile.operator is not None
    assert texts(profile) == ["error memory.bin: byte 40: no block starts here; the last 40 bytes are not read"]


def test_less_than_a_header_behind_the_last_block_is_told() -> None:
    profile = profile_of(FORMAT, OPERATOR + b"\x00" * 11)
    assert texts(profile) == ["warning memory.bin: byte 40: 11 bytes after the last block are not read"]


def test_empty_blocks_and_too_much_padding_are_told_and_survived() -> None:
    padded = header(8, 0x0C, 6) + b"{}\0\0\0\0\0\0"
    profile = profile_of(FORMAT, header(0, 7) + header(4, 8, 9) + b"abcd" + padded + OPERATOR)
    assert profile.core_load is not None
    assert profile.operator is not None
    assert len([issue for issue in profile.issues if issue.severity == "warning"]) == 3
    assert profile.raw_blocks is not None
    assert profile.raw_blocks.size.tolist() == [0, 0, 2, 28]


def test_a_broken_base_block_is_an_issue_at_its_offset_and_the_others_are_shown() -> None:
    profile = profile_of(
        FORMAT, LOAD + block(0x05, b'{"name":"op",,}') + block(0x0F, b'{"top_stall_reason_table":{"x":1}}')
    )
    assert profile.operator is None
    assert profile.core_load is not None
    assert profile.stall_reasons is not None
    (issue,) = profile.issues
    assert issue.severity == "error"
    assert issue.where == f"memory.bin: byte {len(LOAD)}"
    assert issue.text.startswith("block 0x05 cannot be read: not valid JSON")


@pytest.mark.parametrize("content", [b"[1,2]", b'"text"', b"", b"\xff\xfe\xfd\xfc", b"[" * 3000])
def test_a_block_that_is_no_json_object_is_an_issue(content: bytes) -> None:
    profile = profile_of(FORMAT, OPERATOR + block(0x08, content))
    assert profile.memory_paths is None
    assert profile.operator is not None
    assert len(profile.issues) == 1


def test_a_file_without_any_readable_block_is_an_error_with_the_place() -> None:
    with pytest.raises(FormatError) as caught:
        profile_of(FORMAT, block(0x05, b"{nonsense") + block(0x06, b"also nonsense"))
    assert caught.value.offset == 13
    assert "block 0x05 cannot be read" in caught.value.text


def test_tolerated_json_is_read_and_told() -> None:
    profile = profile_of(FORMAT, block(0x05, b'{"name":"op","duration":NaN,"block_dim":"4",}'))
    assert profile.operator is not None
    assert profile.operator.duration_us is None
    assert profile.operator.block_dim == 4
    assert [issue.severity for issue in profile.issues] == ["warning"]


def test_an_issue_flood_is_counted_not_listed() -> None:
    profile = profile_of(FORMAT, header(0, 7) * 5000 + OPERATOR)
    assert len(profile.issues) < 20
    assert any("5,000" in issue.text for issue in profile.issues)


@pytest.mark.parametrize(
    ("head", "sure"),
    [
        (OPERATOR, 3),
        (OPERATOR + LOAD, 3),
        (small(), 3),
        (block(0x04, b"{}", version=0), 3),  # the vendor's viewer refuses it for its version byte
        (block(0x01, b"int x;", path="a.cpp"), 3),
        (OPERATOR + b"\x00" * 20, 2),
        (header(2**63, 5) + b"{}", 3),
        (block(0x05, b"not json"), 2),
        (header(0, 5), 0),
        (header(4, 5, 0, 0x5A, 0x00) + b"{}\0\0", 0),
        (header(4, 5, 200) + b"{}\0\0", 0),
        (header(4, 0) + b"{}\0\0", 0),
        (header(4, 0x40) + b"{}\0\0", 0),
        (b'{"traceEvents":[]}', 0),
        (bytes(range(256)) * 8, 0),
        (b"\x00" * 4096, 0),
        (b"", 0),
        (OPERATOR[:11], 0),
    ],
)
def test_sniffing_goes_by_content(head: bytes, sure: int) -> None:
    assert FORMAT.sniff(head, PATH) == sure


def test_the_name_alone_says_nothing() -> None:
    assert FORMAT.sniff(b"firmware of a router, or anything", PATH) == 0


def test_a_file_on_disk_is_found_and_read_through_the_registry(tmp_path: Path) -> None:
    path = tmp_path / "OPPROF_1" / "visualize_data.bin"
    path.parent.mkdir()
    path.write_bytes(small())
    jobs, refused = registry.plan([tmp_path])
    assert [job.format.id for job in jobs] == ["ascend-bin"]
    assert refused == []
