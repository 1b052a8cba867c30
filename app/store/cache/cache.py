"""Caches the columns of heavy files, and finds them again while nothing has changed.

Columns are published by renames alone: the worker fills a folder of its own; once every column file is flushed to the
disk, a manifest is renamed into place, which completes the folder; then a key file that names the folder is renamed
into place. An interruption leaves a folder that no key file names. If two windows read the same files, the last one
wins.

The manifest says which files the folder stands for, and has the records of the worker, which describe the column files
with their checksums: MessagePack preceded by its digest. It may have been damaged or made by somebody else, so
everything in it is checked; nothing in it is ever executed.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from app.atomic import atomic_file, push
from app.formats.errors import Cancelled, FormatError
from app.formats.events import Began, Event, SectionReady
from app.formats.registry import Job
from app.profile.issue import Issue
from app.profile.profile import Section
from app.store import folders, wire
from app.store.cache import sweeping
from app.store.codec import SECTION_TYPES, Columns
from app.store.column_bounds import wrong_column
from app.store.fingerprint import content_fingerprint
from app.store.folders import Stored
from app.store.locks import held
from app.store.plain import content
from app.store.stamps import Stamp, code_stamp, stamp
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
        described = read_manifest(folder)
        _compare(described, wanted)
        events = []
        for event in events_of(folder, described, wanted.job.paths):
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
        write_manifest(folder, described)
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


MANIFEST_NAME: Final = "manifest"
LARGEST: Final = 32 * 1024 * 1024
DIGEST: Final = 16
COLUMN_FILE: Final = re.compile(r"[0-9]{1,6}-[a-z_]{1,40}\.columns")
NONSENSE: Final = (msgspec.MsgspecError, RecursionError, UnicodeDecodeError)
"""What decoding raises if the bytes are not ours."""


class StaleError(Exception):
    """The folder is complete, but stands for other files or was made by other code."""


class DamagedError(Exception):
    """The content of the folder is not what was written to it."""


class SourceRecord(msgspec.Struct, forbid_unknown_fields=True):
    size: int
    modified_ns: int
    changed_ns: int
    inode: int


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """``complete`` is only ever written as true: partial results are not cached. ``records``: those of each profile, as
    sent by the worker."""

    code: str
    format: str
    fingerprint: str
    sources: list[SourceRecord]
    complete: bool
    records: list[msgspec.Raw]


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Complete ``folder`` with its manifest, written to a scratch file, flushed to the disk, and renamed. OSError if it
    cannot be written; ValueError if it is longer than what ``read_manifest`` accepts."""
    body = msgspec.msgpack.encode(manifest)
    if len(body) > LARGEST - DIGEST:
        raise ValueError("the description is too long")
    with atomic_file(folder / MANIFEST_NAME, lasting=True) as scratch:
        scratch.write_bytes(_digest(body) + body)


def read_manifest(folder: Path) -> Manifest:
    """The manifest of ``folder``. DamagedError if it is missing or invalid."""
    try:
        data = content(folder / MANIFEST_NAME, LARGEST + 1)
    except OSError as error:
        raise DamagedError(f"no manifest: {error.strerror or error}") from error
    digest, body = data[:DIGEST], data[DIGEST:]
    if len(data) > LARGEST or _digest(body) != digest:
        raise DamagedError("the manifest is damaged")
    try:
        return msgspec.msgpack.decode(body, type=Manifest)
    except NONSENSE as error:
        raise DamagedError(f"the manifest makes no sense: {error}") from error


def events_of(folder: Path, manifest: Manifest, paths: Sequence[Path]) -> Iterator[Event]:
    """The events of reading the files, each when its columns have their checksum, copied or mapped; the indices in the
    columns of a profile are checked at its end. DamagedError if anything does not match."""
    if not manifest.complete:
        raise DamagedError("columns are missing")
    began: Began | None = None
    sections: dict[str, Section] = {}
    for record in manifest.records:
        try:
            message = wire.decode(record, paths)
            if isinstance(message, Began):
                _check_columns(began, sections)
                began, sections = message, {}
            match message:
                case Columns() if began and COLUMN_FILE.fullmatch(message.file) and message.name in SECTION_TYPES:
                    sections[message.name] = section = message.section(folder)
                    yield SectionReady(section)
                case Began() | Issue() if began:
                    yield message
                case _:
                    raise DamagedError("something lies nowhere, or belongs to no profile")
        except (FormatError, OSError, *NONSENSE) as error:
            raise DamagedError(str(error)) from error
    _check_columns(began, sections)


def _check_columns(began: Began | None, sections: Mapping[str, Section]) -> None:
    wrong = wrong_column(sections, 0 if began is None else len(began.paths))
    if wrong:
        raise DamagedError(f"{wrong} has other values than a reader makes")


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=DIGEST).digest()
