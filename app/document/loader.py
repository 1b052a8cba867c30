"""Opens files in the background, in one thread per job; a timer of the window handles their events."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from msgspec import Struct
from PySide6.QtCore import QObject, QTimer, Signal

from app.document.document import Document
from app.document.entry import Entry
from app.document.loaded_files import LoadedFiles, OpenedFolders
from app.document.threads import Batch, Closed, JobThread, Message, OpenFiles, Planned, PlanThread, Queue
from app.formats.events import Progress

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from app.document.filling import Filling
    from app.formats.registry import Job
    from app.formats.source import Source
    from app.store.cache.limit import CacheLimit
    from app.store.load import Loaded
    from app.store.spare import Spare
    from app.store.stamps import Stamp


State: TypeAlias = Literal["queued", "reading", "done", "failed", "cancelled"]
POLL_MS = 15
TURN_SECONDS = 0.01
PROGRESS_TICKS = 3  # progress is reported every 45 ms
CLOSE_SECONDS = 2.0
AT_ONCE = 3
MANY = 8
"""While more jobs wait, of a folder, those that begin and end are reported with the progress."""


class JobState(Struct):
    """One load as the status bar shows it; ``done`` of ``total`` bytes are read."""

    id: int
    title: str
    paths: tuple[Path, ...]
    state: State = "queued"
    done: int = 0
    total: int = 0
    phase: str = ""


class Failure(Struct, frozen=True):
    """Files that could not be read, and one line that says why. ``shown``: whether what was read of them is shown."""

    paths: tuple[Path, ...]
    text: str
    shown: bool = False


class Loader(QObject):
    """Loads files into the document. Signals: ``jobs_changed`` when the state or progress of a job changed, ``failed``
    (Failure), ``joined`` (paths) when several opened files are read as one profile, ``already_open`` (entry ids) when
    opened files turned out to be those of open profiles, of which one is shown then, ``baseline_read``
    (BaselineDocument) when an opened file is a baseline document, ``idle`` when the last job has ended. Threads never
    touch Qt: they put events into a queue that a timer drains."""

    jobs_changed = Signal()
    failed = Signal(object)
    joined = Signal(object)
    already_open = Signal(object)
    baseline_read = Signal(object)
    idle = Signal()

    def __init__(
        self,
        document: Document,
        parent: QObject | None = None,
        choice: CacheLimit | None = None,
        *,
        apart: bool = False,
    ) -> None:
        """``choice``: how much of the columns of heavy files is cached (None: the cache is not used); it may be changed
        later, and so may ``workers``, how many processes decode a large file (0: the default). ``apart``: small files
        are read by workers too, one at a time, so that no file can exhaust the memory of this process."""
        super().__init__(parent)
        self._apart = apart
        self.choice = choice
        self.workers = 0
        self._document = document
        self._queue: Queue = Queue()
        self._planning: list[PlanThread] = []
        self._waiting: deque[tuple[JobState, Job, Filling]] = deque()
        self._running: dict[int, tuple[JobState, JobThread, Filling]] = {}
        self._leaving: dict[int, JobThread] = {}  # threads of cancelled jobs that have not ended yet
        self._loaded_files = LoadedFiles()
        self._folders = OpenedFolders()
        self._made: dict[int, int] = {}  # job → number of profiles that it read
        self._spare = self._new_spare() if apart else None
        self._spare_wanted = False
        self._ended: list[JobState] = []
        self._next = 1
        self._ticks = 0
        self._timer = QTimer(self, interval=POLL_MS)
        self._timer.timeout.connect(self._drain)
        document.entry_closed.connect(self._forget)
        document.record, document.records = self.record, self.records
        document.open_wanted.connect(self.open)

    @property
    def jobs(self) -> tuple[JobState, ...]:
        """Waiting and running jobs, and those that ended since the loader was last idle."""
        active = [state for state, _, _ in (*self._running.values(), *self._waiting)]
        return (*self._ended, *active)

    @property
    def busy(self) -> bool:
        return bool(self._planning or self._waiting or self._running)

    def open(self, paths: Sequence[Path]) -> None:
        """Opens files and folders; their formats are detected in the background, too. A file that completes an open
        profile (the execution of a graph) is read into that profile; a profile that is open already is shown, unless
        its files have changed."""
        self._plan(tuple(Path(path) for path in paths))

    def _plan(self, paths: tuple[Path, ...], reloads: int | None = None) -> None:
        opened = [
            OpenFiles(entry.id, origin.format, origin.paths, origin.apart, entry.done, self.stamps(entry.job))
            for entry in self._document.entries
            if not entry.is_part and (origin := entry.profile.origin).paths
        ]
        thread = PlanThread(paths, opened, self._queue, self._spare, reloads)
        self._planning.append(thread)
        thread.start()
        self._timer.start()

    def reload(self, entry_id: int) -> None:
        """Reloads the files of an entry, ignoring the cache; the old profile stays until the new one is complete. Files
        that did not belong together before are tried together again. If it was opened with a folder, files that were
        added to the folder since are opened, too."""
        entry = self._document.entry(entry_id)
        if entry is not None and not entry.is_part:
            origin = entry.profile.origin
            folders = self._folders.around(origin.paths)
            if folders:
                self._plan(folders, entry_id)
            else:
                self._read_anew(entry, origin.apart, Batch(), show=False)
        self._start_changed()

    def join(self, entry_id: int, paths: Sequence[Path]) -> None:
        """Reloads the files of an entry together with ``paths`` and shows the result."""
        entry = self._document.entry(entry_id)
        if entry is not None:
            self._read_anew(entry, paths, Batch(), show=True)
            self.joined.emit((*entry.profile.origin.paths, *paths))
        self._start_changed()

    def _read_anew(self, entry: Entry, more: Sequence[Path], batch: Batch, *, show: bool) -> None:
        """Enqueues a reload of ``entry`` together with the files ``more``; open profiles of those files alone become
        part of it."""
        from app.formats.registry import Job, by_id

        job = Job(by_id(entry.profile.origin.format), tuple(dict.fromkeys((*entry.profile.origin.paths, *more))))
        others = (
            other for other in self._document.entries if other.id != entry.id and other.done and not other.is_part
        )
        joined = {other.id for other in others if more and set(other.profile.origin.paths) <= set(more)}
        self._enqueue(job, batch, replaces=entry.id, joined=joined, show=show)

    def start_spare(self) -> None:
        """Starts a spare worker and from now on has one ready for the next heavy file."""
        if self._spare is None:
            self._spare = self._new_spare()
        self._spare_wanted = True
        self._spare.prepare()

    def cancel(self, job_id: int) -> None:
        """Cancels a job. The profiles it has opened so far are closed at once, without waiting for its thread."""
        for item in [item for item in self._waiting if item[0].id == job_id]:
            self._waiting.remove(item)
            self._conclude(item[0], "cancelled", item[2])
        if job_id in self._running:
            state, thread, filling = self._running.pop(job_id)
            self._leaving[job_id] = thread
            thread.token.cancel()
            self._conclude(state, "cancelled", filling)
        self._start_changed()

    def close(self) -> None:
        """Cancels all jobs, waits at most CLOSE_SECONDS for each thread, and releases the columns."""
        self._timer.stop()
        self._waiting.clear()
        for _, thread, _ in self._running.values():
            thread.token.cancel()
        running = (thread for _, thread, _ in self._running.values())
        for waiting in [*self._planning, *running, *self._leaving.values()]:
            waiting.join(CLOSE_SECONDS)
        for message in self._queue.drain():
            if isinstance(message, Closed):
                self._loaded_files.take(message)
        self._loaded_files.close()
        if self._spare is not None:
            self._spare.close()

    def stamps(self, job_id: int) -> tuple[Stamp, ...]:
        """The stamps of the files of a job when reading began; empty while it is being read."""
        return self._loaded_files.stamps(job_id)

    def loaded(self, job_id: int) -> Loaded | None:
        """The columns of a job that has ended; None if they are not in files."""
        return self._loaded_files.loaded(job_id)

    def record(self, entry_id: int, ordinal: int) -> Mapping[str, Any]:
        """The arguments of one record of the file, decoded again; empty for a profile that has been closed. Raises
        FormatError where the file changed."""
        entry = self._document.entry(entry_id)
        return {} if entry is None else self._loaded_files.record(entry, ordinal)

    def records(self, entry: Entry) -> AbstractContextManager[Source]:
        """The text with the records of a profile's timeline, while it is open. Raises FormatError as ``record``."""
        return self._loaded_files.records(entry)

    def _enqueue(
        self,
        job: Job,
        batch: Batch,
        replaces: int | None = None,
        joined: Collection[int] = (),
        *,
        show: bool = False,
    ) -> None:
        from app.document.filling import Filling

        state = JobState(self._next, ", ".join(path.name for path in job.paths), job.paths)
        self._next += 1
        filling = Filling(self._document, job.format.id, state.id, replaces, batch, joined=joined, show=show)
        self._waiting.append((state, job, filling))

    def _start(self) -> None:
        while self._waiting and len(self._running) < AT_ONCE:
            state, job, filling = self._waiting.popleft()
            state.state = "reading"
            anew = filling.replaces is not None
            thread = JobThread(
                state.id,
                job,
                self._queue,
                self.choice,
                anew=anew,
                spare=self._spare,
                apart=self._apart,
                workers=self.workers,
                preview=not anew,
            )
            self._running[state.id] = (state, thread, filling)
            thread.start()

    def _start_changed(self) -> None:
        """Starts what waits, and reports that jobs changed."""
        self._start()
        self._timer.start()
        self.jobs_changed.emit()

    def _drain(self) -> None:
        with self._document.together():
            changed = self._take_some()
        if any(changed):
            self._forget()
        self._start()
        self._ticks = (self._ticks + 1) % PROGRESS_TICKS
        if (any(changed) and len(self._waiting) < MANY) or (self._running and not self._ticks):
            self.jobs_changed.emit()
        if not self.busy and not self._leaving:
            self._timer.stop()
            self._ended.clear()
            if self._spare is not None and self._spare_wanted:
                self._spare.prepare()
            self.jobs_changed.emit()
            self.idle.emit()

    def _take_some(self) -> list[bool]:
        """Handles the messages that have arrived, for TURN_SECONDS or until another profile is shown, which is painted
        first; the rest follow in the next turn of the event loop."""
        end = time.perf_counter() + TURN_SECONDS
        showing = self._document.showing
        changed = []
        wait = POLL_MS
        for message in self._queue.drain():
            changed.append(self._take(message))
            if time.perf_counter() > end or self._document.showing != showing:
                wait = 0
                break
        self._timer.setInterval(wait)
        return changed

    def _take(self, message: Message) -> bool:
        """Handles one message; returns whether a job was added or ended."""
        if isinstance(message, Planned):
            self._take_plan(message)
            return True
        if isinstance(message, Closed):
            self._take_end(message)
            return True
        if message.job in self._running:
            state, _, filling = self._running[message.job]
            if isinstance(message.event, Progress):
                event = message.event
                state.done, state.total, state.phase = event.done, event.total, event.phase
            else:
                filling.take(message.event)
        return False

    def _take_plan(self, plan: Planned) -> None:
        plan.thread.join()
        self._planning.remove(plan.thread)
        if plan.thread.reloads is not None:
            self._take_folders_again(plan, plan.thread.reloads)
            return
        self._folders.add(plan.folders, [path for job in plan.jobs for path in job.paths])
        for refusal in plan.refusals:
            self.failed.emit(Failure((refusal.path,), str(refusal.error)))
        batch = Batch()
        named = set(plan.thread.paths)
        already: list[int] = []
        for place, job in enumerate(plan.jobs):
            same = self._document.entry(plan.already.get(place, -1))
            entry = self._document.entry(plan.completes.get(place, -1))
            own = [path for path in job.paths if path in named]
            if same is not None and self._is_whole(same):
                already.append(same.id)
            elif same is not None:  # it held several profiles, and some were closed
                self._read_anew(same, (), batch, show=True)
            elif self._reads(job):
                continue
            elif entry is not None:
                self._read_anew(entry, job.paths, batch, show=True)
                self.joined.emit((*entry.profile.origin.paths, *own))
            else:
                self._enqueue(job, batch)
                if len(own) > 1:
                    self.joined.emit(tuple(own))
        if already:
            if self._document.current_id not in already:
                self._document.show(already[0])
            self.already_open.emit(tuple(already))
        for document in plan.documents:
            self.baseline_read.emit(document)

    def _take_folders_again(self, plan: Planned, entry_id: int) -> None:
        """Reloads an entry, and opens what came into its folders since they were opened: files that belong to an open
        profile with it, others beside it."""
        later = [job for job in plan.jobs if self._folders.new(job.paths)]
        self._folders.add(plan.folders, [path for job in plan.jobs for path in job.paths])
        batch = Batch(shown=True)
        reloaded = self._document.entry(entry_id)
        for job in later:
            wider = [entry for entry in self._complete_entries() if set(entry.profile.origin.paths) <= set(job.paths)]
            first = next((entry for entry in wider if entry.id == entry_id), wider[0] if wider else None)
            if first is None:
                self._enqueue(job, batch)
            else:
                joined = {entry.id for entry in wider}
                self._enqueue(job, batch, replaces=first.id, joined=joined - {first.id})
                reloaded = None if entry_id in joined else reloaded
        if reloaded is not None:
            self._read_anew(reloaded, reloaded.profile.origin.apart, batch, show=False)

    def _complete_entries(self) -> list[Entry]:
        return [entry for entry in self._document.entries if entry.done and not entry.is_part]

    def _is_whole(self, entry: Entry) -> bool:
        """Whether all profiles that were read with ``entry`` are open."""
        beside = sum(other.job == entry.job and not other.is_part for other in self._document.entries)
        return beside >= self._made.get(entry.job, 0)

    def _reads(self, job: Job) -> bool:
        """Whether these files are already being read, or will be."""
        active = (state for state, _, filling in (*self._running.values(), *self._waiting) if filling.replaces is None)
        wanted = set(job.paths)
        return any(wanted.issubset(state.paths) for state in active)

    def _take_end(self, end: Closed) -> None:
        self._loaded_files.take(end)
        if end.job in self._leaving:
            self._leaving.pop(end.job).join()
            return
        state, thread, filling = self._running.pop(end.job)
        thread.join()
        if end.error is not None:
            blamed = tuple(path for path in state.paths if str(path) == end.error.path)
            self.failed.emit(Failure(blamed or state.paths, str(end.error), shown=filling.profiles > 0))
        self._made[end.job] = filling.profiles
        self._conclude(state, "failed" if end.error else "done", filling)
        if state.state == "done" and self.choice is not None:
            self._loaded_files.write_cache(state.id, self.choice)

    def _conclude(self, state: JobState, outcome: State, filling: Filling) -> None:
        state.state = outcome
        self._ended.append(state)
        if outcome == "cancelled":
            filling.undo()
        else:
            filling.finish(failed=outcome == "failed")

    def _new_spare(self) -> Spare:
        from app.store.spare import Spare

        return Spare(AT_ONCE)

    def _forget(self) -> None:
        jobs = {entry.job for entry in self._document.entries}
        self._loaded_files.forget(jobs)
        self._made = {job: count for job, count in self._made.items() if job in jobs}
