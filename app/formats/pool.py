"""Reading a large file with several processes, and the tasks that these can run, by name."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Final, Generic, Protocol, TypeVar

from msgspec import Struct

from app.formats.source import Source

A = TypeVar("A")
R = TypeVar("R")
R_out = TypeVar("R_out", covariant=True)

WORTH_BYTES: Final = 16 << 20
"""A smaller text is decoded faster by one process than helpers are started and their results merged."""
Moved = Callable[[int], None]
"""Is told which byte of the source was reached."""


class Task(Struct, Generic[A, R_out], frozen=True):
    """``run(source, argument, moved)`` has no side effects and depends on nothing else. ``name`` is that of the task in
    ``tasks.by_name``. Argument and result are Structs of built-in types, texts and numpy columns, so that they can
    be sent."""

    name: str
    run: Callable[[Source, A, Moved], R_out]
    argument: type[A]
    result: type[R_out]


class Pool(Protocol):
    """Processes that run tasks. ``workers``: how many; dividing is useless with one."""

    @property
    def workers(self) -> int: ...

    def map(self, task: Task[A, R], source: Source, arguments: Sequence[A]) -> Generator[R | None]:
        """The results for ``arguments``, in this order; None for those that a helper could not make. Closing the
        iterator drops the rest."""
        ...


class Alone:
    """Runs tasks in this process."""

    workers = 1

    def map(self, task: Task[A, R], source: Source, arguments: Sequence[A]) -> Generator[R | None]:
        """The results for ``arguments``."""
        for argument in arguments:
            yield task.run(source, argument, ignore)


ALONE: Final[Pool] = Alone()


def ignore(_reached: int) -> None:
    """Is told how far a task is, and does nothing."""


def divides(pool: Pool, size: int) -> bool:
    """Whether ``pool`` is faster than this process for ``size`` bytes."""
    return pool.workers > 1 and size >= WORTH_BYTES
