"""The record of a matching rule."""

from __future__ import annotations

from msgspec import Struct


class Rule(Struct, frozen=True):
    """``id`` names it in `compare --json` and never changes; ``title`` and ``help`` are shown to people."""

    id: str
    title: str
    help: str
