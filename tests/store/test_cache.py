"""Columns are kept from one load to the next, and used only for the very same files."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.formats.events import Began, Event
from app.profile.profile import Profile
from app.store import folders, process, stamps
from app.store.cache import cache, sweeping
from app.store.cache.limit import CacheLimit, note, noted
from app.store.load import load
from app.store.stamps import Stamp
from app.store.token import Token
from fakes.columns import Reader, heavy_job
from fakes.same import same
from generators import poplar

SCALE = poplar.Scale(tiles_per_ipu=24, compute_sets=4)
KEEP = CacheLimit(1 << 30)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Reader:
    return Reader(monkeypatch)


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    return poplar.write_pair(tmp_path, SCALE)


def stores() -> list[Path]:
    return sorted(folders.every(folders.place()))


def test_the_second_load_reads_nothing_and_gives_the_same(reader: Reader, pair: tuple[Path, Path]) -> None:
    (first,) = reader.cached(pair)
    (again,) = reader.cached(pair)
    assert reader.count == 1
    assert first.issues == again.issues
    assert first.filled() == again.filled()
    assert same(first, again)
    assert len(stores()) == 1


def test_through_a_real_worker(pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """And then without one."""
    job = heavy_job(*pair)
    loaded = load(job, lambda _: None, Token(), KEEP)
    assert loaded is not None
    assert loaded.cache_columns(KEEP, Token())
    loaded.release()
    monkeypatch.setattr(process, "worker_command", lambda: ["no such program"])
    again = load(job, lambda _: None, Token(), KEEP)
    assert again is not None
    again.release()


def test_without_a_choice_nothing_is_kept_or_found(reader: Reader, pair: tuple[Path, Path]) -> None:
    loaded, _ = reader.load(pair, None)
    assert not loaded.cache_columns(KEEP, Token())
    loaded.release()
    assert stores() == []
    reader.cached(pair)
    loaded, _ = reader.load(pair, None)
    loaded.release()
    assert reader.count == 3
    assert len(stores()) == 1


def test_nothing_is_kept_where_the_person_wants_none(reader: Reader, pair: tuple[Path, Path]) -> None:
    reader.cached(pair, CacheLimit(0))
    assert stores() == []
    reader.cached(pair)
    reader.cached(pair, CacheLimit(0))
    assert reader.count == 3


def test_the_person_can_have_it_read_anew(reader: Reader, pair: tuple[Path, Path]) -> None:
    reader.cached(pair)
    reader.cached(pair, anew=True)
    assert reader.count == 2
    assert len(stores()) == 1


def test_a_change_of_the_same_size_and_time_is_seen(reader: Reader, pair: tuple[Path, Path]) -> None:
    """The times of the old file are put on the new one; the system's own time of change cannot be."""
    reader.cached(pair)
    status = pair[1].stat()
    text = pair[1].read_bytes()
    digit = next(place for place in range(len(text) // 2, len(text)) if text[place : place + 1] == b"7")
    pair[1].write_bytes(text[:digit] + b"8" + text[digit + 1 :])
    os.utime(pair[1], ns=(status.st_atime_ns, status.st_mtime_ns))
    assert pair[1].stat().st_size == status.st_size
    assert pair[1].stat().st_mtime_ns == status.st_mtime_ns
    reader.cached(pair)
    assert reader.count == 2
    assert len(stores()) == 1


def test_the_content_counts_where_the_system_tells_nothing(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_nothing(path: Path) -> Stamp:
        return Stamp(path.absolute(), path.stat().st_size, 1, 1, 1)

    monkeypatch.setattr("app.store.cache.cache.stamp", told_nothing)
    reader.cached(pair)
    reader.cached(pair)
    assert reader.count == 1
    pair[1].write_bytes(pair[1].read_bytes()[:-1] + b" ")
    reader.cached(pair)
    assert reader.count == 2


def test_every_file_of_a_profile_counts(reader: Reader, pair: tuple[Path, Path]) -> None:
    reader.cached(pair)
    reader.cached(pair[:1])
    assert reader.count == 2
    assert len(stores()) == 2
    poplar.write(pair[0], poplar.graph(poplar.Scale(tiles_per_ipu=24, compute_sets=4, seed=2)))
    reader.cached(pair)
    assert reader.count == 3


def test_other_code_makes_other_columns(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.cached(pair)
    monkeypatch.setattr(cache, "code_stamp", lambda: "another version")
    reader.cached(pair)
    assert reader.count == 2
    assert len(stores()) == 1


def test_the_stamp_of_the_code_follows_its_modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert stamps.code_stamp() == stamps.code_stamp()
    before = stamps.code_stamp()
    real = stamps._modules
    monkeypatch.setattr(stamps, "_modules", lambda folder: [*real(folder), ("new.py", 1, 2)])
    assert stamps.code_stamp() != before


def test_files_are_called_as_they_were_named_this_time(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    reader.cached(pair)
    monkeypatch.chdir(pair[0].parent)
    (again,) = reader.cached((Path("graph.json"), Path("execution.json")))
    assert reader.count == 1
    assert again.origin.paths == (Path("graph.json"), Path("execution.json"))


def test_what_changed_while_it_was_read_is_not_kept(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, _ = reader.load(pair, KEEP)
    pair[0].write_bytes(pair[0].read_bytes())
    assert not loaded.cache_columns(KEEP, Token())
    loaded.release()
    assert stores() == []


def test_a_full_disk_loses_nothing_but_the_next_time(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    loaded, (profile,) = reader.load(pair, KEEP)
    with monkeypatch.context() as patch:
        patch.setattr("app.store.cache.cache.write_manifest", full)
        assert not loaded.cache_columns(KEEP, Token())
    assert profile.programs is not None
    loaded.release()
    assert stores() == []


def test_what_stops_before_it_is_named_is_not_found(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(*_: object) -> None:
        raise KeyboardInterrupt

    loaded, _ = reader.load(pair, KEEP)
    with monkeypatch.context() as patch:
        patch.setattr(cache, "_name", die)
        with pytest.raises(KeyboardInterrupt):
            loaded.cache_columns(KEEP, Token())
    assert loaded.stored.hold is not None
    loaded.stored.hold.release()  # as the system does for a process that ends
    reader.cached(pair)
    assert reader.count == 2
    assert loaded.stored.folder not in stores()


def test_the_folder_is_for_its_owner_alone(reader: Reader, pair: tuple[Path, Path]) -> None:
    folders.place().mkdir(parents=True)
    folders.place().chmod(0o777)
    reader.cached(pair)
    assert folders.place().stat().st_mode & 0o777 == 0o700
    assert all(path.stat().st_mode & 0o277 == 0 for store in stores() for path in store.glob("*.columns"))


def test_a_folder_that_is_a_link_is_not_used(tmp_path: Path, reader: Reader, pair: tuple[Path, Path]) -> None:
    folders.place().parent.mkdir(parents=True)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    folders.place().symlink_to(elsewhere)
    reader.cached(pair)
    reader.cached(pair)
    assert reader.count == 2
    assert list(elsewhere.iterdir()) == []


def test_loads_that_are_not_kept_still_work_without_locks(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def flock(_fd: int, _how: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    reader.cached(pair)
    assert reader.count == 1
    assert stores() == []


@pytest.mark.parametrize("limit", [None, 0, 5 << 30])
def test_the_command_line_hears_of_the_choice(limit: int | None) -> None:
    note(CacheLimit(limit))
    assert noted() == CacheLimit(limit)


@pytest.mark.parametrize("text", ["", "-1", "much", "9" * 40, "\xff"])
def test_a_choice_that_makes_no_sense_is_none(text: str) -> None:
    (folders.root() / "limit").write_bytes(text.encode("latin-1"))
    assert noted().limit in (None, 1 << 50)


def test_how_much_is_kept_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def disk(free: int) -> Callable[[object], object]:
        return lambda _: type("Usage", (), {"free": free})

    monkeypatch.setattr("shutil.disk_usage", disk(10 << 30))
    assert CacheLimit().bytes() == 1 << 30
    monkeypatch.setattr("shutil.disk_usage", disk(1 << 50))
    assert CacheLimit().bytes() == 4 << 30


def test_nothing_is_kept_where_the_place_cannot_be_looked_at(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded, _ = reader.load(pair, CacheLimit())

    def closed(path: Path) -> bool:
        raise PermissionError(path)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "is_dir", closed)
        assert CacheLimit().bytes() == 0
        assert not loaded.cache_columns(CacheLimit(), Token())
    loaded.release()
    assert stores() == []


def test_columns_stay_kept_when_nothing_can_be_swept(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_limit: int) -> None:
        raise OSError("the disk went away")

    loaded, _ = reader.load(pair, KEEP)
    monkeypatch.setattr(sweeping, "sweep", fails)
    assert loaded.cache_columns(KEEP, Token())
    loaded.release()
    assert len(stores()) == 1


def test_a_program_that_is_just_being_replaced_keeps_nothing(
    reader: Reader, pair: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> str:
        raise FileNotFoundError("the executable")

    monkeypatch.setattr(cache, "code_stamp", gone)
    reader.cached(pair)
    assert reader.count == 1
    assert stores() == []


def test_profiles_stay_whole_when_their_columns_are_given_back(reader: Reader, pair: tuple[Path, Path]) -> None:
    """A deleted file stays mapped; it is only ever deleted, never written to."""
    loaded, (profile,) = reader.load(pair, KEEP)
    before = total(profile)
    loaded.cache_columns(KEEP, Token())
    loaded.release()
    sweeping.clear()
    assert stores() == []
    assert total(profile) == before


def total(profile: Profile) -> int:
    assert profile.compute_sets is not None
    assert profile.compute_sets.cycles is not None
    return int(profile.compute_sets.cycles.sum())


@pytest.mark.skipif(sys.platform != "linux", reason="other systems know no such names")
def test_a_file_whose_name_is_no_text(tmp_path: Path) -> None:
    """Through a real worker, and again from what was kept."""
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff\xfe.json"))
    poplar.write(path, poplar.graph(SCALE))
    for _ in range(2):
        seen: list[Event] = []
        loaded = load(heavy_job(path), seen.append, Token(), KEEP)
        assert loaded is not None
        loaded.cache_columns(KEEP, Token())
        loaded.release()
        assert next(event for event in seen if isinstance(event, Began)).paths == (path,)
    assert len(stores()) == 1
