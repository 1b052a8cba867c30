"""Columns that several tables of PopEF models share."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from app.analysis.popef.anchors import shape_text
from app.analysis.table import Coded, Column
from app.language import tr
from app.profile.arrays import I32, I64, Bool, Ragged
from app.profile.popef import Blobs, data_type
from app.profile.strings import Interner, Strings


def coded(texts: Iterable[str]) -> Coded:
    """Texts as ids of distinct strings; an empty text is missing."""
    intern = Interner()
    ids = np.array([intern(text) if text else -1 for text in texts], np.int32)
    return Coded(ids, intern.strings())


def texts(items: Iterable[str]) -> Coded:
    """Texts as ids of distinct strings; an empty text is a value too (a field that is empty, or that does not
    apply)."""
    intern = Interner()
    return Coded(np.array([intern(item) for item in items], np.int32), intern.strings())


def where(ids: I32, strings: Strings, has: Bool) -> Coded:
    """Texts ``ids``; empty ones in rows that cannot have any, so that only missing values are shown as "no data"."""
    with_empty = Strings(strings.blob, np.append(strings.ends, strings.ends[-1] if len(strings) else 0))
    return Coded(np.where(has | (ids >= 0), ids, len(strings)).astype(np.int32), with_empty)


def numbered(numbers: I32, name: Callable[[int], str]) -> Coded:
    """The names of numbers of an enumeration; negative ones are missing."""
    intern = Interner()
    different, where = np.unique(numbers, return_inverse=True)
    ids = np.array([intern(name(number)) if number >= 0 else -1 for number in different.tolist()], np.int32)
    return Coded(ids[where], intern.strings())


def payload(blobs: Blobs, of: I32) -> Column:
    """Payload bytes of the blobs ``of``."""
    size = blobs.payload_size[of]
    return Column("bytes", tr("Bytes"), size, "B", tr("Payload bytes in the file."), missing=size < 0)


def version(blobs: Blobs, of: I32) -> Column:
    """Version texts of the blobs ``of``."""
    return Column(
        "version", tr("Version"), Coded(blobs.version[of], blobs.strings), help=tr("Version text of the header.")
    )


def types(numbers: I32) -> Column:
    return Column("type", tr("Data type"), numbered(numbers, data_type))


def shapes(rows: Ragged, of: I64 | None = None) -> Coded:
    """The shapes of the rows ``of`` (None: all) as texts."""
    indices = range(len(rows)) if of is None else of.tolist()
    return coded(shape_text(tuple(rows.row(index).tolist())) for index in indices)


def counts(names: I32, among: I32) -> I64:
    """int64[names]: how often each text id occurs in ``among``."""
    different, times = np.unique(among, return_counts=True)
    if not len(different):
        return np.zeros(len(names), np.int64)
    at = np.searchsorted(different, names).clip(0, len(different) - 1)
    return np.where(different[at] == names, times[at], 0).astype(np.int64)
