"""Real starts on a separate display (Xvfb): how long until the window is visible, and what it looks like."""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import dev_system
from dev_shell import SetupError, quietly
from installer import product

SIZE = "1600x1000x24"
PATIENCE = 30.0
END = 10.0
POLL = 0.005
MOST_PICTURES = 20
BETWEEN_PICTURES = 0.7
GRAB = (
    "import sys; from PySide6.QtGui import QGuiApplication; app = QGuiApplication(sys.argv[:1]); "
    "sys.exit(0 if app.primaryScreen().grabWindow(0).save(sys.argv[1]) else 1)"
)


@dataclass(frozen=True, slots=True)
class Screen:
    name: str

    def environment(self) -> dict[str, str]:
        inherited = {
            key: value for key, value in os.environ.items() if key not in ("WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
        }
        return inherited | {"DISPLAY": self.name}

    def seconds_to_window(self, command: Sequence[str]) -> float:
        """Seconds from the start of the process until its window is on the screen; ends the program."""
        with self.started(command) as seconds:
            return seconds

    @contextmanager
    def started(self, command: Sequence[str]) -> Iterator[float]:
        """Runs the program inside the block, once its window exists; yields how long that took."""
        began = time.perf_counter()
        program = subprocess.Popen(
            command,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=self.environment(),
            cwd="/",
            start_new_session=True,
        )
        try:
            while not self._shows_window():
                if program.poll() is not None or time.perf_counter() - began > PATIENCE:
                    raise SetupError(f"no window came up: {_said(program)}")
                time.sleep(POLL)
            yield time.perf_counter() - began
        finally:
            _end(program)
            while self._shows_window():
                time.sleep(POLL)

    def picture(self, python: Path, target: Path) -> None:
        """Saves the whole screen as a PNG, with Qt of the build environment."""
        target.parent.mkdir(parents=True, exist_ok=True)
        done = quietly([str(python), "-c", GRAB, str(target)], self.environment())
        if done.returncode:
            raise SetupError(f"the screen cannot be read: {done.stdout.strip()}")

    def settle(self, python: Path, target: Path) -> None:
        """Takes screenshots until two in a row are equal (everything is loaded and drawn); the last one stays in
        ``target``."""
        before = b""
        for _ in range(MOST_PICTURES):
            self.picture(python, target)
            now = target.read_bytes()
            if now == before:
                return
            before = now
            time.sleep(BETWEEN_PICTURES)

    def _shows_window(self) -> bool:
        search = ["xdotool", "search", "--onlyvisible", "--name", product.TITLE]
        return quietly(search, self.environment()).returncode == 0


@contextmanager
def screen() -> Iterator[Screen]:
    """A display without a monitor."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", SIZE, "-nolisten", "tcp", "-ac", "-noreset"],
        pass_fds=[writing],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    try:
        with os.fdopen(reading) as answer:
            number = answer.readline().strip()
        if not number:
            raise SetupError("Xvfb does not start")
        yield Screen(f":{number}")
    finally:
        server.terminate()
        server.wait(END)


def compare(shown: Screen, first: Sequence[str], second: Sequence[str], times: int) -> tuple[float, float]:
    """Medians of the seconds to the window. The two take turns, so that both run under the same conditions; the first
    start of each warms the disk cache and does not count."""
    runs: tuple[list[float], list[float]] = ([], [])
    for _ in range(times + 1):
        for command, seconds in zip((first, second), runs, strict=True):
            seconds.append(shown.seconds_to_window(command))
    return statistics.median(runs[0][1:]), statistics.median(runs[1][1:])


def _said(program: subprocess.Popen[bytes]) -> str:
    _end(program)
    assert program.stderr is not None
    return program.stderr.read().decode(errors="replace").strip()[-1000:] or f"status {program.returncode}"


def _end(program: subprocess.Popen[bytes]) -> None:
    """Ends the program and its child processes."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            _signal(program.pid, number)
            program.wait(END)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue


def _signal(group: int, number: signal.Signals) -> None:
    try:
        os.killpg(group, number)
    except PermissionError:  # started through sudo
        quietly([*(dev_system.privilege() or []), "kill", "-s", str(int(number)), "--", f"-{group}"])
