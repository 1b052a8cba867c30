"""Decoding records that repeat their texts and have few of the keys that they could have."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from operator import attrgetter
from typing import Any, Final, Literal, TypeVar, Union, cast, get_args

import msgspec

S = TypeVar("S", bound=msgspec.Struct)

MOST_TEXTS: Final = 1024
MOST_SURPRISES: Final = 8


class Vocabulary:
    """The texts of some ``fields`` of records. For a text that is one of a ``Literal``, msgspec returns that object:
    none is made, and none is hashed later, which is a quarter of the time that an event of a trace takes. A field that
    has more than MOST_TEXTS texts, or new ones again and again, does not take part any more."""

    def __init__(self, *fields: str) -> None:
        self._texts: dict[str, dict[str, None]] = {field: {} for field in fields}
        self._surprises = dict.fromkeys(fields, 0)

    def learn(self, records: Sequence[msgspec.Struct]) -> None:
        """Adds the texts of ``records``."""
        for field, texts in list(self._texts.items()):
            before = len(texts)
            texts.update(dict.fromkeys(text for text in map(attrgetter(field), records) if type(text) is str))
            self._surprises[field] += len(texts) > before
            if len(texts) > MOST_TEXTS or self._surprises[field] > MOST_SURPRISES:
                del self._texts[field]

    def kind(self, field: msgspec.structs.FieldInfo) -> Any:
        """The type of ``field`` for which other texts are invalid."""
        texts = self._texts.get(field.name)
        others = [kind for kind in get_args(field.type) if kind is not str]
        return Union[Literal[tuple(texts)], *others] if texts else field.type


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
        every = {**dict.fromkeys(longest), **dict.fromkeys(self.keys)}
        for record in records:
            every.update(dict.fromkeys(record))
        self.complete = all(key in self._fields for key in every)
        self.keys = tuple(every) if self.complete else self._fields


_KEYS: Final = msgspec.json.Decoder(list[dict[str, msgspec.Raw]])


def known(base: type[S], vocabulary: Vocabulary, keys: KnownKeys, always: Sequence[str]) -> type[S]:
    """A record like ``base``, for which unknown texts and keys are invalid. Fields whose keys are not known, and that
    are not among ``always``, are attributes of the class with their default."""
    others = {field.name: field for field in msgspec.structs.fields(base)}
    fields = [others.pop(name) for name in dict.fromkeys((*keys.keys, *always))]
    made = msgspec.defstruct(
        f"Known{base.__name__}",
        [(field.name, vocabulary.kind(field), field.default) for field in fields],
        namespace={**dict(_properties(base)), **{name: field.default for name, field in others.items()}},
        kw_only=True,
        gc=False,
        forbid_unknown_fields=keys.complete,
    )
    return cast("type[S]", made)


def _properties(base: type) -> Iterator[tuple[str, property]]:
    for kind in reversed(base.__mro__):
        yield from ((name, value) for name, value in vars(kind).items() if isinstance(value, property))
