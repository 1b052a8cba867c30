"""One event of a trace, decoded without what is only shown when it is selected."""

from __future__ import annotations

import math
from typing import Any

import msgspec
import orjson

NO_NUMBER = math.nan


class Args(msgspec.Struct, gc=False):
    """What is needed at once of the arguments of a slice (the first two) and of metadata (the others)."""

    pc_addr: str | int | None = None
    group_id: str | int | None = None
    name: str | int | None = None
    labels: str | int | None = None
    sort_index: float | str | None = None


class Event(msgspec.Struct, gc=False):
    """Trace event, Ascend operator files, section 4.3; ``ts`` and ``dur`` are in microseconds, NaN if missing.
    ``values`` holds the arguments of a counter."""

    ph: str = ""
    name: str = ""
    ts: float = NO_NUMBER
    dur: float = NO_NUMBER
    pid: str | int | None = None
    tid: str | int | None = None
    cname: str | None = None
    cat: str | None = None
    id: str | int | None = None
    group_id: str | int | None = None
    args: Args | None = None
    values: Any = msgspec.field(name="tilesight: counter values", default=None)


_typed = msgspec.json.Decoder(list[Event]).decode


def decode(text: bytes) -> list[Event]:
    """The events of an array's text; a msgspec error where one of them is not typed as usual."""
    events = _typed(text)
    if b'"C"' in text:
        for event, plain in zip(events, orjson.loads(text), strict=True):
            if event.ph == "C":
                event.values = plain.get("args")
    if b'"group_id"' in text:
        for event in events:
            if event.group_id is None and event.args is not None:
                event.group_id = event.args.group_id
    return events


def rescue(value: Any) -> Event:
    """An event whose fields have unusual types (numbers as texts, null names); ValueError if it is none."""
    if not isinstance(value, dict):
        raise ValueError("an event is an object")
    args = value.get("args")
    args = args if isinstance(args, dict) else {}
    return Event(
        ph=text(value.get("ph")),
        name=text(value.get("name")),
        ts=number(value.get("ts")),
        dur=number(value.get("dur")),
        pid=_key(value.get("pid")),
        tid=_key(value.get("tid")),
        cname=text(value.get("cname")) or None,
        cat=text(value.get("cat")) or None,
        id=_key(value.get("id")),
        group_id=_key(value.get("group_id", args.get("group_id"))),
        args=Args(
            pc_addr=_key(args.get("pc_addr")),
            name=_key(args.get("name")),
            labels=_key(args.get("labels")),
            sort_index=number(args.get("sort_index")),
        ),
        values=args if value.get("ph") == "C" else None,
    )


def number(value: Any) -> float:
    """``value``, or the number in a text, as float; NaN for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return NO_NUMBER
    try:
        return float(value)
    except (ValueError, OverflowError):
        return NO_NUMBER


def text(value: Any) -> str:
    """A text or whole number as text; "" for anything else."""
    return str(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""


def _key(value: Any) -> str | int | None:
    if isinstance(value, (str, int)):
        return value
    return text(value) or None
