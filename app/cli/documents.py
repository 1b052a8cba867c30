"""What files are compared with: a profile, or what `tilesight baseline` kept of it."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from app.analysis.compare.kept import Kept
from app.cli.reading import the_baseline
from app.cli.terminal import complain
from app.formats.errors import FormatError
from app.profile.file_state import ChosenUnit
from app.profile.profile import Profile
from app.store import baselines


class Baseline(NamedTuple):
    """What files are compared with: a profile, or in its place a baseline document (``kept``)."""

    profile: Profile
    kept: Kept | None = None


def the_document(path: Path) -> Baseline | None:
    """The baseline document ``path``; None, with a message, if it cannot be used."""
    try:
        kept = baselines.read(path)
    except FormatError as error:
        complain(f"{path}: {error}")
        return None
    return Baseline(kept.profile(path), kept)


def profile_or_document(stack: ExitStack, path: Path, jobs: int = 0, unit: ChosenUnit | None = None) -> Baseline | None:
    """The baseline ``path``, which may be a document; None, with a message, if it cannot be used."""
    if baselines.is_baseline(path):
        return the_document(path)
    profile, _ = the_baseline(stack, path, jobs, unit)
    return None if profile is None else Baseline(profile)
