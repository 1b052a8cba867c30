"""The constructor arguments of panels."""

from __future__ import annotations

from dataclasses import dataclass

from app.document.document import Document
from app.widgets.display import Display


@dataclass(frozen=True, slots=True)
class Context:
    """The document (with selection, hover and ranges) and the display settings."""

    document: Document
    display: Display
