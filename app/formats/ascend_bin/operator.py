"""Decodes blocks 0x05 (the operator, its chip and its blocks), 0x06 and 0x07 (the workload of the compute units), 0x0C
(the load of the cores), 0x0D (the rooflines) and 0x0F (stall reasons of warps)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from app.formats.ascend_bin.blocks import WORKLOAD_GRAPH
from app.formats.ascend_bin.columns import Cells, finish, most_columns
from app.formats.ascend_bin.part import Part, Values, first_of, objects, of_fractions, shares_are_fractions, text, texts
from app.language import tr
from app.profile.arrays import F64, I32, sealed
from app.profile.ascend import CoreLoad, Operator, Roofline, StallReasons, TypedColumn, Workload
from app.profile.profile import Section, Target
from app.profile.strings import Interner, Strings

_TYPES = {"aic": "cube", "aiv": "vector"}
_UNTITLED = 64
_MIX_TITLES = ("Cube0 Duration (μs)", "Vector0 Duration (μs)", "Vector1 Duration (μs)")


def kind_of(stored: str) -> str:
    """The current name of an operator or core type (Ascend operator files, section 2.1, rule 3)."""
    return _TYPES.get(stored.lower(), stored)


def decode_operator(part: Part) -> tuple[Section, ...]:
    """The Operator and Target sections (Ascend operator files, section 2.7)."""
    record = part.json()
    values = Values()
    stored = text(first_of(record, "op_type", "core_type"))
    frequency = values.optional(record.get("cur_freq"))
    rated = values.optional(record.get("rated_freq"))
    block_dim = _count(values, record.get("block_dim"))
    mix_dim = _count(values, record.get("mix_block_dim"))
    device = text(record.get("device_id"))
    operator = Operator(
        name=text(record.get("name")),
        type=kind_of(stored),
        stored_type=stored,
        soc=text(record.get("soc")),
        block_dim=block_dim,
        mix_block_dim=mix_dim,
        device_id=device,
        pid=text(record.get("pid")),
        duration_us=values.optional(record.get("duration")),
        frequency_mhz=frequency,
        rated_frequency_mhz=rated,
        advice=texts(record.get("advice")),
        blocks=_blocks(part, record, stored),
    )
    part.report_odd(values)
    target = Target(
        kind="Ascend",
        soc=operator.soc or None,
        block_dim=block_dim,
        mix_block_dim=mix_dim,
        device=int(device) if device.isascii() and device.isdecimal() and len(device) < 10 else None,
        clock_hz=frequency * 1e6 if frequency else None,
    )
    return (operator, target)


def _count(values: Values, value: Any) -> int | None:
    number = values.whole(value)
    return None if number < 0 else number


def _blocks(part: Part, record: dict[str, Any], stored: str) -> tuple[TypedColumn, ...]:
    """The block table. Where both keys exist, the operator type decides which one is used."""
    keys = ("mix_block_detail", "block_detail") if stored == "mix" else ("block_detail", "mix_block_detail")
    details = [detail for detail in (record.get(key) for key in keys) if detail]
    if not details:
        return ()
    detail = details[0]
    if isinstance(detail, dict):
        return _table(part, detail)
    return _list(part, objects(detail))


def _table(part: Part, detail: dict[str, Any]) -> tuple[TypedColumn, ...]:
    """The block table of third-generation files: titles and rows of strings; the stored size is ignored (rule 7)."""
    rows = [row.get("value") for row in objects(detail.get("row"))]
    cells = [row if isinstance(row, list) else [row] for row in rows]
    titles = texts(first_of(detail, "head_name", "header_name"))
    return _columns(part, titles, cells)


def _list(part: Part, items: list[dict[str, Any]]) -> tuple[TypedColumn, ...]:
    """The block table of first- and second-generation files: one object per block, with one duration per sub-block
    (rule 2)."""
    durations = [d if isinstance(d, list) else [d] for d in (item.get("duration") for item in items)]
    parts = min(max(map(len, durations), default=0), 64)
    types = any("core_type" in item for item in items)
    titles = ["Block ID", *(["Core Type"] if types else [])]
    titles += _MIX_TITLES if parts == 3 else [f"Duration{n or ''} (μs)" for n in range(parts)]
    rows: list[list[Any]] = [
        [item.get("block_id"), *([item.get("core_type")] if types else []), *duration[:parts]]
        for item, duration in zip(items, durations, strict=True)
    ]
    return _columns(part, titles, rows)


def _columns(part: Part, titles: Sequence[str], rows: list[list[Any]]) -> tuple[TypedColumn, ...]:
    """Columns by position. Cells beyond the titles get generated titles; the number of columns is limited by the number
    of cells (see ``most_columns``)."""
    wanted = max(len(titles), min(max(map(len, rows), default=0), _UNTITLED))
    count = min(wanted, most_columns(len(rows), sum(map(len, rows))))
    if count < wanted:
        part.warn(
            tr("wide tables"),
            tr(
                "the block table has {wanted:,} columns for few values; the first {count:,} are shown",
                wanted=wanted,
                count=count,
            ),
        )
    columns = []
    for place in range(count):
        title = titles[place] if place < len(titles) else f"column {place + 1}"
        cells = Cells(title)
        cells.add([_scalar(row[place]) if place < len(row) else None for row in rows])
        column = finish(cells, None, part.problems, part.block.offset)
        if column is not None:
            columns.append(column)
    return tuple(columns)


def _scalar(value: Any) -> Any:
    """One cell of a table row; lists and objects become text, NaN and infinity None."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return text(value) if isinstance(value, list | dict) else value


def decode_core_load(part: Part) -> tuple[Section, ...]:
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


def decode_workload(parts: Sequence[Part]) -> tuple[Section, ...]:
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


def decode_roofline(part: Part) -> tuple[Section, ...]:
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


def decode_stall_reasons(part: Part) -> tuple[Section, ...]:
    """The StallReasons section (Ascend operator files, section 2.13)."""
    values = Values()
    table = part.json().get("top_stall_reason_table")
    reasons = table if isinstance(table, dict) else {}
    count = np.array([values.number(value) for value in reasons.values()], np.float64)
    part.report_odd(values)
    return (StallReasons(Strings.of(reasons), sealed(count)),)
