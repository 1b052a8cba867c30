"""Decodes the events of a trace: their kinds, and their fields without the arguments that are shown only for a slice
that is selected. Records that repeat their texts, and have few of the keys that they could have, are decoded by a
vocabulary."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal, TypeAlias, TypeVar, Union, cast, get_args

import msgspec

from app.language import tr

SLICE, BEGIN, END, FLOW_START, FLOW_STEP, FLOW_END = range(6)
INSTANT, ASYNC_BEGIN, ASYNC_END, ASYNC_INSTANT, OPERATION_BEGIN, OPERATION_END = range(6, 12)
COUNTER, METADATA, OTHER = range(12, 15)
"""Kinds of events; those below COUNTER are on lanes, those below INSTANT on lanes of threads. Operations are the
legacy asynchronous events, which do not nest."""

KINDS = {
    "X": SLICE, "B": BEGIN, "E": END, "s": FLOW_START, "t": FLOW_STEP, "f": FLOW_END,
    "i": INSTANT, "I": INSTANT, "R": INSTANT, "b": ASYNC_BEGIN, "e": ASYNC_END, "n": ASYNC_INSTANT,
    "S": OPERATION_BEGIN, "F": OPERATION_END, "T": ASYNC_INSTANT, "p": ASYNC_INSTANT,
    "C": COUNTER, "M": METADATA,
}  # fmt: skip


S = TypeVar("S", bound=msgspec.Struct)

MOST_TEXTS: Final = 1024
MOST_SURPRISES: Final = 4
_MOST: Final = 1 << 63


class Vocabulary:
    """The values (texts and whole numbers) of some ``fields`` of records. For a text that is one of a ``Literal``,
    msgspec returns that object: none is made, and none is hashed later, which is a quarter of the time that an event of
    a trace takes. A field that has more than MOST_TEXTS values, or new ones again and again, does not take part any
    more. ``constant``: the fields that have one value in all records, and that value."""

    def __init__(self, *fields: str) -> None:
        self.constant: dict[str, str | int] = {}
        self._values: dict[str, dict[str | int, None]] = {field: {} for field in fields}
        self._optional: set[str] = set()
        self._surprises = dict.fromkeys(fields, 0)

    def learn(self, records: Sequence[msgspec.Struct]) -> None:
        """Adds the values of ``records``."""
        for field, known in list(self._values.items()):
            before = len(known)
            every = dict.fromkeys(map(attrgetter(field), records))
            values = [value for value in every if _is_plain(value)]
            known.update(dict.fromkeys(values))
            if len(values) < len(every):
                self._optional.add(field)
            self._surprises[field] += len(known) > before
            if len(known) > MOST_TEXTS or self._surprises[field] > MOST_SURPRISES:
                del self._values[field]
        alike = {field: [*known] for field, known in self._values.items() if field not in self._optional}
        self.constant = {field: known[0] for field, known in alike.items() if len(known) == 1}

    def kind(self, field: msgspec.structs.FieldInfo) -> tuple[str, Any] | tuple[str, Any, Any]:
        """The description of ``field`` for which other values are invalid."""
        known = self._values.get(field.name)
        if not known:
            return field.name, field.type, field.default
        if field.name not in self._optional:
            return field.name, Literal[tuple(known)]
        texts = [value for value in known if type(value) is str]
        others = [kind for kind in get_args(field.type) if kind is not str]
        return field.name, Union[Literal[tuple(texts)], *others] if texts else field.type, field.default


def _is_plain(value: Any) -> bool:
    """Whether ``value`` is a text or a number that a ``Literal`` can have."""
    return value != "" if type(value) is str else type(value) is int and -_MOST <= value < _MOST


class KnownKeys:
    """The keys of records of type ``base`` that have occurred; ``keys``: those among its fields. ``complete``: whether
    there are no others. Each record takes time for each field, whether it has that key or not."""

    def __init__(self, base: type[msgspec.Struct]) -> None:
        self.keys: Collection[str] = ()
        self.complete = True
        self._fields = base.__struct_fields__

    def learn(self, text: bytes) -> None:
        """Adds the keys of the records in ``text``. They are in the order of those of the record that has most: msgspec
        finds keys fastest in the expected order."""
        if not self.complete:
            return
        try:
            records = _KEYS.decode(text)
        except msgspec.MsgspecError:
            records = [{"": msgspec.Raw()}]
        longest = max(records, key=len, default={})
        every = dict.fromkeys((*longest, *self.keys, *sorted(set().union(*records))))
        self.complete = all(key in self._fields for key in every)
        self.keys = tuple(every) if self.complete else self._fields


_KEYS: Final = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])


def known(base: type[S], vocabulary: Vocabulary, keys: KnownKeys) -> type[S]:
    """A record like ``base``, for which unknown texts and keys are invalid. Fields whose keys are not known are
    attributes of the class with their default."""
    others = {field.name: field for field in _fields_of(base)}
    fields = [others.pop(name) for name in keys.keys]
    made = msgspec.defstruct(
        f"Known{base.__name__}",
        [vocabulary.kind(field) for field in fields],
        namespace={**dict(_properties(base)), **{name: field.default for name, field in others.items()}},
        kw_only=True,
        gc=False,
        forbid_unknown_fields=keys.complete,
    )
    return cast("type[S]", made)


@cache
def _fields_of(base: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(base)


def _properties(base: type) -> Iterator[tuple[str, property]]:
    for kind in reversed(base.__mro__):
        yield from ((name, value) for name, value in vars(kind).items() if isinstance(value, property))


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
    checking every event for one takes time. With ``exact`` set, times stay text. ``plainly`` is what decodes without
    having learned anything."""

    def __init__(self) -> None:
        self.grouped = False
        self.exact = False
        self.plainly: msgspec.json.Decoder[list[Event]] = msgspec.json.Decoder(list[Event], dec_hook=self._group)
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
        events = list[Event](self._exact.decode(text)) if self.exact else self.plainly.decode(text)
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
