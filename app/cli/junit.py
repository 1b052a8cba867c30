"""Results as JUnit's XML, which build servers show as tests. Texts come from strangers' files: all are escaped, also
what XML cannot hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from msgspec import Struct

from app.profile.one_line import one_line

State: TypeAlias = Literal["passed", "failure", "error", "skipped"]
_NOT_XML: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class Case(Struct, frozen=True):
    """A test: ``message`` says in one line why it did not pass, ``text`` more."""

    name: str
    state: State = "passed"
    message: str = ""
    text: str = ""


class Suite(Struct, frozen=True):
    """Tests of one profile; ``text``: what was printed."""

    name: str
    cases: Sequence[Case]
    text: str = ""


def xml_lines(suites: Sequence[Suite]) -> Iterator[str]:
    """The lines of the document, without line ends inside of attributes."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield f"<testsuites {_counts(case for suite in suites for case in suite.cases)}>"
    for suite in suites:
        yield f"<testsuite name={_attribute(suite.name)} {_counts(suite.cases)}>"
        for case in suite.cases:
            yield from _case(suite, case)
        if suite.text:
            yield from _text("system-out", suite.text)
        yield "</testsuite>"
    yield "</testsuites>"


def _counts(cases: Iterable[Case]) -> str:
    states = Counter(case.state for case in cases)
    failed = f'failures="{states["failure"]}" errors="{states["error"]}" skipped="{states["skipped"]}"'
    return f'tests="{states.total()}" {failed}'


def _case(suite: Suite, case: Case) -> Iterator[str]:
    head = f"<testcase classname={_attribute(f'tilesight.{suite.name}')} name={_attribute(case.name)}"
    if case.state == "passed" and not case.text:
        yield f"{head}/>"
        return
    yield f"{head}>"
    if case.state == "passed":
        yield from _text("system-out", case.text)
    else:
        yield from _text(case.state, case.text, f" message={_attribute(case.message)}")
    yield "</testcase>"


def _text(tag: str, text: str, attributes: str = "") -> Iterator[str]:
    lines = _valid(text).splitlines()
    yield from f"<{tag}{attributes}>{escape(chr(10).join(map(one_line, lines)))}</{tag}>".split("\n")


def _attribute(text: str) -> str:
    return quoteattr(one_line(_valid(text)))


def _valid(text: str) -> str:
    return _NOT_XML.sub(lambda match: match[0].encode("unicode_escape").decode("ascii"), text)
