"""PopEF files for tests: written, read, and shown by a panel."""

from __future__ import annotations

from pathlib import Path

from app.document.document import Document
from app.formats import popef as format_
from app.formats.collect import Collector
from app.formats.source import Source
from app.profile.profile import Profile
from app.profile.selection import Kind, Selection
from app.widgets.context import Context
from app.widgets.display import Display
from generators import popef


def read(*paths: Path) -> Profile:
    """One profile of these files."""
    sink = Collector("popef")
    sources = [Source(path) for path in paths]
    try:
        format_.FORMAT.read(sources, sink)
    finally:
        for source in sources:
            source.close()
    return sink.profiles[0]


def written(path: Path, *blobs: bytes) -> Profile:
    """A profile of one file with these blobs."""
    return read(popef.write(path, blobs))


def context_of(profile: Profile | None) -> Context:
    """A document with this profile; nothing is selected."""
    context = Context(Document(), Display())
    if profile is not None:
        context.document.finish(context.document.add(profile, 1))
    return context


def select(context: Context, kind: Kind, *indices: int) -> None:
    context.document.selection.set(Selection(kind, indices, "test"))
