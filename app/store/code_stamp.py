"""Detects changes of the program itself."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from app import __version__, program
from app.build_facts import build_facts

STORE_VERSION: Final = 4
"""Raise it whenever the layout of a column file or of the manifest changes. Changes of readers need no number:
``code_stamp`` follows their code."""

READING: Final = ("profile", "formats", "analysis", "store")
"""The packages whose code determines columns."""


def code_stamp() -> str:
    """A stamp of the readers' code: version, commit of a build, and of a frozen program its executable, else name, size
    and time of each module (a Flatpak's files all have the same time). OSError while it is being replaced."""
    digest = hashlib.blake2b(f"{STORE_VERSION} {__version__} {build_facts()}".encode(), digest_size=16)
    if program.is_frozen():
        status = Path(sys.executable).stat()
        digest.update(f"{status.st_size} {status.st_mtime_ns}".encode())
        return digest.hexdigest()
    modules = sorted(module for package in READING for module in _modules(str(program.FOLDER / package)))
    digest.update(repr(modules).encode())
    return digest.hexdigest()


def _modules(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".py"):
                status = entry.stat()
                yield entry.path, status.st_size, status.st_mtime_ns
            elif "." not in entry.name and entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                yield from _modules(entry.path)
