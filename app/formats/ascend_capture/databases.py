"""Databases of a rank, read by the module ``database``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.util import find_spec

from app.formats.ascend_capture.rank import RankData
from app.formats.ascend_capture.rank_text import File, Reading
from app.language import tr
from app.profile.issue import Issue


def read(files: Sequence[File], reading: Reading) -> RankData | None:
    """What the databases of one rank hold; None where they cannot be read, which is reported."""
    if find_spec("app.formats.ascend_capture.database") is None:
        for file in files:
            reading.sink(Issue("warning", file.name, tr("databases are not read yet")))
        return None
    return None
