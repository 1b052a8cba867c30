"""Runs a format's reader into events, and the checks over what it read."""

from __future__ import annotations

import os
import traceback
from collections.abc import Sequence
from pathlib import Path

from app.analysis.checks import CHECKS
from app.formats.errors import FormatError
from app.formats.registry import Job
from app.formats.source import Source, unpack
from app.profile.issue import Issue, Severity
from app.profile.profile import Origin, Profile, Section
from app.store.events import Began, Emit, IssueFound, Progress, SectionReady
from app.store.token import Token

MOST_ISSUES = 1000
"""Issues of one profile that are listed; nobody reads more, and each is kept in memory."""


class EventSink:
    """A reader's sink that turns calls into events; keeps the profiles for the checks at the end."""

    def __init__(self, format_id: str, emit: Emit, token: Token) -> None:
        self.profiles: list[Profile] = []
        self._format_id = format_id
        self._emit = emit
        self._token = token
        self._issues: list[int] = []

    def begin(self, name: str, paths: Sequence[Path], *, writer: str = "") -> None:
        self._token.check()
        self._issues.append(0)
        self.profiles.append(Profile(name=name, origin=Origin(self._format_id, tuple(paths), writer)))
        self._emit(Began(len(self.profiles) - 1, name, tuple(paths), writer))

    def section(self, section: Section) -> None:
        self._token.check()
        section = self.stored(section)
        self.profiles[-1] = self.profiles[-1].with_section(section)
        self._emit(SectionReady(len(self.profiles) - 1, section))

    def stored(self, section: Section) -> Section:
        """The section as it is kept (a worker keeps it as a mapped file)."""
        return section

    def issue(self, severity: Severity, where: str, text: str) -> None:
        self.issue_of(len(self.profiles) - 1, Issue(severity, where, text))

    def look(self) -> None:
        """Cancelled where the load was taken back."""
        self._token.check()

    def issue_of(self, index: int, issue: Issue) -> None:
        """Reports an issue of profile ``index``; of very many the first ones."""
        self._token.check()
        self._issues[index] += 1
        if self._issues[index] <= MOST_ISSUES:
            self._emit(IssueFound(index, issue))

    def close(self) -> None:
        """Reports how many issues were not listed."""
        for index, count in enumerate(self._issues):
            if count > MOST_ISSUES:
                text = f"{count - MOST_ISSUES:,} more issues are not listed"
                self._emit(IssueFound(index, Issue("warning", self.profiles[index].name, text)))

    def progress(self, done: int, total: int, phase: str) -> None:
        self._token.check()
        self._emit(Progress(done, total, phase))


def run(job: Job, sources: Sequence[Source], sink: EventSink) -> None:
    """Reads ``job`` and checks the result. FormatError when it is not of the format, Cancelled when taken back."""
    job.format.read(sources, sink)
    for index, profile in enumerate(sink.profiles):
        for check in CHECKS:
            sink.look()
            for issue in check(profile):
                sink.issue_of(index, issue)
    sink.close()


def unpack_all(paths: Sequence[Path], emit: Emit, token: Token) -> None:
    """Unpacks the compressed ones, telling how far it is. FormatError for the first that cannot be, Cancelled."""

    def tell(done: int, total: int) -> None:
        token.check()
        emit(Progress(done, total, "unpacking"))

    for path in paths:
        unpack(path, tell)


def open_all(paths: Sequence[Path]) -> list[Source]:
    """All files opened, or none: FormatError for the first that cannot be."""
    sources: list[Source] = []
    try:
        for path in paths:
            sources.append(Source(path))  # noqa: PERF401 (a comprehension would lose the opened ones)
    except BaseException:
        close_all(sources)
        raise
    return sources


def close_all(sources: Sequence[Source]) -> None:
    for source in sources:
        source.close()


def unwritable(error: OSError, place: Path) -> FormatError:
    """The disk does not take what is read: where that was to lie, why not, and what helps."""
    home = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    return FormatError(
        f"the column store cannot be written: {error.strerror or error} in {place}; "
        f"make room there, or set {home} to a folder on another disk and start again"
    )


def unexpected(error: Exception) -> FormatError:
    """A defect of a reader as one line that can be reported."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    return FormatError(f"a defect in Tilesight's reader: {type(error).__name__}: {error} ({where})")
