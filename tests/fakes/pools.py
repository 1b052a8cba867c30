"""A pool without processes."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path

import msgspec

from app.formats.pool import A, R, Task, ignore
from app.formats.source import Source
from app.store import results


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
            results.write(task.run(source, sent, ignore), self._file)
            yield results.take(task.result, self._file)
