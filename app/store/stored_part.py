"""Reads a part of a file as stored, such as a block or an entry: to display, or to save for another tool."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct

from app.formats.errors import FormatError
from app.formats.source import Source
from app.language import tr
from app.store.outputs import output_file
from app.store.token import Token

PIECE = 1 << 22
OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes done and the total."""


class StoredPart(Struct, frozen=True):
    """``size`` bytes of content from ``payload`` of a file; ``row``: its place in the section that lists it."""

    path: Path
    row: int
    payload: int
    size: int

    @property
    @abstractmethod
    def title(self) -> str:
        """What it is, for people."""

    @property
    @abstractmethod
    def file_name(self) -> str:
        """The name for a file with its content."""

    @abstractmethod
    def unchanged(self, source: Source) -> bool:
        """Whether the file still has this part at its place. FormatError where it cannot be read."""


def read_bytes(part: StoredPart, first: int, count: int) -> bytes:
    """Up to ``count`` bytes of the content, from ``first`` on. FormatError if the file has changed."""
    with _opened(part) as source:
        start = min(max(first, 0), part.size)
        return source.read(part.payload + start, min(max(count, 0), part.size - start))


def save(part: StoredPart, path: Path, token: Token | None = None, report: OnProgress | None = None) -> None:
    """Write the content to ``path``, completely or not at all. FormatError if the file has changed, OSError if ``path``
    cannot be written, Cancelled between two pieces."""
    with output_file(path, [part.path]) as scratch, scratch.open("wb") as file, _opened(part) as source:
        for done in range(0, part.size, PIECE):
            if token is not None:
                token.check()
            file.write(source.read(part.payload + done, min(PIECE, part.size - done)))
            if report is not None:
                report(min(done + PIECE, part.size), part.size)


@contextmanager
def _opened(part: StoredPart) -> Iterator[Source]:
    with Source(part.path) as source:
        if part.payload + part.size > source.size or not part.unchanged(source):
            raise FormatError(tr("the file has changed since it was read; reload it"), path=str(part.path))
        yield source
