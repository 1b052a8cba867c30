"""Baseline documents on the disk: JSON that is recognised by its content, and checked like any file of a stranger."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

import msgspec

from app.analysis.compare.kept import LARGEST, MOST_WHOLE, VERSION, Kept, KeptColumn, KeptFigure, KeptTable
from app.formats.errors import FormatError
from app.formats.foreign import BASELINE
from app.formats.source import Source, peek
from app.language import tr, unpack
from app.store.outputs import write_output

HEAD_BYTES: Final = 4096
MOST_BYTES: Final = 16 << 20
MOST_TABLES: Final = 10_000
MOST_RUNS: Final = 1_000_000
LONGEST_TEXT: Final = 100_000
NUMBER_LENGTH: Final = 500
_PLACE: Final = re.compile(r"\{([a-z_][a-z_0-9]*)")
_NAME: Final = re.compile(r'"tilesight_baseline"\s*:\s*(\d+)')


def is_baseline(path: Path) -> bool:
    """Whether the file begins like a baseline document. Never raises: another reader says what is wrong."""
    try:
        return not path.is_dir() and BASELINE.match(peek(path, HEAD_BYTES)) is not None
    except (FormatError, OSError, ValueError):
        return False


def write(target: Path, kept: Kept, inputs: Iterable[Path]) -> int:
    """Writes the document; returns its bytes. Errors as in ``write_output``."""
    content = msgspec.json.encode(kept) + b"\n"
    write_output(target, content, inputs)
    return len(content)


def read(path: Path) -> Kept:
    """The document. FormatError."""
    with Source(path) as source:
        if source.size > MOST_BYTES:
            raise _damaged(tr("it is larger than {most:,} bytes", most=MOST_BYTES), path)
        text = source.read(0, source.size)
    version = _NAME.search(text[:HEAD_BYTES].decode("latin-1"))
    if version is not None and int(version[1][:9]) > VERSION:
        raise _damaged(tr("a newer version of Tilesight wrote it"), path)
    try:
        kept = msgspec.json.decode(text, type=Kept)
        wrong = next(_wrong(kept), "")
    except (msgspec.MsgspecError, UnicodeDecodeError, ValueError, RecursionError) as error:
        raise _damaged(f"{error}", path) from None
    if wrong:
        raise _damaged(wrong, path)
    return kept


def _damaged(why: str, path: Path) -> FormatError:
    return FormatError(tr("the baseline document cannot be used: {why}", why=why), path=str(path))


def _wrong(kept: Kept) -> Iterator[str]:
    """What contradicts itself, or is out of range. ValueError for a text that cannot be filled."""
    if kept.version != VERSION:
        yield tr("version {version} does not exist", version=kept.version)
    if not 1 <= kept.runs <= MOST_RUNS:
        yield tr("{count} is not a number of runs", count=kept.runs)
    if len(kept.tables) > MOST_TABLES or len({table.id for table in kept.tables}) < len(kept.tables):
        yield tr("it has too many tables, or two of one name")
    for figure in kept.figures:
        yield from _wrong_figure(figure)
    for table in kept.tables:
        yield from _wrong_table(table)


def _wrong_figure(figure: KeptFigure) -> Iterator[str]:
    _check_text(figure.label)
    if not all(map(_is_number, (figure.low, figure.high))) or not (
        isinstance(figure.value, (str, bool)) or _is_number(figure.value)
    ):
        yield tr("the figure {id} is not a usable number", id=figure.id)


def _wrong_table(table: KeptTable) -> Iterator[str]:
    if table.left < 0 or len({column.key for column in table.columns}) < len(table.columns):
        yield tr("the table {id} has a wrong number of rows, or two columns of one name", id=table.id)
    for column in table.columns:
        if {len(column.values), *(len(side) for side in (column.low, column.high) if side)} != {table.rows}:
            yield tr("the columns of the table {id} have different lengths", id=table.id)
        if bool(column.low) != bool(column.high):
            yield tr("the column {column} of the table {id} has half a spread", column=column.key, id=table.id)
        if not _good_cells(column):
            yield tr("the column {column} of the table {id} has unusable cells", column=column.key, id=table.id)


def _good_cells(column: KeptColumn) -> bool:
    numbers: list[object] = [*column.low, *column.high, column.sum, column.sum_low, column.sum_high]
    if column.text:
        for cell in column.values:
            if cell is not None:
                _check_text(cell)
    else:
        numbers += column.values
    return all(map(_is_number, numbers))


def _check_text(packed: object) -> None:
    """ValueError if a text cannot be filled, or would be much longer than its file: places may be filled by texts with
    places."""
    if _filled_length(packed) > LONGEST_TEXT:
        raise ValueError(tr("a text has more than {most:,} characters", most=LONGEST_TEXT))
    unpack(packed)


def _filled_length(packed: object) -> int:
    """At least as many characters as the text has when its places are filled."""
    match packed:
        case str():
            return len(packed)
        case [str(english), str(several), dict(arguments)]:
            sizes = {name: _filled_length(value) for name, value in arguments.items()}
            patterns = (english, several)
            return max(len(text) + sum(sizes.get(name, 0) for name in _PLACE.findall(text)) for text in patterns)
        case _:
            return NUMBER_LENGTH


def _is_number(value: object) -> bool:
    """Whether it is a number that 64 bits hold and that can be added up, or None."""
    if isinstance(value, float):
        return abs(value) < LARGEST
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and abs(value) < MOST_WHOLE)
