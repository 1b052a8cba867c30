"""Single blocks of an operator file, read and saved as they lie in it."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from app.formats.ascend_bin import FORMAT
from app.formats.collect import read
from app.formats.errors import Cancelled, FormatError
from app.store import stored_part as store
from app.store.stored_part import RawBlock, raw_block, read_bytes, save
from app.store.token import Token
from generators.ascend_bin import HEADER, block

UNKNOWN = bytes(range(256)) * 5
TEXT = b"int main() {}\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "visualize_data.bin"
    known = block(0x05, b'{"name":"x"}')
    path.write_bytes(known + block(0x77, UNKNOWN[:-1]) + block(0x01, TEXT, path="/src/a b.cpp"))
    return path


def blocks(path: Path) -> list[RawBlock]:
    (profile,) = read(FORMAT, [path])
    found = (raw_block(profile, row) for row in range(3))
    return [one for one in found if one is not None]


def test_content_is_what_lies_between_header_and_padding(file: Path, tmp_path: Path) -> None:
    found = blocks(file)
    assert [(one.kind, one.size, one.padding) for one in found] == [(0x05, 12, 0), (0x77, 1279, 1), (0x01, 14, 2)]
    assert read_bytes(found[1], 250, 10) == UNKNOWN[250:260]
    assert read_bytes(found[1], 5000, 10) == b""
    target = tmp_path / "unknown.bin"
    told: list[tuple[int, int]] = []
    save(found[1], target, Token(), lambda done, of: told.append((done, of)))
    assert target.read_bytes() == UNKNOWN[:-1]
    assert told == [(1279, 1279)]
    save(found[2], tmp_path / "a.cpp")
    assert (tmp_path / "a.cpp").read_bytes() == TEXT
    assert found[2].source == "/src/a b.cpp"


def test_it_is_copied_in_pieces_and_can_be_stopped(file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "PIECE", 100)
    found, target, token = blocks(file)[1], tmp_path / "unknown.bin", Token()
    told: list[int] = []

    def tell(done: int, _: int) -> None:
        told.append(done)
        if done >= 300:
            token.cancel()

    with pytest.raises(Cancelled):
        save(found, target, token, tell)
    assert told == [100, 200, 300]
    save(found, target)
    assert target.read_bytes() == UNKNOWN[:-1]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["unknown.bin", "visualize_data.bin"]


@pytest.mark.parametrize("damage", ["type", "size", "shorter", "gone"])
def test_a_file_that_changed_is_noticed(file: Path, tmp_path: Path, damage: str) -> None:
    found = blocks(file)[1]
    raw = bytearray(file.read_bytes())
    if damage == "type":
        raw[found.offset + 8] = 0x78
    elif damage == "size":
        struct.pack_into("<Q", raw, found.offset, 4)
    elif damage == "shorter":
        del raw[found.payload + 3 :]
    file.write_bytes(raw)
    if damage == "gone":
        file.unlink()
    with pytest.raises(FormatError):
        read_bytes(found, 0, 4)
    with pytest.raises(FormatError):
        save(found, tmp_path / "out.bin")
    assert not (tmp_path / "out.bin").exists()


def test_what_there_is_of_a_block_that_the_file_cuts_off(tmp_path: Path) -> None:
    path = tmp_path / "cut.bin"
    whole = block(0x05, b'{"name":"x"}') + HEADER.pack(1000, 0x02, 0, 0x5A, 0x5A) + b'{"traceEvents":['
    path.write_bytes(whole)
    (profile,) = read(FORMAT, [path])
    found = raw_block(profile, 1)
    assert found is not None
    assert read_bytes(found, 0, 100) == b'{"traceEvents":['
    assert raw_block(profile, 2) is None
    assert raw_block(profile, -1) is None


def test_a_place_that_cannot_be_written_leaves_nothing(file: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match="No such file"):
        save(blocks(file)[0], tmp_path / "missing" / "out.bin")
    with pytest.raises(OSError, match="directory"):
        save(blocks(file)[0], tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["visualize_data.bin"]
