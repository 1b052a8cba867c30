"""Decoding records that repeat their texts and have few of the keys that they could have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Final, Literal, TypeVar, Union, cast, get_args

import msgspec

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
