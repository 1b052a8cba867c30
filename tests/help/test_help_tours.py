"""What the tours say of the bundled samples is in the samples."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import cast
from urllib.parse import unquote

import pytest

from app.analysis.figures import figures
from app.analysis.findings import outcomes, ranked
from app.analysis.lookup.sources import called
from app.analysis.part import Amount
from app.analysis.table import Column
from app.analysis.tables import each
from app.formats.collect import read
from app.formats.registry import plan
from app.help.markdown import blocks, plain
from app.help.pages import page, topics
from app.help.tours import TOURS, Step, Tour, steps
from app.panels.registry import PANELS
from app.profile.profile import Profile
from app.profile.selection import Kind
from app.resources import resource
from app.views.units import format_value
from app.window.commands import COMMANDS
from app.window.samples import Sample, samples

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


@cache
def profile_of(tour: Tour) -> Profile:
    """The profile of the sample that a tour explains."""
    jobs, _ = plan(sample_of(tour).paths())
    (profile,) = (profile for job in jobs for profile in read(job.format, job.paths))
    return profile


def sample_of(tour: Tour) -> Sample:
    return next(sample for sample in samples() if sample.id == tour.sample)


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.topic)
def test_a_tour_cites_its_sample(tour: Tour) -> None:
    shown = page(tour.topic)
    assert f"sample:{tour.sample}" in shown.links
    assert f"command:{tour.command}" in shown.links
    assert shown.title == tour.title
    known = set(facts(profile_of(tour)))
    cited = {plain(text) for text in re.findall(r"\*\*(.+?)\*\*", " ".join(shown.text.split()))}
    assert len(cited) >= 12
    assert cited - known == set()


def test_every_tour_is_known() -> None:
    assert [tour.topic for tour in TOURS] == [topic for topic in topics() if topic.startswith("tour-")]
    assert {tour.sample for tour in TOURS} == {sample.id for sample in samples()} - {"poplar-measured"}
    assert {tour.command for tour in TOURS} <= {command.id for command in COMMANDS}


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.topic)
def test_each_step_is_about_a_panel_that_its_sample_has(tour: Tour) -> None:
    """And what it offers to select or run exists."""
    own, profile = steps(page(tour.topic).text), profile_of(tour)
    offered = {spec.id for spec in PANELS if spec.offered(profile)}
    assert [step.heading for step in own if step.panel not in offered] == []
    for step in own:
        kind, _, name = step.action.partition(":")
        if kind == "select":
            kind, _, name = unquote(name).partition("/")
            assert called(profile, cast("Kind", kind), name) is not None, step.action
        elif kind:
            assert name in {command.id for command in COMMANDS}


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.topic)
def test_a_step_has_one_to_three_sentences(tour: Tour) -> None:
    """What is below a heading is a step, but for where to go next."""
    text = page(tour.topic).text
    own = steps(text)
    paragraphs = [block.text for block in blocks(text[text.index("\n## ") :]) if block.kind != "heading"]
    assert [step.text for step in own] == paragraphs[:-1]
    assert paragraphs[-1].startswith("Next: ")
    assert 6 <= len(own) <= 20
    for step in own:
        assert len(re.findall(r"[.?](?= [A-Z]|$)", plain(step.text))) <= 3, step.text
        assert len(plain(step.text)) <= 360, step.text


@pytest.mark.parametrize("tour", TOURS, ids=lambda tour: tour.topic)
def test_a_translated_tour_has_the_same_steps(tour: Tour) -> None:
    english = [(step.panel, step.action) for step in steps(page(tour.topic).text)]
    for path in resource("help").glob(f"*/{tour.topic}.md"):
        assert [(step.panel, step.action) for step in steps(path.read_text("utf-8"))] == english, path.parent.name


def test_steps_are_paragraphs_with_a_panel() -> None:
    text = """# Tour

See [Summary](panel:summary).

## 1. `First`

In [A](panel:a) and [B](panel:b), [select](select:tile/1) or
[run](command:c.d).

No panel here.

### Deeper

Not [a step](panel:c).

## Last

[C](panel:c)."""
    assert steps(text) == (
        Step(
            "First",
            "In [A](panel:a) and [B](panel:b), [select](select:tile/1) or [run](command:c.d).",
            "a",
            "select:tile/1",
        ),
        Step("Last", "[C](panel:c).", "c", ""),
    )
    assert steps("") == ()
