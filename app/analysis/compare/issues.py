"""The issues of two profiles."""

from __future__ import annotations

import numpy as np

from app.analysis.compare.as_table import STATUS, as_table, one_text
from app.analysis.compare.compared import BOTH
from app.analysis.compare.comparison import Comparison
from app.analysis.table import Table


def compared_issues(comparison: Comparison) -> Table | None:
    """The issues of both, those that only one side has first, and where each was reported; None without any."""
    made = comparison.table("issues")
    if made is None:
        return None
    order = np.argsort(made.status == BOTH, kind="stable")
    whole = as_table(made, order)
    texts = [one_text(made, key, order) for key in ("severity", "text", "where")]
    status = [column for column in whole.columns if column.key == STATUS]
    return Table(whole.id, whole.title, (*texts, *status))
