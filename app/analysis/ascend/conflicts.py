"""Conflicts of banks and resources that vector instructions meet, as files count them."""

from __future__ import annotations

from typing import Final

import numpy as np
from msgspec import Struct

from app.analysis.ascend.report_columns import column, weighted
from app.analysis.table import Unit
from app.analysis.tables.ascend_memory import block_number
from app.language import tr
from app.profile.arrays import distinct
from app.profile.ascend import column_named
from app.profile.profile import Profile

_ALL_ACTIVE: Final = ("all_active", "vector all active")
_CONFLICTS: Final = (
    "bank group conflict block",
    "bank conflict block",
    "valu resource conflict block",
    "mte urgent request block",
)
_INSTRUCTIONS: Final = 1
"""The unit code of instructions (Ascend operator files, section 2.8)."""
_RATIOS: Final = {
    "bankgroup": tr("bank group conflicts"),
    "bank": tr("bank conflicts"),
    "resc": tr("resource conflicts"),
    "mte": tr("conflicts with transfers"),
    "stu": tr("conflicts of the store unit"),
    "ldu": tr("conflicts of the load unit"),
    "sfu": tr("conflicts of the special function unit"),
}
_UB: Final = ("UB Read Conflict", "UB Write Conflict")


class Conflicts(Struct, frozen=True):
    """``share``: percent of ``of``; ``parts``: the kinds with their figures (in ``unit``), largest first; ``table``:
    where they are; ``block``: the number of the block with the most, -1 unknown."""

    share: float
    of: str
    table: str
    unit: Unit
    parts: tuple[tuple[str, float], ...]
    block: int = -1


def conflicts(profile: Profile) -> Conflicts | None:
    """Those of the first source that has any figures: compute workload, table of the report, instructions."""
    return _of_workload(profile) or _of_report(profile) or _of_instructions(profile)


def _of_workload(profile: Profile) -> Conflicts | None:
    own = profile.workload
    if own is None:
        return None
    names = {text: own.strings.get(text) for text in distinct(own.name).tolist()}
    counted = (own.unit == _INSTRUCTIONS) & ~own.in_graph & ~np.isnan(own.value)
    active = counted & np.isin(own.name, [text for text, name in names.items() if name.lower() in _ALL_ACTIVE])
    total = float(own.value[active].sum())
    kinds = {text: name for text, name in names.items() if name.lower().removeprefix("vector ") in _CONFLICTS}
    if total <= 0 or not kinds:
        return None
    sums = {name: float(own.value[counted & (own.name == text)].sum()) for text, name in kinds.items()}
    rows = np.flatnonzero(counted & np.isin(own.name, list(kinds)))
    block = own.strings.get(int(own.block[rows[own.value[rows].argmax()]])) if len(rows) else ""
    parts = tuple(sorted(sums.items(), key=lambda pair: -pair[1]))
    share = 100 * sum(sums.values()) / total
    return Conflicts(share, tr("the vector instructions"), "workload", "", parts, block_number(block))


def _of_report(profile: Profile) -> Conflicts | None:
    tables = profile.report_tables
    weight = None if tables is None else column(tables, "ResourceConflictRatio", "aiv_total_cycles")
    if tables is None or weight is None:
        return None
    found = [
        (label, 100 * share)
        for name, label in _RATIOS.items()
        if (share := weighted(column(tables, "ResourceConflictRatio", f"aiv_vec_{name}_cflt_ratio"), weight))
        is not None
    ]
    if not found:
        return None
    parts = tuple(sorted(found, key=lambda pair: -pair[1]))
    whole = weighted(column(tables, "ResourceConflictRatio", "aiv_vec_total_cflt_ratio"), weight)
    share = sum(part for _, part in parts) if whole is None else 100 * whole
    return Conflicts(share, tr("the cycles of the vector cores"), "report-table/ResourceConflictRatio", "%", parts)


def _of_instructions(profile: Profile) -> Conflicts | None:
    code = profile.instructions
    executed = None if code is None else column_named(code.columns, "Instructions Executed")
    if code is None or executed is None or not executed.numeric:
        return None
    parts, met = [], np.zeros(len(code.address), np.bool_)
    for name in _UB:
        own = column_named(code.columns, name)
        if own is not None and own.numeric:
            values = own.values.astype(np.float64)
            known = np.isfinite(values) & (values >= 0)
            met |= known.any(axis=1)
            parts.append((name, float(values[known].sum())))
    runs = executed.values[met].astype(np.float64)
    total = float(runs[runs > 0].sum())
    if not parts or total <= 0:
        return None
    share = 100 * sum(value for _, value in parts) / total
    ordered = tuple(sorted(parts, key=lambda pair: -pair[1]))
    return Conflicts(share, tr("the executed instructions that can have conflicts"), "instructions", "", ordered)
