"""Access to the parts attached to host events: as files to open, or to save."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TypeAlias

from app.analysis.host_events import file_name
from app.formats.errors import FormatError
from app.formats.parts import inside
from app.formats.source import Source
from app.formats.tensorflow_events.ipu_event import Place, content_of
from app.language import tr
from app.profile.profile import Profile
from app.store.outputs import output_file
from app.store.token import Token

PIECE = 1 << 22
OnProgress: TypeAlias = Callable[[int, int], None]
"""Called with the bytes done and the total."""


def path_of(profile: Profile, part: int) -> Path | None:
    """The path by which a row of ``host_events.attached`` is opened; None if there is no such row."""
    events = profile.host_events
    if events is None or not 0 <= part < len(events.attached) or not profile.origin.paths:
        return None
    offset, size = int(events.attached.offset[part]), int(events.attached.size[part])
    return inside(profile.origin.paths[0], offset, size, file_name(events, part))


def paths_of(profile: Profile, parts: Sequence[int]) -> tuple[Path, ...]:
    """The same for several rows; those that do not exist are left out."""
    paths = (path_of(profile, part) for part in parts)
    return tuple(path for path in paths if path is not None)


def candidates(profile: Profile, part: int) -> tuple[Path, ...]:
    """Where a file may be that the log only names: at the path as written, then by its name beside the log. The disk is
    not accessed: the path comes from the file, and only the user may decide to follow it."""
    events = profile.host_events
    if events is None or not 0 <= part < len(events.attached) or not profile.origin.paths:
        return ()
    named = events.strings.get(int(events.attached.path[part]))
    if not named:
        return ()
    folder = profile.origin.paths[0].absolute().parent
    name = PureWindowsPath(named).name if "\\" in named else PurePosixPath(named).name
    stated = Path(named) if Path(named).is_absolute() else folder / named
    places = [stated, *([folder / name] if name not in ("", ".", "..") else [])]
    return tuple(dict.fromkeys(places))


def first_there(paths: Sequence[Path], token: Token) -> Path | None:
    """The first of ``paths`` that is a readable regular file (it is opened, never executed); None if there is none.
    Cancelled."""
    for path in paths:
        token.check()
        try:
            Source(path).close()
        except FormatError:
            continue
        return path
    return None


def save(profile: Profile, part: int, target: Path, token: Token, report: OnProgress | None = None) -> None:
    """Write the part as stored in the log to ``target``, completely or not at all. FormatError if the log has changed
    since it was read, OSError if ``target`` cannot be written, Cancelled between two pieces."""
    path = path_of(profile, part)
    if path is None:
        raise FormatError(tr("the event has no such part"))
    with Source(path) as source, output_file(target, [path]) as scratch, scratch.open("wb") as file:
        _check(profile, part, source)
        for done in range(0, source.size, PIECE):
            token.check()
            file.write(source.read(done, min(PIECE, source.size - done)))
            if report is not None:
                report(min(done + PIECE, source.size), source.size)


def _check(profile: Profile, part: int, source: Source) -> None:
    """Raise FormatError unless the part still looks the same. A log may grow, but what is in it must not change."""
    events = profile.host_events
    assert events is not None
    own = events.attached
    content, path = content_of(source, int(own.role[part]), Place(0, source.size))
    if content != own.content[part] or path != events.strings.get(int(own.path[part])):
        raise FormatError(tr("the log has changed since it was read; reload it"), path=str(source.path))
