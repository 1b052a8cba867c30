"""What metadata events say about processes and threads."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field

from app.formats.ascend_trace.event import Event, number, text

_OF_LANES = ("process_name", "thread_name", "process_labels", "process_sort_index", "thread_sort_index")


class Metadata(Struct):
    """The data of ``M`` events about processes and threads, by their ids as text."""

    process_names: dict[str, str] = field(default_factory=dict)
    labels: dict[str, str] = field(default_factory=dict)
    thread_names: dict[tuple[str, str], str] = field(default_factory=dict)
    process_places: dict[str, float] = field(default_factory=dict)
    thread_places: dict[tuple[str, str], float] = field(default_factory=dict)
    other: int = 0

    def add(self, event: Event) -> None:
        """Adds one ``M`` event; those that do not describe lanes are counted in ``other``."""
        args = event.arguments
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
        elif event.name not in _OF_LANES:
            self.other += 1

    def extend(self, later: Metadata) -> None:
        """Adds the data of later events."""
        self.process_names.update(later.process_names)
        self.labels.update(later.labels)
        self.thread_names.update(later.thread_names)
        self.process_places.update(later.process_places)
        self.thread_places.update(later.thread_places)
        self.other += later.other

    def shown(self, processes: list[str]) -> dict[str, str]:
        """Display names of processes by id; processes of the same name get their id appended."""
        names = {pid: self.process_names.get(pid) or pid for pid in processes}
        taken = Counter(names.values())
        for pid, name in names.items():
            apart = f" ({pid})" if taken[name] > 1 and name != pid else ""
            labels = f" [{self.labels[pid]}]" if self.labels.get(pid) else ""
            names[pid] = f"{name}{apart}{labels}"
        return names
