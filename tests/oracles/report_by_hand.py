"""The figures of a report, by the csv module and plain arithmetic alone."""

from __future__ import annotations

import csv
import struct
from pathlib import Path


def entries(path: Path) -> dict[str, bytes]:
    """The files in a cann-rep by name (Ascend operator reports, section 1)."""
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 12)
    files = {}
    for at in range(36, 36 + 160 * count, 160):
        size, offset = struct.unpack_from("<QQ", data, at + 144)
        files[data[at + 8 : at + 136].split(b"\0")[0].decode()] = data[offset : offset + size]
    return files


def rows(content: bytes) -> list[dict[str, str]]:
    """The lines of a table by title; cells without a title are left out."""
    lines = list(csv.reader(content.decode("utf-8-sig").splitlines()))
    return [{title: cell for title, cell in zip(lines[0], line, strict=False) if title} for line in lines[1:]]


def numbers(content: bytes, title: str) -> list[float]:
    return [float(row[title]) for row in rows(content) if row[title] not in ("NA", "N/A", "")]


def total(content: bytes, *titles: str) -> float:
    return sum(sum(numbers(content, title)) for title in titles)
