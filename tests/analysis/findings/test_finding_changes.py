"""Findings of two profiles: which came, which went, which stayed."""

from __future__ import annotations

from app.analysis.findings.compared import finding_changes
from app.analysis.findings.finding import Evidence, Finding
from app.analysis.findings.rules import RULES

ONE, OTHER = RULES[:2]


def finding(title: str, key: str) -> Finding:
    return Finding("warning", title, (title,), (Evidence("tiles", key, "bytes", 1),))


def test_those_about_the_same_thing_belong_together_then_the_first_that_are_left() -> None:
    before = [(ONE, finding("tile 1", "1")), (ONE, finding("tile 2", "2")), (OTHER, finding("gone", "a"))]
    after = [(ONE, finding("tile 3", "3")), (ONE, finding("tile 2 now", "2")), (ONE, finding("new", "9"))]
    made = finding_changes(before, after)
    told = [(one.change, one.before and one.before.title, one.after and one.after.title) for one in made]
    assert told == [
        ("came", None, "new"),
        ("went", "gone", None),
        ("stayed", "tile 2", "tile 2 now"),
        ("stayed", "tile 1", "tile 3"),
    ]
    assert made[1].shown.title == "gone"


def test_equal_findings_are_each_matched_once() -> None:
    same = (ONE, finding("tile 1", "1"))
    assert [one.change for one in finding_changes([same, same], [same])] == ["went", "stayed"]
    assert [one.change for one in finding_changes([same], [same, same])] == ["came", "stayed"]
