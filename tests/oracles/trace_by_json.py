"""What a trace says, by plain ``json`` and exact decimals, event by event: to compare with what the reader makes."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, TypeAlias

from app.profile.timeline import Timeline

Event: TypeAlias = dict[str, Any]
Place: TypeAlias = tuple[str, str]


@dataclass(slots=True)
class Told:
    """``slices``: of each event number (the begin of a pair) its name, start, duration, process, thread, category and
    address; ``arrows``: how often an arrow of that category leads from a time to a time; ``counters``: of each series
    its times and values."""

    slices: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    arrows: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    counters: Counter[tuple[Any, ...]] = field(default_factory=Counter)


def events_of(text: bytes) -> list[Event]:
    """The events; floats as Decimal."""
    value = json.loads(text, parse_float=Decimal)
    return list(value["traceEvents"] if isinstance(value, dict) else value)


def told(events: list[Event]) -> Told:
    """What ``events`` say. Times count from the earliest slice if they are since 1970."""
    slices = {number: event for number, event in enumerate(events) if event["ph"] == "X"}
    complete = [(number, event, Decimal(event["dur"])) for number, event in slices.items()] + _pairs(events)
    least = min(Decimal(event["ts"]) for _, event, _ in complete)
    most = max(Decimal(event["ts"]) for event in events if "ts" in event)
    zero = least if most >= 2**33 else Decimal(0)
    names = _names(events)
    made = Told()
    for number, event, duration in complete:
        shown = event.get("cname") or event.get("cat") or ""
        address = int(event.get("args", {}).get("pc_addr", "-1"), 16)
        start = float(Decimal(event["ts"]) - zero)
        made.slices[number] = (event["name"], start, float(duration), *_place(event, names), shown, address)
    made.arrows = _arrows(events, zero)
    for event in events:
        for series, value in event.get("args", {}).items() if event["ph"] == "C" else ():
            made.counters[event["name"], series, float(Decimal(event["ts"]) - zero), float(value)] += 1
    return made


def shown(timeline: Timeline) -> Told:
    """The same of a timeline that was read."""
    texts, slices, flows, counters = timeline.strings, timeline.slices, timeline.flows, timeline.counters
    made = Told()
    for lane in range(len(timeline.lanes.process)):
        place = texts[int(timeline.lanes.process[lane])], texts[int(timeline.lanes.thread[lane])]
        rows = timeline.lanes.first_row[lane : lane + 2]
        for at in range(int(slices.first[rows[0]]), int(slices.first[rows[1]])):
            category = int(slices.category[at])
            label = texts[category] if category >= 0 else ""
            times = float(slices.start[at]), float(slices.duration[at])
            one = (texts[int(slices.name[at])], *times, *place, label, int(slices.address[at]))
            made.slices[int(slices.record[at])] = one
    for category, begin, end in zip(flows.category, flows.from_time, flows.to_time, strict=True):
        made.arrows[texts[int(category)], float(begin), float(end)] += 1
    for track, (name, series) in enumerate(zip(counters.name, counters.series, strict=True)):
        for at in range(int(counters.first[track]), int(counters.first[track + 1])):
            point = float(counters.time[at]), float(counters.value[at])
            made.counters[texts[int(name)], texts[int(series)], *point] += 1
    return made


def _pairs(events: list[Event]) -> list[tuple[int, Event, Decimal]]:
    """The begins with their durations: the last begin of a thread ends first."""
    open_: dict[Place, list[tuple[int, Event]]] = defaultdict(list)
    made = []
    for number, event in enumerate(events):
        if event["ph"] == "B":
            open_[_ids(event)].append((number, event))
        elif event["ph"] == "E":
            begin, first = open_[_ids(event)].pop()
            made.append((begin, first, Decimal(event["ts"]) - Decimal(first["ts"])))
    return made


def _arrows(events: list[Event], zero: Decimal) -> Counter[tuple[Any, ...]]:
    ends: dict[tuple[Any, ...], dict[str, float]] = defaultdict(dict)
    for event in events:
        if event["ph"] in ("s", "t", "f"):
            side = "from" if event["ph"] == "s" else "to"
            ends[event["cat"], event["id"]][side] = float(Decimal(event["ts"]) - zero)
    return Counter((key[0], end["from"], end["to"]) for key, end in ends.items())


def _names(events: list[Event]) -> dict[tuple[str, ...], str]:
    """Names of processes and threads; a name that several processes have is followed by the id."""
    processes = {_ids(e)[0]: e["args"]["name"] for e in events if e["name"] == "process_name"}
    often = Counter(processes.values())
    made: dict[tuple[str, ...], str] = {_ids(e): e["args"]["name"] for e in events if e["name"] == "thread_name"}
    return made | {(pid,): f"{name} ({pid})" if often[name] > 1 else name for pid, name in processes.items()}


def _place(event: Event, names: dict[tuple[str, ...], str]) -> Place:
    process, thread = _ids(event)
    return names.get((process,), process), names.get((process, thread), thread)


def _ids(event: Event) -> Place:
    return str(event["pid"]), str(event.get("tid", ""))
