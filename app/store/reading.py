"""Runs the reader of a format, and the checks on what it read."""

from __future__ import annotations

import contextlib
import os
import traceback
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeAlias

from app.analysis.checks import check
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.events import Began, Event, Progress, SectionReady, Sink
from app.formats.pool import ALONE, Pool
from app.formats.registry import Job
from app.formats.source import MOST_OPEN, Head, Source, Unreadable, is_long_to_unpack, peek, unpack
from app.language import plural, tr
from app.profile.issue import Issue
from app.profile.profile import Section
from app.store.token import Token

LONG_BYTES = 1 << 20
"""Compressed files of this size take longer to unpack than the eye notices."""
HEAD_BYTES = 6 << 20
"""What is unpacked of such a file at first."""
MOST_ISSUES = 1000
"""Issues listed per profile: nobody reads more, and each takes memory."""
Store: TypeAlias = Callable[[Section], Section]


class _Watched:
    """Forwards the events of a reader to ``emit``: checks for cancellation, runs the checks on every complete profile,
    and drops issues beyond MOST_ISSUES."""

    def __init__(self, format_id: str, emit: Sink, token: Token, store: Store) -> None:
        self._collector = Collector(format_id)
        self._emit = emit
        self._token = token
        self._store = store
        self._issues = 0

    def __call__(self, event: Event) -> None:
        self._token.check()
        match event:
            case Began():
                self.finish()
                self._collector(event)
            case SectionReady(section):
                event = SectionReady(self._store(section))
                self._collector(event)
            case Issue():
                self._issues += 1
                if self._issues > MOST_ISSUES:
                    return
            case _:
                pass
        self._emit(event)

    def finish(self) -> None:
        """Run the checks on the last profile, and report how many of its issues are not listed."""
        for profile in self._collector.profiles[-1:]:
            for issue in check(profile, self._token.check):
                self(issue)
            if self._issues > MOST_ISSUES:
                text = plural(
                    "{count:,} more issue is not listed",
                    "{count:,} more issues are not listed",
                    count=self._issues - MOST_ISSUES,
                )
                self._emit(Issue("warning", profile.name, text))
        self._collector.profiles.clear()
        self._issues = 0


def run(
    job: Job,
    sources: Sequence[Source],
    emit: Sink,
    token: Token,
    store: Store = lambda section: section,
    pool: Pool = ALONE,
) -> None:
    """Read ``job`` and check the result. ``store`` returns a section as it is used from then on (a worker maps it);
    ``pool`` may help to read. FormatError if the files are not of the format, Cancelled."""
    sink = _Watched(job.format.id, emit, token, store)
    if job.format.read_divided is not None and pool.workers > 1:
        job.format.read_divided(sources, sink, pool)
    else:
        job.format.read(sources, sink)
    sink.finish()


def preview(job: Job, sources: Sequence[Source], emit: Sink) -> None:
    """Emit what can be shown of ``job`` before it is read. What is wrong with the files is reported by ``run``."""
    if job.format.preview is not None:
        with contextlib.suppress(FormatError):
            for event in job.format.preview(sources):
                emit(event)


def unpacks_long(job: Job) -> bool:
    """Whether something of ``job`` can be shown before it is unpacked, which takes long."""
    return job.format.preview is not None and any(is_long_to_unpack(path, LONG_BYTES) for path in job.paths)


def preview_heads(job: Job, emit: Sink) -> None:
    """``preview`` of the first bytes of compressed files, which are not unpacked; of others, of the whole."""
    sources: list[Source] = []
    try:
        with contextlib.suppress(FormatError):
            for path in job.paths:
                packed = is_long_to_unpack(path, LONG_BYTES)
                sources.append(Head(peek(path, HEAD_BYTES), path) if packed else Source(path))
            preview(job, sources, emit)
    finally:
        close_all(sources)


def unpack_all(job: Job, emit: Sink, token: Token) -> None:
    """Unpack the compressed files, reporting progress. FormatError for the first that cannot be unpacked (a tolerant
    format ignores it), Cancelled."""

    def report(done: int, total: int) -> None:
        token.check()
        emit(Progress(done, total, tr("unpacking")))

    for path in job.paths:
        try:
            unpack(path, report)
        except FormatError:
            if not job.format.tolerant:
                raise  # else open_all reports it


def open_all(job: Job) -> list[Source]:
    """Open all files of ``job``, or none: FormatError for the first that cannot be opened. A tolerant format gets an
    ``Unreadable`` in place of such a file, if any other can be opened."""
    sources: list[Source] = []
    try:
        for path in job.paths:
            try:
                sources.append(Source(path, rests=len(job.paths) > MOST_OPEN))
            except FormatError as error:
                if not job.format.tolerant:
                    raise
                sources.append(Unreadable(path, error))
        closed = [source for source in sources if isinstance(source, Unreadable)]
        if closed and len(closed) == len(sources):
            raise closed[0].error
    except BaseException:
        close_all(sources)
        raise
    return sources


def close_all(sources: Sequence[Source]) -> None:
    for source in sources:
        source.close()


def unwritable(error: OSError, place: Path) -> FormatError:
    """The error for columns that cannot be written: where, why, and what helps."""
    home = "LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME"
    return FormatError(
        tr(
            "the column store cannot be written: {error} in {place}; free disk space, or set {home} to a folder on "
            "another disk and restart",
            error=error.strerror or error,
            place=place,
            home=home,
        )
    )


def unexpected(error: Exception) -> FormatError:
    """A defect of a reader as a one-line error that can be reported."""
    place = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(place.filename).name}:{place.lineno}"
    return FormatError(
        tr(
            "a defect in Tilesight's reader: {name}: {error} ({where})",
            name=type(error).__name__,
            error=error,
            where=where,
        )
    )
