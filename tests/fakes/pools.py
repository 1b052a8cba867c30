"""A pool without processes, and what is read with it."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

import msgspec
import pytest

from app.formats import pool as pool_module
from app.formats.collect import Collector
from app.formats.errors import FormatError
from app.formats.format import Format
from app.formats.json import numbers, pieces
from app.formats.pool import A, Pool, R, Task, ignore
from app.formats.registry import Job
from app.formats.source import Source
from app.profile.profile import Profile
from app.store import wire
from app.store.reading import run
from app.store.token import Token
from fakes.same import same
from generators.memory_source import MemorySource


class PackingPool:
    """Runs tasks in this process, but sends their arguments and results as to helpers, through a file in ``folder``;
    None for the calls whose numbers are in ``failing``."""

    workers = 3

    def __init__(self, folder: Path, failing: frozenset[int] = frozenset()) -> None:
        self.calls = 0
        self._file = folder / "0.result"
        self._failing = failing

    def map(self, task: Task[A, R], source: Source, arguments: Sequence[A]) -> Generator[R | None]:
        """See ``Pool``."""
        for argument in arguments:
            self.calls += 1
            if self.calls in self._failing:
                yield None
                continue
            sent: A = msgspec.msgpack.decode(msgspec.msgpack.encode(argument), type=task.argument)
            wire.write_result(task.run(source, sent, ignore), self._file)
            yield wire.take_result(task.result, self._file)


def make_pieces_small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Divides even small texts into stretches, of records and of rows of numbers."""
    monkeypatch.setattr(pieces, "PIECE_BYTES", 256)
    monkeypatch.setattr(numbers, "BLOCK", 64)
    monkeypatch.setattr(numbers, "FIRST_BLOCK", 16)
    monkeypatch.setattr(pool_module, "WORTH_BYTES", 0)
    monkeypatch.setattr(numbers, "WORTH_BYTES", 0)


def profile_by(pool: Pool, read_format: Format, text: bytes, name: str = "t.json") -> Profile | str:
    """The profile in ``text``, read with ``pool``, or the reason why there is none."""
    sink = Collector(read_format.id)
    try:
        run(Job(read_format, (Path(name),)), [MemorySource(text, name)], sink, Token(), pool=pool)
    except FormatError as error:
        return f"{error.text} {error.offset}"
    (profile,) = sink.profiles
    return profile


def check_same(one: Profile | str, several: Profile | str) -> None:
    """Both have the same sections and issues, or the same reason."""
    if isinstance(one, str) or isinstance(several, str):
        assert one == several
        return
    assert _issues(several) == _issues(one)
    assert one.filled() == several.filled()
    for section in one.filled():
        assert same(getattr(one, section), getattr(several, section)), section


def _issues(profile: Profile) -> list[tuple[str, str, str]]:
    return [(issue.severity, str(issue.where), str(issue.text)) for issue in profile.issues]
