"""Which lanes there are, what they are called, and in which order they are shown."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from app.formats.ascend_trace.event import Event, number, text
from app.formats.ascend_trace.labels import BEYOND, NOWHERE, Labels
from app.profile.arrays import I32
from app.profile.strings import Interner

THREADS = {
    name: place
    for place, name in enumerate(
        ("SCALAR", "FLOWCTRL", "MTE1", "CUBE", "FIXP", "MTE2", "VECTOR", "MTE3", "CACHEMISS"), 1
    )
}
"""The place of a pipe where no metadata gives one; all others come first (Ascend operator files, section 4.5)."""


_SORTED_BY = 256


@dataclass(slots=True)
class Metadata:
    """What ``M`` events say of processes and threads, by the texts of their ids."""

    process_names: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    thread_names: dict[tuple[str, str], str] = field(default_factory=dict)
    process_places: dict[str, float] = field(default_factory=dict)
    thread_places: dict[tuple[str, str], float] = field(default_factory=dict)

    def add(self, event: Event) -> None:
        """Takes one ``M`` event; kinds that say nothing of lanes are passed over."""
        args = event.args
        process, thread = text(event.pid), (text(event.pid), text(event.tid))
        place = number(args.sort_index)
        if event.name == "process_name" and args.name is not None:
            self.process_names[process] = text(args.name)
        elif event.name == "thread_name" and args.name is not None:
            self.thread_names[thread] = text(args.name)
        elif event.name == "process_labels" and args.labels:
            self.labels[process] = text(args.labels)
        elif event.name == "process_sort_index" and place == place:
            self.process_places[process] = place
        elif event.name == "thread_sort_index" and place == place:
            self.thread_places[thread] = place

    def shown(self, processes: list[str]) -> dict[str, str]:
        """What each process is called; where two would have one name, the id tells them apart."""
        names = {pid: self.process_names.get(pid) or pid for pid in processes}
        taken = Counter(names.values())
        for pid, name in names.items():
            apart = f" ({pid})" if taken[name] > 1 and name != pid else ""
            labels = f" [{self.labels[pid]}]" if self.labels.get(pid) else ""
            names[pid] = f"{name}{apart}{labels}"
        return names


@dataclass(frozen=True, slots=True, eq=False)
class LaneTable:
    """``process``, ``thread``: int32[lanes] text ids, in the order shown; ``of_label``: int32, the lane of each
    label, NOWHERE or BEYOND."""

    process: I32
    thread: I32
    of_label: I32


def make(labels: Labels, shown: dict[str, str], metadata: Metadata, strings: Interner) -> LaneTable:
    """The lanes of all places; ``shown``: what processes are called."""
    wanted = sorted(labels.places, key=lambda pair: _place(pair, shown[pair[0]], metadata))
    lane_of = np.empty(len(wanted) + 2, np.int32)
    lane_of[[NOWHERE, BEYOND]] = NOWHERE, BEYOND
    lane_of[[labels.places[pair] for pair in wanted]] = np.arange(len(wanted))
    return LaneTable(
        process=np.array([strings(shown[pid]) for pid, _ in wanted], np.int32),
        thread=np.array([strings(metadata.thread_names.get(pair) or pair[1]) for pair in wanted], np.int32),
        of_label=lane_of[labels.place],
    )


def _place(pair: tuple[str, str], process: str, metadata: Metadata) -> tuple[object, ...]:
    thread = metadata.thread_names.get(pair) or pair[1]
    default = THREADS.get(thread, 0)
    return (
        metadata.process_places.get(pair[0], 0.0),
        _natural(process),
        pair[0],
        metadata.thread_places.get(pair, float(default)),
        _natural(thread),
        pair[1],
    )


def _natural(name: str) -> list[tuple[int, int, str]]:
    """Sorts numbers in names as numbers: core2 before core10. By the beginning of long ones."""
    parts = re.split(r"([0-9]{1,18})", name[:_SORTED_BY])
    return [(0, int(part), "") if index % 2 else (1, 0, part) for index, part in enumerate(parts) if part]
