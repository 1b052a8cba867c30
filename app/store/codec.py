"""Stores sections as files: the columns of a section are written one after the other into a single file; everything
that is not a column goes into a small skeleton that refers to the columns by offset, type and shape.

Column files lie on a disk where anything may have happened to them: damaged ones are never used. Files up to IN_MEMORY
bytes are copied into memory, where nobody else can change them. Larger ones are mapped (matrices may be larger than
memory); what happens if somebody truncates one that is open, ``lost_pages`` says.
"""

from __future__ import annotations

import math
import mmap
import os
import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar, cast, get_args, get_type_hints

import google_crc32c
import msgspec
import numpy as np
from msgspec import Struct

from app.formats.errors import FormatError
from app.language import Message, Text, pack, tr, unpack_text
from app.profile.arrays import Array, sealed
from app.profile.profile import SECTION_NAMES, Profile, Section
from app.store import lost_pages
from app.store.plain import opened

ALIGNMENT = 64
COLUMN_TYPE: Final = re.compile(r"[<>|](b1|[iu][1248]|f[248])")
MOST_DIMENSIONS: Final = 8
WRITE_BYTES = 16 * 1024 * 1024

T = TypeVar("T")


class Columns(Struct, frozen=True):
    """A stored section. Its columns are in ``file``, a name in the folder of the job, which has ``size`` bytes with the
    CRC-32C ``checksum``, or in ``packed``. ``preview``, ``portion``: as of SectionReady."""

    name: str
    file: str
    skeleton: dict[str, Any]
    packed: bytes = b""
    size: int = 0
    checksum: int = 0
    preview: bool = False
    portion: Text = ""

    def section(self, folder: Path | None) -> Section:
        """The section, with its columns unpacked, copied or mapped. FormatError if they are not what was written;
        OSError."""
        if folder is None or not self.file:
            return self._section(np.frombuffer(self.packed, np.uint8), "")
        path = folder / self.file
        return self._section(checked(path, self.size, self.checksum), str(path))

    def just_written(self, folder: Path) -> Section:
        """The same for the process that wrote it: unchecked, and always mapped, so that it takes no memory."""
        path = folder / self.file
        return self._section(mapped(path), str(path))

    def _section(self, content: Array, path: str) -> Section:
        return get_columns(SECTION_TYPES[self.name], self.skeleton, content, path)


class Writable(Protocol):
    """What columns are written to."""

    def write(self, data: memoryview, /) -> int: ...


class _Summed:
    """A file that computes the CRC-32C of the ``size`` bytes that are written to it."""

    def __init__(self, file: Writable) -> None:
        self.file = file
        self.size = 0
        self.checksum = 0

    def write(self, data: memoryview, /) -> int:
        """Write some of ``data``; return how many bytes."""
        written = self.file.write(data)
        self.add(data[:written])
        return written

    def add(self, data: memoryview) -> None:
        """Count bytes that are in the file."""
        self.size += len(data)
        self.checksum = google_crc32c.extend(self.checksum, np.frombuffer(data, np.uint8))


def write_section(section: Section, path: Path) -> Columns:
    """Write the columns of ``section`` to the new file ``path``. OSError if the disk is full; plain writes, because a
    full disk under a mapping would kill the process. The file must not be written to afterwards: a mapped file must not
    shrink."""
    with path.open("xb", buffering=0) as file:
        summed = _Summed(file)
        skeleton = put_columns(section, summed)
        if os.name != "nt":  # there a file that is read-only cannot be deleted
            os.fchmod(file.fileno(), 0o400)
        return Columns(section.SECTION, path.name, skeleton, size=summed.size, checksum=summed.checksum)


def pack_section(section: Section, *, preview: bool = False, portion: Text = "") -> Columns:
    """Like ``write_section``, but with the columns as bytes."""
    memory = BytesIO()
    skeleton = put_columns(section, memory)
    return Columns(section.SECTION, "", skeleton, memory.getvalue(), preview=preview, portion=portion)


def put_columns(value: object, file: Writable) -> Any:
    """Write the columns of ``value``, a section or another Struct, aligned, and return the skeleton."""
    offset = 0

    def put(value: object) -> Any:
        nonlocal offset
        if isinstance(value, Message):
            return pack(value)
        if not isinstance(value, np.ndarray):
            raise TypeError(f"{type(value).__name__} cannot be a part of a section")
        if COLUMN_TYPE.fullmatch(value.dtype.str) is None:
            raise TypeError(f"a column of type {value.dtype} cannot be stored")
        start = offset + -offset % ALIGNMENT
        _write_all(file, b"\0" * (start - offset))
        if value.size:
            _write_all(file, np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
        offset = start + value.nbytes
        return {"at": start, "type": value.dtype.str, "shape": list(value.shape)}

    return msgspec.to_builtins(value, enc_hook=put)


def get_columns(kind: type[T], skeleton: Any, mapped: Array, path: str) -> T:
    """The value of type ``kind`` that ``put_columns`` wrote as ``mapped``. FormatError about ``path`` if it does not
    fit."""

    def get(wanted: object, value: Any) -> Array | str:
        if isinstance(wanted, type) and issubclass(wanted, str):  # ndarray[...] is no type, as Python 3.13 insists
            return unpack_text(value)
        place = _place(value)
        if place is None or place.end > len(mapped):
            raise FormatError(tr("the column store does not match its description"), path=path)
        column: Array = mapped[place.begin : place.end].view(place.dtype).reshape(place.shape)
        return column

    try:
        return msgspec.convert(skeleton, kind, dec_hook=get)
    except msgspec.ValidationError as error:
        raise FormatError(
            tr("the column store does not match its description: {error}", error=error), path=path
        ) from error


class _Place(Struct, frozen=True):
    """Where a column is stored in its file."""

    begin: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    @property
    def end(self) -> int:
        return self.begin + self.dtype.itemsize * math.prod(self.shape)


def _place(value: Any) -> _Place | None:
    """The place of a column; None if its description is invalid."""
    if not isinstance(value, Mapping):
        return None
    begin, kind, shape = value.get("at"), value.get("type"), value.get("shape")
    if not isinstance(kind, str) or COLUMN_TYPE.fullmatch(kind) is None:
        return None
    if not isinstance(shape, list | tuple) or len(shape) > MOST_DIMENSIONS:
        return None
    if not all(type(number) is int and number >= 0 for number in (begin, *shape)):
        return None
    return _Place(cast("int", begin), np.dtype(kind), tuple(shape))


def mapped(path: Path) -> Array:
    """The bytes of ``path``, mapped read-only. Not ``np.memmap``: it resolves every folder on the way, and its slices
    carry Python-level hooks."""
    with path.open("rb", buffering=0) as file:
        if os.fstat(file.fileno()).st_size == 0:
            return sealed(np.empty(0, np.uint8))
        return np.frombuffer(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), np.uint8)


def _write_all(file: Writable, data: bytes | memoryview) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left[:WRITE_BYTES]) :]


def _section_types() -> dict[str, type[Section]]:
    hints = get_type_hints(Profile)
    return {name: get_args(hints[name])[0] for name in SECTION_NAMES}


SECTION_TYPES = _section_types()


IN_MEMORY: Final = 16 << 20
PIECE: Final = 1 << 20
"""Bytes that are copied or checked at once, for which other threads wait (0.1 ms)."""


def checked(path: Path, size: int, checksum: int) -> Array:
    """The bytes of a column file, read-only. FormatError if they are not ``size`` bytes with this CRC-32C; OSError."""
    content = _contained(path, size)
    if len(content) != size or checksum_of(content) != checksum:
        raise FormatError(tr("the column store does not match its description"), path=str(path))
    return content


def checksum_of(content: Array) -> int:
    """The CRC-32C of bytes (uint8)."""
    checksum = 0
    for begin in range(0, len(content), PIECE):
        checksum = google_crc32c.extend(checksum, content[begin : begin + PIECE])
    return checksum


def _contained(path: Path, size: int) -> Array:
    """The bytes of a file, not all of them if it is not of this ``size``."""
    with opened(path) as file:
        if os.fstat(file.fileno()).st_size != size:
            return np.empty(0, np.uint8)
        if size <= IN_MEMORY:
            content = np.empty(size, np.uint8)
            done = 0
            while done < size and (count := file.readinto(content[done : done + PIECE].data)):
                done += count
            return sealed(content[:done])
    return lost_pages.mapped(path)
