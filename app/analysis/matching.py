"""Which rows of a table match a text or are in the selected ranges."""

from __future__ import annotations

import re

import numpy as np

from app.analysis.table import Coded, Column, Table
from app.language import tr
from app.profile.arrays import F64, I64, U8, Array, Bool, among, distinct
from app.profile.profile import Profile
from app.profile.selection import Ranges, TimeRange
from app.profile.strings import Strings
from app.profile.tensorflow import GRAIN
from app.profile.timeline import Timeline

RARITY_SAMPLE = 65536
"""Bytes sampled to estimate which byte of a search text is rarest."""

BLOCK = 1 << 20
"""Bytes searched in one step: the window has to wait for each step of a worker thread."""

LOWER, UPPER = slice(ord("a"), ord("z") + 1), slice(ord("A"), ord("Z") + 1)


class BadPattern(ValueError):
    """A regular expression that does not compile; the message says why."""


def matching_rows(table: Table, text: str, *, case: bool = False, regex: bool = False) -> Bool:
    """bool[rows]: rows with a cell that matches. Texts match if they contain ``text`` (or the regular expression
    matches in them); a whole number, decimal or 0x…, also matches cells of integer columns with that value. BadPattern
    for a broken expression."""
    if not text:
        return np.ones(table.rows, np.bool_)
    matched = np.zeros(table.rows, np.bool_)
    number = None if regex else whole_number(text)
    for column in table.columns:
        hits = column_hits(column, text, number, case=case, regex=regex)
        if hits is not None:
            matched |= hits if column.missing is None else hits & ~column.missing
    return matched


def matching_texts(strings: Strings, text: str, *, case: bool = False, regex: bool = False) -> Bool:
    """bool[texts]: which texts match. BadPattern for a broken expression."""
    if regex:
        search = compiled(text, case=case).search
        return np.fromiter((search(entry) is not None for entry in strings.tolist()), np.bool_, len(strings))
    wanted = text.casefold()
    if not case and not text.isascii():
        return np.fromiter((wanted in entry.casefold() for entry in strings.tolist()), np.bool_, len(strings))
    matched = _containing(strings, text.encode("utf-8", "backslashreplace"), case=case)
    if not case:  # outside ASCII, lower case may have other bytes
        beyond = distinct(np.searchsorted(strings.ends, np.flatnonzero(strings.blob & 0x80), "right"))
        for index in beyond[~matched[beyond]].tolist():
            matched[index] = wanted in strings[index].casefold()
    return matched


def compiled(text: str, *, case: bool) -> re.Pattern[str]:
    """The compiled expression; BadPattern with the reason if it does not compile."""
    try:
        return re.compile(text, 0 if case else re.IGNORECASE)
    except (re.error, OverflowError, RecursionError) as error:
        raise BadPattern(tr("invalid regular expression: {error}", error=error)) from error


def whole_number(text: str) -> int | None:
    """``text`` as a whole number (also 1,472 and 0x5c0), or None."""
    plain = text.strip().replace(",", "").lower()
    base = 16 if plain.startswith("0x") else 10
    try:
        return int(plain, base) if plain.isascii() and len(plain) < 24 else None
    except ValueError:
        return None


def column_hits(
    column: Column, text: str, number: int | None, *, case: bool = False, regex: bool = False
) -> Bool | None:
    """bool[rows]: cells that contain ``text``, or equal the whole ``number`` (cells without data included); None if the
    column cannot match."""
    values = column.values
    if isinstance(values, Coded):
        if not len(values.strings):
            return None
        hits = matching_texts(values.strings, text, case=case, regex=regex)
        if not hits.any():
            return None
        matched: Bool = hits[np.clip(values.ids, 0, len(hits) - 1)]
        return matched & (values.ids >= 0) & (values.ids < len(hits))
    if isinstance(values, tuple):
        return matching_texts(Strings.of(values), text, case=case, regex=regex)
    return _equal(values, number) if number is not None else None


def _equal(values: Array, number: int) -> Bool | None:
    if values.dtype.kind not in "iu" or not np.iinfo(values.dtype).min <= number <= np.iinfo(values.dtype).max:
        return None
    return np.asarray(values == number)


def _containing(strings: Strings, wanted: bytes, *, case: bool) -> Bool:
    """bool[texts]: which contain ``wanted``. Searches the joined texts byte by byte, beginning with the rarest byte of
    ``wanted``; a match across the border of two texts does not count."""
    blob, ends = strings.blob, strings.ends
    matched = np.zeros(len(strings), np.bool_)
    if len(wanted) > len(blob):
        return matched
    rarity = np.bincount(blob[:: max(1, len(blob) // RARITY_SAMPLE)], minlength=256)
    if not case:
        rarity[LOWER] = rarity[UPPER] = rarity[LOWER] + rarity[UPPER]
    anchor = min(range(len(wanted)), key=lambda place: rarity[wanted[place]])
    last = len(blob) - len(wanted)
    for begin in range(0, last + 1, BLOCK):
        end = min(begin + BLOCK, last + 1)
        places = begin + np.flatnonzero(_same(blob[begin + anchor : end + anchor], wanted[anchor], case))
        for offset in range(len(wanted)):
            if offset != anchor:
                places = places[_same(blob[places + offset], wanted[offset], case)]
        owners = np.searchsorted(ends, places, "right")
        matched[owners[places + len(wanted) <= ends[owners]]] = True
    return matched


def _same(data: U8, byte: int, case: bool) -> Bool:
    other = bytes([byte]).swapcase()[0]
    same = data == byte if case or other == byte else (data == byte) | (data == other)
    return np.asarray(same)


def rows_within(profile: Profile, table: Table, ranges: Ranges) -> Bool | None:
    """bool[rows], or None if no range applies to this table. Tiles: rows of those tiles, and variables on them. Time:
    slices that overlap the range, steps whose slice does (a step without cycles of its own, such as Sync, has a place
    on the timeline too), and host events (one without a time never does). Rows that stand for nothing in this profile
    (key -1) are outside."""
    keys = table.keys if table.keys is not None else np.arange(table.rows)
    within = _within(profile, table, keys, ranges)
    return None if within is None else within & (keys >= 0)


def _within(profile: Profile, table: Table, keys: I64, ranges: Ranges) -> Bool | None:
    if table.selects == "tile" and ranges.tiles is not None:
        return among(keys, np.array(ranges.tiles.tiles, np.int64))
    if table.id == "variables" and ranges.tiles is not None and profile.variables is not None:
        return among(profile.variables.tile[keys], np.array(ranges.tiles.tiles, np.int64))
    if ranges.time is None or profile.timeline is None:
        return None
    if table.selects == "slice":
        slices = profile.timeline.slices
        return _touches(slices.start[keys], slices.start[keys] + slices.duration[keys], ranges.time)
    if table.selects == "host_event" and profile.host_events is not None:
        events = profile.host_events
        start = np.round(events.starts() - events.zero, GRAIN)
        return _touches(start, events.since(), ranges.time)[keys]
    if table.selects == "step" and profile.steps is not None and profile.timeline.unit == "cycles":
        return _steps_within(profile.timeline, len(profile.steps), ranges.time)[keys]
    return None


def _steps_within(timeline: Timeline, steps: int, stretch: TimeRange) -> Bool:
    """bool[steps]: those with a slice that overlaps the range."""
    slices = timeline.slices
    records = slices.record[_touches(slices.start, slices.start + slices.duration, stretch)]
    inside = np.zeros(steps, np.bool_)
    inside[records[(records >= 0) & (records < steps)]] = True
    return inside


def _touches(start: F64, end: F64, stretch: TimeRange) -> Bool:
    return np.asarray((start <= stretch.end) & (end >= stretch.start))
