"""Reports issues of one Poplar file while it is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from app.formats.errors import FormatError
from app.formats.events import Sink
from app.formats.json.problems import Problems
from app.formats.source import Source, allowed
from app.formats.walk import Broken, Walk
from app.language import tr
from app.profile.issue import Issue, Severity

_SHOWN = 12
_COUNTED = 1000
_KEY_CHARACTERS = 60


class Report:
    """Reports issues of ``source``; locations are paths of keys in it (``memory.byTile.total``).
    ``size``: that of the file in bytes."""

    def __init__(self, sink: Sink, source: Source) -> None:
        self.name = source.path.name
        self.problems = Problems(sink, self.name)
        self._sink = sink
        self.size = source.size
        self._unknown: dict[str, None] = {}

    def issue(self, severity: Severity, path: str, text: str) -> None:
        self._sink(Issue(severity, f"{self.name}: {path}" if path else self.name, text))

    def refused(self, path: str, error: FormatError) -> None:
        """Reports that the value at ``path`` could not be read."""
        self.issue("error", path, tr("skipped: {error}", error=error.located))

    def allow(self, entries: int, each: int) -> None:
        """Raises FormatError where ``entries`` of ``each`` bytes of memory are implausibly many for the file's size."""
        allow(self.size, entries, each)

    def most(self, each: int) -> int:
        """The largest number of entries that ``allow`` accepts."""
        return allowed(self.size, each)

    def unknown(self, path: str) -> None:
        """Notes a key that the reader does not know; ``finish`` reports it."""
        if len(self._unknown) < _COUNTED:
            self._unknown[path[-_KEY_CHARACTERS:]] = None

    def finish(self) -> None:
        """Reports the unknown keys and the collected problems."""
        self.problems.finish()
        if self._unknown:
            shown = ", ".join(list(self._unknown)[:_SHOWN])
            text = tr("unknown keys, ignored: {shown}", shown=shown)
            if len(self._unknown) > _SHOWN:
                more = len(self._unknown) - _SHOWN
                text = tr("unknown keys, ignored: {shown} and {count:,} more", shown=shown, count=more)
            self.issue("info", "", text)
            self._unknown.clear()


def allow(size: int, entries: int, each: int) -> None:
    """As ``Report.allow``, for a file of ``size`` bytes. What it says does not depend on how many are read at once."""
    most = allowed(size, each)
    if entries > most:
        raise FormatError(
            tr("{entries:,} entries or more are implausible in a file of {size:,} bytes", entries=most + 1, size=size)
        )


Handlers = Mapping[str, Callable[[str], None]]


def members(walk: Walk, report: Report, path: str, handlers: Handlers) -> None:
    """Calls the handler of each member of the object at ``walk`` with the member's path. A FormatError of a handler is
    reported, and the other members are still read. Raises Broken where parsing cannot continue."""
    seen: set[str] = set()
    for key in walk.members():
        place = f"{path}.{key}" if path else key
        handler = handlers.get(key)
        if handler is None:
            report.unknown(place)
        elif key in seen:
            report.issue("warning", place, tr("duplicate key; the first one counts"))
        else:
            seen.add(key)
            try:
                handler(place)
            except Broken:
                raise
            except FormatError as error:
                report.refused(place, error)
