"""Names of slices that differ in numbers, hashes and addresses only."""

from __future__ import annotations

from collections.abc import Collection
from functools import cached_property
from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.compare.names import stem
from app.profile.arrays import I64, sealed
from app.profile.strings import Strings, joined
from app.profile.timeline import Timeline

_FOLDED: Final = np.arange(256, dtype=np.uint8)
_FOLDED[ord("0") : ord("9") + 1] = ord("0")


def stems(strings: Strings, used: I64, apart: Collection[str] = ()) -> tuple[I64, list[str], list[str]]:
    """(int64[used], names, labels): the group of each text of ``used``; what the names of each group have in common,
    and what to call it: that, or the only name in it. The names ``apart`` stay what they are. Names are compared as
    bytes with all digits alike first, so that few of a million need to be decoded."""
    known = {int(text) for name in apart for text in strings.find(name)} if len(strings) else set()
    blob, ends = _FOLDED[strings.blob].tobytes(), strings.ends.tolist()
    of_bytes: dict[bytes, int] = {}
    of_stem: dict[str, int] = {}
    names: list[str] = []
    first: list[int] = []
    group = np.empty(len(used), np.int64)
    for place, text in enumerate(used.tolist()):
        part = blob[ends[text - 1] if text else 0 : ends[text]]
        number = -1 if text in known else of_bytes.get(part, -1)
        if number < 0:
            own = strings.get(text)
            plain = own if text in known else stem(own)
            number = of_stem.setdefault(plain, len(names))
            if number == len(names):
                names.append(plain)
                first.append(text)
            if text not in known:
                of_bytes[part] = number
        group[place] = number
    alone = np.flatnonzero(np.bincount(group, minlength=len(names)) == 1)
    labels = names.copy()
    for number in alone.tolist():
        labels[number] = strings.get(first[number])
    return group, names, labels


class NameGroups(Struct, frozen=True, eq=False, dict=True):
    """The names of the slices of ``timeline`` in groups of those with one stem, made when first asked for: a million
    names take about a second. The names ``apart`` stay what they are."""

    timeline: Timeline
    apart: tuple[str, ...] = ()

    @cached_property
    def _groups(self) -> tuple[I64, Strings]:
        strings = self.timeline.strings
        used = np.flatnonzero(np.bincount(self.timeline.slices.name, minlength=len(strings))).astype(np.int64)
        found, _, labels = stems(strings, used, self.apart)
        group = np.full(len(strings), -1, np.int64)
        group[used] = found
        return sealed(group), Strings.of(labels)

    @property
    def of_name(self) -> I64:
        """int64[strings]: the group of each name; -1 for texts that name no slice."""
        return self._groups[0]

    @cached_property
    def texts(self) -> Strings:
        """The texts of the timeline, then the names of the groups."""
        return joined(self.timeline.strings, self._groups[1])

    @property
    def saves(self) -> bool:
        """Whether there are fewer groups than names."""
        return len(self._groups[1]) < int(np.count_nonzero(self.of_name >= 0))
