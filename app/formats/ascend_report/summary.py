"""What the JSON files of a report say about the operator and the chip."""

from __future__ import annotations

import re

from app.formats.ascend_report.basic_info import BasicInfo
from app.formats.ascend_report.json_tables import GROUP, KEY, TEXT, VALUE
from app.formats.ascend_report.metric_rows import spelled_alike, texts_of
from app.profile.ascend import column_named
from app.profile.ascend_report import ReportTable

OPERATOR = "OpInfoSummary"
_BRACKETS = re.compile(r"[\s_()\[\]]")
_CHIP = ("socname", "socversion", "chipname", "chiptype", "soc", "deviceType".lower())


def cells(table: ReportTable) -> list[tuple[str, str, str]]:
    """(group, key, value as text) of a table made from JSON."""
    named = [column_named(table.columns, title) for title in (GROUP, KEY, VALUE, TEXT)]
    group, key, value, text = ([] if column is None else texts_of(column, table.rows) for column in named)
    return [(a, b, c or d) for a, b, c, d in zip(group, key, value, text, strict=True)]


def operator_info(summary: ReportTable) -> BasicInfo:
    """The names of OpBasicInfo in summary.jsonl (Ascend operator reports, section 2.3)."""
    return BasicInfo(
        {spelled_alike(key): value for group, key, value in cells(summary) if group.split(" / ")[0] == OPERATOR}
    )


def chip_name(hardware: ReportTable) -> str:
    """The chip in HardwareInfo.jsonl; "" if it does not say. Keys are compared without case, blanks, underscores and
    brackets (section 2.3)."""
    by_key = {_BRACKETS.sub("", key).lower(): value for _, key, value in cells(hardware) if value}
    return next((by_key[key] for key in _CHIP if key in by_key), "")
