"""Types that tests of panels share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from PySide6.QtWidgets import QWidget

from app.profile.profile import Profile
from app.widgets.context import Context

Opened: TypeAlias = Callable[[Callable[[Context], QWidget], Profile], Any]
"""The fixture ``opened``: creates a panel of this class for this profile, and shows it."""
