"""The constructor arguments of panels."""

from __future__ import annotations

from msgspec import Struct

from app.document.document import Document
from app.widgets.display import Display


class Context(Struct, frozen=True):
    """The document (with selection, hover and ranges) and the display settings."""

    document: Document
    display: Display
