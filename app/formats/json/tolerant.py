"""JSON text of strangers: its beginning and encoding, the positions of its brackets, and decoding what strict
decoders reject, within bounds.
"""

from __future__ import annotations

import codecs
import math
import re
from functools import cache
from typing import Any, Final

import numpy as np
import orjson
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


MAX_BYTES = 64 << 20
MAX_DEPTH = 512
_STEP = 256 * 1024

# Strings are matched completely (to the end of the text if the quote is missing), so that nothing in them is repaired.
_REPAIRS = re.compile(
    rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)'
    rb"|,(?=\s*+(?:[\]}]|\Z))"
    rb"|-?\b(?:nan|inf(?:inity)?)\b"
    rb"|-?\b\d++(?:\.\d++)?e\+?\d{3,}",
    re.IGNORECASE | re.DOTALL,
)
_SURROGATES = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|(\\u[dD][89a-fA-F][0-9a-fA-F]{2})|\\.", re.DOTALL
)
_BAD_NUMBER = tr("invalid number")
_BAD_ESCAPE = tr("invalid escape sequence in a string")
_REASONS = {
    "unexpected end of data": tr("the text ends too early"),
    "zero-length": tr("there is no text"),
    "input data is empty": tr("there is no text"),
    "content after document": tr("there is more text after the end of the value"),
    "expected a string key": tr("expected a name in quotes"),
    "expected ':'": tr("expected a colon"),
    "expected ',' or '}'": tr("expected a comma or {bracket}", bracket="}"),
    "expected ',' or ']'": tr("expected a comma or {bracket}", bracket="]"),
    "expected a JSON value": tr("expected a value"),
    "invalid literal": tr("expected true, false or null"),
    "digit": _BAD_NUMBER,
    "leading zero": _BAD_NUMBER,
    "infinity": _BAD_NUMBER,
    "escape": _BAD_ESCAPE,
    "surrogate": _BAD_ESCAPE,
}
"""By what orjson's messages contain: they are in English only."""
_CONTROLS = bytes(byte if byte >= 32 else 32 for byte in range(256))


def loads(data: bytes, *, max_bytes: int = MAX_BYTES, max_depth: int = MAX_DEPTH) -> tuple[Any, bool]:
    """(value, whether it was repaired). NaN, Infinity and numbers out of range become None, trailing commas are
    removed, invalid characters become U+FFFD. FormatError with the offset in ``data`` if that is not enough."""
    if len(data) > max_bytes:
        raise FormatError(tr("the JSON text is larger than {max_bytes:,} bytes", max_bytes=max_bytes), offset=max_bytes)
    try:
        return orjson.loads(data), False
    except orjson.JSONDecodeError:
        pass
    _check_depth(data, max_depth)
    repaired = clean(data.removeprefix(b"\xef\xbb\xbf"))
    try:
        return orjson.loads(repaired), True
    except orjson.JSONDecodeError as error:
        offset = min(len(error.doc[: error.pos].encode("utf-8", "replace")), len(data))
        raise FormatError(_reason(error.msg), offset=offset) from error


def clean(data: bytes) -> bytes:
    """``data`` without what strict decoders reject: NaN and the like (null), trailing commas, control characters in
    strings, invalid UTF-8, lone surrogates. Time and memory are linear in its size."""
    text = data.translate(_CONTROLS).decode("utf-8", "replace").encode()
    return _REPAIRS.sub(_repair, text)


def _repair(match: re.Match[bytes]) -> bytes:
    text = match[0]
    if text.startswith(b'"'):
        return _SURROGATES.sub(lambda m: rb"\ufffd" if m[1] else m[0], text) if rb"\u" in text else text
    if text == b",":
        return b""
    if text[-1:].isdigit() and math.isfinite(float(text)):
        return text
    return b"null"


def _reason(message: str) -> str:
    """What is wrong, for a message of orjson."""
    reason = next((reason for part, reason in _REASONS.items() if part in message), None)
    return tr("not valid JSON") if reason is None else tr("not valid JSON: {reason}", reason=reason)


def _check_depth(data: bytes, max_depth: int) -> None:
    scanner = Scanner()
    for begin in range(0, len(data), _STEP):
        marks = scanner.feed(data[begin : begin + _STEP])
        deep = np.flatnonzero(marks.depth >= max_depth)
        if len(deep):
            text = tr("the JSON text is nested deeper than {max_depth:,} levels", max_depth=max_depth)
            raise FormatError(text, offset=int(marks.at[deep[0]]))


MOST_BYTES: Final = 1 << 20
"""Longer texts are not checked, because counting their keys would take seconds."""
_NESTED: Final = (dict, list)
_TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"([ \t\r\n]*+:)?', re.DOTALL)


def has_repeated_key(text: bytes, value: Any) -> bool:
    """Whether ``value``, decoded from ``text``, has fewer keys than the text. For most texts a count of colons is
    enough."""
    colons = text.count(b":")
    if not colons or len(text) > MOST_BYTES:
        return False
    keys = _keys(value, colons)
    return colons > keys and sum(match[1] is not None for match in _TEXT.finditer(text)) > keys


def _keys(value: Any, enough: int) -> int:
    """The number of keys; counting stops when it reaches ``enough``."""
    count = 0
    stack = [value] if type(value) in _NESTED else []
    while stack and count < enough:
        part = stack.pop()
        if type(part) is dict:
            count += len(part)
            part = part.values()
        stack.extend([below for below in part if type(below) in _NESTED])
    return count
