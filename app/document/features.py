"""Keeps PySide from reading the source of every module that is imported."""

from __future__ import annotations

import sys

FEATURE, SEARCH = "shibokensupport.feature", "_mod_uses_pyside"


def skip_features() -> None:
    """Tells PySide that no module uses its optional names in snake_case (``from __feature__ import ...``), as none
    does. PySide 6.11 finds that out by searching the source of each imported module for "PySide6", and ``linecache``
    keeps what was read: a fifth of the time of all imports, and 18 MB."""
    feature = sys.modules.get(FEATURE)
    if feature is not None and hasattr(feature, SEARCH):
        setattr(feature, SEARCH, _uses_none)


def _uses_none(_module: object) -> bool:
    return False
