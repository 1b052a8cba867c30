"""Host events and their attachments; tensors that a compiler mapped to tiles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from app.analysis.host_events.links import event_reports, event_slices, report_events
from app.analysis.kinds.spec import KindSpec, Named, Trait, numbers, texts
from app.analysis.tensor_map.links import tensor_tiles
from app.language import tr
from app.profile.profile import Profile


def _event_traits(profile: Profile) -> list[Trait] | None:
    events = profile.host_events
    if events is None:
        return None
    return [*texts(events.strings, events.module), *numbers(events.type, events.ordinal, events.time)]


def _report_traits(profile: Profile) -> list[Trait] | None:
    events = profile.host_events
    if events is None:
        return None
    attached = events.attached
    place = attached.event
    return [*texts(events.strings, events.module[place]), *numbers(attached.role, events.time[place])]


def _mapped_tensors(profile: Profile) -> Iterator[Named]:
    if profile.tensor_map is not None:
        mapped, tensors = profile.tensor_map, profile.tensor_map.tensors
        yield Named(mapped.strings, tensors.instruction)
        yield Named(mapped.strings, tensors.name)


def _mapped_tensor_traits(profile: Profile) -> list[Trait] | None:
    mapped = profile.tensor_map
    if mapped is None:
        return None
    tensors = mapped.tensors
    names = texts(mapped.strings, tensors.module, tensors.computation, tensors.instruction, tensors.name)
    return [*names, *numbers(tensors.output)]


KINDS: Final = (
    KindSpec(
        "mapped_tensor",
        tr("mapped tensor"),
        tr("mapped tensors"),
        ("mapped-tensors",),
        names=_mapped_tensors,
        links={"tile": tensor_tiles},
        traits=_mapped_tensor_traits,
    ),
    KindSpec(
        "host_event",
        tr("host event"),
        tr("host events"),
        ("events",),
        links={"slice": event_slices, "report": event_reports},
        traits=_event_traits,
    ),
    KindSpec(
        "report",
        tr("part of an event"),
        tr("parts of events"),
        ("event-reports",),
        links={"host_event": report_events},
        traits=_report_traits,
    ),
)
