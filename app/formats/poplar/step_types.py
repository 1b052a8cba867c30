"""Normalises the spelling of step types: the format's documentation spells two of them in two ways."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from app.formats.poplar.report import Report
from app.language import tr
from app.profile.poplar import STEP_TYPES

_TYPES: Final = {name.lower(): name for name in STEP_TYPES} | {"sharedstructurecopy": "CopySharedStructure"}
"""Poplar profiling data format, 7.2.3: the sample of a sync has "sync", the list of exchanges SharedStructureCopy."""


def spelled(text: str) -> str:
    """The type ``text`` in the spelling that is shown; an unknown one as it is."""
    return _TYPES.get(text.lower(), text)


def report_spellings(texts: Iterable[str], report: Report, path: str) -> None:
    """Reports other spellings of types among ``texts``."""
    for text in dict.fromkeys(texts):
        if spelled(text) != text:
            name = spelled(text)
            issue = tr("steps of type {text} are read as {name}", text=text, name=name)
            report.issue("warning", f"{path}[].type", issue)
