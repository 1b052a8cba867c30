"""What is said about a file is one line that can be read, whatever the file holds."""

from __future__ import annotations

import pytest

from app.formats.errors import FormatError
from app.profile.issue import Issue
from app.profile.one_line import one_line


@pytest.mark.parametrize("text", ["", "a.json: byte 96", "μs, 1\u202f234\u00a0B, naïve — “x”", "\U0001f600"])
def test_what_can_be_seen_stays(text: str) -> None:
    assert one_line(text) == text


def test_what_cannot_be_seen_becomes_an_escape() -> None:
    assert one_line("a\nb\x00c\u202ed\ud800e\x7f\u2028") == r"a\nb\x00c\u202ed\ud800e\x7f\u2028"


def test_issues_and_errors_are_one_line() -> None:
    issue = Issue("info", "a\n.json", "the key x\r\ny")
    assert (issue.where, issue.text) == (r"a\n.json", r"the key x\r\ny")
    error = FormatError("the name a\nb is taken", offset=5)
    assert str(error) == r"the name a\nb is taken (at byte 5)"
    assert error.args == (error.text,)
