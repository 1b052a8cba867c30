"""Previews of the content of a block, and names for files with it."""

from __future__ import annotations

import re

import orjson

from app.analysis.tables.ascend_report import BLOCK_NAMES, UNKNOWN

LINE = 16
_JSON = frozenset((*range(0x02, 0x0A), *range(0x0C, 0x10)))
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")


def kind_name(kind: int) -> str:
    """``0x05 base information``."""
    return f"0x{kind:02X} {BLOCK_NAMES.get(kind, UNKNOWN)}"


def file_name(kind: int, number: int, source: str = "") -> str:
    """The name for a file with the content of block ``number`` (from 1): by its type in English, with the suffix that
    other tools expect. A source text keeps its own name."""
    base = re.sub(r"[^\w.-]+", "_", source.replace("\\", "/").rsplit("/", 1)[-1])
    if base.strip("._"):
        return f"block-{number}-{base}"
    words = re.sub(r"\W+", "-", BLOCK_NAMES.get(kind, UNKNOWN).english)
    suffix = ".json" if kind in _JSON else ".txt" if kind == 1 else ".bin"
    return f"block-{number}-0x{kind:02X}-{words}{suffix}"


def preview(content: bytes, whole: bool) -> str:
    """``content`` for display: JSON indented (only if it is the ``whole`` block), other text as it is, else bytes as
    hexadecimal lines."""
    if whole and content[:1] in (b"{", b"["):
        try:
            return orjson.dumps(orjson.loads(content), option=orjson.OPT_INDENT_2).decode()
        except ValueError:
            pass
    text = _text(content, whole)
    return hexadecimal(content) if text is None else text


def _text(content: bytes, whole: bool) -> str | None:
    """The content as text; None if it is not text. A character cut off at the end is tolerated."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        if whole or error.start < len(content) - 3:
            return None
        text = content[: error.start].decode("utf-8", "replace")
    return None if _CONTROL.search(text) else text


def hexadecimal(content: bytes) -> str:
    """Offset, bytes and characters, LINE bytes per line."""
    return "\n".join(
        f"{at:08x}  {content[at : at + LINE].hex(' '):<{3 * LINE}} {_letters(content[at : at + LINE])}"
        for at in range(0, len(content), LINE)
    )


def _letters(content: bytes) -> str:
    return "".join(chr(byte) if 0x20 <= byte < 0x7F else "·" for byte in content)
