"""What tools for assistants answer: figures and rows as JSON with their units, bounded in size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import orjson
from msgspec.structs import replace

from app.analysis.column_filter import ColumnFilter
from app.analysis.export import typed_blocks
from app.analysis.figures import figures
from app.analysis.table import Table
from app.cli.terminal import json_text
from app.profile.arrays import I64
from app.profile.profile import Profile

MOST_BYTES: Final = 48_000
"""Of an answer as JSON, about."""
MOST_TEXT: Final = 600
"""Characters of one text."""
Answer: TypeAlias = dict[str, Any]


def bounded(answer: Answer) -> str:
    """The answer as JSON; of what is too long, lists lose their ends, and ``..._left_out`` says how much."""
    plain: Answer = _shortened(answer)
    while len(text := json_text(plain, indented=False)) > MOST_BYTES:
        lists = [(len(orjson.dumps(own)), key) for key, own in plain.items() if isinstance(own, list) and len(own) > 1]
        if not lists:
            return json_text({"why": "the answer is too long: ask for less"}, indented=False)
        key = max(lists)[1]
        count = len(plain[key]) // 2
        left = plain.get(f"{key}_left_out", 0) + len(plain[key]) - count
        plain |= {key: plain[key][:count], f"{key}_left_out": left}
    return text


def figure_entries(profile: Profile) -> list[Answer]:
    """The main figures."""
    made = figures(profile, whole=True)
    return [{"id": own.name, "value": own.value, "unit": own.unit, "help": own.help} for own in made]


def filter_of(condition: Mapping[str, Any]) -> ColumnFilter:
    """The filter of a column by min, max, text and equals. ValueError for another condition."""
    if not condition.keys() <= {"min", "max", "text", "equals"}:
        raise ValueError(f"a condition has min, max, text or equals, not {', '.join(condition)}")
    equals = condition.get("equals")
    single = equals if isinstance(equals, int | float) and not isinstance(equals, bool) else None
    values = frozenset((equals,)) if isinstance(equals, str | bool) else None
    text = str(condition.get("text", ""))
    return ColumnFilter(condition.get("min", single), condition.get("max", single), values, text, missing=False)


def rows_of(table: Table, rows: I64, columns: list[str] | None = None) -> Answer:
    """Rows of a table: keys and units of its columns (or of some), and a list of cells for each row."""
    if columns is not None:
        known = {column.key: column for column in table.columns}
        table = replace(table, columns=tuple(known[key] for key in columns))
    lines = [list(line) for block in typed_blocks(table, rows) for line in zip(*block, strict=True)]
    head: Answer = {"table": table.id, "columns": [own.key for own in table.columns]}
    return head | {"units": [own.unit for own in table.columns], "rows": lines, "note": table.note}


def _shortened(value: Any) -> Any:
    """The answer with its texts cut, but for links."""
    if isinstance(value, str):
        return value if len(value) <= MOST_TEXT else f"{value[:MOST_TEXT]}…"
    if isinstance(value, Mapping):
        return {key: own if key == "link" else _shortened(own) for key, own in value.items()}
    return [_shortened(own) for own in value] if isinstance(value, list | tuple) else value
