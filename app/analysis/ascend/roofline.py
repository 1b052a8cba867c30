"""Where the points of a roofline chart are relative to their roofs."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from app.language import tr
from app.profile.arrays import F64, Bool
from app.profile.ascend import Roofline

BOUND_RATIO = 0.8
"""Above it the producer calls an operator bound by the roof (Ascend operator files, section 3.4)."""

Group: TypeAlias = str
_GROUPS: dict[str, Group] = {
    "Memory Unit": tr("Memory unit"),
    "HBM/L2": tr("Memory unit"),
    "GM/L2": tr("Memory unit"),
    "Memory Unit(Cube)": tr("Memory unit"),
    "Memory Unit(Vector)": tr("Memory unit"),
    "Memory Pipe Cube": tr("Memory transfer"),
    "Memory Pipe Vector": tr("Memory transfer"),
    "Memory Transfer(Cube)": tr("Memory transfer"),
    "Memory Transfer(Vector)": tr("Memory transfer"),
    "Pipe Line Cube": tr("Pipeline"),
    "Pipe Line Vector": tr("Pipeline"),
    "Pipeline(Cube)": tr("Pipeline"),
    "Pipeline(Vector)": tr("Pipeline"),
}


def drawable(roofs: Roofline) -> Bool:
    """Which lines can be drawn: bandwidth, compute and both coordinates of the point above 0 (section 3.4)."""
    columns = (roofs.bandwidth, roofs.compute, roofs.intensity, roofs.performance)
    result: Bool = np.logical_and.reduce([column > 0 for column in columns])
    return result


def ceiling(roofs: Roofline) -> F64:
    """min(intensity · bandwidth, compute), TOps/s: what the roof allows at the point (TB/s · Ops/Byte = TOps/s)."""
    return np.minimum(roofs.intensity * roofs.bandwidth, roofs.compute)


def ratios(roofs: Roofline) -> F64:
    """performance / min(intensity · bandwidth, compute) as fractions; NaN where the line cannot be drawn."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(drawable(roofs), roofs.performance / ceiling(roofs), np.nan)


def ridges(roofs: Roofline) -> F64:
    """compute / bandwidth, Ops/Byte: where the slope meets the roof."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(drawable(roofs), roofs.compute / roofs.bandwidth, np.nan)


def verdicts(roofs: Roofline) -> tuple[str, ...]:
    """What limits each point: memory left of the ridge, compute right of it, if it reaches more than 0.8 of its roof;
    else latency. "" if the line cannot be drawn."""
    words = []
    for ratio, x, ridge in zip(ratios(roofs), roofs.intensity, ridges(roofs), strict=True):
        if ratio != ratio:
            words.append("")
        elif ratio > BOUND_RATIO:
            words.append(tr("memory bound") if x < ridge else tr("compute bound"))
        else:
            words.append(tr("latency bound"))
    return tuple(words)


def roof_name(roofs: Roofline, row: int) -> str:
    """``L0A / Cube FP16``."""
    names = [roofs.strings.get(int(ids[row])) for ids in (roofs.bandwidth_name, roofs.compute_name)]
    return " / ".join(name for name in names if name)


def group(title: str) -> Group:
    """The tab that a chart belongs to (section 3.4); unknown titles go into "Other"."""
    return _GROUPS.get(title, tr("Other"))
