"""The kinds of files that tables are written to, and the libraries that some of them need."""

from __future__ import annotations

import errno
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from msgspec import Struct

from app.language import tr
from app.optional_packages import how_to_get

if TYPE_CHECKING:
    from app.analysis.export import ExportFormat


class TooManyColumnsError(OSError):
    """A file of this kind cannot hold so many columns."""

    def __init__(self, count: int, most: int) -> None:
        text = tr("the table has {count:,} columns; a sheet has at most {most:,}", count=count, most=most)
        super().__init__(errno.EINVAL, text)


class MixedNumbersError(OSError):
    """A column of a file of this kind has one type of number, and later rows of it do not fit."""

    def __init__(self, column: str) -> None:
        text = tr("the column {column} has integers of more than 64 bits: cast it to DOUBLE", column=column)
        super().__init__(errno.EINVAL, text)


class TableKind(Struct, frozen=True):
    """``module``: the library that writes it, from ``package``; "" if none is needed. ``extra``: how pip installs
    it with Tilesight."""

    suffix: str
    title: str
    module: str = ""
    package: str = ""
    extra: str = ""

    @property
    def why_not(self) -> str:
        """Why this kind cannot be written here; "" if it can."""
        if not self.module or find_spec(self.module) is not None:
            return ""
        how = how_to_get(self.extra)
        return tr("{suffix} files need {package}: {how}", suffix=self.suffix, package=self.package, how=how)


TEXTS: Final[dict[str, ExportFormat]] = {".csv": "csv", ".tsv": "tsv", ".json": "json"}
KINDS: Final = {
    kind.suffix: kind
    for kind in (
        TableKind(".csv", "CSV"),
        TableKind(".tsv", "TSV"),
        TableKind(".json", "JSON"),
        TableKind(".xlsx", tr("Excel workbook"), "xlsxwriter", "XlsxWriter", "xlsx"),
        TableKind(".parquet", "Parquet", "pyarrow", "pyarrow", "parquet"),
    )
}
"""By suffix; CSV is the first that is offered."""


def writable() -> dict[str, str]:
    """The kinds that can be written here: suffix → title."""
    return {suffix: kind.title for suffix, kind in KINDS.items() if not kind.why_not}


def not_writable() -> list[str]:
    """Why other kinds cannot be written here."""
    return [kind.why_not for kind in KINDS.values() if kind.why_not]
