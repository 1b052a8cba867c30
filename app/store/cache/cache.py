"""Caches the columns of heavy files, and finds them again while nothing has changed.

Columns are published by renames alone: the worker fills a folder of its own; once every column file is flushed to the
disk, a manifest is renamed into place, which completes the folder; then a key file that names the folder is renamed
into place. An interruption leaves a folder that no key file names. If two windows read the same files, the last one
wins.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from app.atomic import atomic_file, push
from app.formats.errors import Cancelled
from app.formats.events import Event
from app.formats.registry import Job
from app.store import folders, wire
from app.store.cache import manifest as manifests
from app.store.cache import sweeping
from app.store.cache.identity import Identity, identity, slot
from app.store.cache.manifest import DamagedError, Manifest, SourceRecord, StaleError
from app.store.code_stamp import code_stamp
from app.store.folders import Stored
from app.store.locks import held
from app.store.token import Token
from app.store.wire import Record

log = logging.getLogger(__name__)


class Ticket(Struct, frozen=True):
    """Files and code as they were before reading began; what is read then may only be cached for these."""

    job: Job
    key: str
    code: str
    identity: Identity

    def sources(self) -> list[SourceRecord]:
        return [SourceRecord(one.size, one.modified_ns, one.changed_ns, one.inode) for one in self.identity.stamps]


class CachedColumns(Struct, frozen=True):
    """Cached columns as the events of reading; ``stored`` must be released."""

    events: list[Event]
    stored: Stored


def ticket(job: Job) -> Ticket | None:
    """The ticket of a job; None if changes of its files could go unnoticed, so that nothing may be cached."""
    known = identity(job.paths)
    try:
        return None if known is None else Ticket(job, slot(job), code_stamp(), known)
    except OSError:  # the program itself is being replaced
        return None


def find(wanted: Ticket, token: Token) -> CachedColumns | None:
    """The cached columns of exactly these files, all checked; None if there are none. Damaged or outdated ones are
    deleted. Cancelled."""
    home = folders.lasting_root()
    folder = None if home is None else folders.named_by(home, wanted.key)
    if folder is None:
        return None
    hold = held(folder)
    if hold is None:
        return None
    try:
        described = manifests.read(folder)
        _compare(described, wanted)
        events = []
        for event in manifests.events(folder, described, wanted.job.paths):
            token.check()
            events.append(event)
    except Cancelled:
        hold.release()
        raise
    except (DamagedError, StaleError, OSError) as problem:
        log.info("%s: cached columns are not used: %s", folder.name, problem)
        hold.release()
        folders.remove_unused(folder)
        return None
    sweeping.used_now(wanted.key)
    return CachedColumns(events, Stored(folder, hold))


def _compare(described: Manifest, wanted: Ticket) -> None:
    if (described.code, described.format) != (wanted.code, wanted.job.format.id):
        raise StaleError("made by other code")
    if described.sources != wanted.sources() or described.fingerprint != wanted.identity.fingerprint:
        raise StaleError("the files have changed")


def add(wanted: Ticket, stored: Stored, records: Sequence[Record], limit: int, token: Token) -> bool:
    """Cache ``stored`` (completely filled by the worker, which sent ``records``) for the next load, and evict what
    exceeds ``limit`` bytes. Return whether it is cached; a full disk is no error. Cancelled."""
    folder = stored.folder
    if stored.hold is None or folder.parent != folders.place() or folders.size_of(folder) > limit:
        return False
    try:
        _push(folder, token)
        if identity(wanted.job.paths) != wanted.identity or code_stamp() != wanted.code:
            log.info("%s: the files changed while they were read; nothing is cached", folder.name)
            return False
        files = wanted.job.paths
        described = Manifest(
            code=wanted.code,
            format=wanted.job.format.id,
            fingerprint=wanted.identity.fingerprint,
            sources=wanted.sources(),
            complete=True,
            records=[msgspec.Raw(wire.encode(record, files)) for record in records],
        )
        manifests.write(folder, described)
        _name(folder, wanted.key)
    except (OSError, ValueError) as problem:
        log.info("%s: columns are not cached: %s", folder.name, problem)
        return False
    with contextlib.suppress(OSError):
        sweeping.sweep(limit)
    return True


def _push(folder: Path, token: Token) -> None:
    """Flush the column files to the disk."""
    for path in sorted(folder.glob("*.columns")):
        token.check()
        push(path)


def _name(folder: Path, key: str) -> None:
    """Publish ``folder`` under ``key``."""
    with atomic_file(folders.key_file(folder.parent, key)) as scratch:
        scratch.write_text(folder.name, "ascii")
