"""Typed records of an array, with the keys that the first of them have."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

import orjson

from app.formats.json import pieces
from app.formats.json.pieces import Records
from app.formats.json.problems import Problems
from app.formats.json.repeated import has_repeated_key
from app.formats.json.salvage import attempt
from app.formats.pool import Moved
from app.formats.source import Source
from app.formats.walk import Batch

T = TypeVar("T")


def batches(source: Source, records: Records[T], begin: int, problems: Problems, moved: Moved) -> Iterator[Batch[T]]:
    """The pieces of ``records``, an array whose bracket is at ``begin``, as batches."""
    for piece in records:
        moved(piece.offset + piece.size)
        early = piece.offset - begin < pieces.PIECE_BYTES
        text = source.read(piece.offset, piece.size) if early else b""
        keys = keys_of(piece.offset, text, problems) if early else frozenset[str]()
        yield Batch(piece.records, piece.ordinals(), keys)


def keys_of(begin: int, text: bytes, problems: Problems) -> frozenset[str]:
    """All keys of the records in ``text``, if it is valid JSON; duplicates are reported."""
    records = attempt(orjson.loads, text)
    if records is None:
        return frozenset()
    if has_repeated_key(text, records):
        problems.repeated(begin)
    return frozenset(key for record in records if isinstance(record, dict) for key in record)
