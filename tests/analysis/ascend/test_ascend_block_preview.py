"""How blocks look, and what their files are called."""

from __future__ import annotations

import pytest

from app.analysis.tables.ascend_report import file_name, kind_name, preview


def test_json_is_indented_text_stays_and_bytes_are_hexadecimal() -> None:
    assert preview(b'{"a":[1,2]}', whole=True) == '{\n  "a": [\n    1,\n    2\n  ]\n}'
    assert preview(b'{"a":[1,2', whole=False) == '{"a":[1,2'
    assert preview(b'{"a":', whole=True) == '{"a":'
    assert preview("µs\n\tx".encode(), whole=True) == "µs\n\tx"
    assert preview("µs µ".encode()[:-1], whole=False) == "µs "
    assert preview(b"\x00\x01AB", whole=True) == f"00000000  {'00 01 41 42':<48} ··AB"
    assert preview(bytes(range(16)) * 2, whole=False).splitlines()[1].startswith("00000010  00 01")
    assert preview(b"", whole=True) == ""


@pytest.mark.parametrize(
    ("kind", "source", "name"),
    [
        (0x05, "", "block-3-0x05-base-information.json"),
        (0x0B, "", "block-3-0x0B-cache-sets.bin"),
        (0x77, "", "block-3-0x77-unknown.bin"),
        (0x01, "/src/a b.cpp", "block-3-a_b.cpp"),
        (0x01, "C:\\src\\kernel.h", "block-3-kernel.h"),
        (0x01, "../..", "block-3-0x01-source-text.txt"),
        (0x01, "", "block-3-0x01-source-text.txt"),
    ],
)
def test_files_are_named_after_what_they_hold(kind: int, source: str, name: str) -> None:
    assert file_name(kind, 3, source) == name
    assert kind_name(0x77) == "0x77 unknown"
