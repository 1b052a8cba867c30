"""Checksums of the packages, for ``sha256sum --check SHA256SUMS``."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

FILE = "SHA256SUMS"


def write(folder: Path, packages: Iterable[Path]) -> Path:
    """Writes the checksums of ``packages``, which are in ``folder``; returns the file."""
    lines = (f"{digest(path)}  {path.name}\n" for path in packages)
    (folder / FILE).write_text("".join(lines), "utf-8")
    return folder / FILE


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def of_version(folder: Path, version: str) -> list[Path]:
    """The packages of one version in ``folder``: those of a release, and those of builds."""
    name = re.compile(rf".*[-_]{re.escape(version)}[-_.].*")
    return [path for path in sorted(folder.iterdir()) if path.is_file() and name.fullmatch(path.name)]
