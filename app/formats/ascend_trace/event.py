"""Decodes the events of a trace, without the arguments that are shown only for a selected event."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from app.formats.ascend_trace.vocabulary import KnownKeys, Vocabulary, known
from app.language import tr

NO_NUMBER = math.nan
NO_TEXT = msgspec.Raw()


class GroupId:
    """The id of a group of slices, as text."""

    __slots__ = ("id",)

    def __init__(self, value: str) -> None:
        self.id = value


class Args(msgspec.Struct, gc=False, frozen=True):
    """The arguments that are needed while reading: of slices (the first four) and of metadata (the others)."""

    pc_addr: str | int | float | None = None
    group_id: GroupId | None = None
    raw: Any = None
    start_raw: Any = None
    name: Any = None
    labels: Any = None
    sort_index: Any = None


NO_ARGS = Args()
Label: TypeAlias = str | int | float | None
"""What should be a text. Some writers store numbers or null."""
REPEATED: Final = ("cat", "cname", "name", "ph", "pid", "tid")
"""Fields whose texts are repeated."""


class Event(msgspec.Struct, gc=False, kw_only=True):
    """A trace event (Ascend operator files, section 4.3). ``ts`` and ``dur``: microseconds, NaN if missing; some
    writers store them as strings."""

    args: Args | str | int | float | bool | list[Any] | None = NO_ARGS
    bp: Label = None
    cat: Label = None
    cname: Label = None
    dur: float | str | None = NO_NUMBER
    group_id: GroupId | None = None
    id: Label = None
    id2: Any = None
    name: Label = ""
    ph: str = ""
    pid: Label = None
    s: Label = None
    scope: Label = None
    tid: Label = None
    ts: float | str | None = NO_NUMBER

    @property
    def arguments(self) -> Args:
        """The arguments, or none if they are not an object."""
        return self.args if isinstance(self.args, Args) else NO_ARGS

    @property
    def is_word(self) -> bool:
        """Whether it has a word of the device among its arguments."""
        args = self.arguments
        return args.raw is not None or args.start_raw is not None

    @property
    def group(self) -> str | None:
        """The id of the event's group, from its own field or an argument; None without one."""
        group = self.group_id or self.arguments.group_id
        return group.id if group else None

    @property
    def key(self) -> str | None:
        """The id that links the event to others (plain, local to its process, or global), with its scope; None without
        one."""
        plain = self.id
        if plain is None and isinstance(self.id2, dict):
            plain = self.id2.get("local", self.id2.get("global"))
        if plain is None:
            return None
        return text(plain) if self.scope is None else f"{text(self.scope)}:{text(plain)}"


class _TextEvent(Event, gc=False, kw_only=True):
    """An event with its time as raw JSON text."""

    ts: msgspec.Raw = NO_TEXT  # type: ignore[assignment]


_DEFAULTS: Final[dict[str, Label]] = {field: getattr(Event(), field) for field in REPEATED}
ALL_KEYS: Final = frozenset(Event.__struct_fields__)


class Events(list[Event]):
    """Events that were decoded together. ``keys``: those that some of them may have; other fields have their default in
    all of them. ``constant``: fields that have one value in all of them, and that value."""

    __slots__ = ("constant", "keys")

    def __init__(self, events: Iterable[Event], keys: Collection[str], constant: Mapping[str, Label]) -> None:
        super().__init__(events)
        self.keys = keys
        self.constant = constant


def keys_of(events: Sequence[Event]) -> Collection[str]:
    """The ``keys`` of ``events``: all where they were decoded in parts."""
    return events.keys if isinstance(events, Events) else ALL_KEYS


def constant_of(events: Sequence[Event]) -> Mapping[str, Label]:
    """What is ``constant`` in ``events``: nothing where they were decoded in parts."""
    return events.constant if isinstance(events, Events) else {}


class Digits(str):
    """The text of a float in the file."""

    __slots__ = ()


class EventDecoder:
    """Decodes the text of an array of events. ``grouped`` is set once an event has a group: few traces have any, and
    checking every event for one takes time. With ``exact`` set, times stay text."""

    def __init__(self) -> None:
        self.grouped = False
        self.exact = False
        self._decoder: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[Event], dec_hook=self._group)
        self._exact: msgspec.json.Decoder[list[_TextEvent]] = msgspec.json.Decoder(
            list[_TextEvent], dec_hook=self._group
        )
        self._plain = msgspec.json.Decoder(float_hook=Digits)
        self._vocabulary = Vocabulary(*REPEATED)
        self._keys = KnownKeys(Event)
        self._constant: Mapping[str, Label] = {}
        self._known: msgspec.json.Decoder[list[Event]] | None = None
        self._known_exact = False

    def decode(self, text: bytes) -> list[Event]:
        """The events. Raises a msgspec error where a field has an unusual type: see ``rescue``."""
        if self._known is not None and self._known_exact == self.exact:
            with contextlib.suppress(msgspec.ValidationError):  # perhaps only a new text
                return Events(self._known.decode(text), self._keys.keys, self._constant)
        events = list[Event](self._exact.decode(text)) if self.exact else self._decoder.decode(text)
        self._learn(events, text)
        return Events(events, self._keys.keys, self._constant)

    def plain(self, text: bytes) -> Any:
        """The events as plain values for ``rescue``, with floats as Digits."""
        return self._plain.decode(text)

    def _learn(self, events: list[Event], text: bytes) -> None:
        self._vocabulary.learn(events)
        self._keys.learn(text)
        absent = {field: default for field, default in _DEFAULTS.items() if field not in self._keys.keys}
        self._constant = {**absent, **self._vocabulary.constant}
        kind: Any = known(_TextEvent if self.exact else Event, self._vocabulary, self._keys)
        self._known = msgspec.json.Decoder(list[kind], dec_hook=self._group)
        self._known_exact = self.exact

    def _group(self, _kind: type, value: Any) -> GroupId | None:
        self.grouped = True
        return GroupId(text(value)) if text(value) else None

    def rescue(self, value: Any) -> Event:
        """The event in a plain value whose fields have unusual types (numbers as strings, null names). Raises
        ValueError where ``value`` is not an object."""
        if not isinstance(value, dict):
            raise ValueError(tr("an event must be an object"))
        args = value.get("args")
        args = args if isinstance(args, dict) else {}
        group = self._group(GroupId, value.get("group_id", args.get("group_id")))
        address = args.get("pc_addr")
        return Event(
            ph=text(value.get("ph")),
            ts=text(value.get("ts")) if self.exact else number(value.get("ts")),
            dur=number(value.get("dur")),
            name=text(value.get("name")),
            cname=text(value.get("cname")) or None,
            cat=text(value.get("cat")) or None,
            pid=_identity(value.get("pid")),
            tid=_identity(value.get("tid")),
            id=_identity(value.get("id")),
            id2=value.get("id2"),
            bp=text(value.get("bp")) or None,
            s=text(value.get("s")) or None,
            scope=text(value.get("scope")) or None,
            group_id=group,
            args=Args(
                pc_addr=address if isinstance(address, (str, int)) and not isinstance(address, Digits) else None,
                raw=args.get("raw"),
                start_raw=args.get("start_raw"),
                name=args.get("name"),
                labels=args.get("labels"),
                sort_index=args.get("sort_index"),
            ),
        )


def number(value: Any) -> float:
    """``value``, or the number in a string, as float; NaN for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return NO_NUMBER
    try:
        return float(value)
    except (ValueError, OverflowError):
        return NO_NUMBER


def _identity(value: Any) -> str | None:
    """An id as text; None without one."""
    return text(float(value) if isinstance(value, Digits) else value) or None


def text(value: Any) -> str:
    """A string unchanged, a number as text (7.0 is 7); "" for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value) if isinstance(value, (str, int, float)) and not isinstance(value, bool) else ""
