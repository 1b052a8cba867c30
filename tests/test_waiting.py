"""Journeys wait for what a program does, however little of the machine it gets."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

import desktop.waiting
from desktop.waiting import LEAST_SHARE, at_work, share, until

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="journeys need an X server")


def test_a_wait_is_longer_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.monotonic()
    monkeypatch.setattr(desktop.waiting, "share", lambda: LEAST_SHARE)
    assert until(lambda: time.monotonic() - began > 0.2, "", seconds=0.05)
    monkeypatch.setattr(desktop.waiting, "share", lambda: 1.0)
    with pytest.raises(AssertionError, match="in vain: the moon"):
        until(lambda: time.monotonic() - began > 60, "the moon", seconds=0.05)


def test_the_share_of_a_machine() -> None:
    assert LEAST_SHARE <= share() <= 1


def test_a_program_that_wants_the_processor_is_at_work() -> None:
    program = [sys.executable, "-c", "input()\nwhile True: pass"]
    with subprocess.Popen(program, stdin=subprocess.PIPE) as process:
        until(lambda: not at_work(), "it waits for its input")
        assert process.stdin is not None
        process.stdin.write(b"\n")
        process.stdin.flush()
        until(at_work, "it has something to do")
        process.kill()
