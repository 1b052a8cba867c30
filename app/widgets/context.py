"""The constructor arguments of panels."""

from __future__ import annotations

from msgspec import Struct, field

from app.document.document import Document
from app.widgets.display import Display
from app.widgets.timeline.scope import TimelineScope


class Context(Struct, frozen=True):
    """The document (with selection, hover and ranges), the display settings, and what panels share of the timeline."""

    document: Document
    display: Display
    scope: TimelineScope = field(default_factory=TimelineScope)
