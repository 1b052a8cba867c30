"""What the tours say of the bundled samples is in the samples."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from app.analysis.figures import figures
from app.analysis.findings import outcomes, ranked
from app.analysis.part import Amount
from app.analysis.table import Column
from app.analysis.tables import each
from app.formats.collect import read
from app.formats.registry import plan
from app.help.markdown import plain
from app.help.pages import page
from app.profile.profile import Profile
from app.views.units import format_value
from app.window.samples import samples

TOURS = {
    "tour-poplar": "poplar",
    "tour-ascend": "ascend",
    "tour-report": "ascend-report",
    "tour-trace": "trace",
    "tour-popef": "popef",
    "tour-tensorflow": "tensorflow",
}
MOST_ROWS = 64
"""Longer tables are not quoted."""


def facts(profile: Profile) -> Iterator[str]:
    """Everything that a panel could show of the profile, as it shows it."""
    clock = profile.target.clock_hz if profile.target is not None else None
    for figure in figures(profile):
        if isinstance(figure.value, int | float | str):
            yield format_value(figure.value, figure.unit, None, clock)
    for _, finding in ranked(outcomes(profile)):
        amounts = [part for part in finding.text if isinstance(part, Amount)]
        yield from (format_value(part.value, part.unit) for part in amounts)
        yield from (format_value(one.value, one.unit) for one in finding.evidence)
        yield from (one.key for one in finding.evidence)
        yield "" if finding.saving is None else format_value(finding.saving.at_most, finding.saving.unit)
        yield from re.findall(r"[\d,.]+(?: cycles)?", "".join(map(str, finding.text)))
    for issue in profile.issues:
        yield from issue.text.split()
    for table in each(profile):
        yield f"{table.rows:,}"
        if table.rows <= MOST_ROWS:
            for column in table.columns:
                yield from cells(column)


def cells(column: Column) -> Iterator[str]:
    for row in range(len(column.values)):
        value = column.value(row)
        if value is not None:
            yield str(value)
            yield str(value).rsplit("/", 1)[-1]
            yield format_value(value, column.unit)


@pytest.mark.parametrize("topic", TOURS)
def test_a_tour_cites_its_sample(topic: str) -> None:
    sample = next(sample for sample in samples() if sample.id == TOURS[topic])
    shown = page(topic)
    assert f"sample:{sample.id}" in shown.links
    jobs, _ = plan(sample.paths())
    known = set().union(*(facts(profile) for job in jobs for profile in read(job.format, job.paths)))
    cited = {plain(text) for text in re.findall(r"\*\*(.+?)\*\*", " ".join(shown.text.split()))}
    assert len(cited) >= 12
    assert cited - known == set()
