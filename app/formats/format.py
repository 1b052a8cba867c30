"""The description of a file format: how to recognise, group and read its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct

from app.formats.events import Event, Sink
from app.formats.pool import Pool
from app.formats.source import Source
from app.language import tr
from app.profile.profile import Profile

Details: TypeAlias = Mapping[str, Any]


def _alone(paths: Sequence[Path]) -> list[tuple[Path, ...]]:
    return [(path,) for path in paths]


class Family(Struct, frozen=True):
    """Formats whose profiles share a panel layout. ``title``: the name shown to users, "" for formats outside any
    family."""

    id: str
    title: str = ""


POPLAR = Family("poplar", tr("Poplar"))
POPEF = Family("popef", "PopEF")
TENSORFLOW = Family("tensorflow", "TensorFlow")
ASCEND = Family("ascend", tr("Ascend"))
CAPTURE = Family("capture", tr("Ascend"))
PYPTO = Family("pypto", "PyPTO")
TENSTORRENT = Family("tenstorrent", "Tenstorrent")
TRACE = Family("trace")
"""Without a title: traces of this layout come from Ascend's simulator, PyTorch, browsers and others."""
OTHER = Family("other")


class Gathered(Struct, frozen=True):
    """``groups``: files of a folder that are read together; ``ignored``: files that belong to them and are not read;
    ``missed``: sentences about what was left out."""

    groups: tuple[tuple[Path, ...], ...] = ()
    ignored: tuple[Path, ...] = ()
    missed: tuple[str, ...] = ()


class Format(Struct, frozen=True):
    """One record of the registry.

    ``sniff(head, path)`` scores the first 64 KiB of a file (and its name, to break ties): 0 another format, 1 the name
    matches, 2 the content is plausible, 3 certain. ``read(sources, sink)`` reads files that belong together into
    profiles and raises FormatError only when they are not of this format at all. ``group`` sorts files of this format
    into such sets. ``heavy(sources)``: whether decoding needs a separate process. ``partner(paths)``: a file that
    completes the profile of ``paths`` and was not opened with them, None if there is none; ``completes(paths, more)``:
    whether ``more`` are such files. ``record_files(profile)``: the files, in this order, that hold the records of the
    timeline as one text, which ``app/formats/records.py`` decodes again; one or none where it is the file of its pieces
    alone, None where records cannot be decoded again; ``record``: decodes one where they are not JSON. ``joins``: id of
    a format whose profiles include files of this one from the same folder.
    Profiles of a ``family`` share a panel layout. ``read_divided``: like ``read``, with processes that help.
    ``gather(files, known)``: sets of the files of an opened folder that are read together, whatever the formats of
    single ones; ``known(path)``: whether a format reads that file by itself. ``surrounding(paths)``: the folder whose
    files would be read together with the opened ones, None if there is none. ``tolerant``: ``read`` gets an
    ``Unreadable`` for a file that cannot be opened, and reads the others. ``preview(sources)``: what can be shown of
    large files within milliseconds, whatever their size: the beginning of their first profile, and of its sections what
    is easily found. All of these events are marked as ``preview``; none is an issue. It may raise FormatError.
    ``label_of(profile)``: what a profile of this format is called, where several programs write it.
    """

    id: str
    label: str
    patterns: tuple[str, ...]
    sniff: Callable[[bytes, Path], int]
    read: Callable[[Sequence[Source], Sink], None]
    group: Callable[[Sequence[Path]], list[tuple[Path, ...]]] = _alone
    heavy: Callable[[Sequence[Source]], bool] = lambda sources: sum(s.size for s in sources) > HEAVY_BYTES
    record_files: Callable[[Profile], Sequence[int]] | None = None
    record: Callable[[Source, Profile, int], Details] | None = None
    joins: str = ""
    family: Family = OTHER
    partner: Callable[[Sequence[Path]], Path | None] | None = None
    completes: Callable[[Sequence[Path], Sequence[Path]], bool] = lambda _paths, _more: False
    read_divided: Callable[[Sequence[Source], Sink, Pool], None] | None = None
    gather: Callable[[Sequence[Path], Callable[[Path], bool]], Gathered] | None = None
    surrounding: Callable[[Sequence[Path]], Path | None] | None = None
    tolerant: bool = False
    preview: Callable[[Sequence[Source]], Iterator[Event]] | None = None
    label_of: Callable[[Profile], str] | None = None


HEAVY_BYTES = 8 * 1024 * 1024
"""Decoding more than this in a thread would make the window drop frames."""
