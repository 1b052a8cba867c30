"""Finding the next complete record after a place where brackets are no longer reliable."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import orjson

from app.formats.json.lexical import BRACKETS, COMMA, Scanner
from app.formats.json.salvage import attempt
from app.formats.json.split import split
from app.formats.source import Source

WINDOW = 1 << 20
LONGEST = 64 * 1024
"""The longest record that is recovered this way, which bounds the cost of an attempt."""

_BORDER = re.compile(rb"\}[ \t\r\n]{0,64},[ \t\r\n]{0,64}(?=\{)")


def item_end(source: Source, begin: int, stop: int) -> int:
    """Where the array continues after the item at ``begin`` (after its comma, or at the closing bracket), by its
    brackets alone and without storing it; -1 if that is not before ``stop``."""
    scanner = Scanner(begin, wanted=BRACKETS + b",")
    for _, chunk in source.chunks(WINDOW, begin, stop):
        marks = scanner.feed(chunk)
        borders = np.flatnonzero((marks.depth < 0) | ((marks.depth == 0) & (marks.byte == COMMA)))
        if len(borders):
            first = borders[0]
            return int(marks.at[first]) + int(marks.depth[first] == 0)
    return -1


def unfinished(text: bytes) -> bool:
    """Whether ``text`` is a valid beginning of a record that only lacks its end. Records inside it are then part of it
    (the file was cut off), not records after a lost bracket."""
    sound = "[" + text.decode("utf-8", "ignore")  # the cut may split a character
    try:
        orjson.loads(sound)
    except orjson.JSONDecodeError as error:
        return error.pos >= len(sound)
    return False


def next_record(source: Source, begin: int, stop: int) -> int:
    """The start of the first record after ``begin`` that is delimited on both sides (or ends the text) and can be
    decoded; -1 if there is none. Every byte is examined a bounded number of times."""
    at, text = begin, b""
    while at < stop:
        chunk = source.read(at, min(WINDOW, stop - at))
        base, text = at - len(text), text + chunk
        at += len(chunk)
        borders = list(_BORDER.finditer(text))
        for here, following in pairwise(borders):
            if _whole(text[here.end() : following.start() + 1]):
                return base + here.end()
        keep = borders[-1].start() if borders else max(0, len(text) - LONGEST)
        if at >= stop and borders and _ends_well(text[borders[-1].end() :]):
            return base + borders[-1].end()
        text = text[max(keep, len(text) - LONGEST) :]
    return -1


def _whole(record: bytes) -> bool:
    return len(record) <= LONGEST and attempt(orjson.loads, record) is not None


def _ends_well(text: bytes) -> bool:
    spans = split(text[:LONGEST]).spans
    return bool(spans) and _whole(text[slice(*spans[0])])
