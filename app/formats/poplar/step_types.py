"""Normalises the spelling of step types: the format's documentation spells two of them in two ways."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from app.formats.poplar.report import Report
from app.language import tr
from app.profile.steps import STEP_TYPES
from app.profile.strings import Interner

_TYPES: Final = {name.lower(): name for name in STEP_TYPES} | {"sharedstructurecopy": "CopySharedStructure"}
"""Poplar profiling data format, 7.2.3: the sample of a sync has "sync", the list of exchanges SharedStructureCopy."""


class StepTypes:
    """Maps step types to text ids in the spelling that is shown, and remembers other ``spellings``."""

    def __init__(self, ids: Interner) -> None:
        self._ids = ids
        self._known: dict[str, int] = {"": -1}
        self.spellings: dict[str, str] = {}

    def id(self, text: str) -> int:
        """The text id of a type, -1 for ""; an unknown type keeps its spelling."""
        known = self._known.get(text)
        if known is None:
            name = _TYPES.get(text.lower(), text)
            known = self._known[text] = self._ids(name)
            if name != text:
                self.spellings[text] = name
        return known


def report_spellings(spellings: Mapping[str, str], report: Report, path: str) -> None:
    """Reports other spellings of types."""
    for text, name in spellings.items():
        report.issue("warning", f"{path}[].type", tr("steps of type {text} are taken for {name}", text=text, name=name))
