"""Slices by name."""

from __future__ import annotations

import re

import numpy as np

from app.analysis.matching import matching_texts
from app.profile.arrays import Bool
from app.profile.timeline import Timeline


def named(timeline: Timeline, text: str, *, case: bool = False, whole: bool = False, regex: bool = False) -> Bool:
    """bool[slices]: which have a name that contains ``text`` (as a ``whole`` word, or as a regular expression).
    BadPattern for a broken expression; an empty text matches nothing."""
    if not text:
        return np.zeros(len(timeline.slices.name), np.bool_)
    if whole:
        text, regex = rf"(?<!\w)(?:{text if regex else re.escape(text)})(?!\w)", True
    texts = matching_texts(timeline.strings, text, case=case, regex=regex)
    known = np.append(texts, False)  # -1 (no name) reads the last entry
    matched: Bool = known[timeline.slices.name]
    return matched
