"""Where source files lie that profiles name."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.document.document import Document
from app.document.user_choices import MOST_FOLDERS, OpenedSource, moved_folder, place_of
from app.formats.errors import FormatError
from app.profile.profile import Origin, Profile
from app.store.stored_part import LARGEST, read_source_text


@pytest.mark.parametrize(
    ("named", "here", "moved"),
    [
        ("/src/op/kernel/a.cpp", "/disk/me/work/kernel/a.cpp", ("/src/op", "/disk/me/work")),
        ("/src/a.cpp", "/disk/me/a.cpp", ("/src", "/disk/me")),
        ("/src/a.cpp", "/src/a.cpp", ("", "")),
        ("/src/a.cpp", "/disk/me/b.cpp", ("", "")),
        ("kernel/a.cpp", "/disk/me/kernel/a.cpp", ("kernel", "/disk/me/kernel")),
        ("C:\\src\\k\\a.cpp", "/disk/me/k/a.cpp", ("C:\\src", "/disk/me")),
    ],
)
def test_the_folder_that_was_moved(named: str, here: str, moved: tuple[str, str]) -> None:
    assert moved_folder(named, Path(here)) == moved
    if moved[0]:
        assert place_of(named, {moved[0]: moved[1]}) == Path(here)


def test_the_longest_folder_that_is_known_decides() -> None:
    folders = {"/src": "/disk/me/old", "/src/op": "/disk/me/new"}
    assert place_of("/src/op/k/a.cpp", folders) == Path("/disk/me/new/k/a.cpp")
    assert place_of("/src/other/a.cpp", folders) == Path("/disk/me/old/other/a.cpp")
    assert place_of("/elsewhere/a.cpp", folders) == Path("/elsewhere/a.cpp")
    assert place_of("a.cpp", folders) is None


def test_texts_go_with_their_profile_and_folders_stay() -> None:
    document = Document()
    entry = document.add(Profile(name="a", origin=Origin("ascend-report", ())), 1)
    files = document.source_files
    changes: list[None] = []
    files.folders_changed.connect(lambda: changes.append(None))
    for number in range(MOST_FOLDERS + 1):
        files.add(entry, f"/{number}/a.cpp", OpenedSource(Path(f"/disk/{number}/x/a.cpp"), "text"))
    files.add(entry, "/7/a.cpp", OpenedSource(Path("/disk/7/x/a.cpp"), "text"))
    assert len(changes) == MOST_FOLDERS + 1
    assert len(files.folders) == MOST_FOLDERS
    assert "/0" not in files.folders
    assert files.opened(entry, "/0/a.cpp") is not None
    document.close(entry)
    assert files.opened(entry, "/0/a.cpp") is None
    assert len(files.folders) == MOST_FOLDERS


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"a\nb", "a\nb"),
        (b"\xef\xbb\xbfa", "a"),
        ("ä\n".encode("utf-16"), "ä\n"),
        (b"\xff\xe9", "\ufffd\ufffd"),
        (b"", ""),
    ],
)
def test_texts_are_decoded(tmp_path: Path, content: bytes, text: str) -> None:
    path = tmp_path / "a.cpp"
    path.write_bytes(content)
    assert read_source_text(path) == text


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    binary, large = tmp_path / "a.o", tmp_path / "b.cpp"
    binary.write_bytes(b"\x7fELF\0\0")
    with large.open("wb") as file:
        file.truncate(LARGEST + 1)
    for path, why in (
        (binary, "not a text"),
        (large, "larger than"),
        (tmp_path, "folder"),
        (tmp_path / "c", "no such"),
    ):
        with pytest.raises(FormatError, match=why):
            read_source_text(path)
