"""Tables as CSV, TSV or JSON text, in pieces, with exact figures instead of those rounded for the screen.

CSV and TSV: UTF-8, one header line of ``key`` or ``key [unit]`` (``key [unit set by hand]`` for times whose unit the
user set), lines end with LF, cells that contain the separator, a
quote or a line break are quoted as in RFC 4180 (TSV the same, so that a tab in a name survives). No data is an empty
cell, booleans are ``true``/``false``, addresses are ``0x…``.

A text that a spreadsheet would run as a formula (it begins with ``=``, ``+``, ``-``, ``@``, a tab or a carriage return
and is not a plain number) is prefixed with an apostrophe: names come from untrusted files. Numbers are never changed.
JSON is exact: numbers as numbers, texts unchanged, no data as ``null``. Infinity and NaN count as no data.

Figures of the file (``Column.stored``) have the digits that the file has; computed ones their significant digits
(``digits.py``). Columns of bytes and cycles that hold only whole numbers are written as whole numbers.

Source, version and settings (``About``) are keys of JSON. CSV has no place for them that every reader skips, so that
they are lines with ``#`` before the header only if ``remarks`` asks for them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Any, Literal, TypeAlias, cast

import numpy as np
import orjson

from app import __version__
from app.analysis.about import About, clock_of, facts, settings_of
from app.analysis.digits import EXACT, known_digits, whole_or_known
from app.analysis.table import Coded, Column, Table
from app.language import tr, untranslated
from app.profile.arrays import I64, Array
from app.profile.one_line import one_line

ExportFormat: TypeAlias = Literal["csv", "tsv", "json"]

BLOCK_ROWS = 4096
"""Rows formatted at once, which bounds memory for tables of any length."""

_RISKY = ("=", "+", "-", "@", "\t", "\r")


def export(
    table: Table,
    form: ExportFormat,
    rows: I64 | None = None,
    about: About | None = None,
    *,
    remarks: bool = False,
    more: Iterable[Table] = (),
) -> Iterator[str]:
    """The file in pieces of text, one for each BLOCK_ROWS rows (and one before and after them), to be written one after
    the other (without newline translation). ``rows``: which rows, in which order (default: all, as they are).
    ``remarks``: whether CSV and TSV begin with lines that say what the table is and where it comes from; ``more``:
    further rows, as tables with the same columns; the note of the last of them counts."""
    if form == "json":
        return _json(table, rows, about, more)
    head = _remarks(table, about) if remarks and about is not None else ""
    return _separated(table, "," if form == "csv" else "\t", rows, head, more)


def tsv(table: Table, rows: I64 | None = None) -> str:
    """The TSV text as one string, for the clipboard."""
    return "".join(export(table, "tsv", rows))


def unique_keys(table: Table) -> list[str]:
    """The column keys; a duplicate gets ``_2``, ``_3``, ... so that no column is lost."""
    keys: list[str] = []
    taken = {column.key for column in table.columns}
    for column in table.columns:
        key, number = column.key, 2
        while key in keys or (key != column.key and key in taken):
            key, number = f"{column.key}_{number}", number + 1
        keys.append(key)
    return keys


def heads(table: Table) -> list[str]:
    """The header cells: ``key`` or ``key [unit]``."""
    return [
        key if not column.unit else f"{key} [{unit_of(table, column)}]"
        for key, column in zip(unique_keys(table), table.columns, strict=True)
    ]


def typed_blocks(table: Table, rows: I64 | None = None, more: Iterable[Table] = ()) -> Iterator[list[list[Any]]]:
    """The cells of the columns, BLOCK_ROWS rows at a time: texts, numbers, booleans, None for no data. ``more``: as in
    ``export``."""
    for part, some in chain([(table, rows)], ((part, None) for part in more)):
        plain = [(column, _plain(column)) for column in part.columns]
        for block in blocks(part, some):
            yield [_cells(column, block, clean_text, _as_it_is, own) for column, own in plain]


def _remarks(table: Table, about: About) -> str:
    lines = [(tr("Table"), f"{table.id} ({table.title})"), *facts(about, settings_of(about, table))]
    if table.note:
        lines.insert(1, (tr("Note"), table.note))
    return "".join(f"# {clean_text(one_line(f'{label}: {value}'))}\n" for label, value in lines)


def _separated(table: Table, separator: str, rows: I64 | None, remarks: str, more: Iterable[Table]) -> Iterator[str]:
    yield remarks + separator.join(_quoted(_guarded(head), separator) for head in heads(table)) + "\n"
    quote = _quoter(separator)
    for part, some in chain([(table, rows)], ((part, None) for part in more)):
        plain = [(column, _plain(column)) for column in part.columns]
        for block in blocks(part, some):
            cells = [_cells(column, block, quote, _number_text, own) for column, own in plain]
            yield "".join(separator.join(line) + "\n" for line in zip(*cells, strict=True))


def unit_of(table: Table, column: Column) -> str:
    """The unit of a column in a header, and whether the user set it."""
    own = table.own_time
    if own is None or not own.by_hand or column.unit not in (own.unit, "s"):
        return column.unit
    return f"{column.unit}{clock_of(own) if column.unit == own.unit else ''} set by hand"


def head_of(table: Table, about: About | None = None) -> dict[str, Any]:
    """What JSON says about a table before its rows."""
    head: dict[str, Any] = {
        "table": table.id,
        "title": table.title,
        "note": table.note,
        "columns": [
            {"key": key, "title": column.title, "unit": column.unit, "role": column.role, "help": column.help}
            for key, column in zip(unique_keys(table), table.columns, strict=True)
        ],
    }
    if about is not None:
        settings = {setting.key: setting.value for setting in settings_of(about, table)}
        head |= {"tilesight": __version__, "source": about.plain_source(), "settings": settings}
    return {key: clean(value) for key, value in head.items()}


def _json(table: Table, rows: I64 | None, about: About | None, more: Iterable[Table]) -> Iterator[str]:
    head, notes = head_of(table, about), [table.note]
    late = more != () and not table.note  # known behind the rows
    if late:
        del head["note"]
    yield orjson.dumps(head).decode()[:-1] + ',"rows":['
    before = "\n"
    keys = [clean_text(key) for key in unique_keys(table)]
    for cells in typed_blocks(table, rows, noting(more, notes)):
        lines = (orjson.dumps(dict(zip(keys, line, strict=True))).decode() for line in zip(*cells, strict=True))
        yield before + ",\n".join(lines)
        before = ",\n"
    yield "\n]" + (f',"note":{orjson.dumps(clean(notes[-1])).decode()}' if late else "") + "}\n"


def noting(tables: Iterable[Table], notes: list[str]) -> Iterator[Table]:
    """The tables; their notes are added to ``notes``."""
    for table in tables:
        notes.append(table.note)
        yield table


def clean_text(text: str) -> str:
    """``text`` with lone surrogates escaped, so that it can be encoded as UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode()


def clean(value: Any) -> Any:
    """``value`` (texts, and mappings and lists of them) as ``clean_text`` returns it, keys too."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, dict):
        return {clean(key): clean(item) for key, item in value.items()}
    return [clean(item) for item in value] if isinstance(value, list) else value


def blocks(table: Table, rows: I64 | None, size: int = BLOCK_ROWS) -> Iterator[I64]:
    """The numbers of the rows, ``size`` at a time."""
    count = table.rows if rows is None else len(rows)
    for start in range(0, count, size):
        stop = min(start + size, count)
        yield np.arange(start, stop) if rows is None else rows[start:stop]


def _cells(
    column: Column,
    block: I64,
    text: Callable[[str], str],
    number: Callable[[Column], Callable[[Any], Any]],
    plain: Callable[[Array], list[Any]],
) -> list[Any]:
    """The cells of ``block``, texts and numbers converted by the two functions; no data is "" for text formats and None
    for JSON."""
    show = number(column)
    nothing = show(None)
    values = column.values
    if isinstance(values, Coded):
        codes, places = np.unique(values.ids[block], return_inverse=True)
        texts = [text(untranslated(values.strings.get(int(code)))) if code >= 0 else nothing for code in codes.tolist()]
        cells = [texts[place] for place in places.tolist()]
    elif isinstance(values, tuple):
        cells = [text(untranslated(values[row])) for row in block.tolist()]
    else:
        cells = [show(value) for value in plain(values[block])]
    if column.missing is not None:
        for place in np.flatnonzero(column.missing[block]).tolist():
            cells[place] = nothing
    return cells


def _plain(column: Column) -> Callable[[Array], list[Any]]:
    """A function that converts values of ``column`` to plain ones, None for no data."""
    if not isinstance(column.values, np.ndarray) or column.values.dtype.kind != "f":
        return lambda values: cast("list[Any]", values.tolist())
    if column.units is not None:
        return lambda values: [whole_or_known(value) for value in values.tolist()]
    if _whole(column, column.values):
        return lambda values: [int(value) if math.isfinite(value) else None for value in values.tolist()]
    if column.stored:
        return lambda values: [value if math.isfinite(value) else None for value in values.tolist()]
    return lambda values: known_digits(values, column.finest, column.reach)


def _whole(column: Column, values: Array) -> bool:
    """Whether these are whole numbers of a counted, not a measured, unit."""
    known = values[np.isfinite(values)] if column.unit in ("B", "cycles") else values[:0]
    return len(known) > 0 and bool(((known % 1 == 0) & (np.abs(known) < EXACT)).all())


def _as_it_is(_: Column) -> Callable[[Any], Any]:
    return lambda value: value


def _number_text(column: Column) -> Callable[[Any], str]:
    if column.hexadecimal:
        return lambda value: "" if value is None else f"0x{int(value):x}"
    return lambda value: "" if value is None else _plain_text(value)


def _plain_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, (int, float)) else str(value)


def _quoter(separator: str) -> Callable[[str], str]:
    return lambda text: _quoted(_guarded(clean_text(text)), separator)


def _guarded(text: str) -> str:
    if not text.startswith(_RISKY):
        return text
    try:
        float(text)
    except ValueError:
        return "'" + text
    return text if text[0] in "+-" else "'" + text


def _quoted(text: str, separator: str) -> str:
    if separator in text or '"' in text or "\n" in text or "\r" in text:
        return '"' + text.replace('"', '""') + '"'
    return text
