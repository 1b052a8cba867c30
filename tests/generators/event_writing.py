"""Ways in which programs write the same events as JSON: layout, order of keys, numbers as text."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import orjson

Event: TypeAlias = dict[str, Any]
Layout: TypeAlias = Literal["compact", "pretty", "spaced"]
Order: TypeAlias = Literal["alphabetical", "usual", "mixed"]

USUAL = ("ph", "name", "cat", "id", "bp", "s", "pid", "tid", "ts", "dur", "cname", "args")
"""The order in which scripts tend to write the keys."""
ORDERS = 24
"""Different orders of keys in a mixed file."""


@dataclass(frozen=True, slots=True)
class Writing:
    """``layout``: without blanks, indented by two, or as Python's ``json.dump`` writes (blanks after commas and colons,
    non-ASCII characters escaped). ``order``: of the keys, also those of the arguments; mixed changes from event to
    event. ``quoted``: numbers are written as texts."""

    layout: Layout = "compact"
    order: Order = "alphabetical"
    quoted: bool = False

    def lines(self, events: Iterable[Event], seed: int = 0) -> Iterator[bytes]:
        """The text of each event, indented as inside an array of the file's object."""
        dump = _DUMPS[self.layout]
        arranged = _arranging(self.order, seed)
        for event in events:
            plain = _quoted(event) if self.quoted else event
            yield dump(arranged(plain))


def _compact(event: Event) -> bytes:
    return orjson.dumps(event)


def _pretty(event: Event) -> bytes:
    text = orjson.dumps(event, option=orjson.OPT_INDENT_2)  # inside strings, line feeds are escaped
    return b"\n    " + text.replace(b"\n", b"\n    ")


def _spaced(event: Event) -> bytes:
    return json.dumps(event).encode()


_DUMPS: dict[Layout, Callable[[Event], bytes]] = {"compact": _compact, "pretty": _pretty, "spaced": _spaced}


def _arranging(order: Order, seed: int) -> Callable[[Event], Event]:
    if order == "alphabetical":
        return lambda event: {key: event[key] for key in sorted(event)}
    if order == "usual":
        return lambda event: {key: event[key] for key in USUAL if key in event}
    dice = random.Random(seed)
    orders = [dice.sample(USUAL, len(USUAL)) for _ in range(ORDERS)]

    def mixed(event: Event) -> Event:
        made = {key: event[key] for key in dice.choice(orders) if key in event}
        args = made.get("args")
        if args and dice.random() < 0.5:
            made["args"] = dict(reversed(args.items()))
        return made

    return mixed


def _quoted(event: Event) -> Event:
    """The event with all its numbers, and those directly in its arguments, as texts."""
    made = {key: _text(value) for key, value in event.items()}
    if "args" in event:
        made["args"] = {key: _text(value) for key, value in event["args"].items()}
    return made


def _text(value: Any) -> Any:
    return str(value) if type(value) in (int, float) else value
