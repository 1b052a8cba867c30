"""A machine without a screen is told what to do instead, and Qt is not asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli import window

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)
    return monkeypatch


@pytest.mark.usefixtures("bare")
def test_no_display_names_the_way_to_a_picture() -> None:
    assert "there is no display" in window.missing_display()
    assert "--screenshot OUT.png" in window.missing_display()


def test_a_display_that_does_not_answer_is_none(bare: pytest.MonkeyPatch) -> None:
    bare.setenv("DISPLAY", ":4242")
    assert "the display :4242 does not answer" in window.missing_display()


@pytest.mark.parametrize(("name", "value"), [("WAYLAND_DISPLAY", "wayland-0"), ("QT_QPA_PLATFORM", "offscreen")])
def test_other_ways_to_draw_are_left_to_qt(bare: pytest.MonkeyPatch, name: str, value: str) -> None:
    bare.setenv(name, value)
    assert window.missing_display() == ""


@pytest.mark.usefixtures("bare")
def test_the_program_says_it_in_one_line(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, str(root / "main.py")], capture_output=True, text=True, env=os.environ, timeout=60, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith("no window can be shown: there is no display")
    assert done.stderr.count("\n") == 1
