"""What a row of a table is called."""

from __future__ import annotations

from app.analysis.table import Table


def label(table: Table, row: int) -> str:
    """Its parts on one line."""
    return " · ".join(label_parts(table, row))


def label_parts(table: Table, row: int) -> list[str]:
    """The texts and numbers before the first figure, or the name if there is one."""
    named = [column for column in table.columns if column.role == "name"]
    parts = [str(value) for column in named if (value := column.value(row)) not in (None, "")]
    if parts:
        return parts
    for column in table.columns:
        if column.numeric and not column.is_key and parts:
            break
        value = column.value(row)
        if value not in (None, "") and not isinstance(value, bool):
            parts.append(f"{column.title} {value:,}" if isinstance(value, int) else str(value))
    return parts
