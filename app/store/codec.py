"""Sections as files: the columns of a section lie one behind the other in one file that others map
read-only; what is not a column is a small skeleton that names them by position, type and shape."""

from __future__ import annotations

from collections.abc import Mapping
from io import FileIO
from pathlib import Path
from typing import Any, get_args, get_type_hints

import msgspec
import numpy as np

from app.formats.errors import FormatError
from app.profile.arrays import Array, sealed
from app.profile.profile import SECTION_NAMES, Profile, Section

ALIGNMENT = 64
COLUMN_KINDS = "biuf"
WRITE_BYTES = 16 * 1024 * 1024


def write_section(section: Section, path: Path) -> Any:
    """Writes the columns of ``section`` to the new file ``path``; returns the skeleton (builtin types only).
    OSError when the disk is full. Plain writes: a full disk under a mapping would kill the process."""
    offset = 0
    with path.open("xb", buffering=0) as file:

        def put(value: object) -> dict[str, Any]:
            nonlocal offset
            if not isinstance(value, np.ndarray):
                raise TypeError(f"{type(value).__name__} cannot be a part of a section")
            if value.dtype.kind not in COLUMN_KINDS:
                raise TypeError(f"a column of type {value.dtype} cannot be stored")
            start = offset + -offset % ALIGNMENT
            _write_all(file, b"\0" * (start - offset))
            if value.size:
                _write_all(file, np.ascontiguousarray(value).reshape(-1).view(np.uint8).data)
            offset = start + value.nbytes
            return {"at": start, "type": value.dtype.str, "shape": list(value.shape)}

        return msgspec.to_builtins(section, enc_hook=put)


def read_section(name: str, skeleton: Any, path: Path) -> Section:
    """Maps what ``write_section`` wrote. FormatError where file and skeleton do not fit."""
    mapped = _map(path)

    def get(_: type, value: Mapping[str, Any]) -> Array:
        dtype = np.dtype(value["type"])
        shape = tuple(value["shape"])
        begin = value["at"]
        end = begin + dtype.itemsize * int(np.prod(shape, dtype=np.int64))
        if dtype.kind not in COLUMN_KINDS or begin < 0 or end > len(mapped):
            raise FormatError("the column store does not fit its description", path=str(path), offset=begin)
        column: Array = mapped[begin:end].view(dtype).reshape(shape)
        return column

    section: Section = msgspec.convert(skeleton, SECTION_TYPES[name], dec_hook=get)
    return section


def _map(path: Path) -> Array:
    if path.stat().st_size == 0:
        return sealed(np.empty(0, np.uint8))
    # np.asarray: plain views, because every slice of a memmap object drags Python-level hooks along
    return np.asarray(np.memmap(path, np.uint8, mode="r"))


def _write_all(file: FileIO, data: bytes | memoryview) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left[:WRITE_BYTES]) :]


def _section_types() -> dict[str, type[Section]]:
    hints = get_type_hints(Profile)
    return {name: get_args(hints[name])[0] for name in SECTION_NAMES}


SECTION_TYPES = _section_types()
