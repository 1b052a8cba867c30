"""Reads a source file that a profile names, when the user asks for it."""

from __future__ import annotations

import codecs
from pathlib import Path
from typing import Final

from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr

LARGEST: Final = 10 << 20
"""Bytes; about what the writers of operator files include."""
_MARKS: Final = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))


def read_source_text(path: Path) -> str:
    """The text of a file: UTF-8, or as its byte order mark says. Raises FormatError where it is no readable regular
    file, too large, or no text."""
    with Source(path) as source:
        if source.size > LARGEST:
            text = tr("larger than {most} MB, the limit for showing it", most=f"{LARGEST / 1e6:.1f}")
            raise FormatError(text, path=str(path))
        content = source.read(0, source.size)
    encoding = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "")
    if not encoding and b"\0" in content:
        raise FormatError(tr("this is not a text file"), path=str(path))
    return content.decode(encoding or "utf-8", "replace")
