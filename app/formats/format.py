"""What Tilesight knows of one file format."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from app.formats.events import Sink
from app.formats.source import Source
from app.language import tr
from app.profile.profile import Profile

Details: TypeAlias = Mapping[str, Any]


def _alone(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    return [(path,) for path in paths]


@dataclass(frozen=True, slots=True)
class Family:
    """Formats whose profiles are shown alike: they share a layout of panels. ``title``: how people call them, "" for
    those that belong to none."""

    id: str
    title: str = ""


POPLAR = Family("poplar", tr("Poplar"))
POPEF = Family("popef", "PopEF")
TENSORFLOW = Family("tensorflow", "TensorFlow")
ASCEND = Family("ascend", tr("Ascend"))
TRACE = Family("trace", tr("Ascend"))
OTHER = Family("other")


@dataclass(frozen=True, slots=True)
class Format:
    """One record of the registry.

    ``sniff(head, path)`` tells from the first 64 KiB (and the name, to break ties) how sure it is: 0 no,
    1 the name alone, 2 plausible content, 3 certain. ``read(sources, sink)`` makes profiles of files that
    belong together and raises FormatError only when they are not of this format at all. ``group`` sorts
    files of this format into such sets. ``heavy(sources)`` says whether decoding wants a process of its own.
    ``partner(paths)`` is a file that would make a profile of ``paths`` whole and was not opened with them, and
    ``completes(paths, more)`` whether ``more`` are such files.
    ``record(source, profile, ordinal)`` decodes one record of the source again (a slice's arguments). ``joins`` names a
    format whose profiles take files of this one in where both lie in one folder. Profiles of a ``family`` share a
    layout of panels.
    """

    id: str
    label: str
    patterns: tuple[str, ...]
    sniff: Callable[[bytes, Path], int]
    read: Callable[[Sequence[Source], Sink], None]
    group: Callable[[Sequence[Path]], list[tuple[Path, ...]]] = _alone
    heavy: Callable[[Sequence[Source]], bool] = lambda sources: sum(s.size for s in sources) > HEAVY_BYTES
    record: Callable[[Source, Profile, int], Details] | None = None
    joins: str = ""
    family: Family = OTHER
    partner: Callable[[Sequence[Path]], Path | None] | None = None
    completes: Callable[[Sequence[Path], Sequence[Path]], bool] = lambda _paths, _more: False


HEAVY_BYTES = 8 * 1024 * 1024
"""Above this, decoding in a thread would cost the window its frames (design: loading)."""
