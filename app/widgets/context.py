"""What a panel is given when it is made."""

from __future__ import annotations

from dataclasses import dataclass

from app.document.document import Document
from app.widgets.display import Display


@dataclass(frozen=True, slots=True)
class Context:
    """The document (with selection, hover and ranges) and how to show figures."""

    document: Document
    display: Display
