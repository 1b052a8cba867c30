"""The list of rules."""

from __future__ import annotations

from typing import Final

from app.analysis.findings import (
    any_file,
    ascend_balance,
    ascend_code,
    ascend_cores,
    ascend_memory,
    ascend_pipes,
    ascend_roofline,
    ascend_units,
    popef,
    popef_values,
    poplar_contents,
    poplar_memory,
    poplar_run,
    tensorflow,
)
from app.analysis.findings.rule import Rule

RULES: Final[tuple[Rule, ...]] = (
    *poplar_memory.RULES,
    *poplar_contents.RULES,
    *poplar_run.RULES,
    *ascend_cores.RULES,
    *ascend_balance.RULES,
    *ascend_roofline.RULES,
    *ascend_memory.RULES,
    *ascend_pipes.RULES,
    *ascend_units.RULES,
    *ascend_code.RULES,
    *tensorflow.RULES,
    *popef.RULES,
    *popef_values.RULES,
    *any_file.RULES,
)
"""In the order of their families; findings are ranked by ``ranked``."""
