"""Sections of a file that is a part of another."""

from __future__ import annotations

from msgspec.structs import replace

from app.profile.arrays import sealed
from app.profile.profile import Section
from app.profile.raw_blocks import RawBlocks
from app.profile.timeline import Timeline


def moved(section: Section, offset: int, file: int) -> Section:
    """``section``, read from bytes that begin at ``offset`` of file number ``file``, with the places that it holds
    counted from the beginning of that file."""
    match section:
        case Timeline(pieces=pieces) if pieces is not None:
            return replace(section, pieces=replace(pieces, file=file, offset=sealed(pieces.offset + offset)))
        case RawBlocks() if offset:
            return replace(section, offset=sealed(section.offset + offset), payload=sealed(section.payload + offset))
        case _:
            return section
