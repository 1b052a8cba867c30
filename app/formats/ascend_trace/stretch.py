"""Decoding a part of a trace, perhaps in another process (``app/formats/json/stretches``)."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.formats.ascend_trace.columns import Gathered
from app.formats.ascend_trace.event import Event
from app.formats.ascend_trace.gather import Gatherer
from app.formats.ascend_trace.growing import Growing, Sparse
from app.formats.ascend_trace.metadata import Metadata
from app.formats.ascend_trace.times import Times
from app.formats.json.quiet import collector_off
from app.formats.json.stretches import Mode, Passage, Stretch, StretchRecords, nothing, place_of
from app.formats.numbering import numbering
from app.formats.pool import Moved, Task
from app.formats.source import Source
from app.profile.arrays import I64, Array

NO_LIMIT: Final = 1 << 62
"""Lanes are counted when parts are merged: which ones are too many depends on those before."""
EXACT: Final[Mode] = (1,)
WHOLE: Final = ".whole"
PIECES_SEEN: Final = (2, 16)
"""The numbers of pieces after which it is estimated how many events there are."""


class TracePart(Struct, frozen=True, eq=False):
    """The content of a ``Gathered`` in a form that can be sent. ``columns``: by the name of the attribute, for times
    also with ``.whole`` if they are exact, without those that are blank. Its mode is (whether times are exact,)."""

    passage: Passage
    names: list[str | float | None]
    categories: list[str]
    ids: list[str]
    groups: list[str]
    processes: list[str]
    thread_ids: list[str]
    places: I64
    threads: list[int]
    tracks: list[tuple[str, str, str]]
    slices: dict[str, Array]
    points: dict[str, Array]
    counters: dict[str, Array]
    bad: int
    metadata: Metadata
    ignored: dict[str, int]
    words: int

    def gathered(self) -> Gathered:
        """The content as it was collected."""
        made = Gathered()
        made.names, made.categories = numbering(self.names), numbering(self.categories)
        made.ids, made.groups = numbering(self.ids), numbering(self.groups)
        made.places.processes, made.places.thread_ids = numbering(self.processes), numbering(self.thread_ids)
        made.places.codes = {code: number for number, code in enumerate(self.places.tolist())}
        made.places.threads = set(self.threads)
        made.counters.tracks = numbering(self.tracks)
        made.counters.bad = self.bad
        for target, columns in (
            (made.slices, self.slices),
            (made.points, self.points),
            (made.counters, self.counters),
        ):
            _fill(target, columns)
        made.metadata = self.metadata
        made.ignored.update(self.ignored)
        made.pieces = [(offset, size, first) for offset, size, first in self.passage.pieces.tolist()]
        made.count = self.passage.count
        made.words = self.words
        return made


def decode(source: Source, stretch: Stretch, moved: Moved) -> TracePart:
    """The events of ``stretch``."""
    place = place_of(source, stretch)
    gatherer = Gatherer(NO_LIMIT)
    if place is None:
        return _part(gatherer.gathered, nothing(stretch))
    decoder = gatherer.decoder
    decoder.exact = stretch.mode == EXACT
    records: StretchRecords[Event] = StretchRecords(
        source, stretch, place, decode=decoder.decode, rescue=decoder.rescue, plain=decoder.plain
    )
    with collector_off():
        if decoder.exact:
            gatherer.gathered.split_times()
        for piece in records:
            gatherer.gather(records, piece)
            if len(gatherer.gathered.pieces) in PIECES_SEEN:
                gatherer.gathered.expect(piece.offset + piece.size - place.end, stretch.until - place.end)
            moved(piece.offset + piece.size)
    return _part(gatherer.gathered, records.passage(mode_of(decoder.exact)))


TASK: Final = Task("trace", decode, Stretch, TracePart)


def mode_of(exact: bool) -> Mode:
    """The mode of a reader whose times are exact or not."""
    return EXACT if exact else (0,)


def _part(gathered: Gathered, passage: Passage) -> TracePart:
    return TracePart(
        passage,
        list(gathered.names),
        list(gathered.categories),
        list(gathered.ids),
        list(gathered.groups),
        list(gathered.places.processes),
        list(gathered.places.thread_ids),
        np.fromiter(gathered.places.codes, np.int64, len(gathered.places)),
        sorted(gathered.places.threads),
        list(gathered.counters.tracks),
        _columns(gathered.slices),
        _columns(gathered.points),
        _columns(gathered.counters),
        gathered.counters.bad,
        gathered.metadata,
        dict(gathered.ignored),
        gathered.words,
    )


def _columns(columns: object) -> dict[str, Array]:
    """The growing columns of an object."""
    result: dict[str, Array] = {}
    for name, value in vars(columns).items():
        if isinstance(value, Sparse) and value.is_blank:
            continue
        if isinstance(value, Growing):
            result[name] = value.array()
        elif isinstance(value, Times):
            moments = value.moments()
            result[name] = moments.value
            if moments.whole is not None:
                result[name + WHOLE] = moments.whole
    return result


def _fill(target: object, columns: dict[str, Array]) -> None:
    """Sets the growing columns of an object."""
    count = max(map(len, columns.values()))
    for name, value in vars(target).items():
        if isinstance(value, Sparse) and name not in columns:
            value.extend_blank(count)
        elif isinstance(value, Growing):
            value.replace(columns[name])
        elif isinstance(value, Times):
            value.set(columns[name], columns.get(name + WHOLE))
