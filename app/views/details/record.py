"""The arguments of one record of a file, as lines to read."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from app.views.pages.document import Line

LONGEST = 4000
MOST = 200


def record_lines(record: Mapping[str, Any]) -> list[Line]:
    """A line for each entry, nested entries below their heading; line breaks in texts are preserved."""
    return list(_lines(record, 0))[:MOST]


def _lines(record: Mapping[str, Any], depth: int) -> Iterator[Line]:
    for key, value in record.items():
        if isinstance(value, Mapping) and depth == 0:
            yield Line(str(key), "")
            yield from _lines(value, 1)
        else:
            yield Line(str(key), _text(value), depth=depth)


def _text(value: object) -> str:
    if value is None:
        return "null"
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= LONGEST else text[:LONGEST] + " …"
