"""The file types that Tilesight registers as its own, and those that it only offers to open."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Match:
    """Bytes at ``offset`` of a file; ``inside``: further conditions. ``mask`` has the length of ``value``."""

    offset: int
    value: bytes
    mask: bytes = b""
    inside: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class FileType:
    """``mime``: our name of the type; ``endings``: file name endings that are always this type; ``names``: complete
    file names. ``magic`` decides if the name does not."""

    id: str
    mime: str
    title: str
    endings: tuple[str, ...]
    names: tuple[str, ...]
    magic: Match


def _all(*matches: Match) -> Match:
    """The matches nested, each inside the previous one."""
    first, *rest = matches
    return Match(first.offset, first.value, first.mask, (_all(*rest),) if rest else ())


OWN = (
    FileType(
        "popef",
        "application/x-tilesight-popef",
        "PopEF model",
        (".popef", ".poplar_exec"),
        (),
        # A Cap'n Proto message of one segment whose root has two words of data and one pointer, immediately after it
        # (Cap'n Proto encoding, "Serialization over a stream" and "Structs"); the number of the type is small.
        _all(
            Match(0, bytes(4)),
            Match(8, b"\0\0\0\0\2\0\1\0"),
            Match(16, bytes(8), mask=b"\xf8\xff\0\0\0\0\0\0"),
        ),
    ),
    FileType(
        "ascend-bin",
        "application/x-tilesight-ascend-bin",
        "Ascend operator profile",
        (),
        ("visualize_data.bin",),
        # The first block's header: a size below 4 GiB, then type, padding and two bytes 0x5A (Ascend operator files,
        # section 2). A file that starts with another version of the second-to-last byte is known by its name only.
        _all(Match(4, bytes(4)), Match(8, b"\0", mask=b"\xe0"), Match(9, b"\0", mask=b"\xfc"), Match(10, b"ZZ")),
    ),
    FileType(
        "ascend-report",
        "application/x-tilesight-ascend-report",
        "Ascend operator report",
        (".rep", ".ncrep"),
        (),
        Match(0, b"cann-rep"),  # Ascend operator reports, section 1
    ),
    FileType(
        "ascend-npu-report",
        "application/x-tilesight-ascend-npu-report",
        "Ascend NPU operator report",
        (".npu-rep",),
        (),
        Match(0, b"npu-rep\0"),
    ),
)

OFFERED = ("application/json", "application/cbor")
"""Types that many programs open: Tilesight is among their programs, but never the default."""
