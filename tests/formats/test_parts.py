"""Parts of files that are opened as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.formats.errors import FormatError
from app.formats.parts import folder_of, holder, inside, stretch_of
from app.formats.source import Excerpt, Source
from generators.memory_source import MemorySource


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log"
    path.write_bytes(b"0123456789")
    return path


def test_a_part_is_read_like_a_file_of_its_own(log: Path) -> None:
    path = inside(log, 3, 4, "m.json")
    assert path.name == "m.json"
    assert holder(path) == folder_of(path) == log
    assert stretch_of(path) == (3, 4)
    with Source(path) as source:
        assert (source.size, source.head(), source.read(1, 2)) == (4, b"3456", b"45")
        assert list(source.chunks(3)) == [(0, b"345"), (3, b"6")]
        with pytest.raises(FormatError, match="the file ends at 4"):
            source.read(2, 3)


def test_a_part_stays_the_same_while_its_file_grows_and_is_refused_when_that_shrinks(log: Path) -> None:
    path = inside(log, 3, 4, "m.json")
    log.write_bytes(b"0123456789 and more")
    with Source(path) as source:
        assert source.head() == b"3456"
    log.write_bytes(b"012345")
    with pytest.raises(FormatError, match="has become shorter"):
        Source(path)
    log.unlink()
    with pytest.raises(FormatError, match="no such file"):
        Source(path)


@pytest.mark.parametrize("name", ["", "..", "a/b\\c:d", "x" * 500, "line\nbreak", " . "])
def test_any_name_becomes_one_that_a_file_can_have(log: Path, name: str) -> None:
    path = inside(log, 0, 1, name)
    assert holder(path) == log
    assert 0 < len(path.name) <= 120
    assert "\n" not in path.name
    with Source(path) as source:
        assert source.head() == b"0"


def test_other_paths_are_what_they_are(tmp_path: Path, log: Path) -> None:
    folder = tmp_path / "3+4"
    folder.mkdir()
    (folder / "m.json").write_bytes(b"own content")
    assert holder(folder / "m.json") is None
    assert folder_of(folder / "m.json") == folder
    with Source(folder / "m.json") as source:
        assert source.size == 11
    for path in (log / "3+", log / "m.json", log / "-1+4" / "m", tmp_path / "none" / "3+4" / "m"):
        assert holder(path) is None
        with pytest.raises(FormatError):
            Source(path)


def test_an_excerpt_counts_from_its_own_beginning() -> None:
    excerpt = Excerpt(MemorySource(b"0123456789"), 3, 4)
    assert excerpt.head() == b"3456"
    assert excerpt.read(1, 3) == b"456"
    for offset, length in ((0, 5), (-1, 1), (4, 1)):
        with pytest.raises(FormatError) as caught:
            excerpt.read(offset, length)
        assert caught.value.offset == offset
