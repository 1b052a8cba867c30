"""What is looked at of a folder, and that the rest is told of."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.formats import registry
from app.formats.registry import look_inside, plan
from generators import ascend_trace


def said(named: Path) -> str:
    (refusal,) = plan([named])[1]
    assert refusal.path == named
    return str(refusal.error)


def test_a_small_folder_is_looked_at_whole(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    for name in ("z.json", "b/y.json", "a.json"):
        (tmp_path / name).write_text("{}")
    inside = look_inside(tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in inside.files] == ["a.json", "z.json", "b/y.json"]
    assert inside.missed == ()
    assert said(tmp_path).startswith("this folder contains no profiles; Tilesight opens ")


def test_a_link_to_itself_does_not_hide_the_other_files(tmp_path: Path) -> None:
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "nowhere").symlink_to("absent")
    (tmp_path / "trace.json").write_text("{}")
    (tmp_path / "link.json").symlink_to("trace.json")
    inside = look_inside(tmp_path)
    assert ([path.name for path in inside.files], inside.missed) == (["link.json", "trace.json"], ())


def test_a_folder_that_is_cut_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FILES", 3)
    for number in range(3):
        (tmp_path / f"note{number}.txt").write_text("hello")
    assert look_inside(tmp_path).missed == ()
    ascend_trace.write(tmp_path / "trace.json", 20, cores=1)
    text = said(tmp_path)
    assert "only its first 3 files were searched" in text
    assert "this folder contains no profiles" not in text  # the fourth is one
    (tmp_path / "note0.txt").unlink()
    (tmp_path / "below").mkdir()
    ascend_trace.write(tmp_path / "below" / "trace.json", 20, cores=1)
    jobs, _ = plan([tmp_path])
    assert [job.paths[0].relative_to(tmp_path).as_posix() for job in jobs] == ["trace.json"]
    assert said(tmp_path).startswith("this folder was opened only in part: only its first 3 files")


def test_what_lies_deeper_is_told_of(tmp_path: Path) -> None:
    deep = tmp_path / "1" / "2" / "3" / "4" / "5" / "6"
    deep.mkdir(parents=True)
    ascend_trace.write(deep / "trace.json", 20, cores=1)
    text = said(tmp_path)
    assert "folders more than 6 levels below it were not searched" in text
    assert "this folder contains no profiles" not in text
    assert plan([tmp_path / "1"])[1] == []


def test_many_folders_are_cut_and_it_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FOLDERS", 3)
    for name in ("a", "b", "c"):
        (tmp_path / name).mkdir()
        ascend_trace.write(tmp_path / name / "trace.json", 20, cores=1)
    assert "only its first 3 folders were searched" in said(tmp_path)
    assert len(plan([tmp_path])[0]) == 2


@pytest.mark.parametrize("itself", [True, False], ids=["the folder", "one inside"])
def test_a_folder_that_cannot_be_listed_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, itself: bool) -> None:
    closed = tmp_path if itself else tmp_path / "closed"
    closed.mkdir(exist_ok=True)
    scandir = os.scandir

    def refuse(path: Path) -> object:
        if Path(path) == closed:
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert f"{'the folder' if itself else closed} cannot be listed" in said(tmp_path)
