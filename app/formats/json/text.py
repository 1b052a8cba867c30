"""The beginning and encoding of a JSON file."""

from __future__ import annotations

import codecs

from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr

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
