"""Damages arbitrary bytes: flipped bits, cuts, counts that are too large, swapped and repeated ranges."""

from __future__ import annotations

import struct
from collections.abc import Callable
from random import Random
from typing import TypeAlias

Change: TypeAlias = Callable[[bytes, Random], bytes]

COUNTS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 2**31 - 1, 2**31, 2**32 - 1, 2**40, 2**63 - 1, 2**63, 2**64 - 1)
TEXTS = (b"NaN", b"1e999", b"-", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf")


def damaged(content: bytes, random: Random) -> bytes:
    """``content`` with one to four changes."""
    for _ in range(random.choice((1, 1, 1, 2, 4))):
        content = random.choice(CHANGES)(content, random)
    return content


def flip(content: bytes, random: Random) -> bytes:
    made = bytearray(content)
    for _ in range(random.choice((1, 1, 2, 8, 64))):
        if made:
            made[random.randrange(len(made))] ^= 1 << random.randrange(8)
    return bytes(made)


def octet(content: bytes, random: Random) -> bytes:
    made = bytearray(content)
    if made:
        made[random.randrange(len(made))] = random.choice((0, 1, 0x22, 0x2C, 0x5B, 0x7B, 0x7F, 0x80, 0xFF))
    return bytes(made)


def cut(content: bytes, random: Random) -> bytes:
    return content[: random.randrange(len(content) + 1)]


def behead(content: bytes, random: Random) -> bytes:
    return content[random.randrange(min(len(content), 64) + 1) :]


def count(content: bytes, random: Random) -> bytes:
    """Replaces an aligned number of 1, 2, 4 or 8 bytes by an implausible count."""
    width, form = random.choice(((1, "B"), (2, "H"), (4, "I"), (8, "Q")))
    if len(content) < width:
        return content
    # most counts are at the beginning
    reach = len(content) if random.random() < 0.5 else min(len(content), 512)
    at = random.randrange(max(1, reach - width + 1)) // width * width
    value = random.choice(COUNTS) & ((1 << 8 * width) - 1)
    order = random.choice("<<>")
    return content[:at] + struct.pack(order + form, value) + content[at + width :]


def varint(content: bytes, random: Random) -> bytes:
    """Replaces some bytes by a long protobuf varint."""
    at = random.randrange(len(content) + 1)
    long = random.choice(
        (b"\xff" * 9 + b"\x01", b"\xff\xff\xff\xff\x0f", b"\xff\xff\xff\x7f", b"\x80\x80\x01", b"\xff" * 12)
    )
    return content[:at] + long + content[at + random.choice((0, 1, len(long))) :]


def insert(content: bytes, random: Random) -> bytes:
    at = random.randrange(len(content) + 1)
    new = random.choice((random.choice(TEXTS), random.randbytes(random.choice((1, 4, 100))), bytes(16)))
    return content[:at] + new + content[at:]


def drop(content: bytes, random: Random) -> bytes:
    begin, end = _stretch(content, random)
    return content[:begin] + content[end:]


def repeat(content: bytes, random: Random) -> bytes:
    begin, end = _stretch(content, random)
    times = random.choice((2, 3, 20))
    return content[:end] + content[begin:end] * min(times, 1 + 200_000 // max(1, end - begin)) + content[end:]


def swap(content: bytes, random: Random) -> bytes:
    one, two = sorted((_stretch(content, random), _stretch(content, random)))
    if one[1] > two[0]:
        return content
    return (
        content[: one[0]]
        + content[two[0] : two[1]]
        + content[one[1] : two[0]]
        + content[one[0] : one[1]]
        + content[two[1] :]
    )


def zero(content: bytes, random: Random) -> bytes:
    begin, end = _stretch(content, random)
    return content[:begin] + bytes(random.choice((b"\0", b"\xff", b" "))) * (end - begin) + content[end:]


def digits(content: bytes, random: Random) -> bytes:
    """Replaces a number in a text by another."""
    places = [
        at for at in (random.randrange(max(1, len(content))) for _ in range(40)) if content[at : at + 1].isdigit()
    ]
    if not places:
        return flip(content, random)
    begin = end = places[0]
    while end < len(content) and content[end : end + 1].isdigit():
        end += 1
    new = random.choice((b"-1", b"99999999999999999999", b"1e400", b"NaN", b"0.5", b"", b"true", b"4294967296", b"00"))
    return content[:begin] + new + content[end:]


def _stretch(content: bytes, random: Random) -> tuple[int, int]:
    begin = random.randrange(len(content) + 1)
    return begin, min(len(content), begin + random.choice((1, 4, 16, 64, 1000, len(content))))


CHANGES: tuple[Change, ...] = (
    flip,
    flip,
    octet,
    cut,
    behead,
    count,
    count,
    count,
    varint,
    insert,
    drop,
    repeat,
    swap,
    zero,
    digits,
    digits,
)
