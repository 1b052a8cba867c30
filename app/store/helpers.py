"""The processes that help a worker to decode one large file: the ``Pool`` of a worker.

The worker gives out stretches of the file and merges their results; helpers decode. They are started when they are
first needed and end with the job. On Linux they are copies of the worker (``fork``), which has imported the readers and
shares its memory with them; elsewhere they are started like workers, by the command line of the program. Both serve the
same orders (``helper``), two of which wait at each helper, so that it need not wait for the worker. Results come back
as files in the folder of the job, so that a helper never waits for the worker to read them.

Cancelling kills the worker; the standard input of its helpers ends with it, and they exit at once. Each helper has its
share of the limit of memory, and is killed when it is stuck there, or when it does not go on (somebody stopped it).
What a killed helper had not done is done by the worker, under its own limit.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
from collections import deque
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec

from app.formats.errors import FormatError
from app.formats.pool import A, R, Task, ignore
from app.formats.source import Origin, Source
from app.store import limits, wire
from app.store.helper_process import forked_helper, started_helper
from app.store.limits import Stalled
from app.store.process import Process

MOST_WORKERS: Final = 8
EACH_BYTES: Final = 256_000_000
"""Memory that should be free for each helper."""
_AHEAD: Final = 2
_LOOK_SECONDS: Final = 0.1


def default_workers() -> int:
    """How many processes decode a large file if the user does not say: as many as there are processors for this
    process, at most MOST_WORKERS."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_WORKERS)


def affordable(workers: int) -> int:
    """At most ``workers``, fewer when memory is short."""
    available = limits.free()
    return workers if available is None else max(1, min(workers, available // EACH_BYTES))


class Helpers:
    """At most ``workers`` helpers, with results in ``folder``. Without a folder there are none, and so with one, which
    would only take the place of the worker."""

    def __init__(self, folder: Path | None, workers: int, *, fork: bool = sys.platform == "linux") -> None:
        self.workers = 1 if folder is None else affordable(workers)
        self._folder = folder or Path()
        self._fork = fork
        self._helpers: list[_Helper] = []
        self._started = False
        self._orders_made = 0
        self._done: dict[int, bool] = {}
        self._answers: queue.SimpleQueue[Answer] = queue.SimpleQueue()

    def map(self, task: Task[A, R], source: Source, arguments: Sequence[A]) -> Generator[R | None]:
        """See ``Pool``."""
        origins = source.origins()
        if self.workers < 2 or not origins:
            for argument in arguments:
                yield task.run(source, argument, ignore)
            return
        self._start()
        orders = self._orders(task, origins, arguments)
        todo = deque(orders)
        for number in list(orders):
            while number not in self._done:
                self._give(todo, orders)
                self._await(number)
            yield _taken(task, self._path(number)) if self._done.pop(number) else None

    def close(self) -> None:
        """Ends the helpers."""
        for helper in self._helpers:
            helper.kill()
        for helper in self._helpers:
            helper.close()
        self._helpers.clear()
        for number in range(self._orders_made):  # of what nobody waited for
            with contextlib.suppress(OSError):
                self._path(number).unlink(missing_ok=True)

    def _start(self) -> None:
        if self._started:
            return
        self._started = True
        processes: list[Process] = []
        with contextlib.suppress(OSError):  # with fewer or none it takes longer
            while len(processes) < self.workers:
                processes.append(forked_helper() if self._fork else started_helper())
        self._helpers = [_Helper(process, self._answers) for process in processes]  # threads only after the last fork

    def _orders(self, task: Task[A, Any], origins: tuple[Origin, ...], arguments: Sequence[A]) -> dict[int, wire.Order]:
        """An order for each argument, by number."""
        share = sum(origin.size for origin in origins) // self.workers
        first, self._orders_made = self._orders_made, self._orders_made + len(arguments)
        return {
            number: wire.Order(
                task.name,
                origins,
                msgspec.msgpack.encode(argument),
                os.fsencode(self._path(number)),
                share,
            )
            for number, argument in enumerate(arguments, first)
        }

    def _path(self, number: int) -> Path:
        return self._folder / f"{number}.result"

    def _give(self, todo: deque[int], orders: dict[int, wire.Order]) -> None:
        """Gives orders to helpers that have few."""
        for most in range(1, _AHEAD + 1):
            for helper in self._helpers:
                if todo and helper.alive and len(helper.waiting) < most:
                    number = todo.popleft()
                    helper.order(orders[number], number)

    def _await(self, number: int) -> None:
        """Waits for the next answer; if there are no helpers any more, order ``number`` has failed."""
        if not any(helper.alive for helper in self._helpers):
            self._done[number] = False
            return
        try:
            helper, done = self._answers.get(timeout=_LOOK_SECONDS)
        except queue.Empty:
            for helper in self._helpers:
                helper.look()
            return
        if done is None:
            helper.alive = False
            self._done |= dict.fromkeys(helper.waiting, False)
            helper.waiting.clear()
        else:
            self._done[helper.waiting.popleft()] = done


def _taken(task: Task[Any, R], path: Path) -> R | None:
    try:
        return wire.take_result(task.result, path)
    except (OSError, FormatError):
        return None


class _Helper:
    """A helper process. ``waiting``: the numbers of its orders. Its answers go to ``answers``."""

    def __init__(self, process: Process, answers: queue.SimpleQueue[Answer]) -> None:
        self.alive = True
        self.waiting: deque[int] = deque()
        self._process = process
        self._answers = answers
        self._near = 0
        self._stalled = Stalled(process.pid, sleeps=False)
        self._thread = threading.Thread(target=self._listen, name="helper", daemon=True)
        self._thread.start()

    def order(self, order: wire.Order, number: int) -> None:
        """Sends ``order``; its end is reported if the process has ended."""
        self.waiting.append(number)
        with contextlib.suppress(OSError):
            wire.send(self._process.stdin, order)

    def look(self) -> None:
        """Kills the process if it is stuck at its limit of memory (see ``limits.Watch``), or does not go on."""
        if not self.alive or not self.waiting:
            return
        self._near = self._near + 1 if limits.at_limit(self._process.pid) else 0
        if self._stalled.look() or self._near > 1:
            self._process.kill()

    def kill(self) -> None:
        """Ends the process."""
        self._process.kill()

    def close(self) -> None:
        """Waits for the end of the process."""
        self._thread.join()
        with contextlib.suppress(OSError):  # what it did not read any more
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def _listen(self) -> None:
        while (message := wire.receive(self._process.stdout)) is not None:
            self._answers.put((self, isinstance(message, wire.Done)))
        self._answers.put((self, None))


Answer: TypeAlias = tuple[_Helper, bool | None]
"""A helper, and whether its next order was done; None when it has ended."""
