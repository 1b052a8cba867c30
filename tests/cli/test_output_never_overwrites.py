"""An output never takes the place of a file that is read, and appears whole or not at all."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from app.cli import main


@pytest.fixture
def operator(root: Path, tmp_path: Path) -> Path:
    copy = tmp_path / "operator.bin"
    shutil.copy(root / "resources" / "samples" / "matmul_leakyrelu.bin", copy)
    return copy


def test_a_picture_never_replaces_a_profile(operator: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    content = operator.read_bytes()
    assert main(["--screenshot", str(operator)]) == 2
    assert ".png" in capsys.readouterr().err
    named_as_picture = tmp_path / "profile.png"
    named_as_picture.write_bytes(content)
    assert main(["--screenshot", str(named_as_picture), str(named_as_picture)]) == 2
    assert "an input file" in capsys.readouterr().err
    assert operator.read_bytes() == named_as_picture.read_bytes() == content


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("operator.bin", ["--block", "1"]),
        ("link.bin", ["--block", "1"]),
        ("link.csv", ["--table", "slices"]),
        ("link.svg", ["--plot", "timeline"]),
    ],
)
def test_an_export_never_replaces_what_is_read(
    name: str, words: list[str], operator: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = operator.read_bytes()
    target = operator.with_name(name)
    if target != operator:
        target.symlink_to(operator)
    assert main(["export", str(operator), *words, "-o", str(target)]) == 2
    assert "an input file" in capsys.readouterr().err
    assert operator.read_bytes() == content


def test_a_file_of_the_profile_beside_the_named_one_is_safe_too(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "report"
    shutil.copytree(root / "resources" / "samples" / "resnet-1472-tiles", folder)
    graph = next(path for path in folder.iterdir() if path.name.startswith("graph"))
    content = graph.read_bytes()
    assert main(["export", str(folder), "--table", "compute-sets", "-o", str(graph)]) == 2
    assert graph.read_bytes() == content


def test_what_cannot_be_written_leaves_what_was_there(
    operator: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tmp_path / "slices.csv"
    before.write_text("older")
    assert main(["export", str(operator), "--table", "slices", "-o", str(tmp_path / "nowhere" / "x.csv")]) == 1
    assert "nowhere" in capsys.readouterr().err
    assert main(["export", str(operator), "--table", "slices", "-o", str(before)]) == 0
    assert before.read_text().startswith("name")
    assert {path.name for path in tmp_path.iterdir()} == {"operator.bin", "slices.csv"}
