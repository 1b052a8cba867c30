"""Decoding single records of a piece again."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import msgspec
import numpy as np
import orjson

from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.json.salvage import REFUSED, attempt
from app.formats.json.split import split
from app.formats.source import Source
from app.language import tr
from app.profile.timeline import Pieces


def values(text: bytes) -> list[Any]:
    """All records of a piece as plain values, None for those that cannot be decoded."""
    whole = attempt(orjson.loads, text)
    if whole is not None:
        return whole
    return [value(text[begin:end]) for begin, end in split(text + b",").spans]


def value(text: bytes) -> Any:
    """The value of one record as a plain value, None if it cannot be decoded."""
    try:
        return tolerant.loads(text)[0]
    except FormatError:
        return None


def record_at(source: Source, pieces: Pieces, ordinal: int) -> Any:
    """The value of record ``ordinal``, which takes about a millisecond. FormatError if there is none, or if the file
    changed."""
    place = int(np.searchsorted(pieces.first, ordinal, side="right")) - 1
    if not ordinal >= 0 or place < 0:
        raise FormatError(tr("there is no record {ordinal:,}", ordinal=ordinal), path=str(source.path))
    offset = int(pieces.offset[place])
    text = source.read(offset, int(pieces.size[place]))
    spans = split(text + b",").spans
    number = ordinal - int(pieces.first[place])
    if number >= len(spans):
        raise FormatError(tr("the file changed since it was read"), path=str(source.path), offset=offset)
    begin, end = spans[number]
    return _faithful(text[begin:end])


def _faithful(text: bytes) -> Any:
    """The value of one record; numbers with more digits than a double can represent remain texts."""
    try:
        return _FAITHFUL.decode(text)
    except REFUSED:
        return tolerant.loads(text)[0]


def _number(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) and Decimal(repr(value)) == Decimal(text) else text


_FAITHFUL = msgspec.json.Decoder(float_hook=_number)
