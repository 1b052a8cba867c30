"""Decodes block 0x0D: the rooflines."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.values import Values, objects, text, texts
from app.profile.arrays import F64, I32, sealed
from app.profile.ascend import Roofline
from app.profile.profile import Section
from app.profile.strings import Interner


def decode(part: Part) -> tuple[Section, ...]:
    """The Roofline section (Ascend operator files, section 2.12)."""
    record = part.json()
    values = Values()
    strings = Interner()
    charts = objects(record.get("multiple_rooflines"))
    roofs = [(number, roof) for number, chart in enumerate(charts) for roof in objects(chart.get("rooflines"))]

    def numbers(key: str) -> F64:
        return sealed(np.array([values.number(roof.get(key)) for _, roof in roofs], np.float64))

    def names(key: str) -> I32:
        words = [text(roof.get(key)) for _, roof in roofs]
        return sealed(np.array([strings(word) if word else -1 for word in words], np.int32))

    points = np.array([_point(roof.get("point"), values) for _, roof in roofs], np.float64).reshape(-1, 2)
    section = Roofline(
        advice="\n".join(texts(record.get("advice"))),
        titles=tuple(text(chart.get("title")) for chart in charts),
        chart=sealed(np.array([number for number, _ in roofs], np.int32)),
        bandwidth_name=names("bw_name"),
        compute_name=names("computility_name"),
        bandwidth=numbers("bw"),
        compute=numbers("computility"),
        intensity=sealed(points[:, 0]),
        performance=sealed(points[:, 1]),
        ratio=numbers("ratio"),
        strings=strings.strings(),
    )
    part.report_odd(values)
    return (section,)


def _point(value: Any, values: Values) -> tuple[float, float]:
    pair = value if isinstance(value, list) and len(value) >= 2 else [None, None]
    return values.number(pair[0]), values.number(pair[1])
