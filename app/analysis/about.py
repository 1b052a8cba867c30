"""Where an exported table or picture comes from, as its header or metadata says it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from app import __version__
from app.analysis.table import OwnTime, Table
from app.language import tr
from app.profile.profile import Profile
from app.profile.timeline import Timeline


class Setting(Struct, frozen=True):
    """Something that was chosen and decides what is in the file: a time unit, tiles, a filter. ``key``: for
    programs."""

    key: str
    label: str
    value: str


class Source(Struct, frozen=True):
    """A profile and its ``files`` (names without folders: exported files are passed on to others)."""

    profile: str
    format: str
    files: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return {"profile": self.profile, "format": self.format, "files": list(self.files)}


class About(Struct, frozen=True):
    """The source of exported data, the ``baseline`` that it is compared with, and the ``settings`` in force."""

    source: Source
    baseline: Source | None = None
    settings: tuple[Setting, ...] = ()

    def plain_source(self) -> dict[str, Any]:
        """For JSON: the source, with the baseline if there is one."""
        baseline = {} if self.baseline is None else {"baseline": self.baseline.plain()}
        return {**self.source.plain(), **baseline}


def about(profile: Profile, baseline: Profile | None = None, settings: Sequence[Setting] = ()) -> About:
    """Describes what is exported of ``profile``."""
    return About(_source(profile), None if baseline is None else _source(baseline), tuple(settings))


def merged(profiles: Sequence[Profile], settings: Sequence[Setting] = ()) -> About:
    """Describes what is made of several profiles together."""
    sources = [_source(profile) for profile in profiles]
    files = tuple(name for source in sources for name in source.files)
    formats = ", ".join(dict.fromkeys(source.format for source in sources))
    return About(Source(", ".join(source.profile for source in sources), formats, files), None, tuple(settings))


def settings_of(about: About, table: Table) -> tuple[Setting, ...]:
    """The settings in force for a table, its unit of times among them if a person set it."""
    own = table.own_time
    if own is None or not own.by_hand:
        return about.settings
    return (*about.settings, time_unit_setting(own))


def timeline_settings(timeline: Timeline | None) -> tuple[Setting, ...]:
    """The unit of times, if a person set it."""
    if timeline is None or timeline.basis != "hand":
        return ()
    clock = 1 / timeline.seconds_per_unit if timeline.unit == "cycles" and timeline.seconds_per_unit else None
    return (time_unit_setting(OwnTime(timeline.unit, clock, True)),)


def time_unit_setting(own: OwnTime) -> Setting:
    """A unit of times that a person set."""
    unit = f"{own.unit}{clock_of(own)}"
    return Setting("time_unit", tr("Time unit"), tr("{unit}, set by hand", unit=unit))


def clock_of(own: OwnTime) -> str:
    """`` at 1650 MHz``, or "" if the times are not cycles of a known clock."""
    return f" at {own.clock_hz / 1e6:g} MHz" if own.clock_hz else ""


def facts(about: About, settings: Sequence[Setting]) -> Iterator[tuple[str, str]]:
    """What people read in a header: label and value, the version of the program first."""
    yield tr("Written by"), tr("Tilesight {version}", version=__version__)
    yield tr("Source"), _named(about.source)
    if about.baseline is not None:
        yield tr("Baseline"), _named(about.baseline)
    for setting in settings:
        yield setting.label, setting.value


def _source(profile: Profile) -> Source:
    origin = profile.origin
    return Source(profile.name, origin.format, tuple(path.name for path in origin.paths))


def _named(source: Source) -> str:
    files = ", ".join(source.files)
    return source.profile if files == source.profile else f"{source.profile} ({files})"
