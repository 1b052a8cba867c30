"""A write is whole or does not happen, and never takes the place of what was read."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from app.atomic import FOR_OWNER, atomic_file
from app.formats.parts import inside
from app.store.outputs import OutputIsInputError, output_file, refuse_input, write_output


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_the_old_file_stands_until_the_new_one_is_whole(tmp_path: Path) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")
    with output_file(target) as part:
        part.write_text("half")
        assert target.read_text() == "old"
        assert part.parent == tmp_path
    assert target.read_text() == "half"
    assert names(tmp_path) == ["a.csv"]


@pytest.mark.parametrize("problem", [KeyboardInterrupt(), OSError(28, "No space left on device"), ValueError("x")])
def test_what_fails_halfway_leaves_the_old_file_and_nothing_else(tmp_path: Path, problem: BaseException) -> None:
    target = tmp_path / "a.csv"
    target.write_text("old")

    def write() -> None:
        with output_file(target) as part:
            part.write_text("half")
            raise problem

    with pytest.raises(type(problem)):
        write()
    assert target.read_text() == "old"
    assert names(tmp_path) == ["a.csv"]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    target, link = tmp_path / "a.csv", tmp_path / "link.csv"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_output(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    write_output(tmp_path / "mine", b"", mode=FOR_OWNER)
    assert stat.S_IMODE((tmp_path / "mine").stat().st_mode) == FOR_OWNER


def test_errors_name_the_file_that_the_person_chose(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as missing:
        write_output(tmp_path / "none" / "a.csv", b"")
    assert missing.value.filename == str(tmp_path / "none" / "a.csv")
    with pytest.raises(IsADirectoryError) as folder:
        write_output(tmp_path, b"")
    assert folder.value.filename == str(tmp_path)
    with pytest.raises(OSError, match="too long") as long:
        write_output(tmp_path / ("x" * 300), b"")
    assert long.value.filename == str(tmp_path / ("x" * 300))
    assert names(tmp_path) == []


def test_the_longest_name_that_a_folder_takes(tmp_path: Path) -> None:
    write_output(tmp_path / ("x" * 255), b"1")
    assert names(tmp_path) == ["x" * 255]


def test_a_pipe_is_written_directly(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_output(pipe, b"text")
    reader.join(5)
    assert read == [b"text"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_an_input_is_never_overwritten(tmp_path: Path) -> None:
    read = tmp_path / "profile.json"
    read.write_text("{}")
    (tmp_path / "link.json").symlink_to(read)
    os.link(read, tmp_path / "hard.json")
    for name in ("profile.json", "link.json", "hard.json", "../" + tmp_path.name + "/profile.json"):
        with pytest.raises(OutputIsInputError, match="choose another name"):
            write_output(tmp_path / name, b"", [tmp_path / "other", read])
    with pytest.raises(OutputIsInputError):
        write_output(read, b"", [inside(read, 1, 1, "report.json")])
    refuse_input(tmp_path / "profile.csv", [read])
    assert read.read_text() == "{}"
    assert len(names(tmp_path)) == 3


def test_a_link_is_replaced_and_what_fails_leaves_nothing(tmp_path: Path) -> None:
    """Unlike ``output_file``: what the program caches never follows a link."""
    elsewhere, link = tmp_path / "elsewhere", tmp_path / "link"
    elsewhere.write_text("not ours")
    link.symlink_to(elsewhere)

    def fail() -> None:
        with atomic_file(link, lasting=True) as scratch:
            scratch.write_text("half")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert link.is_symlink()
    with atomic_file(link, lasting=True) as scratch:
        scratch.write_text("ours")
    assert elsewhere.read_text() == "not ours"
    assert not link.is_symlink()
    assert link.read_text() == "ours"
    assert stat.S_IMODE(link.stat().st_mode) == FOR_OWNER
    assert names(tmp_path) == ["elsewhere", "link"]


def test_files_are_replaced_in_one_place_only(root: Path) -> None:
    """Writing beside a file and renaming is easy to get wrong: see ``app.atomic``."""
    by_hand = ("uuid4", "os.replace(", "os.rename(", "O_EXCL", "mkstemp")
    modules = {path for path in (root / "app").rglob("*.py") if any(word in path.read_text() for word in by_hand)}
    assert modules == {root / "app" / "atomic.py"}
