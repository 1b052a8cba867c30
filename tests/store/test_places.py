"""Where columns lie: as the standard for places says, and nothing is left where they only stood in."""

from __future__ import annotations

import tempfile
from contextlib import ExitStack
from pathlib import Path

import pytest

from app.store import folders
from app.store.cache.limit import CacheLimit, note
from app.store.load import read_all
from generators import ascend_trace


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty temporary folder, and no place for caches (a file stands where the folder should be)."""
    place = tmp_path / "tmp"
    place.mkdir()
    (tmp_path / "no-folder").touch()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "no-folder"))
    return place


def test_a_relative_place_for_caches_is_ignored(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", "beside")
    assert folders.place() == home / ".cache" / "tilesight" / "columns"
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    assert folders.place() == home / ".cache" / "tilesight" / "columns"
    monkeypatch.setenv("XDG_CACHE_HOME", str(home / "other"))
    assert folders.place() == home / "other" / "tilesight" / "columns"


def test_the_place_that_stood_in_goes_with_its_last_folder(temporary: Path) -> None:
    first, second = folders.new(), folders.new()
    assert [first.folder.parent.parent, second.folder.parent.parent] == [temporary] * 2
    first.release()
    assert second.folder.is_dir()
    second.release()
    assert list(temporary.iterdir()) == []


def test_a_heavy_file_leaves_nothing_in_the_temporary_folder(temporary: Path, tmp_path: Path) -> None:
    path = tmp_path / "trace.json"
    ascend_trace.write(path, events=40_000, cores=2)
    note(CacheLimit(10_000_000))
    with ExitStack() as stack:
        opened = read_all([path], stack, choice=CacheLimit())
        assert [len(profile.filled()) > 0 for profile in opened.profiles] == [True]
    assert list(temporary.iterdir()) == []
