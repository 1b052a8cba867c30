"""Figures as lines of text: maps under their heading, and times that can be typed again."""

from __future__ import annotations

import pytest

from app.analysis.figures import Figure
from app.analysis.verdicts import verdicts
from app.profile.issue import Issue
from app.profile.profile import Origin, Profile
from app.views.look import Look
from app.views.pages.figures import lines
from app.views.timeline.times import Clock, parse
from app.widgets.timeline.range_fields import written


def test_a_map_is_a_heading_that_counts_nothing() -> None:
    """A number beside it would read as the figure itself."""
    spent = Figure("execution.tile_cycles", "Cycles of all tiles", {"compute": 10, "sync": 30}, "cycles")
    found = list(lines(spent, Look(), None))
    assert [(line.label, line.value, line.depth) for line in found] == [
        ("Cycles of all tiles", "", 0),
        ("sync", "30 cycles", 1),
        ("compute", "10 cycles", 1),
    ]


def test_parts_of_an_entry_read_as_amounts_of_something() -> None:
    kinds = Figure("execution.by_type", "Steps by type", {"Sync": {"steps": 7}, "Copy": {"steps": 2, "cycles": 12_345}})
    found = [line.value.replace("\u00a0", " ") for line in lines(kinds, Look(), None)]
    assert found[1:] == ["7 steps", "2 steps, 12,345 cycles"]


def test_an_issue_without_a_place_begins_with_its_text() -> None:
    bare = Profile(name="run", origin=Origin("poplar", ()))
    issues = Issue("warning", "graph.json", "one"), Issue("warning", "", "two")
    (verdict,) = verdicts(bare.with_issue(issues[0]).with_issue(issues[1]))
    assert [str(words[0]) for words in verdict.detail] == ["graph.json: one", "two"]


@pytest.mark.parametrize("value", [0.0, 6_004_002.0, 123_456_789_012.0])
def test_whole_cycles_keep_their_digits(value: float) -> None:
    clock = Clock("cycles", 1e-9)
    text = written(value, clock, Look(), 4)
    assert text == f"{value:,.0f}"
    assert parse(text, clock, Look()) == value
    assert written(value + 0.3, clock, Look()) == (text if value else "0.3")
