"""What a kept folder says of itself: which files it stands for, its column files, and what the worker told.

MessagePack behind the digest of it. It lies on a disk and may have been damaged or made by somebody else, so every
word of it is checked; nothing in it is ever run.
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
"""What decoding raises where the bytes are not ours."""


class StaleError(Exception):
    """The folder is whole, but stands for other files or was made by other code."""


class DamagedError(Exception):
    """What lies in the folder is not what was put there."""


class SourceRecord(msgspec.Struct, forbid_unknown_fields=True):
    size: int
    modified_ns: int
    changed_ns: int
    inode: int


class ColumnsRecord(msgspec.Struct, forbid_unknown_fields=True):
    """``sample``: the digest of 16 pieces of 4 KB, evenly spread."""

    name: str
    size: int
    sample: bytes


class Manifest(msgspec.Struct, forbid_unknown_fields=True):
    """``complete`` is only ever written as true: what was read in part is not kept. ``told``: of each profile what
    went over the pipe of the worker."""

    code: str
    format: str
    fingerprint: str
    sources: list[SourceRecord]
    complete: bool
    columns: list[ColumnsRecord]
    told: list[msgspec.Raw]


def write(folder: Path, manifest: Manifest) -> None:
    """Makes ``folder`` whole: it is written beside its place, pushed to the disk, and renamed. OSError where the disk
    does not take it; ValueError where it is longer than what is read."""
    body = msgspec.msgpack.encode(manifest)
    if len(body) > LARGEST - DIGEST:
        raise ValueError("the description is too long")
    with atomic_file(folder / NAME, lasting=True) as scratch:
        scratch.write_bytes(_digest(body) + body)


def read(folder: Path) -> Manifest:
    """DamagedError where it is not whole."""
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
    """Of a column file as it is now. DamagedError where it is no plain file."""
    size, sample = _looked_at(path)
    return ColumnsRecord(path.name, size, sample)


def events(folder: Path, manifest: Manifest, paths: Sequence[Path]) -> list[Event]:
    """What was told while the files were read, with the columns mapped. DamagedError where anything does not fit."""
    checked = {record.name for record in manifest.columns if _fits(folder, record)}
    if len(checked) != len(manifest.columns) or not manifest.complete:
        raise DamagedError("columns are missing or have changed")
    told: list[Event] = []
    for record in manifest.told:
        try:
            message = wire.decode(record, paths)
            if not isinstance(message, Began) and not told:
                raise DamagedError("something belongs to no profile")
            match message:
                case Columns() if message.file in checked and message.name in SECTION_TYPES:
                    told.append(SectionReady(message.section(folder)))
                case Began() | Issue():
                    told.append(message)
                case _:
                    raise DamagedError("a section lies nowhere")
        except (FormatError, OSError, *NONSENSE) as error:
            raise DamagedError(str(error)) from error
    return told


def _fits(folder: Path, record: ColumnsRecord) -> bool:
    if COLUMN_FILE.fullmatch(record.name) is None:
        return False
    return _looked_at(folder / record.name) == (record.size, record.sample)


def _looked_at(path: Path) -> tuple[int, bytes]:
    """(size, digest of samples) of a plain file."""
    try:
        with opened(path) as file:
            size = os.fstat(file.fileno()).st_size
            found = hashlib.blake2b(digest_size=DIGEST)
            for place in sample_places(size, SAMPLE_BYTES):
                file.seek(place)
                found.update(file.read(SAMPLE_BYTES))
    except OSError as error:
        raise DamagedError(f"{path.name}: {error.strerror or error}") from error
    return size, found.digest()


def _digest(body: bytes) -> bytes:
    return hashlib.blake2b(body, digest_size=DIGEST).digest()
