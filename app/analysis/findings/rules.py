"""The list of rules."""

from __future__ import annotations

from typing import Final

from app.analysis.findings import ascend_cores, poplar_memory
from app.analysis.findings.rule import Rule

RULES: Final[tuple[Rule, ...]] = (*poplar_memory.RULES, *ascend_cores.RULES)
"""In the order of their families; findings are ranked by ``ranked``."""
