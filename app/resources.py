"""Paths of the files that ship with the program."""

from __future__ import annotations

from pathlib import Path

from app import program

FOLDER = program.RESOURCES if program.RESOURCES.is_dir() else program.FOLDER.parent / "resources"


def resource(*parts: str) -> Path:
    """The path of a file or folder under ``resources``; without ``parts``, of that folder itself."""
    return FOLDER.joinpath(*parts)
