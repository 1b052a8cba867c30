"""Recognises Ascend operator files by their chain of blocks."""

from __future__ import annotations

from pathlib import Path

from app.formats.ascend_bin.blocks import ACCESSES, CACHE_SETS, HEADER, LAST_KNOWN, PATH_BYTES, SOURCE, plausible

_TEXT_TYPES = frozenset(range(2, LAST_KNOWN + 1)) - {ACCESSES, CACHE_SETS}
_CHECKED = 8


def sniff(head: bytes, path: Path) -> int:
    """3 where the headers in ``head`` form a chain and the first content looks right, 2 where only the first header is
    plausible, else 0.

    The file has no magic bytes (Ascend operator files, section 1.1), and its name is no evidence: any firmware is
    called .bin.
    """
    del path
    if len(head) < HEADER.size or not plausible(head[: HEADER.size]):
        return 0
    return 3 if _chains(head) and _opens(head) else 2


def _chains(head: bytes) -> bool:
    """Whether the first headers inside ``head``, at most _CHECKED, are all plausible."""
    at = 0
    for _ in range(_CHECKED):
        if at + HEADER.size > len(head):
            return True
        if not plausible(head[at : at + HEADER.size]):
            return False
        size, kind = HEADER.unpack_from(head, at)[:2]
        at += HEADER.size + size + (PATH_BYTES if kind == SOURCE else 0)
    return True


def _opens(head: bytes) -> bool:
    """Whether the content of the first block begins as its type requires."""
    kind = head[8]
    return kind not in _TEXT_TYPES or head[HEADER.size : HEADER.size + 64].lstrip()[:1] in (b"{", b"[")
