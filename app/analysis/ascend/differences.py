"""What some blocks of an operator do more than others."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from app.analysis.ascend.block_names import block_number
from app.analysis.ascend.sub_cores import sub_cores
from app.analysis.ascend.unit_use import named_cells
from app.analysis.ascend.workload import INSTRUCTIONS
from app.profile.arrays import F64, I32, I64, among
from app.profile.profile import Profile
from app.profile.strings import Strings


class Difference(Struct, frozen=True):
    """``instructions``: how many times those of the others, NaN unknown; ``pipe``: that works longest in addition, ""
    for none; ``share`` of the difference that this is, 0..1, NaN if the file does not say how long pipes work."""

    instructions: float
    pipe: str
    share: float


def difference(profile: Profile, longer: I64, others: I64) -> Difference | None:
    """Of the blocks with the numbers ``longer`` to ``others`` (int64 each); None if the file counts nothing."""
    ratio = _instructions(profile, longer, others)
    worst: tuple[float, float, str] | None = None
    for own in sub_cores(profile):
        groups = among(own.block, longer), among(own.block, others)
        more = _more(own.whole, *groups)
        if (
            not more > 0
            or all(np.isnan(cycles).all() for cycles in own.work.values())
            or (worst is not None and more <= worst[0])
        ):
            continue
        pipes = [(_more(cycles, *groups), pipe) for pipe, cycles in own.work.items()]
        by, pipe = max(((by, pipe) for by, pipe in pipes if by > 0), default=(0.0, ""))
        worst = (more, by, pipe)
    if worst is None:
        return None if ratio != ratio else Difference(ratio, "", float("nan"))
    return Difference(ratio, worst[2], min(worst[1] / worst[0], 1.0))


def _more(values: F64, longer: np.ndarray, others: np.ndarray) -> float:
    """Mean of the ones - mean of the others; NaN unknown."""
    one, two = (values[group & ~np.isnan(values)] for group in (longer, others))
    return float(one.mean() - two.mean()) if len(one) and len(two) else float("nan")


def _instructions(profile: Profile, longer: I64, others: I64) -> float:
    """How many times the instructions per block, of all pipes that count them."""
    means = [0.0, 0.0]
    for place, numbers in enumerate((longer, others)):
        for own, counts in _counts(profile):
            means[place] += float(np.nansum(counts[among(own, numbers)])) / max(len(numbers), 1)
    return means[0] / means[1] if means[1] > 0 else float("nan")


def _counts(profile: Profile) -> list[tuple[I64, F64]]:
    """(int64: the block, float64: its instructions) of each pipe."""
    made = []
    if profile.memory_tables is not None:
        stored = profile.memory_tables
        cells = named_cells(stored, lambda name: name.startswith("Pipe"), ("instructions",))
        made.append((_numbers(cells.block, stored.strings), cells.values[:, 0]))
    workload = profile.workload
    if workload is not None:
        rows = np.flatnonzero((workload.unit == INSTRUCTIONS) & ~workload.in_graph)
        names = [workload.strings.get(int(text)).lower() for text in workload.name[rows]]
        rows = rows[[name.endswith("all_active") or "all active" in name for name in names]]
        made.append((_numbers(workload.block[rows], workload.strings), workload.value[rows]))
    return made


def _numbers(blocks: I32, strings: Strings) -> I64:
    return np.array([block_number(strings.get(text)) for text in blocks.tolist()], np.int64)
