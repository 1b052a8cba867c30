"""Main figures of whole Ascend captures: of one rank, or of several (Ascend captures, section 9)."""

from __future__ import annotations

from typing import Final

import numpy as np

from app.analysis.capture.kernels import kernel_types, timed
from app.analysis.capture.memory import ALLOCATOR, PROCESS, highest
from app.analysis.capture.operations import Operations, largest_delay, operations, waits_caused
from app.analysis.capture.ranks import SECOND, listed_numbers, number_of, rank_key, several
from app.analysis.capture.steps import StepTimes, step_times
from app.analysis.figures import Figure, Value
from app.language import joined, tr
from app.profile.arrays import F64
from app.profile.ascend_capture import MODE_NAMES, Capture
from app.profile.profile import Profile

MODES: Final = ("text", "db", "both", "cluster")
"""Index is the number in ``Capture.mode``."""
PRODUCED: Final = tr("Where a rank has no kernels in the capture, the producer's own step times are shown.")
COMPUTING: Final = tr("Time in which at least one kernel runs, overlaps counted once.")
COMMUNICATION: Final = tr("Time in which at least one communication operation runs, overlaps counted once.")
EXPOSED: Final = tr("Time in which communication runs and no kernel does.")
OVERLAPPED: Final = tr("Communication minus exposed communication.")
FREE: Final = tr("Time from the first start to the last end in which neither kernels nor communication run.")
BUBBLE: Final = tr("Sum of the durations of hcom_receive operations: waits for another stage of a pipeline.")
STAGE: Final = tr("Time from the first start to the last end of kernels and communication, minus the bubble.")
PREPARING: Final = tr("From the start of the step on the host to its first kernel or communication operation.")


def figures(profile: Profile) -> list[Figure]:
    """Empty for a profile that is no capture."""
    own = profile.capture
    if own is None:
        return []
    steps = step_times(profile)
    if several(profile):
        return [*_ranks(own), *_steps(steps), *_kernels(profile)[::2], *_cluster(profile), *_maps(profile, steps)]
    return [
        *_facts(own),
        *_ranks(own),
        *_devices(own),
        *_steps(steps),
        *_kernels(profile),
        *_collectives(profile),
        *_times(steps),
        *_memory(profile),
    ]


def _facts(own: Capture) -> list[Figure]:
    """Who wrote the only rank's capture, and how."""
    if not len(own):
        return []
    producer, level = (own.strings.get(int(ids[0])) for ids in (own.producer, own.level))
    mode = int(own.mode[0])
    made = [
        Figure(
            "capture.mode",
            tr("Read from"),
            MODES[mode],
            help=tr("Text files, databases, or both, where each fact is taken once."),
            shown=MODE_NAMES[mode],
        )
    ]
    if producer:
        made.insert(0, Figure("capture.producer", tr("Producer"), producer, help=tr("The profiler that wrote it.")))
    if level:
        made.append(Figure("capture.level", tr("Level"), level, help=tr("How much was collected (_profiler_level).")))
    return made


def _ranks(own: Capture) -> list[Figure]:
    text = tr("Numbers of the ranks, as the files state them. A rank is not a device.")
    return [Figure("capture.ranks", tr("Ranks"), listed_numbers(own.rank), help=text, role="key")]


def _devices(own: Capture) -> list[Figure]:
    devices = listed_numbers(own.device)
    text = tr("Numbers of the devices that the ranks ran on.")
    return [Figure("capture.devices", tr("Devices"), devices, help=text, role="key")] if devices else []


def _steps(steps: StepTimes) -> list[Figure]:
    count = len(listed_numbers(steps.step))
    return [Figure("capture.steps", tr("Training steps"), count, help=tr("Steps that the training script marks."))]


def _kernels(profile: Profile) -> list[Figure]:
    own = profile.kernels
    if own is None:
        return []
    text = tr("Kernels that compute; communication operations are none.")
    return [
        Figure("capture.kernels", tr("Kernels"), len(own), help=text),
        Figure(
            "capture.kernel_types",
            tr("Types of kernels"),
            len(kernel_types(profile).row),
            help=tr("Distinct pairs of type and core."),
        ),
        Figure(
            "capture.kernel_time_s",
            tr("Time of kernels"),
            int(timed(own).sum()) / SECOND,
            "s",
            tr("Sum of the durations of the kernels; those that run at the same time all count."),
        ),
    ]


def _collectives(profile: Profile) -> list[Figure]:
    own = profile.collectives
    if own is None:
        return []
    known = (own.start >= 0) & (own.end >= own.start)
    total = int((own.end - own.start)[known].sum()) / SECOND
    text = tr("Sum of the durations of the communication operations.")
    return [
        Figure("capture.collectives", tr("Communication operations"), len(own), help=tr("Those on the device.")),
        Figure("capture.collective_time_s", tr("Time of communication operations"), total, "s", text),
    ]


def _times(steps: StepTimes) -> list[Figure]:
    of_all = tr("Sum over the steps.")
    parts = (
        ("capture.computing_s", tr("Computing"), steps.computing, COMPUTING),
        ("capture.communication_s", tr("Communication"), steps.communication, COMMUNICATION),
        ("capture.overlapped_s", tr("Overlapped communication"), steps.overlapped, OVERLAPPED),
        ("capture.communication_exposed_s", tr("Exposed communication"), steps.exposed, EXPOSED),
        ("capture.free_s", tr("Free"), steps.free, FREE),
        ("capture.stage_s", tr("Stage"), steps.stage, STAGE),
        ("capture.bubble_s", tr("Bubble"), steps.bubble, BUBBLE),
        ("capture.preparing_s", tr("Preparing"), steps.preparing, PREPARING),
    )
    return [
        Figure(name, label, _total(values), "s", joined(" ", (text, of_all)) if len(steps) > 1 else text)
        for name, label, values, text in parts
        if np.isfinite(values).any()
    ]


def _total(values: F64) -> float:
    return float(values[np.isfinite(values)].sum())


def _memory(profile: Profile) -> list[Figure]:
    known = (
        (
            "capture.memory_peak_allocated_bytes",
            tr("Peak of allocated memory"),
            (ALLOCATOR, "allocated"),
            tr("The largest value that the framework's allocator (PTA) records as allocated."),
        ),
        (
            "capture.memory_peak_reserved_bytes",
            tr("Peak of reserved memory"),
            (ALLOCATOR, "reserved"),
            tr("The largest value that the framework's allocator (PTA) records as reserved."),
        ),
        (
            "capture.memory_peak_active_bytes",
            tr("Peak of active memory"),
            (ALLOCATOR, "active"),
            tr("The largest value that the framework's allocator (PTA) records as active."),
        ),
        (
            "capture.memory_peak_process_bytes",
            tr("Peak of the process's memory"),
            (PROCESS, "reserved"),
            tr("The largest value recorded for the process (APP), with what no allocator of the framework has."),
        ),
    )
    peaks = [(name, label, highest(profile, 0, *place), text) for name, label, place, text in known]
    return [Figure(name, label, value, "B", text) for name, label, value, text in peaks if value >= 0]


def _cluster(profile: Profile) -> list[Figure]:
    """What the ranks did together."""
    own = operations(profile)
    if profile.collectives is None:
        return []
    text = tr("Communication operations with the same name and group on two ranks or more.")
    made = [Figure("cluster.collectives", tr("Operations of several ranks"), len(own), help=text)]
    return [*made, *_late(profile, own), *_waits(profile)]


def _late(profile: Profile, own: Operations) -> list[Figure]:
    """The largest delay whose rank can be named."""
    worst = largest_delay(profile)
    section = profile.collectives
    if worst < 0 or section is None:
        return []
    rank = int(own.late[worst])
    number = number_of(profile, rank)
    late: Value = number if number >= 0 else rank_key(profile, rank)
    name = section.strings.get(int(section.name[own.row[worst]]))
    return [
        Figure(
            "cluster.late_rank",
            tr("Late rank"),
            late,
            help=tr("The rank that starts last in the collective with the largest delay."),
            role="key",
        ),
        Figure(
            "cluster.delay_s",
            tr("Largest delay"),
            float(own.delay[worst]),
            "s",
            tr("Last start minus first start of one collective. Where ends differ by more, no rank is named."),
        ),
        Figure("cluster.delay_collective", tr("Collective with the largest delay"), name, role="name"),
    ]


def _waits(profile: Profile) -> list[Figure]:
    text = tr(
        "What the other ranks wait for this one, over the collectives where it starts last: an upper bound, since the "
        "next collective may wait as well."
    )
    return [_map(profile, "cluster.wait_caused_s", tr("Wait caused by rank"), waits_caused(profile), text)]


def _maps(profile: Profile, steps: StepTimes) -> list[Figure]:
    count = 0 if profile.capture is None else len(profile.capture)
    parts = (
        ("cluster.computing_s", tr("Computing by rank"), steps.computing, COMPUTING),
        ("cluster.communication_s", tr("Communication by rank"), steps.communication, COMMUNICATION),
        ("cluster.communication_exposed_s", tr("Exposed communication by rank"), steps.exposed, EXPOSED),
        ("cluster.free_s", tr("Free by rank"), steps.free, FREE),
        ("cluster.stage_s", tr("Stage by rank"), steps.stage, STAGE),
    )
    return [
        _map(profile, name, label, steps.sums(values, count), joined(" ", (text, PRODUCED)))
        for name, label, values, text in parts
        if np.isfinite(values).any()
    ]


def _map(profile: Profile, name: str, label: str, values: F64, text: str) -> Figure:
    known = {rank_key(profile, rank): float(values[rank]) for rank in np.flatnonzero(np.isfinite(values)).tolist()}
    return Figure(name, label, known, "s", text)
