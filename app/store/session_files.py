"""What each running window has open, so that it can be opened again after a crash: a folder for each process, with one
small document, locked while the process lives. An orderly end deletes it."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from app.analysis.view_links.text import LONGEST, BadLink, parse
from app.analysis.view_links.view_link import ViewLink
from app.atomic import FOR_OWNER
from app.places import private_folder
from app.store.locks import LOCK, Hold, claimed, held
from app.store.outputs import write_output

PREFIX: Final = "window-"
DOCUMENT: Final = "session.json"
VERSION: Final = 1
MOST: Final = 500
"""Profiles of a session that are remembered."""
LARGEST: Final = MOST * (LONGEST + 4)
KEPT_SECONDS: Final = 14 * 24 * 3600
"""A session that nobody restores or dismisses is offered for so long."""
NEW_SECONDS: Final = 60
"""A folder without a lock is just being created or, if older than this, was left by a crash at that moment."""


class Session(Struct, frozen=True):
    """``links``: the open profiles as texts of view links, in the order of their tabs; ``shown``: index of the one in
    front."""

    links: tuple[str, ...] = ()
    shown: int = 0
    version: int = VERSION


class LeftSession(Struct, frozen=True):
    """The session of a process that no longer runs. ``links``: those of its texts that are links; ``shown``: index in
    them."""

    folder: Path
    links: tuple[ViewLink, ...]
    shown: int


class OwnSession:
    """The session of this process. Nothing is written on a file system without locks, where nobody could tell whether
    the process still runs."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._folder: Path | None = None
        self._hold: Hold | None = None
        self._lock = threading.Lock()

    def write(self, session: Session) -> None:
        """Replaces the document. OSError if it cannot be written."""
        with self._lock:
            if self._folder is None:
                self._folder = self._begin()
            if self._folder is not None:
                write_output(self._folder / DOCUMENT, msgspec.json.encode(session), mode=FOR_OWNER)

    def end(self) -> None:
        """Deletes the session: everything ended in order."""
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        if self._hold is not None:
            self._hold.release()
        self._folder = self._hold = None

    def _begin(self) -> Path | None:
        """The folder of this process, locked; None if there can be none."""
        if not private_folder(self._home):
            return None
        folder = Path(tempfile.mkdtemp(prefix=PREFIX, dir=self._home))
        (folder / LOCK).touch(mode=0o600)
        self._hold = held(folder)
        if self._hold is None:
            shutil.rmtree(folder, ignore_errors=True)
            return None
        return folder


def left_sessions(home: Path) -> list[LeftSession]:
    """The sessions of processes that ended without deleting theirs, the newest first. Those without a profile, and old
    ones, are deleted."""
    sessions = []
    for folder in _folders(home):
        age = _age(folder)
        if not (folder / LOCK).exists():
            if age > NEW_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)
            continue
        with claimed(folder) as mine:
            session = _read(folder) if mine and age < KEPT_SECONDS else None
            if session is not None:
                sessions.append((age, session))
            elif mine:
                shutil.rmtree(folder, ignore_errors=True)
    return [session for _, session in sorted(sessions, key=lambda pair: pair[0])]


def forget(session: LeftSession) -> None:
    """Deletes a session that was restored or dismissed."""
    shutil.rmtree(session.folder, ignore_errors=True)


def _read(folder: Path) -> LeftSession | None:
    """The session in ``folder``; None if there is nothing to restore."""
    try:
        with (folder / DOCUMENT).open("rb") as file:
            session = msgspec.json.decode(file.read(LARGEST), type=Session)
    except (OSError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    links, shown = [], 0
    for index, text in enumerate(session.links[:MOST]):
        with contextlib.suppress(BadLink):
            links.append(parse(text))
            shown = len(links) - 1 if index == session.shown else shown
    return LeftSession(folder, tuple(links), shown) if links else None


def _folders(home: Path) -> Iterator[Path]:
    with contextlib.suppress(OSError), os.scandir(home) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.is_dir(follow_symlinks=False):
                yield home / entry.name


def _age(folder: Path) -> float:
    """Seconds since the session changed."""
    try:
        return time.time() - folder.stat().st_mtime
    except OSError:
        return 0.0
