"""What tells profiles with the same name apart: their folders, the times of their files, or numbers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct

if TYPE_CHECKING:
    from app.profile.profile import Profile

NANOSECONDS: Final = 1e9


class ProfileIdentity(Struct, frozen=True):
    """A profile's own name, its family's title ("" for none), its first file (None for none), and the modification time
    of that file in nanoseconds since 1970 (0: unknown)."""

    name: str
    title: str
    path: Path | None
    written_ns: int = 0


def joined_name(*parts: str) -> str:
    """The parts that are not empty, as one name."""
    return " · ".join(filter(None, parts))


def side_names(after: Profile, before: Profile) -> tuple[str, str]:
    """The names of two compared profiles; equal ones begin with what differs: ``after · trace.json``."""
    if after.name != before.name:
        return after.name, before.name
    paths = [side.origin.paths[0] if side.origin.paths else None for side in (after, before)]
    marks = differences([ProfileIdentity(after.name, "", path) for path in paths])
    return joined_name(marks[0], after.name), joined_name(marks[1], before.name)


def differences(group: Sequence[ProfileIdentity]) -> list[str]:
    """Returns what distinguishes each of several profiles with one name; "" if there is only one."""
    if len(group) < 2:
        return [""] * len(group)
    folders = differing_folders([_folder(profile) for profile in group])
    by_folder: dict[str, list[int]] = {}
    for place, folder in enumerate(folders):
        by_folder.setdefault(folder, []).append(place)
    marks = list(folders)
    for folder, places in by_folder.items():
        if len(places) > 1:
            times = _numbered(_times([group[place] for place in places]))
            for place, time in zip(places, times, strict=True):
                marks[place] = joined_name(folder, time)
    return marks


def differing_folders(folders: Sequence[tuple[str, ...]]) -> list[str]:
    """Returns the shortest ends of these folders that distinguish all different ones, without their common suffix:
    ``a`` and ``b`` for ``/runs/a/out`` and ``/runs/b/out``; "" if all are equal."""
    different = len(set(folders))
    if different < 2:
        return [""] * len(folders)
    length = 1
    while len({folder[-length:] for folder in folders}) < different:
        length += 1
    ends = [folder[-length:] for folder in folders]
    common = 0
    shortest = min(map(len, ends))
    while common < shortest and len({end[-1 - common] for end in ends}) == 1:
        common += 1
    return ["/".join(end[: len(end) - common]) for end in ends]


def _folder(profile: ProfileIdentity) -> tuple[str, ...]:
    return () if profile.path is None else profile.path.parent.parts[1:]


def _times(group: Sequence[ProfileIdentity]) -> list[str]:
    """Returns the modification time of each file, with the date only if the days differ; "" if unknown."""
    moments = [datetime.fromtimestamp(profile.written_ns / NANOSECONDS) for profile in group]
    one_day = len({moment.date() for moment in moments}) == 1
    pattern = "%H:%M:%S" if one_day else "%Y-%m-%d %H:%M"
    return [f"{moment:{pattern}}" if profile.written_ns else "" for moment, profile in zip(moments, group, strict=True)]


def _numbered(marks: Sequence[str]) -> list[str]:
    """Appends numbers to marks that are still equal, in the order the profiles were opened."""
    total, sofar = Counter(marks), Counter[str]()
    numbered = []
    for mark in marks:
        sofar[mark] += 1
        number = f"({sofar[mark]})" if total[mark] > 1 else ""
        numbered.append(" ".join(filter(None, (mark, number))))
    return numbered
