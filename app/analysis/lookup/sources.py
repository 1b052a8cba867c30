"""All sources of lookup results; a new kind is one more record."""

from __future__ import annotations

from app.analysis.lookup import by_name, by_number, in_texts
from app.analysis.lookup.hit import Source

SOURCES: tuple[Source, ...] = (
    *by_number.SOURCES,
    *by_name.sources(),
    *in_texts.SOURCES,
)
"""In the order in which their hits are listed."""
