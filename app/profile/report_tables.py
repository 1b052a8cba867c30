"""The tables of a report as its files have them."""

from __future__ import annotations

import re
from typing import ClassVar

from msgspec import Struct

from app.profile.typed import TypedColumn


class ReportTable(Struct, frozen=True, eq=False):
    """One table. ``name``: of the file without its ending, or of its part; ``file``: the file in the report;
    ``columns``: one value wide, with the titles of the file, known or not: numbers as float64 with NaN for no data (NA,
    N/A, empty), other cells as text ids with -1."""

    name: str
    file: str
    columns: tuple[TypedColumn, ...]

    @property
    def rows(self) -> int:
        return len(self.columns[0].values) if self.columns else 0


class ReportTables(Struct, frozen=True, eq=False):
    """The tables of an Ascend operator report (Ascend operator reports, sections 2.2, 2.3 and 3), unchanged. Other
    sections are made from them."""

    SECTION: ClassVar[str] = "report_tables"
    tables: tuple[ReportTable, ...]

    def named_like(self, name: str) -> ReportTable | None:
        """The first table of that name, or of that name and a time stamp (section 4); None without one."""
        lowered = name.lower()
        stamped = re.compile(rf"{re.escape(lowered)}(_\d{{17}})?")
        return next((table for table in self.tables if stamped.fullmatch(table.name.lower())), None)
