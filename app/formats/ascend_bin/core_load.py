"""Decodes block 0x0C: the load of the cores."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats.ascend_bin.operator import kind_of
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.values import Values, first_of, objects, text, texts
from app.profile.arrays import F64, I32, sealed
from app.profile.ascend import CoreLoad
from app.profile.profile import Section
from app.profile.strings import Interner


def decode(part: Part) -> tuple[Section, ...]:
    """The CoreLoad section (Ascend operator files, section 2.11)."""
    record = part.json()
    values = Values()
    strings = Interner()
    rows: list[tuple[int, int, int, float, float, float, float, float]] = []
    for core in objects(record.get("op_detail")):
        number = values.whole(core.get("core_id"))
        rows += [(number, *_sub_core(detail, values, strings)) for detail in objects(core.get("core_detail"))]
    part.report_odd(values)
    columns = list(zip(*rows, strict=True)) or [()] * 8

    def ids(place: int) -> I32:
        return sealed(np.array(columns[place], np.int32))

    def numbers(place: int) -> F64:
        return sealed(np.array(columns[place], np.float64))

    return (
        CoreLoad(
            soc=text(record.get("soc")),
            operator_type=kind_of(text(first_of(record, "op_type", "core_type"))),
            advice="\n".join(texts(record.get("advice"))),
            strings=strings.strings(),
            core=ids(0),
            type=ids(1),
            sub_core=ids(2),
            cycles=numbers(3),
            throughput=numbers(4),
            hit_rate=numbers(5),
            simt_instructions=numbers(6),
            simt_ipc=numbers(7),
        ),
    )


def _sub_core(
    detail: dict[str, Any], values: Values, strings: Interner
) -> tuple[int, int, float, float, float, float, float]:
    simt = detail.get("simt_vf_instructions")
    simt = simt if isinstance(simt, dict) else {}
    return (
        strings(kind_of(text(detail.get("subcore_type")))),
        strings(text(detail.get("subcore_id"))),
        values.number(detail.get("cycles")),
        values.number(detail.get("throughput")),
        values.number(detail.get("L2cache_hit_rate")),
        values.number(simt.get("instructions")),
        values.number(first_of(simt, "instruction_per_cycle", "instructions_per_cycle")),
    )
