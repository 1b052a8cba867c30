"""Main figures of Tenstorrent captures (Tenstorrent, section 7)."""

from __future__ import annotations

import numpy as np

from app.analysis.figures import Figure
from app.analysis.tenstorrent import GAP, KERNEL, gaps, idle, kernels
from app.language import tr
from app.profile.arrays import combine_at, distinct
from app.profile.profile import Profile
from app.profile.tenstorrent import SIGNPOST


def figures(profile: Profile) -> list[Figure]:
    """Empty for a profile that is no such capture."""
    if profile.worker_cores is None:
        return []
    return [*_machine(profile), *_zones(profile), *_operations(profile), *_noc(profile), *_memory(profile)]


def _machine(profile: Profile) -> list[Figure]:
    target = profile.target
    if target is None:
        return []
    made = []
    if target.soc:
        text = tr("As the first line of the device log or DEVICE ARCH says.")
        made.append(Figure("tenstorrent.arch", tr("Architecture"), target.soc, help=text))
    if target.clock_hz:
        text = tr("CHIP_FREQ of the device log, else the median of cycles / nanoseconds of the operations.")
        made.append(Figure("tenstorrent.clock_hz", tr("Clock"), target.clock_hz, "Hz", text))
    return made


def _zones(profile: Profile) -> list[Figure]:
    cores, run = profile.worker_cores, profile.device_run
    if cores is None or run is None or not (cores.zones >= 0).any():
        return []
    own = run.zones
    sums = np.zeros(len(run.strings), np.int64)
    combine_at(np.add, sums, own.name, own.cycles)
    order = np.argsort(-sums, kind="stable")[: int(np.count_nonzero(sums))]
    by_name = {run.strings[name]: int(sums[name]) for name in order.tolist()}
    longest = int(own.most.max(initial=0))
    text = tr("Cores of the device log with zones of the firmware and none of a kernel.")
    left = tr("Starts without an end, and ends without a start.")
    sum_help = tr("Cycles of all zones of a name, of all cores, with the zones inside.")
    return [
        Figure(
            "tenstorrent.cores", tr("Cores"), int(np.count_nonzero(cores.zones >= 0)), help=tr("In the device log.")
        ),
        Figure("tenstorrent.cores_idle", tr("Idle cores"), int(np.count_nonzero(idle(cores))), help=text),
        Figure("tenstorrent.zones", tr("Zones"), int(own.count.sum()), help=tr("Pairs of start and end.")),
        Figure("tenstorrent.zones_unmatched", tr("Zones without a partner"), run.unended + run.unbegun, help=left),
        Figure("tenstorrent.zone_cycles", tr("Cycles by zone"), by_name, "cycles", sum_help, clocked=False),
        Figure("tenstorrent.longest_zone_cycles", tr("Longest zone"), longest, "cycles", tr("The longest pair.")),
    ]


def _operations(profile: Profile) -> list[Figure]:
    own = profile.operations
    if own is None:
        return []
    marks = int(np.count_nonzero(own.place == SIGNPOST))
    time, gap = kernels(own), gaps(own)
    totals = np.zeros(len(own.strings))
    combine_at(np.add, totals, own.code, np.nan_to_num(time))
    order = np.argsort(-totals, kind="stable")[: int(np.count_nonzero(totals > 0))]
    by_code = {own.strings[code]: float(totals[code]) for code in order.tolist()}
    kernel_help, gap_help = (
        tr("Sum of {title}.", title=KERNEL),
        tr("Sum of {title}, but each device's first.", title=GAP),
    )
    devices = len(distinct(own.device[own.device >= 0]))
    return [
        Figure("tenstorrent.ops", tr("Device operations"), len(own) - marks, help=tr("Rows without signposts.")),
        Figure("tenstorrent.signposts", tr("Signposts"), marks, help=tr("Rows that mark a moment.")),
        Figure("tenstorrent.devices", tr("Devices"), devices, help=tr("Distinct DEVICE ID.")),
        Figure("tenstorrent.kernel_s", tr("Time of kernels"), float(np.nansum(time)), "s", kernel_help),
        Figure("tenstorrent.gap_s", tr("Gaps between operations"), float(np.nansum(gap)), "s", gap_help),
        Figure("tenstorrent.top_ops", tr("Time by operation"), by_code, "s", kernel_help),
    ]


def _noc(profile: Profile) -> list[Figure]:
    own = profile.noc_transfers
    if own is None:
        return []
    by_core = np.zeros(int(own.issuer.max(initial=-1)) + 1, np.int64)
    there = own.issuer >= 0
    combine_at(np.add, by_core, own.issuer[there], own.bytes[there])
    moved = tr("Reads, writes and writes to other devices with a size; multicasts once.")
    busiest = tr("Bytes of the transfers that one core issues.")
    return [
        Figure("tenstorrent.noc_events", tr("NoC events"), own.events, help=tr("Rows of the NoC traces.")),
        Figure("tenstorrent.noc_transfers", tr("NoC transfers"), len(own), help=moved),
        Figure("tenstorrent.noc_bytes", tr("NoC bytes"), int(own.bytes.sum()), "B", moved),
        Figure("tenstorrent.noc_busiest_core_bytes", tr("Busiest core"), int(by_core.max(initial=0)), "B", busiest),
    ]


def _memory(profile: Profile) -> list[Figure]:
    own, cores = profile.core_memory, profile.worker_cores
    if own is None or cores is None:
        return []
    made = [
        Figure("tenstorrent.operations", tr("Operations of the report"), len(own.operations.number)),
        Figure("tenstorrent.tensors", tr("Tensors"), len(own.tensors.number)),
        Figure("tenstorrent.buffers", tr("Rows of buffers"), own.buffer_rows),
        Figure("tenstorrent.buffer_pages", tr("Rows of pages"), own.page_rows),
    ]
    if len(own.memory.used):
        row = int(own.memory.used.argmax())
        core = int(own.memory.core[row])
        place = f"{int(cores.device[core])}/{int(cores.x[core])},{int(cores.y[core])}"
        peak = tr("Largest sum of the pages (else of the largest banks) of one core at one operation.")
        number = int(own.operations.number[own.memory.operation[row]])
        made += [
            Figure("tenstorrent.l1_peak_bytes", tr("Peak of L1"), int(own.memory.used[row]), "B", peak),
            Figure("tenstorrent.l1_peak_core", tr("On core"), place, help=tr("Device/x,y."), role="key"),
            Figure("tenstorrent.l1_peak_operation", tr("At operation"), number, role="key"),
        ]
    return made
