"""A worker that dies, lies or hangs costs one clear line."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from app.formats.errors import Cancelled, FormatError
from app.formats.format import Format
from app.formats.registry import Job
from app.store import load, process
from app.store.token import Token


def job() -> Job:
    toy = Format("toy", "toy", ("*.toy",), lambda head, path: 0, lambda sources, sink: None)
    return Job(toy, (Path("a.toy"),))


def play(monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    monkeypatch.setattr(process, "worker_command", lambda: [sys.executable, "-c", script])


def test_one_that_cannot_be_started_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(process, "worker_command", lambda: [str(tmp_path / "missing")])
    with pytest.raises(FormatError, match="the decoder cannot be started: No such file"):
        load.run_worker(job(), tmp_path, lambda event: None, Token())


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed .SIGKILL.; possibly it ran out of memory"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed .SIGSEGV."),
        ("import sys; sys.exit(7)", "exited with status 7"),
        ("import sys; sys.stdout.buffer.write(b'half a mess'); sys.stdout.flush()", "exited with status 0"),
        ("import sys; sys.stdout.buffer.write(b'\\xff\\xff\\xff\\xff' * 8)", "exited with status 0"),
    ],
)
def test_death_is_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, reason: str) -> None:
    play(monkeypatch, script)
    with pytest.raises(FormatError, match=f"decoder stopped before it finished: it (was )?{reason}"):
        load.run_worker(job(), tmp_path, lambda event: None, Token())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="states of processes are read on Linux only")
def test_a_worker_that_somebody_stops_goes_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    play(monkeypatch, "import os, signal, sys; os.kill(os.getpid(), signal.SIGSTOP); sys.exit(7)")
    with pytest.raises(FormatError, match="it exited with status 7"):
        load.run_worker(job(), tmp_path, lambda event: None, Token())


def test_garbage_from_a_worker_is_no_message(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    play(monkeypatch, "import sys; sys.stdout.buffer.write(b'\\x03\\x00\\x00\\x00abc')")
    with pytest.raises(FormatError, match="decoder"):
        load.run_worker(job(), tmp_path, lambda event: None, Token())


def test_cancel_ends_a_worker_that_hangs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    play(monkeypatch, "import threading; threading.Event().wait()")
    token = Token()
    timer = threading.Timer(0.05, token.cancel)
    timer.start()
    with pytest.raises(Cancelled):
        load.run_worker(job(), tmp_path, lambda event: None, token)
    timer.join()


def test_cancelled_before_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    play(monkeypatch, "import threading; threading.Event().wait()")
    token = Token()
    token.cancel()
    with pytest.raises(Cancelled):
        load.run_worker(job(), tmp_path, lambda event: None, token)


def test_a_frozen_program_starts_itself_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert process.worker_command()[0] == sys.executable
    assert process.worker_command()[-1] == "--worker"
    window = tmp_path / "tilesightw.exe"
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(window))
    assert process.worker_command() == [str(window), "--worker"]
    (tmp_path / "tilesight.exe").touch()
    assert process.worker_command() == [str(tmp_path / "tilesight.exe"), "--worker"]
