"""What a row of a table is called."""

from __future__ import annotations

from app.analysis.table import Table
from app.language import joined


def label(table: Table, row: int) -> str:
    """Its parts on one line."""
    return joined(" · ", label_parts(table, row))


def label_parts(table: Table, row: int) -> list[str]:
    """The texts and numbers before the first figure, or the name if there is one."""
    named = [column for column in table.columns if column.role == "name"]
    parts = [shown(value) for column in named if (value := column.value(row)) not in (None, "")]
    if parts:
        return parts
    for column in table.columns:
        if column.numeric and not column.is_key and parts:
            break
        value = column.value(row)
        if isinstance(value, int) and not isinstance(value, bool):
            number = f"{value:#x}" if column.hexadecimal else f"{value:,}"
            parts.append(joined(" ", (column.title, number)))
        elif value not in (None, "") and not isinstance(value, bool):
            parts.append(shown(value))
    return parts


def shown(value: object) -> str:
    """A cell as text; one that is translated stays so."""
    return value if isinstance(value, str) else str(value)
