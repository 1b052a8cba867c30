"""Finds the files that a link means: by their content, wherever they are by now, else by their path or name."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec import Struct

from app.analysis.view_links.view_link import ProfileRef
from app.formats.errors import FormatError
from app.formats.registry import plan
from app.profile.profile import Profile
from app.store.fingerprint import content_fingerprint

How: TypeAlias = Literal["same", "moved", "changed", "missing"]
MANY_FILES = 4
"""A profile of more files than this is linked by the folder that they lie in."""


class Files(Struct, frozen=True):
    """The files that were found. ``how``: at the path of the link, with the same content; elsewhere, with the same
    content; under the same path or name, with another content; nowhere."""

    how: How
    paths: tuple[Path, ...] = ()


def link_paths(paths: Sequence[Path]) -> tuple[Path, ...]:
    """The paths that a link has of a profile: its files, or the folder of many of them."""
    whole = [path.absolute() for path in paths]
    if len(whole) <= MANY_FILES:
        return tuple(whole)
    return (Path(os.path.commonpath([path.parent for path in whole])),)


def ref_to(profile: Profile, part: str = "") -> ProfileRef:
    """How a link refers to a profile, as its files are now."""
    origin = profile.origin
    return ProfileRef(link_paths(origin.paths), content_of(origin.paths), part or origin.part)


def content_of(paths: Sequence[Path]) -> str:
    """The fingerprint of files; "" if one of them cannot be read."""
    try:
        return content_fingerprint(paths) if paths else ""
    except FormatError:
        return ""


def find(
    wanted: Sequence[Path],
    content: str,
    passed: Sequence[Path],
    known: Sequence[Sequence[Path]],
    check: Callable[[], None],
) -> Files:
    """The files of a link with the paths ``wanted`` and that ``content`` ("": not known). With ``passed``, what the
    user named, only those are considered; else the paths themselves and, for the same content, the files ``known``.
    Runs in a background thread; ``check`` raises to stop."""
    if passed:
        return _among(wanted, content, list(_profiles(passed)), check)
    here = list(_profiles(wanted))
    for own in here:
        check()
        if content and content_of(own) == content:
            return Files("same", tuple(wanted))
    if not content and here:
        return Files("same", tuple(wanted))
    for paths in known:
        check()
        if content and content_of(paths) == content:
            return Files("moved", tuple(paths))
    return Files("changed", tuple(wanted)) if here else Files("missing", tuple(wanted))


def _among(
    wanted: Sequence[Path], content: str, offered: Sequence[tuple[Path, ...]], check: Callable[[], None]
) -> Files:
    for paths in offered:
        check()
        if content and content_of(paths) == content:
            return Files("same" if _same_place(paths, wanted) else "moved", paths)
    for paths in offered:
        if _same_place(paths, wanted):
            return Files("changed" if content else "same", paths)
    names = {path.name for path in wanted}
    alike = [paths for paths in offered if names & {path.name for path in paths}]
    return Files("changed", alike[0]) if alike else Files("missing")


def _same_place(paths: Sequence[Path], wanted: Sequence[Path]) -> bool:
    own = link_paths(paths)
    return set(own) == set(wanted) or any(path in wanted or not set(wanted).isdisjoint(path.parents) for path in own)


def _profiles(paths: Sequence[Path]) -> Iterator[tuple[Path, ...]]:
    """The sets of files that are read together."""
    jobs, _ = plan([path.absolute() for path in paths])
    for job in jobs:
        yield job.paths
