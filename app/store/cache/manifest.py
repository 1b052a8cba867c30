"""The manifest of a cached folder: which files it stands for, its column files, and the records of the worker.

MessagePack preceded by its digest. The manifest may have been damaged or made by somebody else, so everything in it is
checked; nothing in it is ever executed.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec

from app.atomic import atomic_file
from app.formats.errors import FormatError
from app.formats.events import Began, Event, SectionReady
from app.profile.issue import Issue
from app.store import wire
from app.store.codec import SECTION_TYPES, Columns
from app.store.fingerprint import sample_places
from app.store.plain import content, opened

NAME: Final = "manifest"
LARGEST: Final = 32 * 1024 * 1024
DIGEST: Final = 16
SAMPLE_BYTES: Final = 4096
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


class ColumnsRecord(msgspec.Struct, forbid_unknown_fields=True):
    """A column file. ``sample``: the digest of 16 evenly spread samples of 4 KiB."""

    name: str
    size: int
    sample: bytes


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """``complete`` is only ever written as true: partial results are not cached. ``records``: those of each profile, as
    sent by the worker."""

    code: str
    format: str
    fingerprint: str
    sources: list[SourceRecord]
    complete: bool
    columns: list[ColumnsRecord]
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


def columns_record(path: Path) -> ColumnsRecord:
    """The record of a column file as it is now. DamagedError if it is not a regular file."""
    size, sample = _looked_at(path)
    return ColumnsRecord(path.name, size, sample)


def events(folder: Path, manifest: Manifest, paths: Sequence[Path]) -> list[Event]:
    """The events of reading the files, with the columns mapped. DamagedError if anything does not match."""
    checked = {record.name for record in manifest.columns if _fits(folder, record)}
    if len(checked) != len(manifest.columns) or not manifest.complete:
        raise DamagedError("columns are missing or have changed")
    made: list[Event] = []
    for record in manifest.records:
        try:
            message = wire.decode(record, paths)
            if not isinstance(message, Began) and not made:
                raise DamagedError("something belongs to no profile")
            match message:
                case Columns() if message.file in checked and message.name in SECTION_TYPES:
                    made.append(SectionReady(message.section(folder)))
                case Began() | Issue():
                    made.append(message)
                case _:
                    raise DamagedError("a section lies nowhere")
        except (FormatError, OSError, *NONSENSE) as error:
            raise DamagedError(str(error)) from error
    return made


def _fits(folder: Path, record: ColumnsRecord) -> bool:
    if COLUMN_FILE.fullmatch(record.name) is None:
        return False
    return _looked_at(folder / record.name) == (record.size, record.sample)


def _looked_at(path: Path) -> tuple[int, bytes]:
    """(size, digest of samples) of a regular file. DamagedError if it cannot be read."""
    try:
        with opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            digest = hashlib.blake2b(digest_size=DIGEST)
            for place in sample_places(size, SAMPLE_BYTES):
                file.seek(place)
                digest.update(file.read(SAMPLE_BYTES))
    except OSError as error:
        raise DamagedError(f"{path.name}: {error.strerror or error}") from error
    return size, digest.digest()


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=DIGEST).digest()
