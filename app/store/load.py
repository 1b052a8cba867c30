"""One job from files to events: here for small files, in a worker process for heavy ones."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from app.formats.errors import Cancelled, FormatError
from app.formats.registry import Job, Refusal, plan
from app.profile.profile import Profile
from app.store import folders
from app.store.events import Emit, Event
from app.store.gathering import Gathering
from app.store.reading import EventSink, close_all, open_all, run, unexpected
from app.store.supervise import run_worker
from app.store.token import Token


def load(job: Job, emit: Emit, token: Token) -> Path | None:
    """Reads ``job`` and blocks until done. Heavy jobs return the folder that holds their columns, to be
    removed when the profiles are closed. FormatError (what could be read was emitted before), or Cancelled."""
    folder: Path | None = None
    try:
        sources = open_all(job.paths)
        try:
            heavy = job.format.heavy(sources)
            if not heavy:
                run(job, sources, EventSink(job.format.id, emit, token), emit)
        finally:
            close_all(sources)
        if heavy:
            folder = folders.new()
            run_worker(job, folder, emit, token)
        return folder
    except BaseException as error:
        if folder is not None:
            folders.remove(folder)
        if isinstance(error, MemoryError):
            raise FormatError("reading it needs more memory than there is") from error
        if isinstance(error, Exception) and not isinstance(error, FormatError | Cancelled):
            raise unexpected(error) from error
        raise


@dataclass(slots=True)
class Opened:
    """What a call without a screen gets: profiles, and a line for each file that could not be read."""

    profiles: list[Profile] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)


def read_all(paths: Sequence[Path], stack: ExitStack, emit: Emit = lambda _: None) -> Opened:
    """Reads everything in ``paths``. Column folders live until ``stack`` closes."""
    opened = Opened()
    jobs, refusals = plan(paths)
    opened.refusals.extend(refusals)
    for job in jobs:
        gathering = Gathering(job.format.id)

        def both(event: Event, gathering: Gathering = gathering) -> None:
            gathering.take(event)
            emit(event)

        try:
            folder = load(job, both, Token())
            if folder is not None:
                stack.callback(folders.remove, folder)
        except FormatError as error:
            opened.refusals.append(Refusal(Path(error.path or job.paths[0]), error))
        opened.profiles.extend(gathering.profiles)
    return opened
