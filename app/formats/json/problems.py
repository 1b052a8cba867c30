"""Problems of one file: the first of each kind are reported one by one, the others counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from app.formats.events import Sink
from app.language import Text, tr
from app.profile.issue import Issue, Severity

SHOWN = 10


class Noted(Struct, frozen=True):
    """The arguments of ``Problems.add``. Without a ``text``, only the ``count`` matters."""

    severity: Severity
    kind: Text
    offset: int | None
    text: Text
    count: int


class Problems:
    """Reports issues to ``sink`` with the place ``name: byte N``, of each kind only the first few."""

    def __init__(self, sink: Sink, name: str, shown: int = SHOWN) -> None:
        self._sink = sink
        self._name = name
        self._shown = shown
        self._count: Counter[tuple[Severity, str]] = Counter()

    def add(self, severity: Severity, kind: str, offset: int | None, text: str, count: int = 1) -> None:
        """``kind`` is the plural of the problem ("records that are no JSON"), for counting."""
        self._count[severity, kind] += count
        if self._count[severity, kind] <= self._shown:
            self._sink(Issue(severity, self._place(offset), text))

    def repeated(self, offset: int) -> None:
        """Reports an object near ``offset`` with a duplicate key."""
        self.add(
            "warning",
            tr("values with duplicate keys"),
            offset,
            tr("duplicate key in this value; the last one counts"),
        )

    def replay(self, noted: Iterable[Noted]) -> None:
        """Adds what a ``ProblemLog`` noted."""
        for one in noted:
            if one.text:
                self.add(one.severity, one.kind, one.offset, one.text, one.count)
            else:
                self._count[one.severity, one.kind] += one.count

    def finish(self) -> None:
        """Reports the number of problems of each kind that were not reported one by one."""
        for (severity, kind), count in self._count.items():
            if count > self._shown:
                text = tr("{count:,} {kind}; the first {shown} are listed", count=count, kind=kind, shown=self._shown)
                self._sink(Issue(severity, self._name, text))
        self._count.clear()

    def _place(self, offset: int | None) -> str:
        return self._name if offset is None else tr("{name}: byte {offset:,}", name=self._name, offset=offset)


class ProblemLog(Problems):
    """Notes problems, to be replayed later in another process."""

    def __init__(self) -> None:
        super().__init__(lambda _: None, "")
        self._noted: list[Noted] = []
        self._more: Counter[tuple[Severity, str]] = Counter()

    def add(self, severity: Severity, kind: str, offset: int | None, text: str, count: int = 1) -> None:
        self._count[severity, kind] += count
        if self._count[severity, kind] <= SHOWN:
            self._noted.append(Noted(severity, kind, offset, text, count))
        else:
            self._more[severity, kind] += count

    def noted(self) -> list[Noted]:
        """The problems so far: those that can be listed, and the number of the others of each kind."""
        return [*self._noted, *(Noted(*key, None, "", count) for key, count in self._more.items())]
