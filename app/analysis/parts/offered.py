"""Which parts a profile has, each part as a profile, and which two of them to compare first."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from statistics import median_low
from typing import Any, Final, get_args

from msgspec.structs import replace

from app.analysis.compare.names import without_numbers
from app.analysis.parts import blocks, cores, iterations, ranks, tiles, timelines
from app.analysis.parts.profile_part import PartKind, PartList, ProfilePart
from app.language import tr
from app.profile.file_state import TimeNote
from app.profile.profile import SECTION_NAMES, Profile
from app.profile.selection import TimeRange

KINDS: Final[tuple[PartKind, ...]] = get_args(PartKind)
SHOWN_NAMES: Final = 12


class NoPart(Exception):
    """A profile has no such part; the text says which it has."""


def parts(profile: Profile, chosen: TimeRange | None = None, notes: Sequence[TimeNote] = ()) -> list[PartList]:
    """The kinds of which the profile has at least two parts. ``chosen``: the range of the timeline."""
    lists = [
        blocks.blocks(profile),
        ranks.ranks(profile),
        tiles.ipus(profile),
        tiles.replicas(profile),
        cores.cores(profile),
        sub_cores := cores.sub_cores(profile),
        *([timelines.processes(profile)] if len(sub_cores.parts) < 2 else []),
        iterations.iterations(profile),
        timelines.ranges(profile, chosen, notes),
    ]
    return [one for one in lists if len(one.parts) > 1]


def part_of(profile: Profile, part: ProfilePart) -> Profile:
    """A profile with only that part: times count from its start, tiles from its first, and names that tell the parts
    apart are those of none."""
    made = _SECTIONS[part.kind](profile, part)
    own = {"target": profile.target, **made}
    empty = dict.fromkeys(SECTION_NAMES)
    name = tr("{name}, {part}", name=profile.name, part=part.label)
    origin = replace(profile.origin, part=part.name)
    return replace(profile, name=name, origin=origin, issues=(), portions={}, **{**empty, **own})


def part_named(profile: Profile, name: str) -> ProfilePart:
    """The part called ``name``, such as ``block=3``. NoPart."""
    kind, _, text = name.partition("=")
    known: PartKind | None = next((one for one in KINDS if one == kind), None)
    if known is None:
        raise NoPart(
            tr(
                "{name}: the kind of parts must be one of {kinds}",
                name=name,
                kinds=", ".join(f"{one}=…" for one in KINDS),
            )
        )
    if known == "range":
        return _range(profile, text)
    own = _LISTS[known](profile).parts
    for part in own:
        if part.id == text:
            return part
    if not own:
        raise NoPart(tr("{name}: the profile has no parts of this kind", name=name))
    names = [part.id for part in own]
    near = get_close_matches(text, names, SHOWN_NAMES) or names[:SHOWN_NAMES]
    raise NoPart(tr("{name}: no such part; the parts include {near}", name=name, near=", ".join(near)))


def default_pair(kind: PartKind, own: Sequence[ProfilePart]) -> tuple[int, int]:
    """(baseline, comparison) to offer first, as places in ``own``: the last two iterations, the selected range and as
    long before it (what lies after a note and before it), two sub-cores of one kind, else the slowest against the
    median."""
    if kind == "iteration":
        return len(own) - 2, len(own) - 1
    if kind == "range":
        first, second = own[0].stretch, own[1].stretch
        return (0, 1) if first is not None and second is not None and first.end <= second.start else (1, 0)
    if kind == "sub-core":
        return _alike([part.id for part in own])
    known = [(part.amount, place) for place, part in enumerate(own) if part.amount is not None]
    if len(known) < 2:
        return 0, 1
    slowest = max(known, key=lambda one: (one[0], -one[1]))
    middle = median_low(sorted(one for one in known if one != slowest))
    return middle[1], slowest[1]


def _alike(names: Sequence[str]) -> tuple[int, int]:
    """The first two names that differ in numbers only, else the first two."""
    first: dict[str, int] = {}
    for place, name in enumerate(names):
        before = first.setdefault(without_numbers(name), place)
        if before != place:
            return before, place
    return 0, 1


def _range(profile: Profile, text: str) -> ProfilePart:
    try:
        if profile.timeline is not None:
            return timelines.named(profile.timeline, text)
    except ValueError:
        raise NoPart(
            tr("range={text}: write START..END, in the unit of the times in the slices table", text=text)
        ) from None
    raise NoPart(tr("range={text}: the profile has no timeline", text=text))


def _stretch(profile: Profile, part: ProfilePart) -> dict[str, Any]:
    return {} if part.stretch is None else timelines.sections_of_range(profile, part.stretch)


_LISTS: Final[dict[PartKind, Callable[[Profile], PartList]]] = {
    "block": blocks.blocks,
    "core": cores.cores,
    "sub-core": cores.sub_cores,
    "process": timelines.processes,
    "rank": ranks.ranks,
    "ipu": tiles.ipus,
    "replica": tiles.replicas,
    "range": timelines.ranges,
    "iteration": iterations.iterations,
}
_SECTIONS: Final[dict[PartKind, Callable[[Profile, ProfilePart], dict[str, Any]]]] = {
    "block": lambda profile, part: blocks.sections(profile, part.id),
    "core": lambda profile, part: cores.core_sections(profile, part.id),
    "sub-core": lambda profile, part: cores.sub_core_sections(profile, part.id),
    "process": lambda profile, part: timelines.sections_of_process(profile, part.id),
    "rank": lambda profile, part: ranks.sections(profile, part.id),
    "ipu": lambda profile, part: tiles.ipu_sections(profile, int(part.id)),
    "replica": lambda profile, part: tiles.replica_sections(profile, int(part.id)),
    "range": _stretch,
    "iteration": _stretch,
}
