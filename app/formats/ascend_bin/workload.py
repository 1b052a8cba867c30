"""Decodes blocks 0x06 and 0x07: the workload of the compute units."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_bin.blocks import WORKLOAD_GRAPH
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.percentages import of_fractions, shares_are_fractions
from app.formats.ascend_bin.values import Values, first_of, objects, text, texts
from app.profile.arrays import sealed
from app.profile.ascend import Workload
from app.profile.profile import Section
from app.profile.strings import Interner


def decode(parts: Sequence[Part]) -> tuple[Section, ...]:
    """One Workload section from both blocks, or from the one that exists (Ascend operator files, section 2.8)."""
    values = Values()
    strings = Interner()
    rows: list[tuple[int, int, int, int, float, float, int, bool]] = []
    advice: dict[bool, tuple[str, ...]] = {}
    nested = quoted = False
    for part in parts:
        record = part.json()
        graph = part.block.type == WORKLOAD_GRAPH
        advice[graph] = texts(record.get("advice"))
        for outer in objects(record.get("subblock_detail")):
            item, wrapped = _flat(outer)
            nested |= wrapped
            quoted |= isinstance(item.get("block_id"), str)
            rows.append((*_row(item, values, strings), graph))
        part.report_odd(values)
        values.odd = 0
    columns = list(zip(*rows, strict=True)) or [()] * 8
    block, sub_block, name, unit, value, cycles, item_advice, in_graph = columns
    stored = Workload(
        strings=strings.strings(),
        block=sealed(np.array(block, np.int32)),
        sub_block=sealed(np.array(sub_block, np.int32)),
        name=sealed(np.array(name, np.int32)),
        unit=sealed(np.array(unit, np.int32)),
        value=sealed(np.array(value, np.float64)),
        cycles=sealed(np.array(cycles, np.float64)),
        item_advice=sealed(np.array(item_advice, np.int32)),
        in_graph=sealed(np.array(in_graph, np.bool_)),
        graph_advice=advice.get(True, ()),
        table_advice=advice.get(False, ()),
    )
    shares = stored.is_share
    if not shares_are_fractions(stored.value[shares], wrapped=nested, quoted=quoted):
        return (stored,)
    percent = stored.value.copy()
    percent[shares] = of_fractions(percent[shares])
    return (replace(stored, value=sealed(percent)),)


def _flat(outer: dict[str, Any]) -> tuple[dict[str, Any], bool]:
    """(the item merged with its outer keys, whether it was wrapped) (section 2.1, rule 1)."""
    inner = outer.get("data_detail")
    return ({**outer, **inner}, True) if isinstance(inner, dict) else (outer, False)


def _row(item: dict[str, Any], values: Values, strings: Interner) -> tuple[int, int, int, int, float, float, int]:
    def code(value: Any) -> int:
        words = text(value)
        return strings(words) if words else -1

    return (
        code(item.get("block_id")),
        code(first_of(item, "block_type", "subblock_type")),
        code(item.get("name")),
        values.whole(item.get("unit")),
        values.number(item.get("value")),
        values.number(item.get("origin_value")),
        code("\n".join(texts(item.get("advice")))),
    )
