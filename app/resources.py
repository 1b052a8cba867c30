"""Where the files that come with the program lie."""

from __future__ import annotations

from pathlib import Path


def resource(*parts: str) -> Path:
    """A file or folder of ``resources``, beside the ``app`` package (in a frozen build too)."""
    return Path(__file__).resolve().parent.parent.joinpath("resources", *parts)
