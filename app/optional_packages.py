"""Packages that Tilesight uses where they are installed, and how to get them."""

from __future__ import annotations

from app import program
from app.language import tr


def how_to_get(extra: str) -> str:
    """How to install the packages of ``extra`` (in pyproject.toml), as the end of a message."""
    if program.can_add_packages():
        return tr("pip install 'tilesight[{extra}]'", extra=extra)
    return tr("this package does not contain it; use pip install 'tilesight[{extra}]'", extra=extra)
