"""The program's icon in the formats of Windows and macOS, made of the PNG files in resources/icons."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from pathlib import Path

ICO_SIZES = (16, 24, 32, 48, 64, 128, 256)
ICNS_KINDS: Mapping[int, tuple[bytes, ...]] = {
    16: (b"icp4",),
    32: (b"icp5", b"ic11"),
    64: (b"icp6", b"ic12"),
    128: (b"ic07",),
    256: (b"ic08", b"ic13"),
}
"""Pixels to entry types (the second of a pair is for high-resolution displays at half the size)."""


def png(root: Path, size: int) -> bytes:
    return (root / "resources" / "icons" / f"tilesight-{size}.png").read_bytes()


def ico(pictures: Mapping[int, bytes]) -> bytes:
    """A Windows icon of PNG files by their width: a header, a directory of 16 bytes each, the files."""
    head = struct.pack("<HHH", 0, 1, len(pictures))
    at = len(head) + 16 * len(pictures)
    directory, body = b"", b""
    for size, picture in sorted(pictures.items()):
        side = size % 256  # 256 is written as 0
        directory += struct.pack("<BBBBHHII", side, side, 0, 0, 1, 32, len(picture), at + len(body))
        body += picture
    return head + directory + body


def icns(pictures: Mapping[int, bytes]) -> bytes:
    """A macOS icon of PNG files by their width: "icns", its length, then entries of kind, length and file."""
    entries = b"".join(
        kind + struct.pack(">I", 8 + len(picture)) + picture
        for size, picture in sorted(pictures.items())
        for kind in ICNS_KINDS.get(size, ())
    )
    return b"icns" + struct.pack(">I", 8 + len(entries)) + entries


def write_ico(root: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(ico({size: png(root, size) for size in ICO_SIZES}))
    return target


def write_icns(root: Path, target: Path) -> Path:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(icns({size: png(root, size) for size in ICNS_KINDS}))
    return target
