"""What limits the comparison of two profiles: other chips, clocks, numbers of tiles, kinds of files."""

from __future__ import annotations

from collections.abc import Iterator

from app.analysis.memory import replicas
from app.language import plural, tr
from app.profile.profile import Profile


def limits(before: Profile, after: Profile) -> list[str]:
    """One sentence for each."""
    return [
        *_parts(before, after),
        *_formats(before, after),
        *_targets(before, after),
        *_operators(before, after),
        *_clocks(before, after),
    ]


def tile_counts(before: Profile, after: Profile) -> tuple[int, int] | None:
    """The tiles of both, if they have different numbers of them; else None."""
    counts = [_tiles(profile) for profile in (before, after)]
    return None if not all(counts) or counts[0] == counts[1] else (counts[0], counts[1])


def _tiles(profile: Profile) -> int:
    stated = profile.target.tiles if profile.target is not None else None
    return stated or (profile.tile_memory.tiles if profile.tile_memory is not None else 0)


def _parts(before: Profile, after: Profile) -> Iterator[str]:
    if before.origin.part or after.origin.part:
        yield tr(
            "Parts are compared: data that the files have only for the whole profile is omitted. Names and numbers "
            "that distinguish the parts are shown but not compared."
        )


def _formats(before: Profile, after: Profile) -> Iterator[str]:
    if before.origin.format != after.origin.format:
        yield tr(
            "The files are of different kinds ({before}, {after}): only what both contain is compared.",
            before=before.origin.format,
            after=after.origin.format,
        )


def _targets(before: Profile, after: Profile) -> Iterator[str]:
    tiles = tile_counts(before, after)
    if tiles is not None:
        yield plural(
            "The baseline has {count:,} tile and the comparison {after:,}: sums over tiles are "
            "compared as they are and per tile. Tiles on one side only are listed as such.",
            "The baseline has {count:,} tiles and the comparison {after:,}: sums over tiles are "
            "compared as they are and per tile. Tiles on one side only are listed as such.",
            count=tiles[0],
            after=tiles[1],
        )
    one, other = before.target, after.target
    if one is not None and other is not None and one.kind and other.kind and one.kind != other.kind:
        yield tr(
            "The targets differ ({before}, {after}): their cycles are not comparable.",
            before=one.kind,
            after=other.kind,
        )
    counts = replicas(before), replicas(after)
    if counts[0] is not None and counts[1] is not None and counts[0] != counts[1]:
        yield tr(
            "Memory is that of one replica: of {before:,} before, of {after:,} after.",
            before=counts[0],
            after=counts[1],
        )


def _operators(before: Profile, after: Profile) -> Iterator[str]:
    one, other = before.operator, after.operator
    if one is None or other is None:
        return
    if one.soc and other.soc and one.soc != other.soc:
        yield tr(
            "The chips differ ({before}, {after}): their cycles are not comparable.",
            before=one.soc,
            after=other.soc,
        )
    if one.block_dim and other.block_dim and one.block_dim != other.block_dim:
        yield plural(
            "The operator ran in {count:,} block before and {after:,} after: blocks on one side only "
            "are listed as such.",
            "The operator ran in {count:,} blocks before and {after:,} after: blocks on one side only "
            "are listed as such.",
            count=one.block_dim,
            after=other.block_dim,
        )


def _clocks(before: Profile, after: Profile) -> Iterator[str]:
    clocks = [profile.target.clock_hz if profile.target is not None else None for profile in (before, after)]
    if clocks[0] and clocks[1] and clocks[0] != clocks[1]:
        yield tr(
            "The clocks differ ({before:,} Hz, {after:,} Hz): this affects differences of times, but not of cycles.",
            before=round(clocks[0]),
            after=round(clocks[1]),
        )
    one, other = before.timeline, after.timeline
    if one is not None and other is not None and (one.unit == "cycles") != (other.unit == "cycles"):
        yield tr(
            "One timeline is in cycles and the other in time: durations cannot be compared without a clock frequency."
        )
