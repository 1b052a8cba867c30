"""Detects changes of files."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.registry import Job
from app.store.fingerprint import content_fingerprint
from app.store.stamps import Stamp, stamp

TICK_NS: Final = 20_000_000
"""File systems stamp changes with the time of the last tick, at most 10 ms ago (coarser ones: see ``settled``)."""
SECOND_NS: Final = 1_000_000_000


class Identity(Struct, frozen=True):
    """The state of all files of a job, in its order."""

    stamps: tuple[Stamp, ...]
    fingerprint: str


def identity(paths: Sequence[Path]) -> Identity | None:
    """The identity of the files; None if one is inaccessible, or if a change right now could go unnoticed."""
    try:
        stamps = tuple(stamp(path) for path in paths)
        if not all(settled(one) for one in stamps):
            return None
        return Identity(stamps, content_fingerprint(paths))
    except (OSError, FormatError):
        return None


def settled(state: Stamp) -> bool:
    """Whether a later change would show in the stamp. Waits (up to 20 ms) for a file that was just written. Times in
    whole seconds may come from a file system without finer ones, so these count as settled after two seconds."""
    coarse = state.latest_ns % SECOND_NS == 0
    age = time.time_ns() - state.latest_ns
    if coarse:
        return age > 2 * SECOND_NS
    if age < -TICK_NS:  # in the future: the clock was set, or is another machine's
        return False
    if age < TICK_NS:
        time.sleep((TICK_NS - age) / SECOND_NS)
    return True


def slot(job: Job) -> str:
    """The cache key of a job: 32 hexadecimal digits from its format and the paths of its files."""
    digest = hashlib.blake2b(job.format.id.encode(), digest_size=16)
    for path in job.paths:
        digest.update(b"\0" + os.fsencode(path.absolute()))
    return digest.hexdigest()
