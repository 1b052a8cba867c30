"""The beginning and encoding of a JSON file, and the positions of the brackets of its text, piece by piece and without
decoding."""

from __future__ import annotations

import codecs
from functools import cache

import numpy as np
from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr
from app.profile.arrays import I64, U8, Bool, sealed

_WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


def text_start(source: Source, begin: int = 0, end: int | None = None) -> int:
    """The offset after a byte order mark at ``begin``. FormatError for UTF-16 and UTF-32, whose offsets would not match
    those of the decoded text."""
    stop = source.size if end is None else end
    head = source.read(begin, min(4, stop - begin))
    if head.startswith(codecs.BOM_UTF8):
        return begin + len(codecs.BOM_UTF8)
    if head.startswith(_WIDE) or (len(head) == 4 and 0 in (head[0], head[1])):
        text = tr("the text is UTF-16 or UTF-32; save it as UTF-8")
        raise FormatError(text, path=str(source.path), offset=begin)
    return begin


def head_text(head: bytes) -> bytes:
    """The beginning of a file as UTF-8 without a byte order mark, whatever its encoding; for detecting formats."""
    if head.startswith(codecs.BOM_UTF8):
        return head[3:].lstrip()
    if head.startswith(_WIDE):
        return head.decode("utf-16", "ignore").encode("utf-8", "ignore").lstrip()
    return head.lstrip()


QUOTE, BACKSLASH, COMMA = ord('"'), ord("\\"), ord(",")
OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT = ord("["), ord("]"), ord("{"), ord("}")

BRACKETS = b"{}[]"
ESCAPED_QUOTE = b'\\"'


class Marks(Struct, frozen=True, eq=False):
    """``at``: int64 absolute positions, ascending; ``byte``: uint8; ``depth``: int64, the number of open containers
    around the character (so both brackets of a pair have the same depth, and a comma that of its items)."""

    at: I64
    byte: U8
    depth: I64

    def __len__(self) -> int:
        return len(self.at)


def _steps() -> I64:
    steps = np.zeros(256, np.int64)
    steps[[OPEN_ARRAY, OPEN_OBJECT]] = 1
    steps[[CLOSE_ARRAY, CLOSE_OBJECT]] = -1
    return sealed(steps)


_STEPS = _steps()


@cache
def _tables(wanted: bytes) -> tuple[Bool, bytes]:
    """(bool[256]: which bytes are ``wanted``; 1 for each byte that must be examined). Cached, because a file may have
    as many arrays as bytes, and each has a scanner."""
    chosen = np.zeros(256, np.bool_)
    chosen[list(wanted)] = True
    return sealed(chosen), bytes(int(b in BRACKETS or b in wanted or b == QUOTE) for b in range(256))


class Scanner:
    """Finds the ``wanted`` characters outside strings in consecutive pieces of one text. Its state between pieces:
    whether it is inside a string, a pending escape, the depth.

    ``position`` is where the next piece begins, ``depth`` the number of open containers there (it falls below its
    initial value if more are closed than were opened). ``wanted`` is any of ``{}[],:"``; quotes are reported for both
    ends of each string. A quote after a backslash outside a string (which is not valid JSON) is ignored.
    """

    def __init__(self, position: int = 0, depth: int = 0, wanted: bytes = BRACKETS) -> None:
        self.position = position
        self.depth = depth
        self.in_string = False
        self._escape = False
        self._wanted, self._table = _tables(wanted)
        self._all = all(byte in wanted for byte in BRACKETS)

    def feed(self, piece: bytes) -> Marks:
        """The wanted characters of ``piece``, which must follow the previous piece."""
        at = np.flatnonzero(np.frombuffer(piece.translate(self._table), np.bool_))
        byte = np.frombuffer(piece, np.uint8)[at]
        quote = byte == QUOTE
        if self._escape or ESCAPED_QUOTE in piece or piece.endswith(ESCAPED_QUOTE[:1]):
            real = ~(quote & self._escaped(piece, at))
            at, byte, quote = at[real], byte[real], quote[real]
        inside = np.bitwise_xor.accumulate(quote.view(np.uint8)) ^ np.uint8(self.in_string)
        if len(at):
            self.in_string = bool(inside[-1])
        live = inside == 0
        live = live | quote if self._wanted[QUOTE] else live & ~quote
        at, byte = at[live], byte[live]
        steps = _STEPS[byte]
        after = np.cumsum(steps) + self.depth
        depth = after - (steps > 0)
        if len(at):
            self.depth = int(after[-1])
        if not self._all:
            keep = self._wanted[byte]
            at, byte, depth = at[keep], byte[keep], depth[keep]
        at += self.position
        self.position += len(piece)
        return Marks(at, byte, depth)

    def _escaped(self, piece: bytes, at: I64) -> Bool:
        """Which of the characters ``at`` follow an odd run of backslashes; the run may begin in the previous piece."""
        slashes = np.flatnonzero(np.frombuffer(piece, np.uint8) == BACKSLASH)
        if self._escape:
            slashes = np.concatenate(([-1], slashes))
        begins = np.flatnonzero(np.diff(slashes, prepend=slashes[:1] - 2) != 1)
        runs = np.diff(begins, append=len(slashes))
        behind = slashes[begins] + runs  # the character after each run
        odd = behind[runs & 1 == 1]
        self._escape = bool(len(odd)) and int(odd[-1]) == len(piece)
        escaped = np.zeros(len(piece) + 1, np.bool_)
        escaped[odd] = True
        return escaped[at]
