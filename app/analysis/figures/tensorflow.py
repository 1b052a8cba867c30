"""Main figures of TensorFlow event logs and tensor maps."""

from __future__ import annotations

import numpy as np

from app.analysis.figures import Figure
from app.analysis.host_events import bytes_moved, compile_seconds, counts, reports
from app.analysis.tensor_map import spread
from app.language import tr
from app.profile.arrays import distinct
from app.profile.profile import Profile
from app.profile.tensorflow import COMPILE_END, FROM_DEVICE, GENERATIONS, TO_DEVICE, HostEvents


def figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without events."""
    events = profile.host_events
    if events is None:
        return []
    main = [
        Figure("events.count", tr("Events"), len(events), help=tr("IPU events in the log.")),
        Figure("events.by_type", tr("Events by type"), counts(events), help=tr("IpuTraceEvent.type.")),
        *_modules(events),
    ]
    seconds = compile_seconds(events)
    if not np.all(np.isnan(seconds)):
        help_ = tr("Sum of the durations stated by COMPILE_END (else of the times from COMPILE_BEGIN to COMPILE_END).")
        main.append(Figure("events.compile_seconds", tr("Compilation time"), float(np.nansum(seconds)), "s", help_))
    elif not bool(np.any(events.type == COMPILE_END)):
        main.append(
            Figure("events.compile_seconds", tr("Compilation time"), 0.0, "s", tr("The log contains no compilation."))
        )
    for name, label, direction in (
        ("events.bytes_to_device", tr("Bytes to the devices"), TO_DEVICE),
        ("events.bytes_from_device", tr("Bytes from the devices"), FROM_DEVICE),
    ):
        help_ = tr("Sum of total_size of the transfers, which are logged only with profiling.")
        moved = bytes_moved(events, direction)
        main += [] if moved is None else [Figure(name, label, moved, "B", help_)]
    help_ = tr("Events with a compilation or execution report or the path of one.")
    main.append(Figure("events.reports", tr("Reports"), len(reports(events)), help=help_))
    if events.skipped_names:
        others = dict(zip(events.skipped_names, events.skipped_counts, strict=True))
        main.append(
            Figure(
                "events.skipped",
                tr("Other content"),
                others,
                help=tr("Entries of the file without IPU events, by kind."),
            )
        )
    return main


def _modules(events: HostEvents) -> list[Figure]:
    modules, devices = len(distinct(events.module[events.module >= 0])), len(distinct(events.ordinal))
    return [
        Figure("events.modules", tr("Modules"), modules, help=tr("Different XLA modules named by events.")),
        Figure("events.devices", tr("Devices"), devices, help=tr("Different device ordinals.")),
    ]


def tensor_map_figures(profile: Profile) -> list[Figure]:
    """The figures; empty for a profile without a map."""
    tensor_map = profile.tensor_map
    if tensor_map is None:
        return []
    sums = spread(tensor_map)
    used = tensor_map.tile[tensor_map.count > 0]
    made = [
        Figure("tensors.count", tr("Mapped tensors"), len(tensor_map)),
        Figure(
            "tensors.elements",
            tr("Elements"),
            int(sums.elements.sum()),
            help=tr("Distinct mapped elements of all tensors: a broadcast scalar counts once."),
        ),
        Figure("tensors.tiles", tr("Tiles"), len(distinct(used)), help=tr("Tiles with any element.")),
        Figure(
            "tensors.bytes",
            tr("Bytes"),
            int(sums.bytes[sums.bytes >= 0].sum()),
            "B",
            tr("Elements x bytes of their types; each tensor counts, even if it aliases another."),
        ),
        Figure("tensors.computations", tr("Computations"), len(distinct(tensor_map.tensors.computation))),
    ]
    forms = [GENERATIONS[number] for number in distinct(tensor_map.tensors.generation).tolist() if number]
    if forms:
        made.append(
            Figure(
                "tensors.generation",
                tr("Map format"),
                ", ".join(forms),
                help=tr("Determined from its tensors and tiles."),
            )
        )
    uneven = np.flatnonzero(~np.isnan(sums.imbalance) & (sums.tiles > 1))
    if len(uneven):
        worst = float(sums.imbalance[uneven].max())
        help_ = tr("Largest value of any tensor on several tiles: elements on its fullest tile / mean over its tiles.")
        made.append(Figure("tensors.worst_imbalance", tr("Worst imbalance"), worst, help=help_))
    return made
