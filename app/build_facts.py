"""What a build recorded about itself: ``resources/build.json``, which the source does not have."""

from __future__ import annotations

import json

from msgspec import Struct

from app.resources import resource

FILE = "build.json"


class BuildFacts(Struct, frozen=True):
    """``commit``: that of the source, with "-dirty" if files were changed after it; ``date``: its time (ISO 8601). None
    if the build could not tell, or when the program runs from its source."""

    commit: str | None = None
    date: str | None = None


def build_facts() -> BuildFacts:
    try:
        document = json.loads(resource(FILE).read_bytes())
    except (OSError, ValueError):
        return BuildFacts()
    texts = (document.get(name) if isinstance(document, dict) else None for name in BuildFacts.__struct_fields__)
    return BuildFacts(*(text if isinstance(text, str) and text else None for text in texts))
