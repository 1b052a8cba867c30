"""The program's test of itself passes here, and says what is wrong where something is."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QPixmap
from pytestqt.qtbot import QtBot

from app.cli import self_test
from app.cli.self_test import Results
from app.window import self_test as drawing
from app.window.samples import Sample

TIMEOUT = 120


TWO = """
import sys
from app.cli import self_test
from app.cli.words import run
every = self_test.samples
self_test.samples = lambda: [one for one in every() if one.id in ("ascend", "popef")]
sys.exit(self_test.run(run))
"""
"""The check of the packages (``dev.py build --check``) tests with all samples."""


def test_this_source_passes(root: Path) -> None:
    words = [sys.executable, "-c", TWO]
    done = subprocess.run(words, cwd=root, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0].startswith("Tilesight 0.")
    assert lines[-1].startswith("self-test passed")
    told = [line.split()[1] for line in lines[1:-1]]
    assert told == ["worker"] * 2 + ["licences", "icons"] + ["window"] * 2 + ["export"] * 4


@pytest.fixture
def damaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Sample:
    """A sample whose file is no profile."""
    (tmp_path / "samples").mkdir()
    (tmp_path / "samples" / "a.bin").write_text("nothing of the kind")
    monkeypatch.setattr("app.window.samples.resource", lambda *parts: tmp_path.joinpath(*parts))
    return Sample("a", ("a.bin",))


def test_a_damaged_sample_fails_with_its_reason(
    damaged: Sample, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = Results()
    assert self_test._decode(damaged, tmp_path, told) == []
    assert told.failed
    assert "a.bin: not a known profile format" in capsys.readouterr().out


def test_no_samples_is_a_failure(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(self_test, "samples", list)
    monkeypatch.setattr(self_test, "_draw", lambda *_: None)
    assert self_test.run(lambda _: 0) == 1
    assert "no sample profiles are bundled" in capsys.readouterr().out


def test_a_picture_of_one_colour_is_blank(qtbot: QtBot) -> None:
    picture = QPixmap(40, 30)
    picture.fill("#123456")
    assert drawing._blank(picture)
    assert drawing._blank(QPixmap())
    assert drawing.drawings() == []
