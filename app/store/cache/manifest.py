"""The manifest of a cached folder: which files it stands for, and the records of the worker, which describe the column
files with their checksums.

MessagePack preceded by its digest. The manifest may have been damaged or made by somebody else, so everything in it is
checked; nothing in it is ever executed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from app.atomic import atomic_file
from app.formats.errors import FormatError
from app.formats.events import Began, Event, SectionReady
from app.profile.issue import Issue
from app.store import wire
from app.store.codec import SECTION_TYPES, Columns
from app.store.plain import content

NAME: Final = "manifest"
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


def write(folder: Path, manifest: Manifest) -> None:
    """Complete ``folder`` with its manifest, written to a scratch file, flushed to the disk, and renamed. OSError if it
    cannot be written; ValueError if it is longer than what ``read`` accepts."""
    body = msgspec.msgpack.encode(manifest)
    if len(body) > LARGEST - DIGEST:
        raise ValueError("the description is too long")
    with atomic_file(folder / NAME, lasting=True) as scratch:
        scratch.write_bytes(_digest(body) + body)


def read(folder: Path) -> Manifest:
    """The manifest of ``folder``. DamagedError if it is missing or invalid."""
    try:
        data = content(folder / NAME, LARGEST + 1)
    except OSError as error:
        raise DamagedError(f"no manifest: {error.strerror or error}") from error
    digest, body = data[:DIGEST], data[DIGEST:]
    if len(data) > LARGEST or _digest(body) != digest:
        raise DamagedError("the manifest is damaged")
    try:
        return msgspec.msgpack.decode(body, type=Manifest)
    except NONSENSE as error:
        raise DamagedError(f"the manifest makes no sense: {error}") from error


def events(folder: Path, manifest: Manifest, paths: Sequence[Path]) -> Iterator[Event]:
    """The events of reading the files, each when its columns are checked, with their columns copied or mapped.
    DamagedError if anything does not match."""
    if not manifest.complete:
        raise DamagedError("columns are missing")
    begun = False
    for record in manifest.records:
        try:
            message = wire.decode(record, paths)
            begun = begun or isinstance(message, Began)
            match message:
                case Columns() if begun and COLUMN_FILE.fullmatch(message.file) and message.name in SECTION_TYPES:
                    yield SectionReady(message.section(folder))
                case Began() | Issue() if begun:
                    yield message
                case _:
                    raise DamagedError("something lies nowhere, or belongs to no profile")
        except (FormatError, OSError, *NONSENSE) as error:
            raise DamagedError(str(error)) from error


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=DIGEST).digest()
