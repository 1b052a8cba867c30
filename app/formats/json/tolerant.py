"""Decodes JSON that strict decoders reject, within bounds, and finds duplicate keys, of which decoders silently use
the last one."""

from __future__ import annotations

import math
import re
from typing import Any, Final

import numpy as np
import orjson

from app.formats.errors import FormatError
from app.formats.json.text import Scanner
from app.language import tr

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
