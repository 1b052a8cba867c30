"""Writes TFRecord framing, with a CRC-32C of our own (the reader has a library's)."""

from __future__ import annotations

import struct
from collections.abc import Iterable

POLYNOMIAL = 0x82F63B78


def _entry(index: int) -> int:
    for _ in range(8):
        index = index >> 1 ^ (POLYNOMIAL if index & 1 else 0)
    return index


TABLE = [_entry(index) for index in range(256)]


def crc32c(data: bytes) -> int:
    """Castagnoli's CRC, byte by byte."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ TABLE[(crc ^ byte) & 255]
    return crc ^ 0xFFFFFFFF


def masked(data: bytes) -> bytes:
    """The checksum as it is written."""
    crc = crc32c(data)
    rotated = (crc >> 15 | crc << 17) & 0xFFFFFFFF
    return struct.pack("<I", (rotated + 0xA282EAD8) & 0xFFFFFFFF)


def record(data: bytes) -> bytes:
    length = struct.pack("<Q", len(data))
    return length + masked(length) + data + masked(data)


def records(parts: Iterable[bytes]) -> bytes:
    return b"".join(record(part) for part in parts)
