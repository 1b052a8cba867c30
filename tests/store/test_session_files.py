"""Sessions of other processes are offered only when these are gone; what is no session is swept."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from app.store.locks import LOCK
from app.store.session_files import (
    DOCUMENT,
    KEPT_SECONDS,
    PREFIX,
    OwnSession,
    Session,
    forget,
    left_sessions,
)

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="an open lock file cannot be renamed there")
TWO = Session(("tilesight:///a/x.bin?v=1", "tilesight:///a/y.bin?v=1"), 1)
OTHER_PROCESS = """
import sys
from pathlib import Path
from app.store.session_files import OwnSession, Session
own = OwnSession(Path(sys.argv[1]))
own.write(Session(("tilesight:///a/x.bin?v=1", "tilesight:///a/y.bin?v=1"), 1))
print("written", flush=True)
sys.stdin.read()
"""


def left(home: Path, content: bytes, name: str = "1") -> Path:
    """A folder as a process leaves it that was killed."""
    folder = home / f"{PREFIX}{name}"
    folder.mkdir(parents=True, mode=0o700)
    (folder / LOCK).touch()
    (folder / DOCUMENT).write_bytes(content)
    return folder


def test_a_session_is_left_when_its_process_is_killed(tmp_path: Path, root: Path) -> None:
    process = subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, str(tmp_path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=root
    )
    assert process.stdout is not None
    assert process.stdin is not None
    with process.stdout, process.stdin:
        assert process.stdout.readline() == b"written\n"
        assert not left_sessions(tmp_path)  # it runs
        process.kill()
        process.wait()
    (session,) = left_sessions(tmp_path)
    assert [link.profile.paths for link in session.links] == [(Path("/a/x.bin"),), (Path("/a/y.bin"),)]
    assert session.shown == 1
    forget(session)
    assert not left_sessions(tmp_path)


def test_an_orderly_end_leaves_nothing(tmp_path: Path) -> None:
    own = OwnSession(tmp_path)
    own.write(TWO)
    own.write(Session(TWO.links[:1]))
    assert len(list(tmp_path.iterdir())) == 1
    own.end()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"links": 3}', b'{"links": ["file:///etc/passwd"]}', b'{"links": []}', b"\xff" * 40],
)
def test_what_is_no_session_is_swept(tmp_path: Path, content: bytes) -> None:
    folder = left(tmp_path, content)
    assert not left_sessions(tmp_path)
    assert not folder.exists()


def test_texts_that_are_no_links_do_not_hide_the_others(tmp_path: Path) -> None:
    left(tmp_path, msgspec.json.encode(Session(("nonsense", *TWO.links), 2)))
    (session,) = left_sessions(tmp_path)
    assert [link.profile.paths[0].name for link in session.links] == ["x.bin", "y.bin"]
    assert session.shown == 1


def test_the_newest_comes_first_and_old_ones_are_swept(tmp_path: Path) -> None:
    for age, name in ((3600, "older"), (60, "newer"), (KEPT_SECONDS + 60, "old")):
        folder = left(tmp_path, msgspec.json.encode(TWO), name)
        now = folder.stat().st_mtime
        os.utime(folder, (now - age, now - age))
    assert [session.folder.name for session in left_sessions(tmp_path)] == [f"{PREFIX}newer", f"{PREFIX}older"]
    assert not (tmp_path / f"{PREFIX}old").exists()
