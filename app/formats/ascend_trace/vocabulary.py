"""Decoding records that repeat their texts."""

from __future__ import annotations

from collections.abc import Sequence
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

    def known(self, base: type[S]) -> type[S]:
        """A record like ``base``, for which other texts are invalid."""
        fields = [(field.name, self._kind(field), field.default) for field in msgspec.structs.fields(base)]
        name = f"Known{base.__name__}"
        return cast("type[S]", msgspec.defstruct(name, fields, bases=(base,), kw_only=True, gc=False))

    def _kind(self, field: msgspec.structs.FieldInfo) -> Any:
        texts = self._texts.get(field.name)
        others = [kind for kind in get_args(field.type) if kind is not str]
        return Union[Literal[tuple(texts)], *others] if texts else field.type
