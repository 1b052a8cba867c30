"""Copies of a process: what they are told and say, and how they end. In processes of their own, without threads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="copies of a process are made on Linux only")

BEGIN = """
import os, signal, subprocess, sys, threading
from app.store.process import Copy, can_be_copied
assert can_be_copied()
"""
TALKS = """
def talk():
    assert len(os.listdir("/proc/self/fd")) == 4  # with that of the listing
    print(sys.stdin.readline().upper(), end="", flush=True)
    print("unheard", file=sys.stderr, flush=True)
    return 5
file = open(os.devnull)
copy = Copy(talk)
assert copy.poll() is None
copy.stdin.write(b"abc\\n"); copy.stdin.flush()
assert copy.stdout.readline() == b"ABC\\n"
copy.communicate(timeout=20)
assert (copy.wait(), copy.returncode, copy.poll()) == (5, 5, 5)
"""
IS_KILLED = """
copy = Copy(lambda: threading.Event().wait())
try:
    copy.communicate(timeout=0.01)
except subprocess.TimeoutExpired:
    copy.kill()
copy.communicate(timeout=20)
assert copy.wait() == -signal.SIGKILL
copy.kill()  # nobody else
"""
FAILS = """
copy = Copy(lambda: 1 // 0)
assert copy.wait() == 1
copy.communicate()
"""
NOT_WITH_THREADS = """
done = threading.Event()
thread = threading.Thread(target=done.wait)
thread.start()
assert not can_be_copied()
done.set(); thread.join()
sys.modules["PySide6.QtCore"] = sys
assert not can_be_copied()
"""
READS = """
from contextlib import ExitStack
from pathlib import Path
from app.formats.collect import Collector
from app.formats.registry import plan
from app.store import load
from app.store.token import Token
def no(*words):
    raise AssertionError("launched")
load.launch_worker = no
(job,), _ = plan([Path(sys.argv[1])])
collector = Collector(job.format.id)
load.load(job, collector, Token(), apart=True)
assert len(collector.profiles[0].model.tensors) > 5
assert not threading.active_count() > 1
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    sys.exit()
raise AssertionError("a worker is left")
"""


@pytest.mark.parametrize("script", [TALKS, IS_KILLED, FAILS, NOT_WITH_THREADS, READS], ids=lambda text: text[1:9])
def test_copies(root: Path, script: str) -> None:
    sample = root / "resources" / "samples" / "resnet_inference.popef"
    done = subprocess.run([sys.executable, "-c", BEGIN + script, str(sample)], cwd=root, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
