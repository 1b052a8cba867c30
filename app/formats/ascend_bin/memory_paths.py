"""Decodes block 0x08: transfers between memories."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.formats.ascend_bin.operator import kind_of
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.percentages import hit_rates
from app.formats.ascend_bin.values import Values, first_of, objects, text, texts
from app.profile.arrays import F64, I32, Array, sealed
from app.profile.ascend import UNIT_NAMES, MemoryBlocks, MemoryPaths
from app.profile.profile import Section
from app.profile.strings import Interner


def decode(part: Part) -> tuple[Section, ...]:
    """The MemoryPaths section (Ascend operator files, section 2.9)."""
    values = Values()
    strings = Interner()
    entries = objects(part.json().get("core_memory_map"))
    units = [(index, unit) for index, entry in enumerate(entries) for unit in objects(entry.get("memory_unit"))]

    def ids(words: list[str]) -> I32:
        return sealed(np.array([strings(word) if word else -1 for word in words], np.int32))

    def numbers(key: str) -> F64:
        return sealed(np.array([values.number(unit.get(key)) for _, unit in units], np.float64))

    def suffixes(*keys: str) -> I32:
        return ids([text(first_of(unit, *keys)) for _, unit in units])

    paths = MemoryPaths(
        blocks=_blocks(entries, values, ids),
        entry=sealed(np.array([index for index, _ in units], np.int32)),
        path=sealed(np.array([values.whole(unit.get("memory_path")) for _, unit in units], np.int32)),
        request=numbers("request"),
        bandwidth=numbers("bandwidth"),
        peak=numbers("peak_ratio"),
        display=sealed(np.array([_shown(unit.get("display", 1)) for _, unit in units], np.bool_)),
        bandwidth_suffix=suffixes("bandwidth_suffix"),
        request_suffix=suffixes("request_suffix", "requests_suffix"),
        strings=strings.strings(),
    )
    part.report_odd(values)
    return (paths,)


def _shown(value: Any) -> bool:
    return value not in (0, "0", False, "false")


def _blocks(entries: list[dict[str, Any]], values: Values, ids: Any) -> MemoryBlocks:
    caches = [_object(entry, "L2cache") for entry in entries]

    def cache(key: str) -> F64:
        return sealed(np.array([values.number(one.get(key)) for one in caches], np.float64))

    def unit(key: str) -> Array:
        rows = [[values.number(_object(entry, name).get(key)) for name in UNIT_NAMES] for entry in entries]
        return sealed(np.array(rows, np.float64).reshape(len(entries), len(UNIT_NAMES)))

    hit, miss = cache("hit"), cache("miss")
    return MemoryBlocks(
        block=ids([text(first_of(entry, "core_no", "block_id")) for entry in entries]),
        operator_type=ids([kind_of(text(first_of(entry, "op_type", "core_type"))) for entry in entries]),
        soc=ids([text(entry.get("soc")) for entry in entries]),
        hit=hit,
        miss=miss,
        total=cache("total_request"),
        hit_rate=sealed(hit_rates(cache("hit_ratio"), hit, miss)),
        unit_cycles=unit("cycle"),
        unit_total_cycles=unit("total_cycles"),
        unit_ratio=unit("ratio"),
        advice=tuple(texts(entry.get("advice")) for entry in entries),
    )


def _object(entry: dict[str, Any], key: str) -> dict[str, Any]:
    value = entry.get(key)
    return value if isinstance(value, dict) else {}
