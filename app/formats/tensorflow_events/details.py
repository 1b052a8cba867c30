"""The two small JSON texts inside events: the tensors of a transfer, and the classes of instructions."""

from __future__ import annotations

from typing import Any, Final, NamedTuple

from app.formats.errors import FormatError
from app.formats.json import tolerant
from app.formats.source import Source
from app.formats.tensorflow_events.ipu_event import Place
from app.language import tr
from app.profile.tensorflow import ML_TYPES

MOST_BYTES: Final = 16 << 20
MOST_MOVED: Final = 1 << 48
"""A larger transfer is implausible."""


class Transfer(NamedTuple):
    """``total``: -1 if not stated; ``tensors``: (name or None, bytes or -1)."""

    total: int
    tensors: list[tuple[str | None, int]]


def transfer(source: Source, place: Place) -> Transfer:
    """The contents of a transfer; FormatError if it is not such JSON. ``tensors`` is absent when there are none."""
    document = _document(source, place)
    if not isinstance(document, dict):
        raise FormatError(tr("the description of the transfer is not a JSON object"), offset=place.begin)
    listed = document.get("tensors")
    tensors = [_tensor(entry) for entry in listed] if isinstance(listed, list) else []
    return Transfer(_amount(document.get("total_size")), tensors)


def ml_types(source: Source, place: Place) -> list[tuple[str, int]]:
    """(instruction, its type) in the order of the text; empty for null and an empty map."""
    document = _document(source, place)
    types = document.get("ml_types") if isinstance(document, dict) else None
    if document is not None and not isinstance(document, dict):
        raise FormatError(tr("the instruction information is not a JSON object"), offset=place.begin)
    if not isinstance(types, dict):
        return []
    return [(name, kind) for name, kind in types.items() if type(kind) is int and 0 <= kind < len(ML_TYPES)]


def _document(source: Source, place: Place) -> Any:
    if place.size > MOST_BYTES:
        raise FormatError(
            tr("this text has more than {most_bytes:,} bytes and is skipped", most_bytes=MOST_BYTES),
            offset=place.begin,
        )
    try:
        return tolerant.loads(source.read(place.begin, place.size))[0]
    except FormatError as error:
        raise FormatError(error.text, offset=place.begin + (error.offset or 0)) from error


def _tensor(entry: Any) -> tuple[str | None, int]:
    if not isinstance(entry, dict):
        return None, -1
    name = entry.get("name")
    return name if isinstance(name, str) else None, _amount(entry.get("size"))


def _amount(value: Any) -> int:
    """An integer number of bytes from 0 on; -1 for anything else."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value < MOST_MOVED else -1
