"""Main figures of event logs of TensorFlow."""

from __future__ import annotations

import numpy as np

from app.analysis.figures.figure import Figure
from app.analysis.host_events.totals import bytes_moved, compile_seconds, counts, reports
from app.profile.host_events import COMPILE_END, FROM_DEVICE, TO_DEVICE, HostEvents
from app.profile.profile import Profile


def figures(profile: Profile) -> list[Figure]:
    """Nothing for a profile without events."""
    events = profile.host_events
    if events is None:
        return []
    found = [
        Figure("events.count", "Events", len(events), help="IPU events in the log."),
        Figure("events.by_type", "Events by type", counts(events), help="IpuTraceEvent.type."),
        *_modules(events),
    ]
    seconds = compile_seconds(events)
    if not np.all(np.isnan(seconds)):
        help_ = "Sum of the durations that COMPILE_END states (else of the times from COMPILE_BEGIN to COMPILE_END)."
        found.append(Figure("events.compile_seconds", "Compiling", float(np.nansum(seconds)), "s", help_))
    elif not bool(np.any(events.type == COMPILE_END)):
        found.append(Figure("events.compile_seconds", "Compiling", 0.0, "s", "The log holds no compilation."))
    for name, label, direction in (
        ("events.bytes_to_device", "Bytes to the devices", TO_DEVICE),
        ("events.bytes_from_device", "Bytes from the devices", FROM_DEVICE),
    ):
        help_ = "Sum of total_size of the transfers; they are logged with profiling only."
        moved = bytes_moved(events, direction)
        found += [] if moved is None else [Figure(name, label, moved, "B", help_)]
    help_ = "Events with a compilation or execution report, or the path of one."
    found.append(Figure("events.reports", "Reports", len(reports(events)), help=help_))
    if events.skipped_names:
        others = dict(zip(events.skipped_names, events.skipped_counts, strict=True))
        found.append(Figure("events.skipped", "Not for the IPU", others, help="What else the file holds, counted."))
    return found


def _modules(events: HostEvents) -> list[Figure]:
    modules, devices = len(np.unique(events.module[events.module >= 0])), len(np.unique(events.ordinal))
    return [
        Figure("events.modules", "Modules", modules, help="Different XLA modules that events name."),
        Figure("events.devices", "Devices", devices, help="Different ordinals."),
    ]
