"""Sections of a file that is a part of another."""

from __future__ import annotations

from msgspec.structs import replace

from app.formats.ascend_report.members import Member
from app.profile.arrays import sealed
from app.profile.ascend import RawBlocks
from app.profile.profile import Section
from app.profile.timeline import Timeline


def moved(section: Section, member: Member) -> Section:
    """``section``, read from ``member``, with the places that it holds counted from the beginning of the file that has
    the member."""
    offset, file = member.offset, member.file
    match section:
        case Timeline(pieces=pieces) if pieces is not None:
            return replace(section, pieces=replace(pieces, file=file, offset=sealed(pieces.offset + offset)))
        case RawBlocks():
            begin, payload = sealed(section.offset + offset), sealed(section.payload + offset)
            return replace(section, offset=begin, payload=payload, inside=member.name, file=file)
        case _:
            return section
