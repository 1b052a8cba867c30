"""Severities of issues and findings, the worst first, and the sign of each."""

from __future__ import annotations

from typing import Final

from app.profile.issue import Severity

SEVERITIES: Final[tuple[Severity, ...]] = ("error", "warning", "info")
SIGNS: Final = {"error": "✕", "warning": "▲", "info": "●"}
