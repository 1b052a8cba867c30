"""Decodes block 0x05: the operator, its chip and its blocks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from app.formats.ascend_bin.cells import Cells
from app.formats.ascend_bin.columns import finish
from app.formats.ascend_bin.part import Part
from app.formats.ascend_bin.values import Values, first_of, objects, text, texts
from app.formats.ascend_bin.width import most_columns
from app.language import tr
from app.profile.ascend import Operator, TypedColumn
from app.profile.profile import Section, Target

_TYPES = {"aic": "cube", "aiv": "vector"}
_UNTITLED = 64
_MIX_TITLES = ("Cube0 Duration (μs)", "Vector0 Duration (μs)", "Vector1 Duration (μs)")


def kind_of(stored: str) -> str:
    """The current name of an operator or core type (Ascend operator files, section 2.1, rule 3)."""
    return _TYPES.get(stored.lower(), stored)


def decode(part: Part) -> tuple[Section, ...]:
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
